import DesignSystem
import Domain

// The frame of a page: tabs, rail, top bar and account menu.

extension PageRenderer {
    mutating func navigation(_ chrome: PageChrome) {
        guard !chrome.navigation.isEmpty else { return }
        html.raw("<nav class=\"pt-nav\"")
        html.attribute(" aria-label=", word("web.navigation"))
        html.raw("><a class=\"pt-nav__brand\" href=\"")
        html.url(chrome.home)
        html.raw("\"")
        html.attribute(" aria-label=", word("web.home"))
        html.raw("><svg class=\"pt-brand\" aria-hidden=\"true\"><use href=\"#pt-mark\"/></svg></a>")
        html.raw("<ul class=\"pt-nav__list\">")
        tabs(chrome.rail.leading, " class=\"pt-nav__rail\"")
        tabs(chrome.navigation)
        tabs(chrome.rail.trailing, " class=\"pt-nav__rail\"")
        html.raw("</ul></nav>")
    }

    private mutating func tabs(_ entries: [PTNavigationEntry], _ attributes: StaticString = "") {
        for entry in entries {
            html.raw("<li")
            html.raw(attributes)
            html.raw("><a class=\"pt-nav__link\" href=\"")
            html.url(entry.path)
            html.raw(entry.isCurrent ? "\" aria-current=\"page\">" : "\">")
            icon(entry.icon)
            html.raw("<span>")
            html.text(entry.title)
            html.raw("</span>")
            if entry.unread > 0 {
                html.raw("<i class=\"pt-nav__dot\" aria-hidden=\"true\"></i><span class=\"pt-hidden\">")
                html.text(word("web.navigation.unread", entry.unread))
                html.raw("</span>")
            }
            html.raw("</a></li>")
        }
    }

    /// Writes the list of pages beside the page.
    mutating func sidebar(_ sidebar: PTSidebar, _ chrome: PageChrome) {
        html.raw(sidebar.isFirst ? "<nav class=\"pt-sidebar pt-sidebar--first\"" : "<nav class=\"pt-sidebar\"")
        html.attribute(" aria-label=", sidebar.label)
        html.raw("><div class=\"pt-card pt-sidebar__person\">")
        avatar(
            PTAvatar(
                initials: chrome.account.initials, tint: chrome.account.tint, shape: chrome.account.shape,
                imageURL: chrome.account.imageURL))
        html.raw("<p class=\"pt-list-cell__text\" dir=\"auto\"><b class=\"t-headline\">")
        html.text(chrome.account.name)
        html.raw("</b>")
        if let detail = chrome.account.detail {
            html.raw("<span class=\"t-callout t-muted\">")
            html.text(detail)
            html.raw("</span>")
        }
        html.raw("</p></div>")
        for group in sidebar.groups {
            html.raw("<section><h2>")
            html.text(group.title)
            html.raw("</h2><ul class=\"pt-list\" role=\"list\">")
            for entry in group.entries {
                html.raw("<li><a href=\"")
                html.url(entry.path)
                html.raw(entry.isCurrent ? "\" aria-current=\"page\">" : "\">")
                icon(entry.icon, "pt-icon pt-icon--small")
                html.raw("<span>")
                html.text(entry.title)
                html.raw("</span>")
                icon(.chevronRight, "pt-icon pt-icon--small pt-chevron")
                html.raw("</a></li>")
            }
            html.raw("</ul></section>")
        }
        html.raw("</nav>")
    }

