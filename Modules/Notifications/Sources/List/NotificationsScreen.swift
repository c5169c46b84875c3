import DesignSystem
import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import ScreenKit

/// The list behind the bell.
struct NotificationsScreen: Sendable {
    static let path = "/notifications"
    private static let limit = 50

    let service: NotificationService

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.belong)) { request in .screen(try await screen(request)) }
    }

    /// Notifications of one subject, shown as one row: for example several messages of a conversation.
    private struct Group {
        let key: String
        var items: [NotificationItem]

        var newest: NotificationItem? { items.first }
        var unread: [NotificationItem] { items.filter(\.isUnread) }
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let all = try await service.list(limit: Self.limit, request.context)
        let timeZone = try request.context.membership.timeZone
        let settings = Component.links(
            PTLinks(links: [
                .init(title: words("notifications.settings"), action: .open(NotificationSettingsScreen.path))
            ]))
        guard !all.isEmpty else {
            return Screen(
                title: words("notifications.title"), live: ["changes"],
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .bell, title: words("notifications.none"), message: words("notifications.noneTip")
                        )), settings,
                ])
        }
        let unread = all.count(where: \.isUnread)
        let markRead = PTButton(
            title: words("notifications.markRead"), role: .quiet,
            action: .perform(request.call(MarkNotificationsRead.self)))
        let onlyNew = request.query["only"] == "new"
        let category = request.query["about"].flatMap { about in
            NotificationCategory.all.first { $0.rawValue == about }
        }
        let shown = all.filter { (!onlyNew || $0.isUnread) && (category == nil || $0.category == category) }
        var body = filters(of: all, onlyNew: onlyNew, category, words)
        body.append(
            .sectionHeader(
                PTSectionHeader(
                    title: words("notifications.unread", unread), action: unread > 0 ? markRead : nil)))
        if shown.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .checks, title: words("notifications.noneNew"),
                        message: words("notifications.noneNewTip"))))
        }
        for (day, items) in days(of: shown, in: timeZone) {
            let cells = groups(of: items).compactMap { cell($0, timeZone, request) }
            body.append(
                .section(PTSection(title: title(of: day, request), body: [.list(PTList(cells: cells))])))
        }
        return Screen(title: words("notifications.title"), live: ["changes"], body: body + [settings])
    }

    /// The filters: all or unread, and one category if there are notifications of several.
    private func filters(
        of all: [NotificationItem], onlyNew: Bool, _ category: NotificationCategory?, _ words: Words
    ) -> [Component] {
        func path(onlyNew: Bool, _ category: NotificationCategory?) -> String {
            let parts = [onlyNew ? "only=new" : nil, category.map { "about=\($0.rawValue)" }].compactMap { $0 }
            return parts.isEmpty ? Self.path : "\(Self.path)?\(parts.joined(separator: "&"))"
        }
        let segments = Component.segments(
            PTSegmentedControl(
                label: words("notifications.filter"),
                segments: [
                    .init(
                        title: words("notifications.all"), path: path(onlyNew: false, category),
                        isSelected: !onlyNew),
                    .init(
                        title: words("notifications.onlyNew"), path: path(onlyNew: true, category),
                        isSelected: onlyNew),
                ]))
        let present = NotificationCategory.all.filter { one in all.contains { $0.category == one } }
        guard category != nil || !present.isEmpty && all.contains(where: { $0.category != present.first }) else {
            return [segments]
        }
        let chips = Set(present + (category.map { [$0] } ?? []))
        return [
            segments,
            .chips(
                PTChips(
                    label: words("notifications.about"),
                    chips: NotificationCategory.all.filter(chips.contains).map { one in
                        .init(
                            title: words("notifications.category.\(one.rawValue)"), isSelected: one == category,
                            // A second tap on a selected chip removes the filter.
                            action: .open(path(onlyNew: onlyNew, one == category ? nil : one)))
                    })),
        ]
    }

    /// The notifications by the day of the school on which they happened, in their order.
    private func days(
        of items: [NotificationItem], in timeZone: TimeZone
    ) -> [(day: Day, items: [NotificationItem])] {
        items.reduce(into: []) { days, item in
            let day = Day(item.at, in: timeZone)
            if days.last?.day == day { days[days.count - 1].items.append(item) } else { days.append((day, [item])) }
        }
    }

    /// Joins the messages of one conversation, and equal sentences about one page, at the place of the newest.
    private func groups(of items: [NotificationItem]) -> [Group] {
        items.reduce(into: []) { groups, item in
            let key =
                item.path.map { path in
                    item.category == .message ? "\(item.kind) \(path)" : "\(item.kind) \(path) \(item.text)"
                } ?? "\(item.seq)"
            if let place = groups.firstIndex(where: { $0.key == key }) {
                groups[place].items.append(item)
            } else {
                groups.append(Group(key: key, items: [item]))
            }
        }
    }

    private func title(of day: Day, _ request: ScreenRequest) -> String {
        let today = request.context.today
        if day == today { return request.words("notifications.today") }
        if day == today.adding(days: -1) { return request.words("notifications.yesterday") }
        return request.words.longDate(day)
    }

    private func cell(_ group: Group, _ timeZone: TimeZone, _ request: ScreenRequest) -> PTListCell? {
        guard let item = group.newest else { return nil }
        let (words, unread) = (request.words, group.unread)
        let time = words.time(item.at, in: timeZone)
        var menu: [PTMenuItem] = []
        if !unread.isEmpty {
            let numbers = unread.map { String($0.seq) }.joined(separator: " ")
            let read = PTMenuItem(
                title: words("notifications.markOne"), icon: .check,
                action: .perform(request.call(MarkNotificationRead.self, fields: ["seqs": numbers])))
            menu.append(read)
        }
        let swipe = menu
        if let path = item.path {
            menu.append(PTMenuItem(title: words("notifications.open"), icon: .chevronRight, action: .open(path)))
        }
        return PTListCell(
            id: String(item.seq), leading: .icon(item.icon, tint: .sky),
            title: item.text,
            subtitle: group.items.count > 1
                ? "\(time) · \(words("notifications.several", group.items.count))" : time,
            dot: unread.isEmpty ? nil : .init(tone: .unread, spoken: words("notifications.new")),
            isEmphasized: !unread.isEmpty,
            trailing: unread.isEmpty ? (item.path == nil ? [] : [.chevron]) : [.menu],
            action: item.path.map(PTAction.open), menu: unread.isEmpty ? [] : menu, swipe: swipe)
    }
}
