import DesignSystem
import Domain

extension PageRenderer {
    mutating func banner(_ banner: PTBanner) {
        let usual: PTIcon
        switch banner.tone {
        case .info:
            html.raw("<div class=\"pt-banner pt-banner--info\" role=\"status\">")
            usual = .info
        case .success:
            html.raw("<div class=\"pt-banner pt-banner--success\" role=\"status\">")
            usual = .check
        case .warning:
            html.raw("<div class=\"pt-banner\" role=\"status\">")
            usual = .info
        case .danger:
            html.raw("<div class=\"pt-banner pt-banner--danger\" role=\"alert\">")
            usual = .alert
        }
        icon(banner.icon ?? usual)
        html.raw("<p class=\"pt-banner__text\"><b>")
        html.text(banner.title)
        html.raw("</b>")
        if let message = banner.message {
            html.raw("<span>")
            html.text(message)
            html.raw("</span>")
        }
        html.raw("</p>")
        if var action = banner.action {
            if action.role == .primary { action.role = .quiet }
            button(action)
        }
        html.raw("</div>")
    }

    mutating func empty(_ state: PTEmptyState) {
        html.raw("<div class=\"pt-empty\">")
        if let icon = state.icon {
            html.raw("<span class=\"pt-glyph pt-glyph--large pt-tint-sand\" aria-hidden=\"true\">")
            self.icon(icon)
            html.raw("</span>")
        } else {
            illustration(state.illustration)
        }
        html.raw("<h2 class=\"t-title3 t-balance\">")
        html.text(state.title)
        html.raw("</h2><p>")
        html.text(state.message)
        html.raw("</p>")
        if let action = state.action { button(action) }
        if let link = state.secondary {
            open(link.action, " class=\"pt-button pt-button--quiet pt-empty__link\"")
            html.text(link.title)
            close(link.action)
        }
        html.raw("</div>")
    }

    mutating func error(_ state: ErrorStateView) {
        html.raw("<div class=\"pt-empty\" role=\"alert\">")
        if let icon = state.icon {
            html.raw("<span class=\"pt-glyph pt-glyph--large pt-tint-clay\" aria-hidden=\"true\">")
            self.icon(icon)
            html.raw("</span>")
        } else {
            illustration(.fallen)
        }
        html.raw("<h2 class=\"t-title3 t-balance\">")
        html.text(state.title)
        html.raw("</h2>")
        if let message = state.message {
            html.raw("<p>")
            html.text(message)
            html.raw("</p>")
        }
        if let retry = state.retry { button(retry) }
        html.raw("</div>")
    }

    mutating func skeleton(_ skeleton: SkeletonView) {
        let count = min(max(skeleton.count, 1), 24)
        switch skeleton.style {
        case .list: html.raw("<ul class=\"pt-list pt-list--avatars\" aria-busy=\"true\"")
        case .cards: html.raw("<ul class=\"pt-grid\" aria-busy=\"true\"")
        case .text: html.raw("<ul class=\"pt-stack pt-stack--xs\" aria-busy=\"true\"")
        }
        html.attribute(" aria-label=", skeleton.spoken)
        html.raw(">")
        for _ in 0..<count {
            switch skeleton.style {
            case .list:
                html.raw(
                    """
                    <li><div class="pt-list-cell"><span class="pt-list-cell__main">\
                    <span class="pt-skeleton pt-skeleton--avatar"></span>\
                    <span class="pt-list-cell__text pt-skeleton-text">\
                    <span class="pt-skeleton pt-skeleton--title"></span>\
                    <span class="pt-skeleton pt-skeleton--line"></span></span></span>\
                    <span class="pt-skeleton pt-skeleton--pill"></span></div></li>
                    """)
            case .cards: html.raw("<li class=\"pt-skeleton pt-skeleton--card\"></li>")
            case .text: html.raw("<li class=\"pt-skeleton pt-skeleton--row\"></li>")
            }
        }
        html.raw("</ul>")
    }

    mutating func toast(_ toast: PTToast) {
        html.raw("<div class=\"pt-toast\"")
        html.raw(toast.tone == .failure ? " role=\"alert\" data-tone=\"failure\"" : " role=\"status\"")
        if let haptics = toast.haptics { html.attribute(" data-haptics=", haptics.kind.rawValue) }
        html.raw(">")
        switch toast.tone {
        case .success: icon(.check, "pt-icon pt-icon--small")
        case .info: icon(.info, "pt-icon pt-icon--small")
        case .failure: icon(.alert, "pt-icon pt-icon--small")
        }
        html.raw("<span class=\"pt-toast__text\">")
        html.text(toast.text)
        html.raw("</span>")
        if var action = toast.action {
            action.role = .quiet
            button(action)
        }
        html.raw("</div>")
    }

    mutating func burst(_ burst: PTCheckmarkBurst) {
        html.raw("<div class=\"pt-celebration\" role=\"status\"")
        html.attribute(" data-haptics=", burst.haptics.kind.rawValue)
        html.raw(">")
        html.raw(Art.burst)
        html.raw("<p class=\"t-title3\">")
        html.text(burst.title)
        html.raw("</p>")
        if let message = burst.message {
            html.raw("<p class=\"t-muted t-balance\">")
            html.text(message)
            html.raw("</p>")
        }
        html.raw("</div>")
    }
}
