import DesignSystem
import Domain
import FeatureKit
import Foundation
import RecordsInterface
import ScreenKit

/// Settings > Records: every kind of record with its personal data, retention and erasure, and a page to set a period.
struct RetentionScreen: Sendable {
    let retention: RetentionService

    static let path = "/settings/records"

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.managePersonRecords), tab: "/settings", list),
            ScreenRoute("\(Self.path)/period", access: .member(.setRetention), tab: "/settings", period),
        ]
    }

    @Sendable
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let periods = try await request.context.school.read { try retention.periods(in: $0) }
        func section(_ title: String, _ shown: [RetentionService.Period]) -> Component {
            .section(
                PTSection(
                    title: words(title),
                    body: [.list(PTList(cells: shown.map { cell($0, request) }, label: words(title)))]))
        }
        return .screen(
            Screen(
                title: words("records.title"),
                back: "/settings", live: ["records"],
                body: [
                    .text(PTText(words("records.subtitle"), role: .note)),
                    section("records.ofSchool", periods.filter { $0.kind.store == .school }),
                    section("records.ofServer", periods.filter { $0.kind.store == .directory }),
                ]))
    }

    private func cell(_ period: RetentionService.Period, _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        let entry = retention.entry(period.kind, days: period.days, words)
        let personal =
            entry.personal.isEmpty ? words("records.personal.none") : entry.personal.joined(separator: ", ")
        let mayChange = period.isOpen && request.context.caller.may(.setRetention)
        return PTListCell(
            id: period.kind.id, title: entry.title, subtitle: "\(personal) · \(entry.erasure)",
            trailing: [.badge(PTTag(text: entry.kept))] + (mayChange ? [.chevron] : []),
            action: mayChange ? .open("\(Self.path)/period?kind=\(period.kind.id)") : nil)
    }

    @Sendable
    private func period(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        guard let id = request.query["kind"] else { return .redirect(Self.path) }
        let periods = try await request.context.school.read { try retention.periods(in: $0) }
        guard let period = periods.first(where: { $0.kind.id == id }), period.isOpen, let bounds = period.bounds,
            let days = period.days
        else { throw Problem.notFound }
        let entry = retention.entry(period.kind, days: days, words)
        return .screen(
            Screen(
                title: entry.title, back: Self.path,
                body: [
                    .text(PTText(words("records.periodExplained"))),
                    .form(
                        request.form(
                            SetRetention.self, ["kindId": id], id: "retention",
                            fields: [
                                PTField(
                                    .number, name: "days", label: words("records.days"), value: String(days),
                                    hint: words("records.daysHint", bounds.lowerBound, bounds.upperBound),
                                    isRequired: true)
                            ],
                            submit: SubmitButton(title: words("records.save")), style: .card)),
                ]))
    }
}
