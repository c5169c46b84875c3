import DesignSystem
import Domain

extension Samples {
    /// A text with every structure that an author can use.
    var rich: [Component] {
        typealias Text = PTRichText
        let line: [Text.Inline] = [
            .text(word("gallery.rich.first") + " "), .strong([.text(word("gallery.rich.strong"))]),
            .text(" " + word("gallery.rich.rest")), .lineBreak,
            .link(address: "https://maple.example/water", text: [.emphasis([.text(word("gallery.rich.link"))])]),
            .text(" "), .link(address: path, text: [.strikethrough([.code("H2O")])]),
        ]
        let done: [Text.Block] = [.paragraph([.text(word("gallery.rich.done"))])]
        let open: [Text.Block] = [.paragraph([.text(word("gallery.rich.open"))])]
        let formulas = [Formula("x^2"), Formula("\\frac{1}{2}\\sqrt{3}", isDisplay: true)].compactMap(\.self).map(
            Text.Inline.formula)
        return [
            .richText(
                Text(
                    (1...Text.deepestHeading).map {
                        .heading(level: $0, text: [.text(word("gallery.rich.title"))])
                    } + [
                        .paragraph(line), .paragraph(formulas),
                        .quote([.paragraph([.text(word("gallery.rich.quote"))])]),
                        .list(.init(items: [.init(body: done), .init(body: open)])),
                        .list(.init(items: [.init(body: done), .init(body: open)], start: 3, isTight: false)),
                        .list(.init(items: [.init(body: done, isDone: true), .init(body: open, isDone: false)])),
                        .table(
                            .init(
                                head: [[.text(word("gallery.rich.done"))], [.text("H2O")], [.text("%")]],
                                rows: [[line, [.text("2")], [.text("11.2")]]],
                                alignments: [.start, .center, .end])),
                        .codeBlock("2 H2 + O2 = 2 H2O"), .rule,
                    ]))
        ]
    }
}
