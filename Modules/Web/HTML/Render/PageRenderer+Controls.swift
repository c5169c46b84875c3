import DesignSystem

// Actions, icons and buttons, which other components use.

extension PageRenderer {
    /// Writes an icon of the sprite, hidden from screen readers.
    mutating func icon(_ icon: PTIcon, _ size: StaticString = "pt-icon") {
        html.raw("<svg class=\"")
        html.raw(size)
        html.raw("\" aria-hidden=\"true\"><use href=\"")
        html.text(icons)
        html.text(icon.rawValue)
        html.raw("\"/></svg>")
    }

    /// Opens the element of an action: a link, or a form with a button.
    ///
    /// - Parameter attributes: markup such as ` class="pt-chip"`.
    mutating func open(
        _ action: PTAction, _ attributes: StaticString, spoken: String? = nil, isEnabled: Bool = true
    ) {
        guard isEnabled else {
            html.raw("<button type=\"button\" disabled")
            html.raw(attributes)
            html.attribute(" aria-label=", spoken)
            html.raw(">")
            return
        }
        switch action {
        case .open(let path):
            html.raw("<a href=\"")
            html.url(placed(path))
            html.raw("\"")
            html.raw(attributes)
        case .external(let address):
            html.raw("<a rel=\"external noopener\" href=\"")
            html.url(address)
            html.raw("\"")
            html.raw(attributes)
        case .present(let sheet):
            html.raw("<a aria-haspopup=\"dialog\" href=\"")
            html.text(sheetBase)
            html.query(sheet)
            html.raw("\" data-sheet=\"")
            html.text(sheet)
            html.raw("\"")
            html.raw(attributes)
        case .perform(let call):
            openForm(call)
            html.raw("<button type=\"submit\"")
            html.raw(attributes)
        case .allowNotifications:
            html.raw("<button type=\"button\" hidden data-notifications")
            html.raw(attributes)
        }
        html.attribute(" aria-label=", spoken)
        html.raw(">")
    }

    /// Closes the element that `open` opened.
    mutating func close(_ action: PTAction, isEnabled: Bool = true) {
        guard isEnabled else { return html.raw("</button>") }
        switch action {
        case .open, .external, .present: html.raw("</a>")
        case .perform: html.raw("</button></form>")
        case .allowNotifications: html.raw("</button>")
        }
    }

    /// Opens the form of a command with a single button, with its hidden inputs.
    mutating func openForm(_ call: PTCommandCall, id: String? = nil) {
        html.raw("<form class=\"pt-command\" method=\"post\" action=\"")
        html.url(call.path)
        html.raw("\" data-command")
        html.attribute(" id=", id)
        commandAttributes(call.confirmation, call.haptics, isQueued: call.isQueued)
        html.raw(">")
        inputs(call.fields)
        commandInputs(key: call.key, to: call.to)
    }

    mutating func commandAttributes(
        _ confirmation: PTConfirmation?, _ haptics: Haptics? = nil, isQueued: Bool = false
    ) {
        if let confirmation {
            html.attribute(" data-confirm=", confirmation.title)
            html.attribute(" data-confirm-message=", confirmation.message)
            html.attribute(" data-confirm-yes=", confirmation.confirm)
            if confirmation.isDestructive { html.raw(" data-confirm-destructive") }
        }
        if let haptics { html.attribute(" data-haptics=", haptics.kind.rawValue) }
        if isQueued { html.raw(" data-queue") }
    }

    /// Writes the hidden inputs of a command: idempotency key, page to return to, page to go to.
    mutating func commandInputs(key: String, to: String?) {
        hidden("_key", key)
        hidden("_from", from)
        if let target = to.map({ placed($0) }) ?? after { hidden("_to", target) }
    }

    /// Writes fields as hidden inputs, sorted so that equal pages have equal bytes.
    mutating func inputs(_ fields: [String: String]) {
        guard fields.count > 1 else {
            if let field = fields.first { hidden(field.key, field.value) }
            return
        }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { hidden(name, value) }
    }

    mutating func hidden(_ name: String, _ value: String) {
        html.raw("<input type=\"hidden\" name=\"")
        html.text(name)
        html.raw("\" value=\"")
        html.text(value)
        html.raw("\">")
    }

    // MARK: - Buttons

