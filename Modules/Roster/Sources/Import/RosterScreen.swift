import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface
import ScreenKit

/// Settings > School > Import: choose files, preview the changes, import.
struct RosterScreen: Sendable {
    let roster: RosterImport

    static let path = "/settings/import"
    /// The most changes and findings that a page lists.
    static let shownLimit = 200

    /// - Parameter isOutdated: Whether the school has changed since the preview.
    static func path(
        of uploadId: UUID, _ choices: ColumnChoices = ColumnChoices(), isOutdated: Bool = false
    ) -> String {
        let columns = choices.choices.isEmpty ? "" : "&columns=\(choices.text)"
        return "\(path)?upload=\(uploadId.text)\(columns)\(isOutdated ? "&outdated=1" : "")"
    }

    var routes: [ScreenRoute] {
        [ScreenRoute(Self.path, access: .member(.importPeople), tab: "/settings", make)]
    }

    @Sendable
    private func make(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        var body: [Component] = []
        if let text = request.query["upload"] {
            if let id = UUID(text: text), let report = try await report(id, request) {
                if request.query["outdated"] != nil {
                    body.append(
                        .banner(PTBanner(tone: .warning, icon: .alert, title: words("roster.outdated"))))
                }
                body += preview(report, request)
            } else {
                body.append(
                    .banner(PTBanner(tone: .warning, icon: .alert, title: words("problem.roster.uploadGone"))))
            }
        }
        let isAgain = !body.isEmpty
        if !isAgain { body.append(.text(PTText(words("roster.subtitle"), role: .note))) }
        body.append(.form(choice(request, isAgain: isAgain)))
        if !isAgain {
            body.append(
                .links(
                    PTLinks(links: [
                        .init(title: words("roster.past.title"), action: .open(PastImportScreens.path))
                    ])))
            body.append(
                .section(
                    PTSection(
                        title: words("roster.export.title"),
                        body: [
                            .text(PTText(words("roster.export.note"), role: .note)),
                            .links(
                                PTLinks(links: [
                                    .init(
                                        title: words("roster.export.bundle"),
                                        action: .external(ExportRoster.contract.path)),
                                    .init(
                                        title: words("roster.export.people"),
                                        action: .external(ExportPeople.contract.path)),
                                ])),
                        ])))
        }
        return .screen(
            Screen(
                title: words("roster.title"), back: "/settings",
                body: body))
    }

    private func choice(_ request: ScreenRequest, isAgain: Bool) -> PTForm {
        let words = request.words
        return request.form(
            PreviewRoster.self, id: "preview-roster",
            fields: [
                PTField(
                    .file(accept: [".csv", ".zip", ".txt", "text/csv", "application/zip"]), name: "files",
                    label: words("roster.files"),
                    hint: words("roster.files.hint"), isRequired: true, isMultiple: true)
            ],
            submit: SubmitButton(
                title: words(isAgain ? "roster.checkOther" : "roster.check"), role: isAgain ? .tonal : .primary,
                icon: .cloudUp), style: .card)
    }

    /// The report of an uploaded bundle against the current school, or `nil` if it is gone.
    private func report(_ id: UUID, _ request: ScreenRequest) async throws -> RosterReport? {
        let membership = try request.context.membership
        let (now, today) = (request.context.now, request.context.today)
        let files = try await request.context.school.read {
            try RosterUploadRepository.files(id, of: membership.personId, at: now, in: $0)
        }
        guard !files.isEmpty else { return nil }
        let source = roster.read(files, request.words, ColumnChoices(request.query["columns"]))
        let plan = try await request.context.school.read {
            try roster.plan(source, of: membership.organization.id, at: now, today: today, in: $0)
        }
        return roster.report(plan, of: source, request.words, uploadId: id)
    }

    // MARK: - Preview

