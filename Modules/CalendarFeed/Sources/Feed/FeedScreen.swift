import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The page of Settings on which a person makes, renews and ends the address of the calendar feed.
struct FeedScreen: Sendable {
    static let path = "/settings/calendar-feed"
    static let new = "/settings/calendar-feed/new"

    let handlers: FeedHandlers
    let ids: any IDGenerator
    let publicURL: String

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.belong), tab: "/settings") { request in
                guard let feed = try await handlers.feed(request.context) else {
                    return .screen(address(request, replaces: false))
                }
                return .screen(state(of: feed, request))
            },
            ScreenRoute(Self.new, access: .member(.belong), tab: "/settings") { request in
                .screen(address(request, replaces: try await handlers.feed(request.context) != nil))
            },
        ]
    }

    private func state(of feed: CalendarFeed, _ request: ScreenRequest) -> Screen {
        let words = request.words
        let since = words.shortDate(Day(feed.createdAt, in: request.context.caller.timeZone))
        return Screen(
            title: words("calendarFeed.title"), back: "/settings", live: [FeedHandlers.topic],
            body: [
                .list(
                    PTList(
                        cells: [
                            PTListCell(
                                leading: .icon(.calendar, tint: .leaf), title: words("calendarFeed.on"),
                                subtitle: words("calendarFeed.since", since))
                        ], label: words("calendarFeed.title"))),
                .text(PTText(words("calendarFeed.onTip"), role: .note)),
                .button(
                    PTButton(
                        title: words("calendarFeed.renew"), icon: .retry, role: .tonal, action: .open(Self.new))),
                .button(
                    PTButton(
                        title: words("calendarFeed.revoke"), role: .destructive,
                        action: .perform(
                            request.call(
                                RevokeCalendarFeed.self,
                                confirmation: PTConfirmation(
                                    title: words("calendarFeed.revokeQuestion"),
                                    message: words("calendarFeed.revokeExplained"),
                                    confirm: words("calendarFeed.revoke")), to: Self.path)))),
            ])
    }

    /// Shows the address before it works, so that its secret appears in no answer, redirect or log, and the page works
    /// without scripts.
    private func address(_ request: ScreenRequest, replaces: Bool) -> Screen {
        let words = request.words
        let typed = request.refused?.typed["feedSecret"] ?? ""
        let secret = FeedSecret.isWellFormed(typed) ? typed : ids.token()
        let address = FeedDownload.address(of: secret, at: publicURL)
        return Screen(
            title: words(replaces ? "calendarFeed.renew" : "calendarFeed.title"),
            back: replaces ? Self.path : "/settings",
            body: [
                .text(PTText(words("calendarFeed.tip"), role: .note)),
                .codeCard(
                    PTCodeCard(
                        title: words("calendarFeed.address"), code: address,
                        detail: words("calendarFeed.addressTip"), link: address)),
                .form(
                    request.form(
                        CreateCalendarFeed.self, id: "feed", fields: [.hidden("feedSecret", secret)],
                        submit: SubmitButton(
                            title: words(replaces ? "calendarFeed.replace" : "calendarFeed.create")),
                        to: Self.path)),
                .text(
                    PTText(
                        words(replaces ? "calendarFeed.replaceTip" : "calendarFeed.privacy"), role: .note)),
            ])
    }
}
