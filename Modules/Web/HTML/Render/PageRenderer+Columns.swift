import DesignSystem
import Domain

extension PageRenderer {
    mutating func columns(_ columns: PTColumns) {
        switch min(columns.parts.count, columns.limit) {
        case ...0: return
        case 1: html.raw("<div class=\"pt-columns pt-columns--one\">")
        case 2: html.raw("<div class=\"pt-columns pt-columns--two\">")
        default: html.raw("<div class=\"pt-columns\">")
        }
        for part in columns.parts {
            html.raw("<div class=\"pt-stack pt-stack--lg\">")
            components(part)
            html.raw("</div>")
        }
        html.raw("</div>")
    }

    /// Writes the list from which the page was chosen.
    mutating func sideList(_ list: PTSideList) {
        html.raw("<section class=\"pt-side\"")
        html.attribute(" aria-label=", list.title)
        html.raw("><div class=\"pt-side__head\"><h2 class=\"t-title3\">")
        html.text(list.title)
        html.raw("</h2>")
        if let add = list.add {
            open(add.action, " class=\"pt-icon-button pt-icon-button--tonal\"", spoken: add.title)
            icon(add.icon ?? .plus)
            close(add.action)
        }
        html.raw("</div>")
        if let search = list.search { self.search(search) }
        components(list.body)
        html.raw("</section>")
    }

    mutating func agenda(_ agenda: PTAgenda) {
        html.raw("<div class=\"pt-card pt-agenda\"><ul class=\"pt-week\" role=\"list\"")
        html.attribute(" aria-label=", agenda.label)
        html.raw(">")
        for day in agenda.days {
            html.raw("<li><a href=\"")
            html.url(day.path)
            html.raw(day.isSelected ? "\" aria-current=\"date\"" : "\"")
            html.attribute(" aria-label=", day.spoken)
            html.raw("><small>")
            html.text(day.title)
            html.raw("</small>")
            html.text(day.number)
            html.raw(day.isBusy ? "<i class=\"pt-dot\"></i></a></li>" : "<i></i></a></li>")
        }
        html.raw("</ul>")
        guard !agenda.items.isEmpty else {
            html.raw("<p class=\"t-callout t-muted\">")
            html.text(agenda.empty)
            return html.raw("</p></div>")
        }
        html.raw("<ol class=\"pt-agenda__items\" role=\"list\">")
        for item in agenda.items { self.item(item) }
        html.raw("</ol></div>")
    }

    private mutating func item(_ item: PTAgenda.Item) {
        html.raw(item.now == nil ? "<li>" : "<li aria-current=\"time\">")
        html.raw("<span class=\"pt-agenda__time t-callout t-muted t-num\">")
        if let time = item.time { html.text(time) }
        html.raw("</span><span class=\"pt-agenda__bar pt-dot pt-dot--")
        html.text(item.tint.rawValue)
        html.raw("\"></span>")
        if let action = item.action {
            open(action, " class=\"pt-list-cell__text\"")
        } else {
            html.raw("<span class=\"pt-list-cell__text\">")
        }
        html.raw("<b class=\"pt-list-cell__title\" dir=\"auto\">")
        html.text(item.title)
        html.raw("</b>")
        if let detail = item.detail {
            html.raw("<span class=\"pt-list-cell__subtitle\" dir=\"auto\">")
            html.text(detail)
            html.raw("</span>")
        }
        if let action = item.action { close(action) } else { html.raw("</span>") }
        if let now = item.now { tag(PTTag(text: now, tone: .good)) }
        html.raw("</li>")
    }
}