    mutating func topBar(_ screen: Screen, _ chrome: PageChrome) {
        html.raw("<header class=\"pt-topbar\"><div class=\"pt-topbar__capsule\"><div class=\"pt-topbar__side\">")
        if let back = screen.back {
            // Beside the list of pages a link back to its first page is not needed.
            html.raw(
                back == screen.sidebar?.path
                    ? "<a class=\"pt-icon-button pt-topbar__up\" data-back href=\""
                    : "<a class=\"pt-icon-button\" data-back href=\"")
            html.url(back)
            html.raw("\"")
            html.attribute(" aria-label=", word("web.back"))
            html.raw(">")
            icon(.chevronLeft)
            html.raw("</a>")
        } else {
            html.raw("<a class=\"pt-icon-button pt-topbar__brand\" href=\"")
            html.url(chrome.home)
            html.raw("\"")
            html.attribute(" aria-label=", word("web.home"))
            html.raw("><svg class=\"pt-brand\" aria-hidden=\"true\"><use href=\"#pt-mark\"/></svg></a>")
        }
        more(chrome.more)
        // On a phone the bar of a deeper page, and one with a search field, has little room. It leaves out links that tabs
        // or the previous page offer too.
        let (isDeeper, search) = (screen.back != nil, barSearch(screen, chrome))
        // The title is centered if both sides have the same number of controls.
        let rail = Set((chrome.rail.leading + chrome.rail.trailing).map(\.path))
        for entry in chrome.beside where !entry.isCurrent {
            barLink(entry, isSpare: isDeeper || search != nil, isInRail: rail.contains(entry.path))
        }
        html.raw("</div>")
        html.raw(search == nil ? "<h1 class=\"pt-topbar__title\"" : "<h1 class=\"pt-hidden\"")
        html.raw(" dir=\"auto\">")
        html.text(screen.title)
        // With an avatar the subtitle is shown on the page instead.
        if let subtitle = screen.subtitle, screen.avatar == nil {
            html.raw("<small>")
            html.text(subtitle)
            html.raw("</small>")
        }
        html.raw("</h1>")
        if let search { self.search(search) }
        html.raw("<div class=\"pt-topbar__side pt-topbar__side--end\">")
        if let path = chrome.searchPath, search == nil {
            iconLink(isSpare: isDeeper && (chrome.navigation + chrome.more).contains { $0.path == path })
            html.url(path)
            html.raw("\"")
            html.attribute(" aria-label=", word("web.search"))
            html.raw(">")
            icon(.search)
            html.raw("</a>")
        }
        if let more = screen.more {
            open(more.action, " class=\"pt-icon-button\"", spoken: more.title)
            icon(more.icon ?? .more)
            close(more.action)
        }
        if let path = chrome.notificationsPath {
            html.raw("<a class=\"pt-icon-button\" href=\"")
            html.url(path)
            html.raw("\"")
            html.attribute(
                " aria-label=",
                chrome.unread > 0 ? word("web.notifications.new", chrome.unread) : word("web.notifications"))
            html.attribute(" data-unread=", String(chrome.unread))
            html.raw(">")
            icon(.bell)
            html.raw(chrome.unread > 0 ? "<span class=\"pt-icon-button__dot\"></span></a>" : "</a>")
        }
        account(chrome.account)
        html.raw("</div></div></header>")
    }

    /// The search field of the search page, which is shown in the bar.
    func barSearch(_ screen: Screen, _ chrome: PageChrome?) -> PTSearchField? {
        screen.search.flatMap { $0.path == chrome?.searchPath ? $0 : nil }
    }

    private mutating func iconLink(isSpare: Bool, isInRail: Bool = false) {
        html.raw("<a class=\"pt-icon-button")
        if isSpare { html.raw(" pt-topbar__spare") }
        if isInRail { html.raw(" pt-topbar__railed") }
        html.raw("\" href=\"")
    }

    /// Writes a navigation entry in the bar, with a dot when it has unread items.
    private mutating func barLink(_ entry: PTNavigationEntry, isSpare: Bool, isInRail: Bool) {
        iconLink(isSpare: isSpare, isInRail: isInRail)
        html.url(entry.path)
        html.raw("\"")
        let unread = entry.unread > 0 ? ", " + word("web.navigation.unread", entry.unread) : ""
        html.attribute(" aria-label=", entry.title + unread)
        html.raw(">")
        icon(entry.icon)
        html.raw(entry.unread > 0 ? "<span class=\"pt-icon-button__dot\"></span></a>" : "</a>")
    }

    /// Writes the menu of the entries beyond the tabs.
    private mutating func more(_ entries: [PTNavigationEntry]) {
        guard !entries.isEmpty else { return }
        html.raw("<details class=\"pt-more\" data-menu><summary class=\"pt-icon-button\"")
        html.attribute(" aria-label=", word("web.navigation.more"))
        html.raw(">")
        icon(.menu)
        html.raw("</summary>")
        menuItems(entries.map { PTMenuItem(title: $0.title, icon: $0.icon, action: .open($0.path)) })
        html.raw("</details>")
    }

    private mutating func account(_ account: PTAccountMenu) {
        html.raw("<details class=\"pt-account\" data-menu><summary class=\"pt-icon-button\"")
        html.attribute(" aria-label=", word("web.account", account.name))
        html.raw(">")
        avatar(
            PTAvatar(
                initials: account.initials, tint: account.tint, shape: account.shape,
                imageURL: account.imageURL, size: .small))
        html.raw("</summary><div class=\"pt-account__panel\"><p class=\"pt-account__name\" dir=\"auto\"><b>")
        html.text(account.name)
        html.raw("</b>")
        if let detail = account.detail {
            html.raw("<span>")
            html.text(detail)
            html.raw("</span>")
        }
        html.raw("</p>")
        menuItems(
            [PTMenuItem(title: word("web.refresh"), icon: .sync, action: .open(context.path))] + account.items)
        html.raw("</div></details>")
    }
}
