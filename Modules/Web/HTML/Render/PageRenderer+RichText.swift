import DesignSystem

/// Writes rich text. All values go through `text` and `url`.
extension PageRenderer {
    mutating func richText(_ text: PTRichText) {
        html.raw("<div class=\"pt-rich\">")
        blocks(text.blocks)
        html.raw("</div>")
    }

    private mutating func blocks(_ blocks: [PTRichText.Block]) {
        for block in blocks { self.block(block) }
    }

    private mutating func block(_ block: PTRichText.Block) {
        switch block {
        case .heading(let level, let text): heading(level, text)
        case .paragraph(let text):
            html.raw("<p dir=\"auto\">")
            inlines(text)
            html.raw("</p>")
        case .codeBlock(let code):
            // HTML parsers drop a first line break, which the text may begin with.
            html.raw("<pre dir=\"ltr\">\n<code>")
            html.text(code)
            html.raw("</code></pre>")
        case .quote(let inner):
            html.raw("<blockquote>")
            blocks(inner)
            html.raw("</blockquote>")
        case .list(let list): self.list(list)
        case .table(let table): self.table(table)
        case .rule: html.raw("<hr class=\"pt-line\">")
        }
    }

    private mutating func heading(_ level: Int, _ text: [PTRichText.Inline]) {
        switch level {
        case ...1: html.raw("<h2 class=\"t-title2\" dir=\"auto\">")
        case 2: html.raw("<h3 class=\"t-title3\" dir=\"auto\">")
        case 3: html.raw("<h4 class=\"t-headline\" dir=\"auto\">")
        case 4: html.raw("<h5 class=\"t-headline\" dir=\"auto\">")
        default: html.raw("<h6 class=\"t-headline\" dir=\"auto\">")
        }
        inlines(text)
        switch level {
        case ...1: html.raw("</h2>")
        case 2: html.raw("</h3>")
        case 3: html.raw("</h4>")
        case 4: html.raw("</h5>")
        default: html.raw("</h6>")
        }
    }

    private mutating func list(_ list: PTRichText.List) {
        if let start = list.start {
            html.raw("<ol start=\"")
            html.number(start)
            html.raw("\">")
        } else {
            // Lists without markers lose their role in Safari, so it is written.
            html.raw(
                list.items.contains { $0.isDone != nil } ? "<ul class=\"pt-rich__tasks\" role=\"list\">" : "<ul>")
        }
        for item in list.items {
            html.raw("<li dir=\"auto\">")
            if let isDone = item.isDone {
                html.raw(isDone ? "<span class=\"t-success\">" : "<span class=\"t-muted\">")
                icon(isDone ? .check : .minus, "pt-icon pt-icon--small")
                html.raw("</span><span class=\"pt-hidden\">")
                html.text(word(isDone ? "web.task.done" : "web.task.open"))
                html.raw(" </span>")
            }
            for block in item.body {
                if list.isTight, case .paragraph(let text) = block { inlines(text) } else { self.block(block) }
            }
            html.raw("</li>")
        }
        html.raw(list.start != nil ? "</ol>" : "</ul>")
    }

    private mutating func table(_ table: PTRichText.Table) {
        html.raw("<div class=\"pt-table-box\" role=\"region\" tabindex=\"0\"")
        html.attribute(" aria-label=", word("web.table"))
        html.raw("><table class=\"pt-table\"><thead><tr>")
        for (column, cell) in table.head.enumerated() {
            aligned("<th scope=\"col\"", table, column)
            html.raw("<b>")
            inlines(cell)
            html.raw("</b></th>")
        }
        html.raw("</tr></thead><tbody>")
        for row in table.rows {
            html.raw("<tr>")
            for (column, cell) in row.enumerated() {
                aligned("<td dir=\"auto\"", table, column)
                inlines(cell)
                html.raw("</td>")
            }
            html.raw("</tr>")
        }
        html.raw("</tbody></table></div>")
    }

    private mutating func aligned(_ tag: StaticString, _ table: PTRichText.Table, _ column: Int) {
        html.raw(tag)
        switch table.alignments.indices.contains(column) ? table.alignments[column] : .start {
        case .start: html.raw(">")
        case .center: html.raw(" class=\"pt-rich__center\">")
        case .end: html.raw(" class=\"num\">")
        }
    }

    private mutating func inlines(_ inlines: [PTRichText.Inline]) {
        for inline in inlines {
            switch inline {
            case .text(let text): html.text(text)
            case .code(let code):
                html.raw("<code>")
                html.text(code)
                html.raw("</code>")
            case .emphasis(let inner):
                html.raw("<em>")
                self.inlines(inner)
                html.raw("</em>")
            case .strong(let inner):
                html.raw("<strong>")
                self.inlines(inner)
                html.raw("</strong>")
            case .strikethrough(let inner):
                html.raw("<s>")
                self.inlines(inner)
                html.raw("</s>")
            case .link(let address, let inner):
                html.raw(
                    address.hasPrefix("/")
                        ? "<a href=\""
                        : "<a rel=\"noopener noreferrer nofollow external\" target=\"_blank\" href=\"")
                html.url(address)
                html.raw("\">")
                self.inlines(inner)
                html.raw("</a>")
            case .picture(let image): picture(image)
            case .formula(let formula): self.formula(formula)
            case .lineBreak: html.raw("<br>")
            }
        }
    }

    /// Writes a picture of our own. A picture of another site would reveal the reader to it, so its description is
    /// shown instead.
    private mutating func picture(_ image: PTImage) {
        guard image.url.hasPrefix("/"), HTML.isAllowed(image.url) else { return html.text(image.alt) }
        bare(image)
    }
}