    private func preview(_ report: RosterReport, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        var body: [Component] = [.banner(verdict(report, words))]
        // Only a person can see whether the letters are right.
        body += report.notices.filter { $0.code == Finding.Code.readAsWindows1252.rawValue }.map {
            .banner(PTBanner(tone: .warning, icon: .alert, title: $0.file, message: $0.sentence))
        }
        if report.faultCount == 0 {
            body.append(
                .definitionList(
                    PTDefinitionList(
                        items: report.counts.rows(in: words).filter { $0.value != 0.shown(in: words.locale) }.map {
                            .init(term: $0.term, value: $0.value)
                        })))
        }
        body += columns(report, request)
        if let uploadId = report.uploadId, report.faultCount == 0, report.changeCount > 0 {
            let conflicts = report.questions.filter { $0.code == Finding.Code.conflict.rawValue }
            body += report.questions.filter { $0.code != Finding.Code.conflict.rawValue }.map {
                .banner(PTBanner(tone: .warning, icon: .alert, title: $0.sentence))
            }
            if !conflicts.isEmpty {
                body.append(
                    .banner(
                        PTBanner(
                            tone: .warning, icon: .alert, title: words("roster.conflicts", conflicts.count),
                            message: words("roster.conflicts.how"))))
                body += findings(conflicts, of: conflicts.count, words("roster.conflicts.title"), words)
            }
            var fields: [PTField] = [.hidden("uploadId", uploadId.text), .hidden("plan", report.plan ?? "")]
            let choices = ColumnChoices(request.query["columns"])
            if !choices.choices.isEmpty { fields.append(.hidden("columns", choices.text)) }
            if !report.questions.isEmpty {
                fields.append(PTField(.toggle, name: "confirmed", label: words("roster.confirm"), value: "false"))
            }
            body.append(
                .form(
                    request.form(
                        ImportRoster.self, id: "import-roster", fields: fields,
                        submit: SubmitButton(title: words("roster.import"), icon: .check))))
        }
        body += findings(report.faults, of: report.faultCount, words("roster.faults.title"), words)
        if report.faultCount == 0 && report.changeCount > 0 {
            let shown = report.changes.prefix(Self.shownLimit)
            let cells = shown.map { change in
                PTListCell(
                    title: change.sentence,
                    subtitle: ([change.place] + change.fields.map { text(of: $0, in: words) }).joined(
                        separator: " · "))
            }
            body.append(
                section(words("roster.changes.title"), Array(cells), of: report.changeCount, words))
        }
        let stays = findings(report.stays, of: report.stayCount, words("roster.stays.title"), words)
        if !stays.isEmpty {
            body.append(.disclosure(PTDisclosure(title: words("roster.stays", report.stayCount), body: stays)))
        }
        let notices = findings(report.notices, of: report.noticeCount, words("roster.notices.title"), words)
        if !notices.isEmpty {
            body.append(
                .disclosure(PTDisclosure(title: words("roster.notices", report.noticeCount), body: notices)))
        }
        return body
    }

    /// A form with a choice for each unknown column of a plain list.
    private func columns(_ report: RosterReport, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        let unknown = report.columns.filter {
            !$0.isKnown && !$0.title.isBlank && $0.place < ColumnChoices.limit
                && !SensitiveData.isSensitive(column: $0.title)
        }
        guard let uploadId = report.uploadId, !unknown.isEmpty else { return [] }
        let taken = Set(report.columns.filter(\.isKnown).compactMap(\.meaning))
        let options =
            [PTField.Option(value: ColumnChoices.ignored, title: words("roster.column.ignore"))]
            + ListColumn.allCases.filter { $0.isUsed && !taken.contains($0.rawValue) }.map {
                .init(value: $0.rawValue, title: words("roster.column.\($0.rawValue)"))
            }
        let form = request.form(
            ChooseColumns.self, id: "roster-columns",
            fields: [.hidden("uploadId", uploadId.text)]
                + unknown.map { column in
                    PTField(
                        .select(options), name: ChooseColumns.field(column.place), label: column.title,
                        value: column.meaning ?? ColumnChoices.ignored, width: .half)
                },
            submit: SubmitButton(title: words("roster.columns.check"), role: .tonal, icon: .check), style: .card)
        return [
            .section(
                PTSection(
                    title: words("roster.columns.title"),
                    body: [.text(PTText(words("roster.columns.note"), role: .note)), .form(form)]))
        ]
    }

    /// A changed field as text: "email: old, now new".
    private func text(of field: RosterChange.Field, in words: Words) -> String {
        func shown(_ text: String) -> String { text.isEmpty ? words("roster.empty") : text }
        return words("roster.field", field.column, shown(field.before), shown(field.after))
    }

    private func verdict(_ report: RosterReport, _ words: Words) -> PTBanner {
        if report.faultCount > 0 {
            return PTBanner(
                tone: .danger, icon: .alert, title: words("roster.faults", report.faultCount),
                message: words("roster.refused"))
        }
        if report.changeCount == 0 {
            return PTBanner(tone: .success, icon: .check, title: words("roster.nothing"))
        }
        return PTBanner(
            tone: .info, icon: .info, title: words("roster.changes", report.changeCount),
            message: words("roster.dryRun"))
    }

    private func findings(_ all: [RosterFinding], of count: Int, _ title: String, _ words: Words) -> [Component] {
        guard count > 0 else { return [] }
        let cells = all.prefix(Self.shownLimit).map { PTListCell(title: $0.sentence, subtitle: $0.place) }
        return [section(title, Array(cells), of: count, words)]
    }

    private func section(_ title: String, _ cells: [PTListCell], of count: Int, _ words: Words) -> Component {
        var body: [Component] = [.list(PTList(cells: cells, label: title))]
        if count > cells.count {
            body.append(.text(PTText(words("roster.more", count - cells.count), role: .note)))
        }
        return .section(PTSection(title: title, detail: count.shown(in: words.locale), body: body))
    }
}
