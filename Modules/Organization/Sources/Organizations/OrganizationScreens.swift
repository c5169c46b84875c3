import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The view models for choosing, founding and renaming an organization.
struct OrganizationScreens: Sendable {
    let organizations: any OrgService

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/organizations", access: .account, selectOrganization),
            ScreenRoute("/organizations/new", access: .account, createOrganization),
            ScreenRoute("/settings/organization", access: .member(.belong), tab: "/settings", profile),
        ]
    }

    /// The searchable list of organizations, in which one is made active (`SelectOrganizationView` of the ledger).
    @Sendable
    private func selectOrganization(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let all = try await organizations.list(for: request.context.account.id)
        let wanted = request.query["q"] ?? ""
        let folded = NameFolding.fold(wanted)
        let shown = all.filter { folded.isEmpty || NameFolding.fold($0.name).contains(folded) }
        let active = request.context.caller.membership?.organization.id
        return .screen(
            Screen(
                title: words("organization.select.title"), subtitle: words("organization.select.subtitle"),
                layout: .focused, back: active == nil ? nil : "/settings/organization",
                body: [
                    .search(
                        PTSearchField(
                            path: "/organizations", value: wanted, placeholder: words("organization.select.search"),
                            label: words("organization.select.search"))),
                    shown.isEmpty
                        ? .empty(
                            PTEmptyState(
                                title: words("organization.select.none"),
                                message: words("organization.select.noneTip"),
                                action: PTButton(
                                    title: words("organization.create.one"), icon: .plus,
                                    action: .open("/organizations/new")),
                                secondary: .init(title: words("join.haveCode"), action: .open("/join"))))
                        : .list(
                            PTList(
                                cells: shown.map { cell($0, isCurrent: $0.id == active, request) },
                                label: words("organization.select.title"))),
                    .links(
                        PTLinks(
                            links: Self.creation("organization.create.one", request) + [
                                .init(title: words("join.haveCode"), action: .open("/join"))
                            ])),
                ]))
    }

    /// Returns the link for founding a school; none for families and students, who join existing schools.
    private static func creation(_ title: String, _ request: ScreenRequest) -> [PTLinks.Link] {
        guard !request.context.caller.isFamilyOrStudent else { return [] }
        return [.init(title: request.words(title), action: .open("/organizations/new"))]
    }

    private func cell(_ organization: Organization, isCurrent: Bool, _ request: ScreenRequest) -> PTListCell {
        PTListCell(
            id: organization.id.text,
            leading: .avatar(
                PTAvatar(
                    initials: Initials.of(organization.name), tint: organization.avatarTint,
                    id: organization.id)),
            title: organization.name,
            subtitle: isCurrent ? request.words("organization.select.current") : nil, isCurrent: isCurrent,
            trailing: [.chevron],
            action: .perform(
                request.call(
                    SetActiveOrganization.self, ["organizationId": organization.id.text], to: "/")))
    }

    /// The page that founds an organization, with one field for its name (`CreateOrganizationView` of the ledger).
    @Sendable
    private func createOrganization(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        return .screen(
            Screen(
                title: words("organization.create.title"), subtitle: words("organization.create.subtitle"),
                layout: .focused, back: "/organizations",
                body: [
                    .form(
                        request.form(
                            CreateOrganization.self, id: "create-organization",
                            fields: [
                                PTField(
                                    name: "name", label: words("organization.name"), isRequired: true,
                                    autocomplete: "organization", maxLength: 120,
                                    placeholder: words("organization.name.example")),
                                .hidden("timeZone", ""),
                            ],
                            submit: SubmitButton(title: words("organization.create.action")), style: .card))
                ]))
    }

    /// Settings > School: rename, and the switcher where there is more than one.
    @Sendable
    private func profile(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let organization = membership.organization
        let all = try await organizations.list(for: request.context.account.id)
        let mayRename = request.context.caller.may(.renameOrganization)
        var body: [Component] = []
        if mayRename {
            body.append(
                .form(
                    request.form(
                        RenameOrganization.self, id: "rename-organization",
                        fields: [
                            PTField(
                                name: "name", label: words("organization.name"), value: organization.name,
                                isRequired: true, autocomplete: "organization", maxLength: 120),
                            PTField(
                                .select(TimeZones.options(including: organization.timeZone)), name: "timeZone",
                                label: words("organization.timeZone"), value: organization.timeZone,
                                hint: words("organization.timeZone.hint")),
                        ],
                        submit: SubmitButton(title: words("settings.save")), style: .card)))
        } else {
            body.append(
                .definitionList(
                    PTDefinitionList(items: [
                        .init(term: words("organization.name"), value: organization.name),
                        .init(term: words("organization.timeZone"), value: organization.timeZone),
                    ])))
        }
        body += try await LogoHandlers.section(request)
        if let security = try StaffSecurity.section(request) { body.append(security) }
        if all.count > 1 {
            body.append(
                .section(
                    PTSection(
                        title: words("organization.switch"),
                        body: [
                            .list(
                                PTList(cells: all.map { cell($0, isCurrent: $0.id == organization.id, request) }))
                        ])))
        }
        body.append(
            .links(
                PTLinks(
                    links: [.init(title: words("join.haveCode"), action: .open("/settings/join"))]
                        + Self.creation("organization.create.another", request))))
        return .screen(Screen(title: words("settings.organization"), live: ["organization"], body: body))
    }
}

/// The time zones that a school can choose from.
enum TimeZones {
    static func options(including current: String) -> [PTField.Option] {
        let known = Set(TimeZone.knownTimeZoneIdentifiers).union([current, "UTC"])
        return known.filter { $0.contains("/") || $0 == "UTC" || $0 == current }.sorted()
            .map { PTField.Option(value: $0, title: $0.replacingOccurrences(of: "_", with: " ")) }
    }
}
