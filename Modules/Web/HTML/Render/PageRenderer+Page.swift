import DesignSystem
import Domain

extension PageRenderer {
    mutating func page(_ screen: Screen, _ chrome: PageChrome?) {
        let assets = context.assets
        html.raw("<!doctype html>\n<html")
        html.attribute(" lang=", context.language.rawValue)
        html.attribute(" data-theme=", context.theme.rawValue)
        html.attribute(" data-appearance=", context.appearance.rawValue)
        html.raw(
            """
            ><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, \
            interactive-widget=resizes-content">
            """)
        switch context.appearance {
        case .automatic: html.raw("<meta name=\"color-scheme\" content=\"light dark\">")
        case .light: html.raw("<meta name=\"color-scheme\" content=\"light\">")
        case .dark: html.raw("<meta name=\"color-scheme\" content=\"dark\">")
        }
        themeColors(assets)
        html.raw("<title>")
        html.text(screen.title)
        if screen.title != word("web.product") {
            html.raw(" · ")
            html.text(word("web.product"))
        }
        html.raw("</title><link rel=\"stylesheet\" href=\"")
        html.url(assets.stylesheet)
        html.raw("\"><link rel=\"manifest\" href=\"")
        html.url(assets.manifest(in: context.language))
        html.raw("\"><link rel=\"icon\" type=\"image/svg+xml\" href=\"")
        html.url(assets.icon)
        html.raw("\"><link rel=\"apple-touch-icon\" href=\"")
        html.url(assets.touchIcon)
        html.raw("\">")
        for module in assets.preloads {
            html.raw("<link rel=\"modulepreload\" href=\"")
            html.url(module)
            html.raw("\">")
        }
        html.raw("<script type=\"module\" src=\"")
        html.url(assets.runtime)
        html.raw("\"></script></head>")
        body(screen, chrome)
        html.raw("</html>\n")
    }

    private mutating func themeColors(_ assets: Assets) {
        let colors = assets.themeColors(context.theme)
        if context.appearance != .dark {
            html.raw("<meta name=\"theme-color\" content=\"")
            html.text(colors.light)
            html.raw(context.appearance == .light ? "\">" : "\" media=\"(prefers-color-scheme: light)\">")
        }
        if context.appearance != .light {
            html.raw("<meta name=\"theme-color\" content=\"")
            html.text(colors.dark)
            html.raw(context.appearance == .dark ? "\">" : "\" media=\"(prefers-color-scheme: dark)\">")
        }
    }

    private mutating func body(_ screen: Screen, _ chrome: PageChrome?) {
        let frame = screen.layout == .page ? chrome : nil
        html.raw("<body class=\"")
        html.raw(frame != nil && frame?.navigation.isEmpty == false ? "pt-app" : "pt-bare")
        if screen.floatingButton != nil { html.raw(" pt-app--fab") }
        // A conversation fills the page down to its composer.
        if case .talk? = screen.body.first { html.raw(" pt-app--fixed") }
        let opened = screen.sheets.first { $0.id == context.openSheet }
        if opened != nil { html.raw(" pt-app--panel") }
        html.raw("\"")
        html.attribute(" data-path=", plainPath)
        if let seq = context.seq {
            if !screen.live.isEmpty { html.attribute(" data-live=", screen.live.joined(separator: " ")) }
            html.attribute(" data-seq=", String(seq))
        }
        html.attribute(" data-account=", context.account)
        // The runtime reloads such a page fully, so that its own policy applies.
        let media = screen.mediaOrigins
        if !media.isEmpty { html.attribute(" data-media=", media.joined(separator: " ")) }
        html.raw("><a class=\"pt-skip\" href=\"#main\">")
        html.text(word("web.skip"))
        html.raw("</a>")
        html.raw(Art.markSymbol)
        html.raw("<div class=\"pt-ground\" aria-hidden=\"true\"></div>")
        if let frame {
            navigation(frame)
            topBar(screen, frame)
        }
        // Banners first, then feedback, then the page.
        if screen.layout != .stage { offlineBanner() }
        main(screen, frame)
        feedback()
        for sheet in screen.sheets { self.sheet(sheet, isOpen: sheet.id == context.openSheet) }
        texts()
        html.raw("</body>")
    }

