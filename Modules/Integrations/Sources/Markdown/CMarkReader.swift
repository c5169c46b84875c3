import CCMark
public import DesignSystem
import FeatureKit
import Foundation
public import ScreenKit
import Synchronization

/// Reads Markdown with cmark-gfm: CommonMark with GitHub's tables, strikethrough, task lists and addresses.
///
/// Markup of HTML comes out as the text that it is, a picture that the caller does not know as a link to it. What would
/// take the library long comes out as plain paragraphs (`MarkdownBounds`).
public struct CMarkReader: MarkdownReader {
    /// What stands in one another in what comes out, quotes, lists and emphasis together; deeper parts join the last.
    /// The renderers go down as deep.
    static let deepest = 40

    /// NB: while it reads inlines, cmark-gfm notes which characters its extensions want in a table that all parsers
    /// share (`cmark_inlines_add_special_character`), so that only one may be at work.
    private static let turn = Mutex<Void>(())

    private static let isReady: Bool = {
        cmark_gfm_core_extensions_ensure_registered()
        return true
    }()

    public init() {}

    public func read(_ markdown: String, pictures: (_ address: String) -> PTImage?) -> PTRichText {
        guard CMarkReader.isReady, MarkdownBounds.hold(markdown.utf8), let tree = CMarkReader.parse(markdown) else {
            return PTRichText(plain: markdown)
        }
        defer { cmark_node_free(tree) }
        guard let steps = cmark_iter_new(tree) else { return PTRichText(plain: markdown) }
        defer { cmark_iter_free(steps) }
        var writer = RichTextWriter(deepest: CMarkReader.deepest)
        while true {
            let event = cmark_iter_next(steps)
            guard event != CMARK_EVENT_DONE, let node = cmark_iter_get_node(steps) else { break }
            let part = MarkdownPart(node)
            event == CMARK_EVENT_ENTER ? writer.enter(part) : writer.leave(part, pictures)
        }
        return PTRichText(writer.blocks)
    }

    private static func parse(_ markdown: String) -> OpaquePointer? {
        turn.withLock { _ in
            guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT) else { return nil }
            defer { cmark_parser_free(parser) }
            for name in ["table", "strikethrough", "autolink", "tasklist"] {
                guard let more = cmark_find_syntax_extension(name) else { continue }
                cmark_parser_attach_syntax_extension(parser, more)
            }
            var text = markdown
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    cmark_parser_feed(parser, $0.baseAddress, $0.count)
                }
            }
            return cmark_parser_finish(parser)
        }
    }
}
