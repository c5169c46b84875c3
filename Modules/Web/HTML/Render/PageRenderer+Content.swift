import DesignSystem
import Domain

extension PageRenderer {
    mutating func greeting(_ greeting: PTGreeting) {
        html.raw("<section class=\"pt-day\">")
        if let eyebrow = greeting.eyebrow {
            html.raw("<p class=\"t-callout t-muted\">")
            html.text(eyebrow)
            html.raw("</p>")
        }
        html.raw("<h2 class=\"t-title1\">")
        html.text(greeting.title)
        html.raw("</h2>")
        if let split = greeting.split { self.split(split) }
        if let detail = greeting.detail {
            html.raw("<p class=\"t-callout t-muted\">")
            html.text(detail)
            html.raw("</p>")
        }
        for var action in greeting.actions {
            if action.role == .primary { action.role = .quiet }
            button(action)
        }
        html.raw("</section>")
    }

    /// Writes the parts as rectangles in percent, half a percent apart.
    mutating func split(_ split: PTSplitBar) {
        html.raw("<svg class=\"pt-split pt-split--thin\" role=\"img\"")
        html.attribute(" aria-label=", split.spoken)
        html.raw(">")
        let total = max(split.total, split.parts.reduce(0) { $0 + max(0, $1.count) }, 1)
        var start = 0.0
        for part in split.parts where part.count > 0 {
            let width = Double(part.count) / Double(total) * 100
            let isLast = start + width >= 99.9
            let stretch = isLast ? width : max(0.5, width - 0.6)
            rectangle(part.tint, isPale: part.filled != nil, at: start, stretch)
            if let filled = part.filled, filled > 0 {
                rectangle(part.tint, isPale: false, at: start, stretch * Double(min(100, filled)) / 100)
            }
            start += width
        }
        html.raw("</svg>")
        legend(split.parts)
    }

    private mutating func rectangle(_ tint: Tint, isPale: Bool, at start: Double, _ width: Double) {
        html.raw("<rect class=\"")
        fill(tint, isPale: isPale)
        html.raw("\" x=\"")
        html.text(PageRenderer.percent(start))
        html.raw("\" width=\"")
        html.text(PageRenderer.percent(width))
        html.raw("\" height=\"100%\"/>")
    }

    mutating func fill(_ tint: Tint, isPale: Bool = false) {
        html.raw("fill-")
        html.text(tint.rawValue)
        html.raw(isPale ? "-soft" : "-5")
    }

    /// Writes the legend of a bar's colors.
    private mutating func legend(_ parts: [PTSplitBar.Part]) {
        guard parts.contains(where: { $0.title != nil }) else { return }
        html.raw("<ul class=\"pt-legend\">")
        for part in parts {
            html.raw("<li><i class=\"pt-swatch pt-swatch--")
            html.text(part.tint.rawValue)
            html.raw("\"></i>")
            html.text(part.title ?? "")
            if let detail = part.detail {
                html.raw("<small>")
                html.text(detail)
                html.raw("</small>")
            }
            html.raw("</li>")
        }
        html.raw("</ul>")
    }

    /// A percentage with at most two decimals and a percent sign.
    static func percent(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }

    mutating func text(_ text: PTText) {
        switch (text.role, text.isCentered) {
        case (.body, false): html.raw("<p class=\"pt-prose\" dir=\"auto\">")
        case (.body, true): html.raw("<p class=\"pt-prose pt-prose--center\" dir=\"auto\">")
        case (.note, false): html.raw("<p class=\"t-callout t-muted pt-prose\" dir=\"auto\">")
        case (.note, true): html.raw("<p class=\"t-callout t-muted pt-prose pt-prose--center\" dir=\"auto\">")
        case (.heading, false): html.raw("<h3 class=\"t-headline\" dir=\"auto\">")
        case (.heading, true): html.raw("<h3 class=\"t-headline pt-prose--center\" dir=\"auto\">")
        case (.code, false): html.raw("<p class=\"pt-code\">")
        case (.code, true): html.raw("<p class=\"pt-code pt-prose--center\">")
        }
        html.text(text.text)
        html.raw(text.role == .heading ? "</h3>" : "</p>")
    }