    private mutating func offlineBanner() {
        html.raw("<div class=\"pt-offline pt-banner\" role=\"status\" hidden data-offline>")
        icon(.cloudOff)
        html.raw("<p class=\"pt-banner__text\"><b>")
        html.text(word("web.offline"))
        html.raw("</b><span>")
        html.text(word("web.offline.detail"))
        html.raw("</span></p></div>")
    }

    /// Writes the texts that the runtime shows.
    private mutating func texts() {
        html.raw("<template id=\"pt-words\"")
        html.attribute(" data-close=", word("web.close"))
        html.attribute(" data-cancel=", word("web.cancel"))
        html.attribute(" data-retry=", word("web.retry"))
        html.attribute(" data-loading=", word("web.loading"))
        html.attribute(" data-offline=", word("web.offline"))
        html.attribute(" data-kept=", word("web.offline.notSent"))
        html.attribute(" data-kept-text=", word("web.offline.textKept"))
        html.attribute(" data-remove-photo=", word("web.photo.remove"))
        html.attribute(" data-too-many-photos=", word("web.photo.tooMany"))
        html.attribute(" data-voice-sending=", word("web.voice.sending"))
        html.attribute(" data-voice-waits=", word("web.voice.waits"))
        html.attribute(" data-voice-refused=", word("web.voice.refused"))
        html.attribute(" data-voice-local=", word("web.voice.local"))
        html.attribute(" data-voice-discard=", word("web.voice.discard"))
        html.attribute(" data-draft=", word("web.draft"))
        html.attribute(" data-draft-discard=", word("web.draft.discard"))
        html.attribute(" data-leave=", word("web.leave"))
        html.attribute(" data-leave-message=", word("web.leave.message"))
        html.attribute(" data-leave-yes=", word("web.leave.yes"))
        html.attribute(" data-failed=", word("web.failed"))
        html.attribute(" data-refused=", word("web.refused"))
        html.attribute(" data-hide=", word("web.password.hide"))
        html.attribute(" data-show=", word("web.password.show"))
        html.attribute(" data-scan=", word("web.code.scanning"))
        html.attribute(" data-passkey=", word("web.passkey.failed"))
        html.attribute(" data-notifications-on=", word("web.notifications.on"))
        html.attribute(" data-notifications-off=", word("web.notifications.off"))
        html.attribute(" data-notification=", word("web.notifications.news"))
        html.attribute(" data-queued=", word("web.outbox.queued"))
        html.attribute(" data-outbox-waiting=", word("web.outbox.waiting"))
        html.attribute(" data-outbox-again=", word("web.outbox.again"))
        html.attribute(" data-outbox-loose=", word("web.outbox.loose"))
        html.attribute(" data-outbox-failed=", word("web.outbox.failed"))
        html.attribute(" data-outbox-show=", word("web.outbox.show"))
        html.attribute(" data-outbox-title=", word("web.outbox.title"))
        html.attribute(" data-outbox-sign-in=", word("web.outbox.signIn"))
        html.attribute(" data-outbox-drop=", word("web.outbox.drop"))
        html.attribute(" data-outbox-drop-title=", word("web.outbox.drop.title"))
        html.attribute(" data-outbox-drop-message=", word("web.outbox.drop.message"))
        html.attribute(" data-outbox-leave-title=", word("web.outbox.leave.title"))
        html.attribute(" data-outbox-leave-message=", word("web.outbox.leave.message"))
        html.attribute(" data-outbox-leave-yes=", word("web.outbox.leave.yes"))
        html.attribute(" data-icons=", context.assets.icons)
        html.raw("></template>")
        if hasTaps {
            html.raw("<template id=\"pt-spark\"><span class=\"pt-spark\" data-keep>")
            html.raw(Art.burst)
            html.raw("</span></template>")
        }
    }

