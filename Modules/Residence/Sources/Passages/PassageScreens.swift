import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The page of a passage: as it was recorded, its corrections, and the form for another one.
struct PassageScreens: Sendable {
    let people: any PeopleService

    static func path(_ residenceId: UUID, _ recordId: UUID) -> String {
        "\(ResidenceScreens.path(residenceId))/passages/\(recordId.text)"
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/residences/{pgId}/passages/{recordId}", access: .member(.runResidence), tab: ResidenceScreens.list
            ) { .screen(try await passage($0)) }
        ]
    }

    private func passage(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let residence = try await ResidenceScreens.residence(request)
        let id = try request.id("recordId")
        let (record, corrections, names) = try await request.context.school.read { sql in
            guard let record = try PassageRepository.record(id, in: sql), record.pgId == residence.id else {
                throw Problem.notFound
            }
            let corrections = try PassageRepository.corrections(of: [id], in: sql)
            let names = try people.people(
                [record.studentId] + corrections.map(\.by), of: membership.organization.id, in: sql)
            return (record, corrections, names)
        }
        let name = names[record.studentId]?.name.display ?? words("residence.formerResident")
        let recorded = [
            Self.type(record.type, words), words("residence.method.\(record.method.rawValue)"),
        ].joined(separator: " · ")
        return Screen(
            title: name, subtitle: words.dateAndTime(record.timestamp, in: membership.timeZone),
            back: ResidenceScreens.path(residence.id), live: [ResidenceTopic.residence(residence.id)],
            body: [
                .definitionList(
                    PTDefinitionList(items: [.init(term: words("residence.passage.recorded"), value: recorded)])),
                list(corrections, names, words, membership.timeZone),
                form(record, corrections.last, residence, membership.timeZone, request),
            ])
    }

    /// The corrections of a passage, each with its author, its time and its reason.
    private func list(
        _ corrections: [RecordCorrection], _ names: [UUID: Person], _ words: Words, _ timeZone: TimeZone
    ) -> Component {
        guard !corrections.isEmpty else { return .text(PTText(words("residence.passage.stays"), role: .note)) }
        return .section(
            PTSection(
                title: words("residence.rollCall.corrections"),
                body: [
                    .list(
                        PTList(
                            cells: corrections.map { correction in
                                PTListCell(
                                    id: correction.id.text, leading: .icon(.edit, tint: .sky),
                                    title: Self.text(correction.change, words, timeZone),
                                    subtitle: [
                                        correction.reason,
                                        names[correction.by]?.name.display ?? words("residence.formerWarden"),
                                    ].joined(separator: " · "),
                                    trailing: [.text(words.dateAndTime(correction.at, in: timeZone))])
                            }, label: words("residence.rollCall.corrections")))
                ]))
    }

    private func form(
        _ record: CheckInOutRecord, _ latest: RecordCorrection?, _ residence: Residence, _ timeZone: TimeZone,
        _ request: ScreenRequest
    ) -> Component {
        let words = request.words
        let (type, at): (RecordType?, Date) =
            switch latest?.change {
            case .replaced(let type, let at): (type, at)
            case .taken: (nil, record.timestamp)
            case nil: (record.type, record.timestamp)
            }
        let choices =
            RecordType.allCases.map { PTField.Option(value: $0.rawValue, title: Self.type($0, words)) }
            + [PTField.Option(value: "", title: words("residence.passage.taken"))]
        return .form(
            request.form(
                CorrectPassage.self, ["pgId": residence.id.text, "recordId": record.id.text], id: "correct",
                fields: [
                    PTField(
                        .choice(choices), name: "type", label: words("residence.passage.right"),
                        value: type?.rawValue ?? ""),
                    PTField(
                        .date, name: "day", label: words("residence.passage.day"),
                        value: Day(at, in: timeZone).description, isRequired: true, width: .half),
                    PTField(
                        name: "time", label: words("residence.passage.time"),
                        value: ClockTime(at, in: timeZone).description, isRequired: true, autocomplete: "off",
                        maxLength: 5, width: .half),
                    PTField(
                        name: "reason", label: words("residence.rollCall.reason"), isRequired: true, maxLength: 200,
                        placeholder: words("residence.passage.reason.example")),
                ], submit: SubmitButton(title: words("residence.passage.correct")),
                to: ResidenceScreens.path(residence.id), style: .card))
    }

    /// "In", "Out".
    static func type(_ type: RecordType, _ words: Words) -> String {
        words(type == .checkIn ? "residence.status.checkedIn" : "residence.status.checkedOut")
    }

    /// "Corrected: out, 18:42", "Did not happen".
    static func text(_ change: RecordCorrection.Change, _ words: Words, _ timeZone: TimeZone) -> String {
        switch change {
        case .taken: words("residence.passage.taken")
        case .replaced(let type, let at):
            words("residence.passage.corrected", Self.type(type, words), words.time(at, in: timeZone))
        }
    }
}
