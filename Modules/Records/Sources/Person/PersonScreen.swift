import DesignSystem
import Domain
import FeatureKit
import Foundation
import RecordsInterface
import ScreenKit

/// The page of one person's records: export, consents and erasure.
struct PersonScreen: Sendable {
    let records: PersonRecords
    let prepared: PreparedFiles
    let consents: ConsentHandlers

    static let route = "/settings/people/{personId}/records"
    static func path(of personId: UUID) -> String {
        route.replacingOccurrences(of: "{personId}", with: personId.text)
    }

    var routes: [ScreenRoute] {
        [ScreenRoute(Self.route, access: .member(.managePersonRecords), tab: "/settings", make)]
    }

    @Sendable
    private func make(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("personId")
        let name = try await records.subject(id, in: request.context).person.name.display
        let files = try await prepared.files(in: request.context).filter { $0.aboutId == id }
        var body: [Component] = [
            .section(
                PTSection(
                    title: words("records.person.export"),
                    body: [
                        .text(PTText(words("records.person.exportExplained", name), role: .note)),
                        .buttons(
                            PTButtonGroup(buttons: [
                                PTButton(
                                    title: words("records.person.makeExport"), icon: .download, role: .tonal,
                                    action: .perform(request.call(ExportPerson.self, ["personId": id.text])))
                            ])),
                    ] + PreparedFileCells.list(files, request)))
        ]
        body.append(
            .section(PTSection(title: words("records.consents"), body: try await noted(about: id, request))))
        if try request.context.membership.personId != id {
            body.append(
                .section(
                    PTSection(
                        title: words("records.erase.title"),
                        body: [
                            .text(PTText(words("records.erase.explained", name), role: .note)),
                            .form(erasure(of: id, name, request)),
                        ])))
        }
        return .screen(
            Screen(title: words("records.person.title", name), back: "/settings/members", body: body))
    }

    /// The person's consents so far, and a form to add one.
    private func noted(about id: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let words = request.words
        let timeZone = try request.context.membership.timeZone
        let log = try await request.context.school.read { try RecordConsentRepository.all(of: id, in: $0) }
        let cells = log.map { consent in
            let kind = consents.kinds.first { $0.id == consent.kind }
            return ConsentScreen.cell(
                consent, title: kind.map { words($0.title) } ?? consent.kind, consents.kinds, timeZone, words)
        }
        let form = request.form(
            NoteConsent.self, ["personId": id.text], id: "consent",
            fields: [
                PTField(
                    .select(consents.offered.map { .init(value: $0.id, title: words($0.title)) }), name: "kind",
                    label: words("records.consent.kind")),
                PTField(
                    name: "giver", label: words("records.consent.giver"), hint: words("records.consent.giverHint"),
                    isRequired: true, autocomplete: "off", maxLength: 200),
                PTField(
                    .choice([
                        .init(value: "true", title: words("records.consent.given")),
                        .init(value: "false", title: words("records.consent.takenBack")),
                    ]), name: "isGiven", label: words("records.consent.answer"), value: "true"),
            ],
            submit: SubmitButton(title: words("records.consent.note"), icon: .plus), style: .card)
        let list: [Component] =
            cells.isEmpty ? [] : [.list(PTList(cells: cells, label: words("records.consents")))]
        return list + [.disclosure(PTDisclosure(title: words("records.consent.add"), body: [.form(form)]))]
    }

    private func erasure(of id: UUID, _ name: String, _ request: ScreenRequest) -> PTForm {
        let words = request.words
        return request.form(
            ErasePerson.self, ["personId": id.text], id: "erase-person",
            fields: [
                PTField(
                    name: "name", label: words("records.erase.name"), hint: words("records.erase.nameHint", name),
                    isRequired: true, autocomplete: "off", maxLength: 200),
                PTField(
                    .toggle, name: "replacesName", label: words("records.erase.replaces"),
                    hint: words("records.erase.replacesHint")),
            ],
            submit: SubmitButton(title: words("records.erase.action"), role: .destructive, icon: .trash),
            style: .card,
            confirmation: PTConfirmation(
                title: words("records.erase.question", name), message: words("records.erase.message"),
                confirm: words("records.erase.action")))
    }
}

/// List cells of prepared files.
enum PreparedFileCells {
    static func list(_ files: [PreparedFile], _ request: ScreenRequest) -> [Component] {
        guard !files.isEmpty else { return [] }
        let words = request.words
        let timeZone = request.context.caller.timeZone
        let cells = files.map { file in
            PTListCell(
                id: file.id.text, leading: .icon(.file, tint: .sand), title: file.name,
                subtitle: words(
                    "records.file.until", size(file.bytes, words),
                    words.dateAndTime(file.createdAt + PreparedFile.lifetime, in: timeZone)),
                trailing: [
                    .button(
                        PTButton(
                            title: words("records.file.download"), icon: .download, role: .tonal,
                            action: .external(MadeFile(file).path),
                            spoken: words("records.file.downloadSpoken", file.name)))
                ])
        }
        return [.list(PTList(cells: cells, label: words("records.files")))]
    }

    private static func size(_ bytes: Int, _ words: Words) -> String {
        bytes < 1 << 20
            ? words("records.file.kilobytes", bytes == 0 ? 0 : max(1, bytes >> 10))
            : words("records.file.megabytes", bytes >> 20)
    }
}