    // MARK: - Frame

    private mutating func navigation(_ chrome: PageChrome) {
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

    private mutating func topBar(_ screen: Screen, _ chrome: PageChrome) {
        html.raw("<header class=\"pt-topbar\"><div class=\"pt-topbar__capsule\"><div class=\"pt-topbar__side\">")
        if let back = screen.back {
            html.raw("<a class=\"pt-icon-button\" data-back href=\"")
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
    private func barSearch(_ screen: Screen, _ chrome: PageChrome?) -> PTSearchField? {
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

    // MARK: - Content

    private mutating func main(_ screen: Screen, _ frame: PageChrome?) {
        if screen.layout == .focused { return focused(screen) }
        if screen.layout == .stage {
            html.raw("<main id=\"main\" tabindex=\"-1\">")
            components(screen.body)
            return html.raw("</main>")
        }
        html.raw("<main class=\"pt-screen\" id=\"main\" tabindex=\"-1\">")
        if frame == nil { heading(screen) }
        if let hero = screen.hero { illustration(hero) }
        if var avatar = screen.avatar {
            avatar.size = .large
            html.raw("<div class=\"pt-sheet__head pt-sheet__head--page\">")
            self.avatar(avatar)
            html.raw("<div class=\"pt-sheet__title\"><p class=\"t-title2\" dir=\"auto\">")
            html.text(screen.title)
            html.raw("</p>")
            if let subtitle = screen.subtitle {
                html.raw("<p class=\"t-callout t-muted\">")
                html.text(subtitle)
                html.raw("</p>")
            }
            html.raw("</div></div>")
        }
        if let search = screen.search, barSearch(screen, frame) == nil { self.search(search) }
        components(screen.body)
        if let button = screen.floatingButton { floating(button) }
        html.raw("</main>")
    }

    private mutating func focused(_ screen: Screen) {
        if let hero = screen.hero {
            html.raw("<main class=\"pt-signin\" id=\"main\" tabindex=\"-1\"><div class=\"pt-signin__hero\">")
            illustration(hero)
            html.raw("</div><div class=\"pt-signin__panel\">")
            backLink(screen)
            html.raw("<div class=\"pt-signin__intro\"><h1 class=\"t-display\">")
            html.text(screen.title)
            html.raw("</h1>")
            lead(screen)
            html.raw("</div>")
            components(screen.body)
            html.raw("</div></main>")
            return
        }
        let hasBar = screen.body.contains { component in
            switch component {
            case .actionBar: true
            case .form(let form): form.style == .wizard
            default: false
            }
        }
        html.raw(
            hasBar
                ? "<main class=\"pt-wizard pt-wizard--bar\" id=\"main\" tabindex=\"-1\">"
                : "<main class=\"pt-wizard\" id=\"main\" tabindex=\"-1\">")
        backLink(screen)
        var rest = screen.body[...]
        if case .stepper(let stepper) = rest.first {
            self.stepper(stepper)
            rest = rest.dropFirst()
        }
        html.raw("<div class=\"pt-wizard__intro\">")
        heading(screen)
        lead(screen)
        html.raw("</div>")
        for component in rest { self.component(component) }
        if let button = screen.floatingButton { floating(button) }
        html.raw("</main>")
    }

    private mutating func heading(_ screen: Screen) {
        html.raw("<h1 class=\"t-title1 t-balance\" dir=\"auto\">")
        html.text(screen.title)
        html.raw("</h1>")
    }

    private mutating func lead(_ screen: Screen) {
        guard let subtitle = screen.subtitle else { return }
        html.raw("<p class=\"t-muted t-balance\">")
        html.text(subtitle)
        html.raw("</p>")
    }

    private mutating func backLink(_ screen: Screen) {
        guard let back = screen.back else { return }
        html.raw("<a class=\"pt-icon-button pt-focused__back\" data-back href=\"")
        html.url(back)
        html.raw("\"")
        html.attribute(" aria-label=", word("web.back"))
        html.raw(">")
        icon(.chevronLeft)
        html.raw("</a>")
    }

    /// Writes the feedback of the last command; the runtime hides it after a while.
    private mutating func feedback() {
        html.raw("<div class=\"pt-toasts\" id=\"pt-toasts\" aria-live=\"polite\" data-toasts>")
        for feedback in context.feedback {
            switch feedback {
            case .toast(let toast): self.toast(toast)
            case .burst(let burst): self.burst(burst)
            }
        }
        html.raw("</div>")
    }

    // MARK: - Sheets

    private mutating func sheet(_ sheet: PTBottomSheet, isOpen: Bool) {
        let outer = (from, after, root)
        from = sheetBase + PageRenderer.encoded(sheet.id)
        root = sheet.root
        // A form in a sheet closes the sheet; a form of a page in a sheet stays in it.
        after = root == nil ? plainPath : from
        if isOpen {
            html.raw("<a class=\"pt-scrim\" tabindex=\"-1\" aria-hidden=\"true\" href=\"")
            html.url(plainPath)
            html.raw("\"></a>")
        }
        html.raw("<dialog class=\"pt-sheet")
        switch sheet.detents.first {
        case .fitted: html.raw(" pt-sheet--fitted")
        case .large: html.raw(" pt-sheet--large")
        case .fraction90, nil: break
        }
        html.raw("\" id=\"sheet-")
        html.text(sheet.id)
        html.raw("\" aria-labelledby=\"sheet-title-")
        html.text(sheet.id)
        html.raw("\"")
        if sheet.detents.count > 1 { html.raw(" data-stretches") }
        html.raw(isOpen ? " open>" : ">")
        html.raw(
            "<div class=\"pt-sheet__head\"><button class=\"pt-sheet__grabber\" type=\"button\" tabindex=\"-1\"")
        html.attribute(" aria-label=", word("web.sheet.grabber"))
        html.raw(" data-close></button>")
        if let back = sheet.back {
            html.raw("<a class=\"pt-icon-button\" href=\"")
            html.url(placed(back))
            html.raw("\"")
            html.attribute(" aria-label=", word("web.back"))
            html.raw(">")
            icon(.chevronLeft)
            html.raw("</a>")
        }
        if let leading = sheet.leading {
            if case .avatar(var avatar) = leading {
                avatar.size = .large
                self.avatar(avatar)
            } else {
                self.leading(leading)
            }
        }
        html.raw("<div class=\"pt-sheet__title\"><h2 class=\"t-title2\" dir=\"auto\" id=\"sheet-title-")
        html.text(sheet.id)
        html.raw("\">")
        html.text(sheet.title)
        html.raw("</h2>")
        if let subtitle = sheet.subtitle {
            html.raw("<p class=\"t-callout t-muted\">")
            html.text(subtitle)
            html.raw("</p>")
        }
        html.raw("</div><a class=\"pt-icon-button pt-icon-button--tonal pt-sheet__close\" data-close href=\"")
        html.url(plainPath)
        html.raw("\"")
        html.attribute(" aria-label=", word("web.close"))
        html.raw(">")
        icon(.x, "pt-icon pt-icon--small")
        html.raw("</a></div><div class=\"pt-sheet__body\">")
        components(sheet.body)
        html.raw("</div>")
        if let button = sheet.floatingButton {
            html.raw("<div class=\"pt-sheet__fab\">")
            floating(button)
            html.raw("</div>")
        }
        html.raw("</dialog>")
        (from, after, root) = outer
    }
}
