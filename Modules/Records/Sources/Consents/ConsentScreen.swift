import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RecordsInterface
import ScreenKit

/// The page of a school's consent log and of the consents of its account holders.
struct ConsentScreen: Sendable {
    static let path = "/settings/consents"

    let handlers: ConsentHandlers
    let register: any SchoolRegister
    let agreements: any ConsentRecording

    var routes: [ScreenRoute] {
        [ScreenRoute(Self.path, access: .member(.managePersonRecords), tab: "/settings", list)]
    }

    @Sendable
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let places = try await register.entry(of: membership.organization.id).places
        let log = try await request.context.school.read { try RecordConsentRepository.all(in: $0) }
        let persons = Set(log.map(\.personId) + places.map(\.personId))
        let names = try await request.context.school.read {
            try handlers.people.people(Array(persons), of: membership.organization.id, in: $0)
        }
        func name(_ id: UUID) -> String { names[id]?.name.display ?? words("records.removedPerson") }
        var agreed: [PTListCell] = []
        let holders = Dictionary(places.map { ($0.personId, $0.accountId) }) { first, second in first ?? second }
        for (personId, accountId) in holders.sorted(by: { name($0.key) < name($1.key) }) {
            guard let accountId else { continue }
            for consent in try await agreements.consents(of: accountId) {
                agreed.append(cell(consent, of: name(personId), membership.timeZone, words))
            }
        }
        let noted = log.map { Self.cell($0, title: name($0.personId), handlers.kinds, membership.timeZone, words) }
        var body: [Component] = [.text(PTText(words("records.consents.explained"), role: .note))]
        body.append(
            noted.isEmpty
                ? .empty(
                    PTEmptyState(
                        icon: .check, title: words("records.consents.none"),
                        message: words("records.consents.noneTip"),
                        action: PTButton(
                            title: words("records.consents.members"), action: .open("/settings/members"))))
                : .section(
                    PTSection(
                        title: words("records.consents.ofSchool"),
                        body: [.list(PTList(cells: noted, label: words("records.consents.ofSchool")))])))
        if !agreed.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("records.consents.ofAccounts"),
                        body: [.list(PTList(cells: agreed, label: words("records.consents.ofAccounts")))])))
        }
        return .screen(
            Screen(
                title: words("records.consents"), back: "/settings", live: ["records"], body: body))
    }

    /// A cell for an entry of the log, titled with the name of the person or of the kind.
    static func cell(
        _ consent: RecordConsent, title: String, _ kinds: [RecordKind], _ timeZone: TimeZone, _ words: Words
    ) -> PTListCell {
        let kind = kinds.first { $0.id == consent.kind }.map { words($0.title) } ?? consent.kind
        return PTListCell(
            id: consent.id.text, title: title == kind ? kind : "\(title) · \(kind)",
            subtitle: words("records.consent.line", consent.giver, words.dateAndTime(consent.at, in: timeZone)),
            trailing: [
                .badge(
                    PTTag(
                        text: words(consent.isGiven ? "records.consent.given" : "records.consent.takenBack"),
                        tone: consent.isGiven ? .good : .warning))
            ])
    }

    private func cell(_ consent: Consent, of name: String, _ timeZone: TimeZone, _ words: Words) -> PTListCell {
        PTListCell(
            id: consent.id.text, title: "\(name) · \(words("records.agreement.\(consent.purpose)"))",
            subtitle: words(
                "records.agreement.line", consent.giverEmail ?? name, consent.version,
                words.dateAndTime(consent.at, in: timeZone)),
            trailing: [
                .badge(
                    PTTag(
                        text: words(consent.isGiven ? "records.consent.given" : "records.consent.takenBack"),
                        tone: consent.isGiven ? .good : .warning))
            ])
    }
}