    mutating func definitionList(_ list: PTDefinitionList) {
        html.raw("<dl class=\"pt-facts\">")
        for item in list.items {
            html.raw("<div><dt>")
            html.text(item.term)
            html.raw("</dt><dd dir=\"auto\">")
            html.text(item.value)
            html.raw("</dd>")
            if var action = item.action {
                if action.role == .primary { action.role = .quiet }
                html.raw("<dd class=\"pt-facts__action\">")
                button(action)
                html.raw("</dd>")
            }
            html.raw("</div>")
        }
        html.raw("</dl>")
    }

    mutating func table(_ table: PTDataTable) {
        html.raw("<div class=\"pt-table-box\" role=\"region\" tabindex=\"0\"")
        html.attribute(" aria-label=", table.label)
        html.raw("><table class=\"pt-table\"><thead><tr>")
        for column in table.columns {
            html.raw(column.isNumeric ? "<th scope=\"col\" class=\"num\"><b>" : "<th scope=\"col\"><b>")
            html.text(column.title)
            html.raw("</b>")
            if let detail = column.detail { html.text(detail) }
            html.raw("</th>")
        }
        html.raw("</tr></thead><tbody>")
        for row in table.rows {
            html.raw("<tr")
            if let id = row.id {
                html.raw(" id=\"row-")
                html.text(id)
                html.raw("\"")
            }
            html.raw("><th scope=\"row\" dir=\"auto\">")
            if row.avatar != nil { html.raw("<span class=\"pt-table__name\">") }
            if var avatar = row.avatar {
                avatar.size = .small
                self.avatar(avatar)
            }
            if let action = row.action {
                open(action, " class=\"pt-table__link\"")
                html.text(row.header)
                close(action)
            } else {
                html.text(row.header)
            }
            html.raw(row.avatar != nil ? "</span></th>" : "</th>")
            for (index, cell) in row.cells.enumerated() {
                let column = index + 1
                let isNumeric = table.columns.indices.contains(column) && table.columns[column].isNumeric
                html.raw(isNumeric ? "<td class=\"num\">" : "<td>")
                switch cell {
                case .text(let text): html.text(text)
                case .tag(let tag): self.tag(tag)
                case .check(let isOn, let spoken):
                    html.raw(isOn ? "<span class=\"t-success\">" : "<span class=\"t-muted\">")
                    icon(isOn ? .check : .minus, "pt-icon pt-icon--small")
                    html.raw("</span><span class=\"pt-hidden\">")
                    html.text(spoken)
                    html.raw("</span>")
                case .empty: break
                }
                html.raw("</td>")
            }
            html.raw("</tr>")
        }
        html.raw("</tbody></table></div>")
    }

    mutating func disclosure(_ disclosure: PTDisclosure) {
        html.raw(disclosure.isOpen ? "<details class=\"pt-disclosure\" open>" : "<details class=\"pt-disclosure\">")
        html.raw("<summary><span>")
        html.text(disclosure.title)
        html.raw("</span>")
        icon(.chevronDown, "pt-icon pt-icon--small")
        html.raw("</summary><div class=\"pt-stack\">")
        components(disclosure.body)
        html.raw("</div></details>")
    }

    /// Writes a custom element with its properties. The style sheet precedes it, so it is never unstyled; the runtime
    /// loads its module, also after a morph.
    mutating func island(_ island: PTIsland) {
        guard let files = context.assets.islands[island.name] else {
            // No block provides the island, so its name is not used as an element name.
            html.raw("<div class=\"pt-island\"><p class=\"pt-prose\">")
            html.text(island.fallback)
            return html.raw("</p></div>")
        }
        if let stylesheet = files.stylesheet {
            html.raw("<link rel=\"stylesheet\" href=\"")
            html.url(stylesheet)
            html.raw("\">")
        }
        html.raw("<link rel=\"modulepreload\" href=\"")
        html.url(files.module)
        html.raw("\"><pt-")
        html.text(island.name)
        html.raw(" class=\"pt-island\"")
        html.attribute(" data-module=", files.module)
        html.attribute(" data-properties=", island.properties)
        html.raw(">")
        if island.body.isEmpty {
            html.raw("<p class=\"pt-prose\">")
            html.text(island.fallback)
            html.raw("</p>")
        } else {
            components(island.body)
        }
        html.raw("</pt-")
        html.text(island.name)
        html.raw(">")
    }

    mutating func divider(_ divider: PTDivider) {
        guard let title = divider.title else { return html.raw("<hr class=\"pt-line\">") }
        html.raw("<p class=\"pt-or\"><span>")
        html.text(title)
        html.raw("</span></p>")
    }

