import DesignSystem
import Domain

extension PageRenderer {
    /// Writes cards with two links side by side: the card opens its page, the line below continues.
    mutating func progressCards(_ row: PTProgressCards) {
        html.raw("<ul class=\"pt-track")
        if row.isGrid { html.raw(" pt-track--grid") }
        html.raw("\" role=\"list\"")
        html.attribute(" aria-label=", row.label)
        html.raw(">")
        for card in row.cards {
            html.raw("<li class=\"pt-card pt-track__card\" id=\"card-")
            html.text(card.id)
            html.raw("\">")
            open(card.action, " class=\"pt-track__main\"")
            html.raw("<span class=\"pt-track__head\">")
            ring(card.ring)
            html.raw("<span class=\"pt-track__side\">")
            if let tag = card.tag { self.tag(tag) }
            if let chart = card.chart { bars(chart) }
            html.raw("</span></span><span class=\"pt-track__title\" dir=\"auto\">")
            html.text(card.title)
            html.raw("</span><span class=\"pt-track__detail\">")
            html.text(card.detail)
            html.raw("</span>")
            close(card.action)
            if let next = card.next {
                open(next.action, " class=\"pt-track__next\"")
                html.raw("<span dir=\"auto\">")
                html.text(next.title)
                html.raw("</span>")
                icon(.chevronRight, "pt-icon pt-icon--small")
                close(next.action)
            }
            html.raw("</li>")
        }
        html.raw("</ul>")
    }

    /// Writes a chart as small as a word.
    private mutating func bars(_ chart: PTChart) {
        html.raw("<svg class=\"pt-track__bars\" viewBox=\"0 0 56 24\" role=\"img\"")
        html.attribute(" aria-label=", chart.spoken)
        html.raw(">")
        for (index, point) in chart.points.suffix(7).enumerated() {
            let height = max(2, Int((chart.height(of: point.value) * 24).rounded()))
            html.raw("<rect class=\"")
            fill(chart.tint)
            html.raw("\" rx=\"2\" width=\"6\" x=\"")
            html.number(index * 8)
            html.raw("\" y=\"")
            html.number(24 - height)
            html.raw("\" height=\"")
            html.number(height)
            html.raw("\"/>")
        }
        html.raw("</svg>")
    }
}
