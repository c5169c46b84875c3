import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface
import ScreenKit

/// Settings > School > Import > Past imports: the list of imports, and a page to undo each.
struct PastImportScreens: Sendable {
    let roster: RosterImport

    static let path = "/settings/imports"
    /// The most counts in a row of the list. The import's own page shows all.
    private static let countLimit = 2
    static let route = "/settings/imports/{importId}"
    static func path(of importId: UUID) -> String {
        route.replacingOccurrences(of: "{importId}", with: importId.text)
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.importPeople), tab: "/settings", list),
            ScreenRoute(Self.route, access: .member(.importPeople), tab: "/settings", one),
        ]
    }

    // MARK: - List

    @Sendable
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let imports = try await roster.pastImports(in: request.context.school, of: membership.organization.id)
        var body: [Component] = []
        if imports.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .cloudUp, title: words("roster.past.empty"), message: words("roster.past.emptyNote"),
                        action: PTButton(
                            title: words("roster.title"), icon: .cloudUp, action: .open(RosterScreen.path)))))
        } else {
            body.append(.text(PTText(words("roster.past.note"), role: .note)))
            body.append(
                .list(
                    PTList(
                        cells: imports.map { cell($0, membership.timeZone, words) },
                        label: words("roster.past.title"))))
        }
        return .screen(
            Screen(title: words("roster.past.title"), back: RosterScreen.path, live: ["members"], body: body))
    }

    private func cell(_ one: PastImport, _ timeZone: TimeZone, _ words: Words) -> PTListCell {
        let title = Self.title(one, timeZone, words)
        let canUndo = one.standing > 0 && one.undoneAt == nil
        return PTListCell(
            id: one.id.text, leading: .icon(.cloudUp, tint: .sky), title: title,
            subtitle: ([one.actor(words)] + one.descriptions(in: words).prefix(Self.countLimit)).joined(
                separator: " · "),
            trailing: canUndo
                ? [
                    .button(
                        PTButton(
                            title: words("roster.undo.look"), role: .tonal,
                            action: .open(Self.path(of: one.id)), spoken: words("roster.undo.title", title)))
                ]
                : [.badge(PTTag(text: words("roster.past.undone"))), .chevron],
            action: canUndo ? nil : .open(Self.path(of: one.id)))
    }

    private static func title(_ one: PastImport, _ timeZone: TimeZone, _ words: Words) -> String {
        words.dateAndTime(one.at, in: timeZone)
    }

    // MARK: - Import

    @Sendable
    private func one(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let id = try request.id("importId")
        let imports = try await roster.pastImports(in: request.context.school, of: membership.organization.id)
        guard let past = imports.first(where: { $0.id == id }) else { throw Problem.notFound }
        let undo = try await UndoHandlers(roster: roster).preview(id, request.context).report(id, words)
        var body: [Component] = [
            .text(
                PTText(([past.actor(words)] + past.descriptions(in: words)).joined(separator: " · "), role: .note)),
            .banner(verdict(undo, past, membership.timeZone, words)),
        ]
        if undo.stepCount > 0 {
            body.append(
                .form(
                    request.form(
                        UndoImport.self, ["importId": id.text], id: "undo-import", fields: [],
                        submit: SubmitButton(title: words("roster.undo.action"), role: .destructive))))
        }
        body += section(words("roster.undo.kept.title"), undo.kept, of: undo.keptCount, words)
        body += section(words("roster.undo.steps.title"), undo.steps.map(\.sentence), of: undo.stepCount, words)
        return .screen(
            Screen(
                title: words("roster.undo.title", Self.title(past, membership.timeZone, words)), back: Self.path,
                body: body))
    }

    private func verdict(
        _ undo: RosterUndo, _ past: PastImport, _ timeZone: TimeZone, _ words: Words
    ) -> PTBanner {
        let skipped = undo.keptCount > 0 ? words("roster.undo.kept", undo.keptCount) : nil
        if undo.stepCount == 0 {
            return PTBanner(
                tone: .info, icon: .info,
                title: past.undoneAt.map { words("roster.undo.undoneOn", words.dateAndTime($0, in: timeZone)) }
                    ?? words("roster.undo.nothing"), message: skipped)
        }
        return PTBanner(
            tone: skipped == nil ? .info : .warning, icon: skipped == nil ? .info : .alert,
            title: words("roster.undo.steps", undo.stepCount),
            message: [skipped, words("roster.dryRun")].compactMap(\.self).joined(separator: " "))
    }

    private func section(_ title: String, _ sentences: [String], of count: Int, _ words: Words) -> [Component] {
        guard count > 0 else { return [] }
        let shown = sentences.prefix(RosterScreen.shownLimit)
        var body: [Component] = [.list(PTList(cells: shown.map { PTListCell(title: $0) }, label: title))]
        if count > shown.count {
            body.append(.text(PTText(words("roster.more", count - shown.count), role: .note)))
        }
        return [.section(PTSection(title: title, detail: count.shown(in: words.locale), body: body))]
    }
}