    mutating func button(_ button: PTButton) {
        open(
            button.action, PageRenderer.attributes(button.role, button.size, isWide: button.isWide),
            spoken: button.spoken, isEnabled: button.isEnabled)
        if button.size == .large, button.role == .provider || button.role == .outlined, let icon = button.icon {
            self.icon(icon)
            html.text(button.title)
        } else {
            buttonLabel(button.icon, button.title)
        }
        close(button.action, isEnabled: button.isEnabled)
    }

    mutating func buttonLabel(_ icon: PTIcon?, _ title: String) {
        if let icon { self.icon(icon, "pt-icon pt-icon--small") }
        html.text(title)
    }

    /// Writes a round button with an icon; its title is the accessible name.
    mutating func iconButton(_ button: PTButton) {
        open(
            button.action,
            button.role == .tonal
                ? " class=\"pt-icon-button pt-icon-button--tonal\""
                : " class=\"pt-icon-button pt-icon-button--muted\"",
            spoken: button.spoken ?? button.title, isEnabled: button.isEnabled)
        icon(button.icon ?? .more)
        close(button.action, isEnabled: button.isEnabled)
    }

    mutating func buttons(_ group: PTButtonGroup) {
        html.raw(group.arrangement == .row ? "<div class=\"pt-row\">" : "<div class=\"pt-stack pt-stack--sm\">")
        for button in group.buttons { self.button(button) }
        html.raw("</div>")
    }

    /// Writes a submit button.
    mutating func submit(_ submit: SubmitButton) {
        if let call = submit.action { openForm(call) }
        self.submit(submit, within: nil, to: nil)
        if submit.action != nil { html.raw("</form>") }
    }

    /// Writes a submit button of the current form. A second command is named by `formaction`.
    mutating func submit(
        _ submit: SubmitButton, within form: String?, to target: String?, isLarge: Bool = true, isWide: Bool = true
    ) {
        html.raw("<button type=\"submit\"")
        html.raw(PageRenderer.attributes(submit.role, isLarge ? .large : .regular, isWide: isWide))
        if let form, let path = submit.action?.path, path != form {
            html.raw(" formaction=\"")
            html.url(path)
            html.raw("\"")
        }
        if let target {
            html.raw(" name=\"_to\"")
            html.attribute(" value=", target)
        }
        if submit.isLoading { html.raw(" aria-busy=\"true\" disabled") }
        html.raw(">")
        if submit.isLoading { html.raw("<span class=\"pt-spinner\" aria-hidden=\"true\"></span>") }
        buttonLabel(submit.isLoading ? nil : submit.icon, submit.title)
        html.raw("</button>")
    }

    mutating func links(_ links: PTLinks) {
        html.raw("<p class=\"pt-links\">")
        for link in links.links {
            open(link.action, " class=\"pt-link\"")
            html.text(link.title)
            close(link.action)
        }
        html.raw("</p>")
    }

    mutating func actionBar(_ bar: PTActionBar) {
        html.raw("<div class=\"pt-actionbar\">")
        if var back = bar.back {
            back.size = .large
            button(back)
        }
        var next = bar.next
        next.size = .large
        button(next)
        html.raw("</div>")
    }

    mutating func floating(_ floating: PTFloatingActionButton) {
        guard !floating.fan.isEmpty else {
            open(floating.action, " class=\"pt-fab pt-fab--label\"", spoken: floating.title)
            icon(floating.icon)
            html.raw("<span class=\"pt-fab__label\">")
            html.text(floating.label ?? floating.title)
            html.raw("</span>")
            close(floating.action)
            return
        }
        html.raw("<details class=\"pt-fab-box\" data-fan><summary class=\"pt-fab\"")
        html.attribute(" aria-label=", floating.title)
        html.raw(">")
        icon(floating.icon)
        html.raw("</summary><ul class=\"pt-fan\">")
        for item in floating.fan {
            html.raw("<li>")
            open(item.action, " class=\"pt-fan__item\"")
            html.raw("<b>")
            html.text(item.title)
            html.raw("</b><i>")
            icon(item.icon ?? .plus)
            html.raw("</i>")
            close(item.action)
            html.raw("</li>")
        }
        html.raw("</ul></details>")
    }

    // MARK: - Menus

