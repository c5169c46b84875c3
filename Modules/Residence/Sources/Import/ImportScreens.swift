import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The pages of the import of rooms and residents: the choice of a file with past imports, and the preview.
struct ImportScreens: Sendable {
    static func path(_ residenceId: UUID) -> String { "\(ResidenceScreens.path(residenceId))/import" }
    /// The page of a preview.
    ///
    /// - Parameter isOutdated: Whether the residence has changed since the page was shown.
    static func path(_ residenceId: UUID, upload id: UUID, isOutdated: Bool = false) -> String {
        "\(path(residenceId))/\(id.text)\(isOutdated ? "?outdated=1" : "")"
    }

    let people: any PeopleService

    var routes: [ScreenRoute] {
        let path = "/residences/{pgId}/import"
        return [
            ScreenRoute(path, access: .member(.runResidence), tab: ResidenceScreens.list) {
                .screen(try await choice($0))
            },
            ScreenRoute("\(path)/{uploadId}", access: .member(.runResidence), tab: ResidenceScreens.list) {
                .screen(try await preview($0))
            },
        ]
    }

    private func choice(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let residence = try await ResidenceScreens.residence(request)
        let (imports, names) = try await request.context.school.read { sql in
            let imports = try ImportRepository.imports(of: residence.id, in: sql)
            return (imports, try people.people(imports.map(\.personId), of: membership.organization.id, in: sql))
        }
        let columns = ResidenceFile.Column.allCases.map { words("residence.import.column.\($0.rawValue)") }
        var body: [Component] = [
            .form(
                request.form(
                    PreviewResidenceImport.self, ["pgId": residence.id.text], id: "residence-file",
                    fields: [
                        PTField(
                            .file(accept: [".csv", ".txt", "text/csv"]), name: "file",
                            label: words("residence.import.file"),
                            hint: words("residence.import.tip", columns.joined(separator: ", ")), isRequired: true)
                    ], submit: SubmitButton(title: words("residence.import.check")), style: .card)),
            .links(
                PTLinks(links: [
                    .init(
                        title: words("residence.export"),
                        action: .external(ExportResidence.contract.path(filling: ["pgId": residence.id.text])))
                ])),
        ]
        if !imports.isEmpty {
            let cells = imports.map { past in
                PTListCell(
                    id: past.id.text, leading: .icon(.cloudUp, tint: .sky),
                    title: words.dateAndTime(past.at, in: membership.timeZone),
                    subtitle: [
                        names[past.personId]?.name.display, words("residence.import.changes", past.steps.count),
                    ].compactMap(\.self).joined(separator: " · "), trailing: [undo(past, residence, request)])
            }
            body.append(
                .section(
                    PTSection(
                        title: words("residence.import.past"),
                        body: [.list(PTList(cells: cells, label: words("residence.import.past")))])))
        }
        return Screen(
            title: words("residence.import"), subtitle: residence.name, back: ResidenceScreens.rooms(residence.id),
            live: [ResidenceTopic.residence(residence.id)], body: body)
    }

    private func undo(
        _ past: PastResidenceImport, _ residence: Residence, _ request: ScreenRequest
    ) -> PTListCell.Trailing {
        let words = request.words
        guard past.undoneAt == nil else { return .badge(PTTag(text: words("residence.import.undone"))) }
        let time = words.dateAndTime(past.at, in: request.context.caller.timeZone)
        return .button(
            PTButton(
                title: words("residence.import.undo"), role: .neutral,
                action: .perform(
                    request.call(
                        UndoResidenceImport.self, ["pgId": residence.id.text, "importId": past.id.text],
                        confirmation: PTConfirmation(
                            title: words("residence.import.undo.title"),
                            message: words("residence.import.undo.message"), confirm: words("residence.import.undo")
                        ))),
                spoken: words("residence.leave.about", words("residence.import.undo"), time)))
    }

    private func preview(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let residence = try await ResidenceScreens.residence(request)
        let (uploadId, now, today) = (try request.id("uploadId"), request.context.now, request.context.today)
        let plan = try await request.context.school.read { sql -> ImportPlan? in
            let file = try ImportRepository.file(
                uploadId, of: membership.personId, for: residence.id, at: now, in: sql)
            return try file.map {
                ImportPlan(
                    $0, try ImportRepository.school(residence, of: membership.organization.id, on: today, in: sql))
            }
        }
        var body: [Component] = []
        if let plan {
            if request.query["outdated"] != nil {
                body.append(
                    .banner(PTBanner(tone: .warning, icon: .alert, title: words("residence.import.outdated"))))
            }
            body +=
                plan.faults.isEmpty ? changes(plan, uploadId, residence, request) : faults(plan, residence, words)
        } else {
            body.append(
                .banner(PTBanner(tone: .warning, icon: .alert, title: words("problem.residence.uploadGone"))))
        }
        return Screen(
            title: words("residence.import.preview"), subtitle: residence.name, back: Self.path(residence.id),
            body: body)
    }

    private func faults(_ plan: ImportPlan, _ residence: Residence, _ words: Words) -> [Component] {
        [
            .banner(
                PTBanner(
                    tone: .danger, icon: .alert, title: words("residence.import.faults", plan.faults.count),
                    message: words("residence.import.faultsTip"),
                    action: PTButton(
                        title: words("residence.import.again"), role: .neutral,
                        action: .open(Self.path(residence.id))))),
            table(plan.faults.map { ($0.line, $0.sentence(words)) }, words("residence.import.faults.title"), words),
        ]
    }

    private func changes(
        _ plan: ImportPlan, _ uploadId: UUID, _ residence: Residence, _ request: ScreenRequest
    ) -> [Component] {
        let words = request.words
        guard !plan.steps.isEmpty else {
            return [
                .empty(
                    PTEmptyState(
                        icon: .check, title: words("residence.import.nothing"),
                        message: words("residence.import.nothingTip")))
            ]
        }
        let title = words("residence.import.changes", plan.steps.count)
        return [
            .form(
                request.form(
                    ImportResidence.self, ["pgId": residence.id.text], id: "residence-import",
                    fields: [.hidden("uploadId", uploadId.text), .hidden("plan", plan.fingerprint)],
                    submit: SubmitButton(title: words("residence.import.apply", plan.steps.count)))),
            .section(
                PTSection(
                    title: title, body: [table(plan.steps.map { ($0.line, $0.sentence(words)) }, title, words)])),
        ]
    }

    private func table(_ lines: [(Int, String)], _ label: String, _ words: Words) -> Component {
        .table(
            PTDataTable(
                label: label,
                columns: [
                    .init(title: words("residence.import.line")), .init(title: words("residence.import.change")),
                ],
                rows: lines.map { line, sentence in
                    .init(header: line > 0 ? line.shown(in: words.locale) : "–", cells: [.text(sentence)])
                }))
    }
}
