public import DesignSystem
public import Domain

/// The page with every component in every state, to review the design (PT-3.04).
///
/// Served at `/gallery`; none of its controls changes anything.
public enum Gallery {
    /// Returns the gallery page.
    ///
    /// - Parameters:
    ///   - words: must include `WebHTML.catalog`.
    /// - path: the path of the gallery, for the links that switch theme and appearance.
    ///   - qr: a code to show on the invitation card.
    public static func screen(
        words: Words, path: String = "/gallery", theme: ThemeName = .pinktower,
        appearance: Appearance = .automatic, qr: QRMatrix? = nil
    ) -> Screen {
        let samples = Samples(words: words, path: path, theme: theme, appearance: appearance, qr: qr)
        return Screen(
            title: words("gallery.title"), subtitle: words("gallery.subtitle"),
            body: samples.switches + samples.actions + samples.people + samples.things + samples.text
                + samples.forms + samples.choosing + samples.states + samples.codes + samples.talk
                + samples.rich,
            floatingButton: PTFloatingActionButton(
                title: words("gallery.fab"), label: words("gallery.fab.label"), fan: samples.menu),
            sheets: [samples.sheet],
            search: PTSearchField(
                path: path, placeholder: words("gallery.search.placeholder"), label: words("gallery.search")))
    }

    /// Returns the navigation around the gallery without a session.
    public static func chrome(words: Words, path: String = "/gallery") -> PageChrome {
        let samples = Samples(words: words, path: path, theme: .pinktower, appearance: .automatic, qr: nil)
        return PageChrome(
            navigation: [
                PTNavigationEntry(title: words("gallery.tab.home"), icon: .home, path: path, isCurrent: true),
                PTNavigationEntry(title: words("gallery.tab.day"), icon: .sun, path: path + "?tab=day"),
                PTNavigationEntry(
                    title: words("gallery.tab.settings"), icon: .settings, path: path + "?tab=settings"),
                PTNavigationEntry(title: words("gallery.tab.search"), icon: .search, path: path + "?tab=search"),
            ],
            more: [
                PTNavigationEntry(title: words("gallery.tab.day"), icon: .calendar, path: path + "?more=day")
            ],
            account: PTAccountMenu(
                name: words("gallery.guide"), detail: words("gallery.school"), initials: "AR", tint: .leaf,
                shape: .d,
                items: samples.menu),
            unread: 2, searchPath: path + "?tab=search", notificationsPath: path + "?tab=notifications", home: path)
    }
}
