import DesignSystem
import Domain

extension PageRenderer {
    /// Writes a real table, so that screen readers read the headers with each field. A class has some thousand fields,
    /// so they are written directly.
    mutating func progressGrid(_ grid: PTProgressGrid) {
        html.raw("<ul class=\"pt-shades-key\" role=\"list\">")
        for level in PTProgressGrid.Level.allCases {
            html.raw("<li><i")
            self.level(level)
            html.raw("></i>")
            html.text(grid.title(of: level))
            html.raw("</li>")
        }
        html.raw("</ul><div class=\"pt-table-box pt-shades-box\" role=\"region\" tabindex=\"0\"")
        html.attribute(" aria-label=", grid.label)
        html.raw("><table class=\"pt-shades\"")
        html.raw(grid.path == nil ? ">" : " data-grid>")
        html.raw("<thead><tr><th scope=\"col\">")
        html.text(grid.corner)
        html.raw("</th>")
        for column in grid.columns {
            html.raw("<th scope=\"col\"><span>")
            html.text(column.title)
            html.raw("</span></th>")
        }
        html.raw("</tr></thead><tbody>")
        let parts = grid.path.map(PathParts.init)
        for row in grid.rows {
            html.raw("<tr><th scope=\"row\" dir=\"auto\">")
            if let action = row.action {
                open(action, " class=\"pt-table__link\"")
                html.text(row.title)
                close(action)
            } else {
                html.text(row.title)
            }
            html.raw("</th>")
            for (column, level) in zip(grid.columns, row.levels) {
                html.raw("<td>")
                if let parts {
                    html.raw("<a")
                    self.level(level)
                    html.raw(" id=\"f-")
                    html.text(row.id)
                    html.raw("-")
                    html.text(column.id)
                    html.raw("\" href=\"")
                    parts.write(row.id, column.id, into: &html)
                    html.raw("\" aria-label=\"")
                    html.text(row.title)
                    html.raw(", ")
                    html.text(column.title)
                    html.raw(", ")
                    html.text(grid.title(of: level))
                    html.raw("\"></a>")
                } else {
                    html.raw("<i")
                    self.level(level)
                    html.raw("></i><span class=\"pt-hidden\">")
                    html.text(grid.title(of: level))
                    html.raw("</span>")
                }
                html.raw("</td>")
            }
            html.raw("</tr>")
        }
        html.raw("</tbody></table></div>")
    }

    private mutating func level(_ level: PTProgressGrid.Level) {
        switch level {
        case .none: html.raw(" data-level=\"0\"")
        case .begun: html.raw(" data-level=\"1\"")
        case .going: html.raw(" data-level=\"2\"")
        case .done: html.raw(" data-level=\"3\"")
        }
    }
}

/// A path template, split at its placeholders once instead of per field.
private struct PathParts {
    private enum Part {
        case text(String)
        case row
        case column
    }
    private var parts: [Part] = []

    init(_ path: String) {
        guard HTML.isAllowed(path) else {
            parts = [.text("#")]
            return
        }
        var rest = path[...]
        while let (place, gap) = [("{row}", Part.row), ("{column}", Part.column)]
            .compactMap({ name, part in rest.firstRange(of: name).map { ($0, part) } })
            .min(by: { $0.0.lowerBound < $1.0.lowerBound })
        {
            parts += [.text(String(rest[..<place.lowerBound])), gap]
            rest = rest[place.upperBound...]
        }
        parts.append(.text(String(rest)))
    }

    func write(_ row: String, _ column: String, into html: inout HTML) {
        for part in parts {
            switch part {
            case .text(let text): html.text(text)
            case .row: html.query(row)
            case .column: html.query(column)
            }
        }
    }
}
