import DesignSystem
import Domain

extension PageRenderer {
    /// Writes bars or a line in percent, so that the drawing fills the width while texts keep their size.
    mutating func chart(_ chart: PTChart) {
        html.raw("<figure class=\"pt-chart\"><svg class=\"pt-chart__bars\" role=\"img\"")
        html.attribute(" aria-label=", chart.spoken)
        html.raw(">")
        switch chart.style {
        case .bars: bars(chart)
        case .line: line(chart)
        }
        html.raw("<rect class=\"pt-chart__base\" width=\"100%\" height=\"1\" y=\"")
        html.text(PageRenderer.percent((1 - chart.height(of: chart.baseline)) * 100))
        html.raw("\"/></svg>")
        if let first = chart.points.first, let last = chart.points.last {
            html.raw("<figcaption class=\"pt-chart__ends t-caption t-muted\" aria-hidden=\"true\"><span>")
            html.text("\(first.label) · \(first.text)")
            html.raw("</span>")
            if chart.points.count > 1 {
                html.raw("<span>")
                html.text("\(last.label) · \(last.text)")
                html.raw("</span>")
            }
            html.raw("</figcaption>")
        }
        html.raw("</figure>")
    }

    private mutating func bars(_ chart: PTChart) {
        let base = chart.height(of: chart.baseline)
        // The bars fill the width, because the labels of the first and the last stand at its ends. Few bars stay narrow,
        // and a single one is at its label.
        let narrow = 100.0 / 8
        let slot = chart.points.count > 1 ? 100 / Double(chart.points.count) : narrow
        let width = min(slot, narrow) * 0.7
        for (index, point) in chart.points.enumerated() {
            let top = chart.height(of: point.value)
            html.raw("<rect class=\"")
            fill(chart.tint)
            html.raw("\" rx=\"3\" x=\"")
            html.text(PageRenderer.percent(slot * (Double(index) + 0.5) - width / 2))
            html.raw("\" width=\"")
            html.text(PageRenderer.percent(width))
            html.raw("\" y=\"")
            html.text(PageRenderer.percent((1 - max(top, base)) * 100))
            html.raw("\" height=\"")
            html.text(PageRenderer.percent(max(abs(top - base) * 100, 1)))
            html.raw("\"><title>")
            html.text("\(point.label) · \(point.text)")
            html.raw("</title></rect>")
        }
    }

    /// Pieces from point to point, for a polyline knows no percent.
    private mutating func line(_ chart: PTChart) {
        let slot = 100 / Double(max(chart.points.count, 1))
        let places = chart.points.enumerated().map { index, point in
            // A dot at an end of the scale is drawn whole.
            (
                x: PageRenderer.percent(slot * (Double(index) + 0.5)),
                y: PageRenderer.percent(92 - chart.height(of: point.value) * 84)
            )
        }
        for (from, to) in zip(places, places.dropFirst()) {
            html.raw("<line class=\"pt-chart__line stroke-")
            html.text(chart.tint.rawValue)
            html.raw("\"")
            html.attribute(" x1=", from.x)
            html.attribute(" y1=", from.y)
            html.attribute(" x2=", to.x)
            html.attribute(" y2=", to.y)
            html.raw("></line>")
        }
        for (point, place) in zip(chart.points, places) {
            html.raw("<circle class=\"")
            fill(chart.tint)
            html.raw("\" r=\"5\" cx=\"")
            html.text(place.x)
            html.raw("\" cy=\"")
            html.text(place.y)
            html.raw("\"><title>")
            html.text("\(point.label) · \(point.text)")
            html.raw("</title></circle>")
        }
    }
}
