import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The page on which a student chooses when to be reminded of due work, with the reminders of the next days.
struct RemindersScreen: Sendable {
    static let path = "/settings/reminders"

    let handlers: ReminderHandlers

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.getReminders), tab: "/settings") { request in
            .screen(try await screen(request))
        }
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let settings = try await handlers.settings(request.context)
        return Screen(
            title: words("reminders.title"), live: ["changes"],
            body: [.form(form(settings, request)), try list(settings, request)])
    }

    private func form(_ settings: ReminderSettings, _ request: ScreenRequest) -> PTForm {
        let words = request.words
        return request.form(
            ChooseReminders.self, id: "reminder-choices",
            fields: [
                PTField(
                    .toggle, name: "isOn", label: words("reminders.isOn"), value: settings.isOn ? "true" : "false",
                    hint: words("reminders.isOn.tip")),
                PTField(
                    .multipleChoice(
                        ReminderChoices.offered.map {
                            .init(value: "\($0)", title: words("reminders.before", $0))
                        }), name: "hours", label: words("reminders.hours"), values: settings.hours.map { "\($0)" }),
            ], submit: SubmitButton(title: words("reminders.save")), to: Self.path, style: .card)
    }

    /// The reminders of the next seven days, in the order in which they come.
    private func list(_ settings: ReminderSettings, _ request: ScreenRequest) throws -> Component {
        let words = request.words
        let text = ReminderWords(words: words, timeZone: try request.context.membership.timeZone)
        let cells = settings.reminders.sorted { ($0.at, $0.title) < ($1.at, $1.title) }.map { one in
            PTListCell(
                leading: .icon(.clock, tint: .clay), title: words("reminders.upcoming", one.title, one.course),
                subtitle: words("reminders.upcoming.times", text.when(one.at), text.when(one.dueAt)),
                trailing: [.chevron], action: .open(one.path))
        }
        let body: Component =
            cells.isEmpty
            ? .empty(
                PTEmptyState(
                    icon: .clock, title: words("reminders.none"),
                    message: words(
                        settings.isMuted
                            ? "reminders.muted.tip" : settings.isOn ? "reminders.none.tip" : "reminders.off.tip")))
            : .list(PTList(cells: cells, label: words("reminders.next")))
        return .section(PTSection(title: words("reminders.next"), body: [body]))
    }
}
