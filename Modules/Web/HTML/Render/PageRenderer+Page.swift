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
        if screen.placeholder != nil { html.raw(" pt-app--list") }
        if frame != nil, screen.list != nil { html.raw(" pt-app--detail") }
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
        if frame != nil, let list = screen.list {
            html.raw("<div class=\"pt-detail\">")
            sideList(list)
            main(screen, frame)
            html.raw("</div>")
        } else if let frame, let sidebar = screen.sidebar {
            html.raw("<div class=\"pt-beside\">")
            self.sidebar(sidebar, frame)
            main(screen, frame)
            html.raw("</div>")
        } else if frame != nil, let placeholder = screen.placeholder {
            html.raw("<div class=\"pt-choose\">")
            main(screen, frame)
            html.raw("<aside class=\"pt-choose__none\">")
            empty(placeholder)
            html.raw("</aside></div>")
        } else {
            main(screen, frame)
        }
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
        html.attribute(" data-notification=", word("web.notifications.arrived"))
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

    // MARK: - Content

    private mutating func main(_ screen: Screen, _ frame: PageChrome?) {
        if screen.layout == .focused { return focused(screen) }
        if screen.layout == .stage {
            html.raw("<main id=\"main\" tabindex=\"-1\">")
            components(screen.body)
            return html.raw("</main>")
        }
        switch screen.width {
        case .reading: html.raw("<main class=\"pt-screen pt-screen--reading\"")
        case .standard: html.raw("<main class=\"pt-screen\"")
        case .full: html.raw("<main class=\"pt-screen pt-screen--full\"")
        }
        html.raw(" id=\"main\" tabindex=\"-1\">")
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