    mutating func ring(_ ring: PTProgressRing) {
        html.raw("<span class=\"pt-ring-box\"><svg class=\"pt-ring")
        switch ring.tint {
        case .sand: html.raw(" pt-ring--sand")
        case .clay: html.raw(" pt-ring--clay")
        case .leaf: html.raw("")
        case .sky: html.raw(" pt-ring--sky")
        case .berry: html.raw(" pt-ring--berry")
        }
        html.raw("\" viewBox=\"0 0 72 72\" role=\"img\"")
        html.attribute(" aria-label=", ring.spoken)
        html.raw(
            """
            ><circle class="pt-ring__track" cx="36" cy="36" r="31"/>\
            <circle class="pt-ring__value" cx="36" cy="36" r="31" pathLength="100" stroke-dasharray="
            """)
        let value = ring.value.isFinite ? min(1, max(0, ring.value)) : 0
        html.number(Int((value * 100).rounded()))
        html.raw(" 100\"/></svg><b aria-hidden=\"true\">")
        html.text(ring.text)
        html.raw("</b></span>")
    }

    mutating func codeCard(_ card: PTCodeCard) {
        html.raw("<section class=\"pt-card pt-card--roomy pt-codecard\"")
        html.attribute(" aria-label=", card.title)
        html.raw("><h2 class=\"t-headline\">")
        html.text(card.title)
        html.raw("</h2>")
        if let matrix = card.qr { qr(matrix, spoken: card.qrSpoken ?? card.title) }
        html.raw("<p class=\"pt-code\"")
        html.attribute(" aria-label=", card.spoken ?? card.code.map { String($0) }.joined(separator: " "))
        html.raw(" role=\"text\">")
        html.text(card.code)
        html.raw("</p>")
        if let detail = card.detail {
            html.raw("<p class=\"t-callout t-muted t-balance\">")
            html.text(detail)
            html.raw("</p>")
        }
        html.raw("<div class=\"pt-row pt-codecard__actions\">")
        html.raw("<button class=\"pt-button pt-button--tonal\" type=\"button\" hidden")
        html.attribute(" data-copy=", card.link ?? card.code)
        html.attribute(" data-copied=", word("web.copied"))
        html.raw(">")
        buttonLabel(.copy, word(card.link == nil ? "web.copyCode" : "web.copyLink"))
        html.raw("</button>")
        if let link = card.link {
            html.raw("<button class=\"pt-button pt-button--outline\" type=\"button\" hidden")
            html.attribute(" data-share=", link)
            html.attribute(" data-share-title=", card.title)
            html.raw(">")
            buttonLabel(.share, word("web.share"))
            html.raw("</button>")
        }
        for button in card.actions { self.button(button) }
        html.raw("</div></section>")
    }

    /// Writes all dark squares as one path. A horizontal run is `M x y h n v 1 h -n z`, inside the quiet zone of four
    /// squares (ISO/IEC 18004 section 9.1).
    private mutating func qr(_ matrix: QRMatrix, spoken: String) {
        let side = matrix.rows.count + 8
        html.raw("<svg class=\"pt-qr\" role=\"img\"")
        html.attribute(" aria-label=", spoken)
        html.attribute(" viewBox=", "0 0 \(side) \(side)")
        html.raw(" shape-rendering=\"crispEdges\"><rect class=\"pt-qr__light\" width=\"100%\" height=\"100%\"/>")
        html.raw("<path class=\"pt-qr__dark\" d=\"")
        for (y, row) in matrix.rows.enumerated() {
            var x = 0
            while x < row.count {
                guard row[x] else {
                    x += 1
                    continue
                }
                let start = x
                while x < row.count, row[x] { x += 1 }
                html.text("M\(start + 4) \(y + 4)h\(x - start)v1h-\(x - start)z")
            }
        }
        html.raw("\"/></svg>")
    }

    mutating func illustration(_ picture: PTIllustration) {
        switch picture {
        case .tower: html.raw(Art.tower)
        case .cubes: html.raw(Art.cubes)
        case .fallen: html.raw(Art.fallen)
        case .mark: html.raw("<svg class=\"pt-mark\" aria-hidden=\"true\"><use href=\"#pt-mark\"/></svg>")
        }
    }
}
