import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The view model of Settings > Members.
struct MembersScreen: Sendable {
    let memberships: any MembershipService

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/settings/members", access: .member(.viewMembers), tab: "/settings", seen: Seen("members.seen"),
                list),
            ScreenRoute(
                "/settings/members/{personId}", access: .member(.viewMembers), tab: "/settings",
                seen: Seen("member.seen", "personId"), member),
        ]
    }

    @Sendable
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let all = try await members(request)
        let wanted = request.query["q"] ?? ""
        let folded = NameFolding.fold(wanted)
        let matching = all.filter {
            folded.isEmpty || NameFolding.fold($0.name).contains(folded) || ($0.email ?? "").contains(folded)
        }
        let staff = matching.filter { $0.roles.contains(where: \.isGuideRole) }
        let others = matching.filter { !$0.roles.contains(where: \.isGuideRole) }
        let start = request.query["from"].flatMap { Int($0) } ?? 0
        let page = Array(others.dropFirst(max(0, start)).prefix(Self.pageSize))
        var body: [Component] = [
            .search(
                PTSearchField(
                    path: "/settings/members", value: wanted, placeholder: words("members.search"),
                    label: words("members.search")))
        ]
        if matching.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        title: words("members.none"), message: words("members.noneTip"),
                        action: PTButton(
                            title: words("invites.create"), icon: .plus, action: .open("/settings/invites")))))
        }
        if !staff.isEmpty && start == 0 {
            body.append(
                .section(
                    PTSection(
                        title: words("members.staff"), detail: words("members.count", staff.count),
                        body: [.list(PTList(cells: staff.map { cell($0, request) }, columns: .two))])))
        }
        if !page.isEmpty {
            let next = start + Self.pageSize
            let query =
                wanted.isEmpty
                ? "" : "&q=\(wanted.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            body.append(
                .section(
                    PTSection(
                        title: words("members.others"), detail: words("members.count", others.count),
                        body: [
                            .list(
                                PTList(
                                    cells: page.map { cell($0, request) }, columns: .two,
                                    more: next < others.count
                                        ? PTButton(
                                            title: words("members.more"), role: .neutral,
                                            action: .open("/settings/members?from=\(next)\(query)")) : nil))
                        ])))
        }
        let beside = request.navigation.filter { $0.placement == .members }
        if !beside.isEmpty {
            body.append(
                .links(PTLinks(links: beside.map { .init(title: words($0.title), action: .open($0.path)) })))
        }
        return .screen(Screen(title: words("settings.members"), live: ["members"], body: body))
    }

    static let pageSize = 60

    private func cell(_ member: Member, _ request: ScreenRequest) -> PTListCell {
        PTListCell(
            id: member.id.text,
            leading: .avatar(
                PTAvatar(
                    initials: Initials.of(member.name), tint: member.avatarTint, id: member.id,
                    imageURL: member.avatarURL)),
            title: member.name, subtitle: member.email ?? request.words("members.noSignIn"),
            trailing: [.badge(PTTag(text: roleNames(member.roles, request.words)))],
            action: .present("/settings/members/\(member.id.text)"))
    }

    @Sendable
    private func member(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("personId")
        guard let member = try await members(request).first(where: { $0.id == id }) else { throw Problem.notFound }
        let mayChange = request.context.caller.may(.changeRoles)
        let isStaff = member.roles.contains(where: \.isGuideRole)
        var body: [Component] = [
            .definitionList(
                PTDefinitionList(items: [
                    .init(term: words("members.email"), value: member.email ?? words("members.noEmail")),
                    .init(term: words("members.roles"), value: roleNames(member.roles, words)),
                    .init(
                        term: words("members.signIn"),
                        value: words(member.hasSignedIn ? "members.hasSignedIn" : "members.noSignIn")),
                ]))
        ]
        if request.context.caller.may(.editMembers) && !member.roles.contains(.student) {
            body += try await editing(member, request)
        }
        if mayChange && isStaff {
            body.append(
                .form(
                    request.form(
                        ChangeMemberRole.self, ["personId": id.text], id: "role",
                        fields: [
                            PTField(
                                .choice(
                                    Role.guideRoles.map {
                                        PTField.Option(value: $0.rawValue, title: words("role.\($0.rawValue)"))
                                    }), name: "role", label: words("members.role"),
                                value: member.roles.first(where: \.isGuideRole)?.rawValue ?? Role.guide.rawValue,
                                hint: words("members.roleHint"))
                        ],
                        submit: SubmitButton(title: words("settings.save")), to: "/settings/members", style: .card))
            )
        }
        if !member.hasSignedIn && request.context.caller.may(.invite), let role = member.roles.first {
            body.append(
                .button(
                    PTButton(
                        title: words("members.invite"), icon: .send, role: .tonal,
                        action: .perform(
                            request.call(
                                CreateInvite.self, fields: ["role": role.rawValue, "personId": id.text],
                                to: "/settings/invites")))))
        }
        if request.context.caller.may(.removeMembers) {
            body.append(
                .button(
                    PTButton(
                        title: words("members.remove"), icon: .trash, role: .destructive,
                        action: .perform(
                            request.call(
                                RemoveMember.self, ["personId": id.text],
                                confirmation: PTConfirmation(
                                    title: words("members.removeQuestion", member.name),
                                    message: words("members.removeExplained"), confirm: words("members.remove")),
                                to: "/settings/members")))))
        }
        let more = request.links(.person, ["personId": id])
        if !more.isEmpty { body.append(.links(PTLinks(links: more))) }
        return .screen(
            Screen(title: member.name, back: "/settings/members", live: ["members"], body: body))
    }

    /// Returns the forms for a member's name and address.
    private func editing(_ member: Member, _ request: ScreenRequest) async throws -> [Component] {
        let words = request.words
        let caller = try request.context.membership
        let id = member.id
        let person = try await request.context.school.read {
            try PeopleRepository.people([id], of: caller.organization.id, in: $0)[id]
        }
        let account = try await request.context.directory.read {
            try MemberAddress.account(of: id, changedBy: caller, in: $0)
        }
        var forms: [Component] = []
        if let person {
            var fields = [
                PTField(
                    name: "firstName", label: words("members.firstName"), value: person.name.given,
                    hint: words("members.oneName"), autocomplete: "off", maxLength: 100, width: .half),
                PTField(
                    name: "lastName", label: words("members.lastName"), value: person.name.family,
                    autocomplete: "off", maxLength: 100, width: .half),
            ]
            if !member.hasSignedIn {
                fields.append(
                    PTField(
                        .email, name: "email", label: words("members.email"), value: person.email ?? "",
                        autocomplete: "off", maxLength: 254))
            }
            forms += try await request.form(
                UpdateMember.self, ["personId": id.text], id: "member", of: person.memberVersion,
                savedBy: ["members.updated"], id, fields: fields,
                submit: SubmitButton(
                    title: words(member.hasSignedIn ? "members.saveName" : "members.saveDetails"), role: .tonal),
                style: .card)
        }
        if account != nil {
            forms.append(
                .form(
                    request.form(
                        ChangeMemberAddress.self, ["personId": id.text], id: "address",
                        fields: [
                            PTField(
                                .email, name: "email", label: words("members.signInAddress"),
                                value: member.email ?? "", hint: words("members.addressHint"), isRequired: true,
                                autocomplete: "off", maxLength: 254)
                        ],
                        submit: SubmitButton(title: words("members.saveAddress"), role: .tonal), style: .card)))
        } else if member.hasSignedIn {
            forms.append(.text(PTText(words("members.addressOwn", member.name), role: .note)))
        }
        return forms
    }

    /// Returns an administrator's part of the home page: the numbers of people, with links to their lists.
    func home(_ request: ScreenRequest) async throws -> [Component] {
        let words = request.words
        let all = try await members(request)
        let counts = Role.allCases.compactMap { role -> String? in
            let count = all.count { $0.roles.contains(role) }
            return count > 0 ? "\(words("role.\(role.rawValue)")) \(count)" : nil
        }
        return [
            .section(
                PTSection(
                    title: words("members.home"),
                    body: [
                        .list(
                            PTList(cells: [
                                PTListCell(
                                    leading: .icon(.people, tint: .leaf), title: words("members.count", all.count),
                                    subtitle: counts.joined(separator: " · "), trailing: [.chevron],
                                    action: .open("/settings/members"))
                            ]))
                    ]))
        ]
    }

    private func members(_ request: ScreenRequest) async throws -> [Member] {
        try await memberships.members(
            of: request.context.membership.organization.id, school: request.context.school)
    }

    private func roleNames(_ roles: [Role], _ words: Words) -> String {
        roles.map { words("role.\($0.rawValue)") }.joined(separator: ", ")
    }
}
