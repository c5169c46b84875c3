import DesignSystem
import Domain

extension PageRenderer {
    /// Writes bars as rectangles in percent, so that the drawing fills the width while texts keep their size.
    mutating func chart(_ chart: PTChart) {
        html.raw("<figure class=\"pt-chart\"><svg class=\"pt-chart__bars\" role=\"img\"")
        html.attribute(" aria-label=", chart.spoken)
        html.raw(">")
        let base = chart.height(of: chart.baseline)
        // At least eight slots, so that few bars stay narrow.
        let slot = 100 / Double(max(chart.points.count, 8))
        for (index, point) in chart.points.enumerated() {
            let top = chart.height(of: point.value)
            html.raw("<rect class=\"")
            fill(chart.tint)
            html.raw("\" rx=\"3\" x=\"")
            html.text(PageRenderer.percent(slot * (Double(index) + 0.15)))
            html.raw("\" width=\"")
            html.text(PageRenderer.percent(slot * 0.7))
            html.raw("\" y=\"")
            html.text(PageRenderer.percent((1 - max(top, base)) * 100))
            html.raw("\" height=\"")
            html.text(PageRenderer.percent(max(abs(top - base) * 100, 1)))
            html.raw("\"><title>")
            html.text("\(point.label): \(point.text)")
            html.raw("</title></rect>")
        }
        html.raw("<rect class=\"pt-chart__base\" width=\"100%\" height=\"1\" y=\"")
        html.text(PageRenderer.percent((1 - base) * 100))
        html.raw("\"/></svg>")
        if let first = chart.points.first, let last = chart.points.last {
            html.raw("<figcaption class=\"pt-chart__ends t-caption t-muted\" aria-hidden=\"true\"><span>")
            html.text("\(first.label): \(first.text)")
            html.raw("</span>")
            if chart.points.count > 1 {
                html.raw("<span>")
                html.text("\(last.label): \(last.text)")
                html.raw("</span>")
            }
            html.raw("</figcaption>")
        }
        html.raw("</figure>")
    }
}
