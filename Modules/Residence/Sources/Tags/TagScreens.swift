import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

extension ResidenceTopic {
    /// The page with a resident's own pass.
    static func pass(of studentId: UUID) -> String { "residence-pass:\(studentId.text)" }
}

/// The wardens' page of a resident's tags, and the resident's own pass.
struct TagScreens: Sendable {
    static let own = "/residence/pass"
    static func path(_ residenceId: UUID, _ studentId: UUID) -> String {
        "\(ResidenceScreens.residents(residenceId))/\(studentId.text)/tags"
    }

    let handlers: ResidentHandlers
    let qr: any QRCodeEncoder

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/residences/{pgId}/residents/{studentId}/tags", access: .member(.runResidence),
                tab: ResidenceScreens.list
            ) { .screen(try await tags($0)) },
            ScreenRoute(Self.own, access: .member(.liveInResidence), tab: Self.own) { .screen(try await pass($0)) },
        ]
    }

    // MARK: - A resident's tags

    private func tags(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let residence = try await ResidenceScreens.residence(request)
        let (id, membership) = (try request.id("studentId"), try request.context.membership)
        let (person, tags) = try await request.context.school.read { sql in
            _ = try handlers.resident(id, residence.id, membership, in: sql)
            return (
                try handlers.people.people([id], of: membership.organization.id, in: sql)[id],
                try TagRepository.tags(of: [id], in: sql)[id] ?? []
            )
        }
        guard let person else { throw Problem.notFound }
        let ids = ["pgId": residence.id.text, "studentId": id.text]
        let list: Component =
            tags.isEmpty
            ? .empty(
                PTEmptyState(
                    icon: .tag, title: words("residence.tags.none"), message: words("residence.tags.noneTip")))
            : .list(
                PTList(
                    cells: tags.map { cell($0.tag, ids, request) }, columns: .two, label: words("residence.tags")))
        return Screen(
            title: words("residence.tags"), subtitle: person.name.display,
            back: "\(ResidenceScreens.residents(residence.id))/\(id.text)",
            live: [ResidenceTopic.residence(residence.id)],
            body: [
                list,
                .form(
                    request.form(
                        AddTag.self, ids, id: "tag",
                        fields: [
                            PTField(
                                name: "number", label: words("residence.tag.number"),
                                hint: words("residence.tag.numberTip"), isRequired: true, autocomplete: "off",
                                maxLength: 200)
                        ], submit: SubmitButton(title: words("residence.tag.add"), role: .tonal), style: .card)),
                .button(
                    PTButton(
                        title: words("residence.tag.newBadge"), icon: .tag, role: .tonal,
                        action: .perform(
                            request.call(
                                AddTag.self, ids,
                                confirmation: tags.contains { $0.tag.kind == .badge }
                                    ? PTConfirmation(
                                        title: words("residence.tag.newBadge.title"),
                                        message: words("residence.tag.newBadge.message"),
                                        confirm: words("residence.tag.newBadge"), isDestructive: false) : nil)))),
            ])
    }

    private func cell(_ tag: PersonalTag, _ ids: [String: String], _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        let timeZone = request.context.caller.timeZone
        let isLost = tag.lostAt != nil
        let ids = ids.merging(["tagId": tag.id.text]) { $1 }
        let title = words("residence.tag.\(tag.kind.rawValue)")
        return PTListCell(
            id: tag.id.text, leading: .icon(tag.kind == .phone ? .phone : .tag, tint: isLost ? .clay : .sky),
            title: title,
            subtitle: words("residence.tag.since", words.dateAndTime(tag.createdAt, in: timeZone)),
            trailing: (isLost ? [.badge(PTTag(text: words("residence.tag.lost"), tone: .danger))] : []) + [.menu],
            menu: [
                PTMenuItem(
                    title: words(isLost ? "residence.tag.found" : "residence.tag.reportLost"),
                    icon: isLost ? .check : .alert,
                    action: .perform(
                        request.call(ReportTag.self, ids, fields: ["isLost": isLost ? "false" : "true"]))),
                PTMenuItem(
                    title: words("residence.tag.revoke"), icon: .trash, role: .destructive,
                    action: .perform(
                        request.call(
                            RevokeTag.self, ids,
                            confirmation: PTConfirmation(
                                title: words("residence.tag.revoke.title"),
                                message: words("residence.tag.revoke.message"),
                                confirm: words("residence.tag.revoke"))))),
            ])
    }

    // MARK: - The resident's own pass

    private func pass(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let id = membership.personId
        let found = try await request.context.school.read { sql -> (Resident, Residence, Presence?, String?)? in
            guard let resident = try ResidentRepository.resident(id, in: sql), resident.status != .movedOut,
                let residence = try ResidenceRepository.residences("id = \(resident.pgId)", in: sql).first
            else { return nil }
            let code = try TagRepository.tags(of: [id], in: sql)[id]?
                .first { $0.tag.kind == .phone && $0.tag.lostAt == nil }?.code
            return (resident, residence, try PassageRepository.presence(of: id, in: sql), code)
        }
        guard let (resident, residence, presence, code) = found else {
            return Screen(
                title: words("residence.pass"),
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .bed, title: words("residence.pass.none"),
                            message: words("residence.pass.noneTip")))
                ])
        }
        let isIn = presence?.type == .checkIn
        let parameters = ["pgId": residence.id.text]
        let passage =
            isIn ? request.call(CheckOut.self, parameters) : request.call(CheckIn.self, parameters)
        var body: [Component] = [
            .greeting(
                PTGreeting(
                    eyebrow: residence.name,
                    title: presence.map {
                        words(
                            isIn ? "residence.pass.in" : "residence.pass.out",
                            words.dateAndTime($0.changedAt, in: membership.timeZone))
                    } ?? words("residence.pass.notSeen"))),
            .button(
                PTButton(
                    title: words(isIn ? "residence.do.checkOut" : "residence.do.checkIn"), icon: .door,
                    size: .large,
                    isWide: true, action: .perform(passage))),
            .section(PTSection(title: words("residence.pass.code"), body: try self.code(code, request))),
        ]
        if residence.recordsLocation, resident.allowsLocation {
            body.append(.island(PTIsland("place", fallback: words("residence.pass.location"))))
        }
        if residence.recordsLocation {
            body.append(
                .form(
                    request.form(
                        AllowLocation.self, id: "location",
                        fields: [
                            PTField(
                                .toggle, name: "isAllowed", label: words("residence.pass.location"),
                                value: resident.allowsLocation ? "true" : "false",
                                hint: words("residence.pass.locationTip"))
                        ], submit: SubmitButton(title: words("residence.save"), role: .tonal), to: Self.own,
                        style: .card)))
        }
        return Screen(
            title: words("residence.pass"),
            live: [ResidenceTopic.pass(of: id), ResidenceTopic.residence(residence.id)], body: body)
    }

    private func code(_ code: String?, _ request: ScreenRequest) throws -> [Component] {
        let words = request.words
        let call = request.call(
            MakeOwnCode.self,
            confirmation: code.map { _ in
                PTConfirmation(
                    title: words("residence.pass.newCode.title"), message: words("residence.pass.newCode.message"),
                    confirm: words("residence.pass.newCode"), isDestructive: false)
            })
        let button = PTButton(
            title: words(code == nil ? "residence.pass.makeCode" : "residence.pass.newCode"), role: .tonal,
            action: .perform(call))
        guard let code else {
            return [.text(PTText(words("residence.pass.codeTip"), role: .note)), .button(button)]
        }
        return [
            .codeCard(
                PTCodeCard(
                    title: words("residence.pass.show"), code: ShortCode.grouped(code, by: 4),
                    spoken: code.map(String.init).joined(separator: " "),
                    qr: QRMatrix(rows: try qr.modules(of: code)), qrSpoken: words("residence.pass.qr"),
                    detail: words("residence.pass.mine"), actions: [button]))
        ]
    }

    /// Whether the entry is shown: only to residents.
    func isOffered(to membership: ActiveMembership, in sql: any SQLReading) throws -> Bool {
        try ResidentRepository.resident(membership.personId, in: sql).map { $0.status != .movedOut } ?? false
    }
}
