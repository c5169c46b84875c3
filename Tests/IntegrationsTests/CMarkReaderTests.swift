import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Integrations

@Suite("Markdown")
struct CMarkReaderTests {
    private func outline(_ markdown: String) -> [String] {
        Outline([.richText(CMarkReader().read(markdown))]).lines
    }

    @Test("every kind of Markdown structure is read")
    func everything() {
        let lines = outline(
            """
            # Water
            ## Where it *goes*

            It **never** gets ~~lost~~ `H2O`.
            A second line. https://maple.example/a and www.maple.example

            > It only travels.

            - one
            - two
              1. inner

            3. three
            4. four

            - [x] read
            - [ ] draw

            | What | Much |
            |:--|--:|
            | Sea | 97 |
            | Ice |

            ```swift
            let a = 1

            let b = "<b>"
            ```

            ---
            """)
        #expect(
            lines == [
                "## Water", "### Where it _goes_",
                "It *never* gets ~lost~ `H2O`. / A second line. [https://maple.example/a](https://maple.example/a) and "
                    + "[www.maple.example](http://www.maple.example)",
                ">", "  It only travels.", "-", "  one", "-", "  two", "  1.", "    inner", "3.", "  three", "4.",
                "  four", "- [x]", "  read", "- [ ]", "  draw", "What | Much", "Sea | 97", "Ice | ", "` let a = 1",
                "` let b = \"<b>\"", "---",
            ])
    }

    @Test("tables keep their alignment and lists their spacing, and headings end at the fifth level")
    func shapes() throws {
        let text = CMarkReader().read("|a|b|c|\n|:-:|-:|-|\n|1|2|3|\n\n- a\n\n- b\n\n###### deep")
        guard case .table(let table) = text.blocks[0], case .list(let list) = text.blocks[1] else {
            Issue.record("\(text.blocks)")
            return
        }
        #expect(table.alignments == [.center, .end, .start])
        #expect(!list.isTight && list.start == nil)
        #expect(text.blocks[2] == .heading(level: PTRichText.deepestHeading, text: [.text("deep")]))
        #expect(text.plainText == "a b c\n1 2 3\na\nb\ndeep")
    }

    @Test("HTML is shown as text")
    func markup() {
        #expect(
            outline("<script>alert(1)</script>\n\na <b onclick=\"x\">bold</b> <!-- no -->")
                == ["<script>alert(1)</script>", "a <b onclick=\"x\">bold</b> <!-- no -->"])
    }

    @Test(
        "a link leads to the web, a mailbox or a page of the server; other addresses become text",
        arguments: [
            ("https://a.example/x?y=1", "https://a.example/x?y=1"), ("HTTP://a.example", "http://a.example"),
            ("mailto:ana@a.example", "mailto:ana@a.example"), ("/courses", "/courses"), ("//evil.example", nil),
            ("/\\\\evil.example", nil), ("/&#9;/evil.example", nil), ("javascript:alert(1)", nil),
            ("&#106;avascript:alert(1)", nil), ("data:text/html,x", nil), ("ftp://a.example", nil),
            ("file:///etc", nil),
            ("courses", nil), ("#top", nil), ("https:", nil), ("mailto:", nil), ("", nil),
        ] as [(String, String?)])
    func links(_ typed: String, _ expected: String?) {
        #expect(outline("[more](\(typed))") == [expected.map { "[more](\($0))" } ?? "more"])
        #expect(outline("![more](\(typed))") == [expected.map { "[more](\($0))" } ?? "more"])
        #expect(outline("![](\(typed))").first == (expected.map { "[\($0)](\($0))" } ?? ""))
    }

    @Test(
        "a known picture is shown with its description, and others stay a link or text"
    )
    func pictures() {
        func read(_ markdown: String) -> [PTRichText.Inline] {
            let text = CMarkReader().read(markdown) { address in
                address.hasSuffix("wave.jpg")
                    ? PTImage(url: "/media/\(address)", width: 24, height: 16, alt: "") : nil
            }
            guard case .paragraph(let inlines)? = text.blocks.first else { return [] }
            return inlines
        }
        func wave(_ alt: String, _ address: String = "wave.jpg") -> PTRichText.Inline {
            .picture(PTImage(url: "/media/\(address)", width: 24, height: 16, alt: alt))
        }
        #expect(read("See ![a **big** wave](wave.jpg)!") == [.text("See "), wave("a big wave"), .text("!")])
        #expect(read("![](<my wave.jpg>)") == [wave("", "my wave.jpg")])
        #expect(read("![a][1]\n\n[1]: wave.jpg") == [wave("a")])
        #expect(read("**![a](wave.jpg)**") == [.strong([wave("a")])])
        #expect(read("[![a](wave.jpg)](/courses)") == [.link(address: "/courses", text: [wave("a")])])
        #expect(
            read("[![](wave.jpg)](/courses)") == [.link(address: "/courses", text: [wave(""), .text("/courses")])])
        #expect(read("![a](sea.jpg)") == [.text("a")])
        #expect(
            read("![a](https://maple.example/)") == [.link(address: "https://maple.example/", text: [.text("a")])])
        // A link to a picture stays a link.
        #expect(read("[a](wave.jpg)") == [.text("a")])
        let many = read(String(repeating: "![a](wave.jpg)\n", count: RichTextWriter.mostPictures + 9))
        #expect(many.count { $0 == wave("a") } == RichTextWriter.mostPictures)
    }

    @Test("an empty text has no blocks, and all characters stay as they are")
    func edges() {
        #expect(CMarkReader().read("").blocks.isEmpty)
        #expect(CMarkReader().read(" \r\n\t\n").blocks.isEmpty)
        #expect(outline("a\u{0}b") == ["a\u{FFFD}b"])
        #expect(outline("Été 🌧️ مطر\r\nnext") == ["Été 🌧️ مطر / next"])
        #expect(outline("[^1] $x_1$ :smile:") == ["[^1] $x_1$ :smile:"])
    }

    /// Texts that take cmark-gfm long, and deeply nested ones.
    static let hostile: [String] =
        [
            ">", "> ", "[", "![", "![[]()", "*a_ ", "_*", "**x [a*b**c* ", "<", "`", "``a", "www.", "a@b.", "a@",
            "- ",
            "* * ", "1. ", "> - ", "|", "|\n", "|-|\n", "a|b\n-|-\n", "- a\n ", "~~a", "[a](", "[a][b]", "[a]: b\n",
            "&",
            "<!--", "<?", "<![CDATA[", "\\", "\t", "a\n", "-\n", "[^1]", "(", "a**b", "x*_ ", "<a ",
        ].map { String(repeating: $0, count: 200_000 / $0.utf8.count) } + [
            // Many quotes, which every later line checks.
            String(repeating: ">", count: 100_000) + "a\n" + String(repeating: "a\n", count: 50_000),
            // Short rows, which get as many cells as the header row.
            String(repeating: "|a", count: 25_000) + "\n" + String(repeating: "|-", count: 25_000) + "\n"
                + String(repeating: "x\n", count: 50_000),
            // A long address that is used often, and the same with a long title.
            "[a]: /" + String(repeating: "x", count: 50_000) + "\n\n" + String(repeating: "[a]", count: 50_000),
            "[a]: /x '" + String(repeating: "y\n", count: 25_000) + "'\n\n"
                + String(repeating: "[a]", count: 50_000),
            // Nested lists, each indented deeper.
            (0..<600).map { String(repeating: " ", count: $0 * 2) + "- a\n" }.joined(),
            (0..<600).map { String(repeating: "`", count: $0) + "a" }.joined(),
        ]

    @Test(
        "a hostile text takes less than two seconds and stays within the nesting limit",
        arguments: hostile.indices)
    func hostileText(_ index: Int) {
        let text = Self.hostile[index]
        // CPU time of this thread, which other tests do not affect. The worst texts took cmark-gfm eight seconds and
        // more, or all memory.
        // library alone eight seconds and more, or all memory.
        let began = Self.processorSeconds
        let read = CMarkReader().read(text)
        let seconds = Self.processorSeconds - began
        #expect(seconds < 2, "\(text.prefix(12)) took \(seconds) s")
        #expect(depth(read.blocks) <= CMarkReader.deepest)
        #expect(
            !read.plainText.isEmpty || text.allSatisfy { " \t\n>-|*123.`".contains($0) } || text.hasPrefix("[a]:"))
    }

    /// The CPU time of this thread in seconds.
    private static var processorSeconds: Double {
        // The layout of `timespec`, whose members belong to different modules in different builds.
        var time = (seconds: 0, nanoseconds: 0)
        withUnsafeMutablePointer(to: &time) {
            _ = clock_gettime(
                CLOCK_THREAD_CPUTIME_ID, UnsafeMutableRawPointer($0).assumingMemoryBound(to: timespec.self))
        }
        return Double(time.seconds) + Double(time.nanoseconds) / 1e9
    }

    /// The depth of the blocks, computed without recursion.
    private func depth(_ blocks: [PTRichText.Block]) -> Int {
        var (deepest, open) = (0, blocks.map { (1, $0) })
        func inlines(_ depth: Int, _ text: [PTRichText.Inline]) {
            var open = text.map { (depth + 1, $0) }
            while let (depth, inline) = open.popLast() {
                deepest = max(deepest, depth)
                switch inline {
                case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner):
                    open += inner.map { (depth + 1, $0) }
                case .text, .code, .picture, .formula, .lineBreak: break
                }
            }
        }
        while let (depth, block) = open.popLast() {
            deepest = max(deepest, depth)
            switch block {
            case .heading(_, let text), .paragraph(let text): inlines(depth, text)
            case .quote(let inner): open += inner.map { (depth + 1, $0) }
            case .list(let list): open += list.items.flatMap(\.body).map { (depth + 2, $0) }
            case .table(let table): for cell in (table.head + table.rows.flatMap(\.self)) { inlines(depth, cell) }
            case .codeBlock, .rule: break
            }
        }
        return deepest
    }

    @Test("text below the deepest level keeps its words")
    func deep() {
        let text = CMarkReader().read(
            String(repeating: "> ", count: 20) + String(repeating: "*a **b ", count: 30) + "end")
        #expect(text.plainText.contains("end"))
        let stars = CMarkReader().read(
            String(repeating: "_*", count: 60) + "word" + String(repeating: "*_", count: 60))
        #expect(stars.plainText.contains("word"))
        #expect(depth(stars.blocks) <= CMarkReader.deepest)
    }

    @Test("concurrent reads do not mix")
    func atOnce() async {
        let expected = outline("~~gone~~ and https://a.example/b")
        await withTaskGroup(of: [String].self) { group in
            for _ in 0..<200 { group.addTask { outline("~~gone~~ and https://a.example/b") } }
            for await lines in group { #expect(lines == expected) }
        }
    }
}
