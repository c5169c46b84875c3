import DesignSystem
import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import ScreenKit

/// The page on which a person turns notifications of this device on and chooses which ones come.
struct NotificationSettingsScreen: Sendable {
    static let path = "/settings/notifications"
    /// Minutes between two of the offered times.
    private static let step = 30

    let handlers: ChoiceHandlers

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.belong), tab: "/settings") { request in
            .screen(try await screen(request))
        }
    }

    /// The properties of the `push` island.
    private struct Device: Encodable {
        let key: String
        let isOn: Bool
        let words: [String: String]
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let (choices, isOn) = try await handlers.state(request.context)
        let device = try Device(
            key: handlers.sender.applicationServerKey, isOn: isOn,
            words: Dictionary(
                uniqueKeysWithValues: [
                    "on", "off", "blocked", "unsupported", "turnOn", "turnOff", "test", "failed",
                ]
                .map { ($0, words("notifications.device.\($0)")) }))
        return Screen(
            title: words("notifications.title"),
            body: [
                .section(
                    PTSection(
                        title: words("notifications.device"),
                        body: [
                            .island(
                                try PTIsland(
                                    "push", properties: device, fallback: words("notifications.device.unsupported"))
                            )
                        ])),
                .section(
                    PTSection(
                        title: words("notifications.choices"),
                        body: [.form(form(choices, request))])),
            ])
    }

    private func form(_ choices: NotificationChoices, _ request: ScreenRequest) -> PTForm {
        let words = request.words
        let toggles = NotificationCategory.all.map { category in
            PTField(
                .toggle, name: category.rawValue, label: words("notifications.category.\(category.rawValue)"),
                value: choices.wants(category) ? "true" : "false")
        }
        let quiet = choices.quietHours
        func time(_ name: String, _ label: String, _ chosen: ClockTime?) -> PTField {
            var offered = stride(from: 0, to: 24 * 60, by: Self.step).compactMap(ClockTime.init(minutes:))
            if let chosen, !offered.contains(chosen) { offered = (offered + [chosen]).sorted() }
            return PTField(
                .select(offered.map { .init(value: $0.description, title: Self.spoken($0, words)) }), name: name,
                label: label, value: chosen?.description ?? "", width: .half)
        }
        return request.form(
            ChooseNotifications.self, id: "notification-choices",
            fields: toggles + [
                PTField(
                    .toggle, name: "quiet", label: words("notifications.quiet"),
                    value: quiet == nil ? "false" : "true", hint: words("notifications.quiet.tip")),
                time(
                    "quietFrom", words("notifications.quiet.from"), quiet?.from ?? NotificationChoices.standardFrom),
                time(
                    "quietUntil", words("notifications.quiet.until"),
                    quiet?.until ?? NotificationChoices.standardUntil),
            ], submit: SubmitButton(title: words("notifications.save")), style: .card)
    }

    /// The time as clocks show it in the reader's language.
    private static func spoken(_ time: ClockTime, _ words: Words) -> String {
        words.time(Date(timeIntervalSince1970: TimeInterval(time.minutes * 60)), in: .gmt)
    }
}