    /// Writes a menu behind a button. `title` names the thing that it belongs to.
    mutating func menu(_ items: [PTMenuItem], about title: String, isVisible: Bool) {
        guard !items.isEmpty else { return }
        html.raw(
            isVisible
                ? "<details class=\"pt-more\" data-menu><summary class=\"pt-icon-button pt-icon-button--muted\""
                : "<details class=\"pt-more pt-more--context\" data-menu><summary class=\"pt-icon-button\"")
        html.raw(" aria-label=\"")
        html.text(menuName.before)
        html.text(title)
        html.text(menuName.after)
        html.raw("\">")
        icon(.more)
        html.raw("</summary>")
        menuItems(items)
        html.raw("</details>")
    }

    mutating func menuItems(_ items: [PTMenuItem]) {
        html.raw("<ul class=\"pt-menu\">")
        var wasNormal = false
        for item in items {
            html.raw(
                wasNormal && item.role == .destructive ? "<li class=\"pt-menu__apart\">" : "<li>")
            wasNormal = item.role == .normal
            open(
                item.action,
                item.role == .destructive
                    ? " class=\"pt-menu__item pt-menu__item--danger\"" : " class=\"pt-menu__item\"")
            if let icon = item.icon { self.icon(icon, "pt-icon pt-icon--small") }
            html.text(item.title)
            close(item.action)
            html.raw("</li>")
        }
        html.raw("</ul>")
    }

    // MARK: -

    static func attributes(_ role: PTButton.Role, _ size: PTButton.Size, isWide: Bool) -> StaticString {
        switch (role, size, isWide) {
        case (.primary, .regular, false): " class=\"pt-button pt-button--primary\""
        case (.primary, .regular, true): " class=\"pt-button pt-button--primary pt-button--block\""
        case (.primary, .large, false): " class=\"pt-button pt-button--primary pt-button--large\""
        case (.primary, .large, true): " class=\"pt-button pt-button--primary pt-button--large pt-button--block\""
        case (.tonal, .regular, false): " class=\"pt-button pt-button--tonal\""
        case (.tonal, .regular, true): " class=\"pt-button pt-button--tonal pt-button--block\""
        case (.tonal, .large, false): " class=\"pt-button pt-button--tonal pt-button--large\""
        case (.tonal, .large, true): " class=\"pt-button pt-button--tonal pt-button--large pt-button--block\""
        case (.neutral, .regular, false): " class=\"pt-button pt-button--neutral\""
        case (.neutral, .regular, true): " class=\"pt-button pt-button--neutral pt-button--block\""
        case (.neutral, .large, false): " class=\"pt-button pt-button--neutral pt-button--large\""
        case (.neutral, .large, true): " class=\"pt-button pt-button--neutral pt-button--large pt-button--block\""
        case (.outlined, .regular, false): " class=\"pt-button pt-button--outline\""
        case (.outlined, .regular, true): " class=\"pt-button pt-button--outline pt-button--block\""
        case (.outlined, .large, false): " class=\"pt-button pt-button--outline pt-button--large\""
        case (.outlined, .large, true): " class=\"pt-button pt-button--outline pt-button--large pt-button--block\""
        case (.quiet, .regular, false): " class=\"pt-button pt-button--quiet\""
        case (.quiet, .regular, true): " class=\"pt-button pt-button--quiet pt-button--block\""
        case (.quiet, .large, false): " class=\"pt-button pt-button--quiet pt-button--large\""
        case (.quiet, .large, true): " class=\"pt-button pt-button--quiet pt-button--large pt-button--block\""
        case (.destructive, .regular, false): " class=\"pt-button pt-button--danger\""
        case (.destructive, .regular, true): " class=\"pt-button pt-button--danger pt-button--block\""
        case (.destructive, .large, false): " class=\"pt-button pt-button--danger pt-button--large\""
        case (.destructive, .large, true):
            " class=\"pt-button pt-button--danger pt-button--large pt-button--block\""
        case (.provider, .regular, false): " class=\"pt-button pt-button--provider\""
        case (.provider, .regular, true): " class=\"pt-button pt-button--provider pt-button--block\""
        case (.provider, .large, false): " class=\"pt-button pt-button--provider pt-button--large\""
        case (.provider, .large, true): " class=\"pt-button pt-button--provider pt-button--large pt-button--block\""
        }
    }
}
