import CCMark
public import DesignSystem
import FeatureKit
import Foundation
public import ScreenKit
import Synchronization

/// Reads Markdown with cmark-gfm: CommonMark with GitHub's tables, strikethrough, task lists and autolinks.
///
/// HTML is shown as text. A picture that the caller does not know becomes a link. A text that would take cmark-gfm too
/// long becomes plain paragraphs (`MarkdownBounds`).
public struct CMarkReader: MarkdownReader {
    /// The deepest nesting of quotes, lists and emphasis; deeper parts are merged into the last level. The renderers
    /// support the same depth.
    static let deepest = 40

    /// NB: While it parses inlines, cmark-gfm stores the special characters of its extensions in a table that all
    /// parsers share (`cmark_inlines_add_special_character`), so only one parser may run at a time.
    private static let turn = Mutex<Void>(())

    private static let isReady: Bool = {
        cmark_gfm_core_extensions_ensure_registered()
        return true
    }()

    /// Creates a Markdown reader, which has no state.
    public init() {}

    public func read(_ markdown: String, pictures: (_ address: String) -> PTImage?) -> PTRichText {
        guard CMarkReader.isReady, MarkdownBounds.allows(markdown.utf8), let tree = CMarkReader.parse(markdown)
        else {
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
