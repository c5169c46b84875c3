import Foundation
import Testing

@testable import AssessmentModel

@Suite("Markup of questions from other programs")
struct MarkupTests {
    private func xml(_ text: String) throws -> MarkupElement { try MarkupReader.xml(Array(text.utf8)) }

    @Test("elements of QTI 2 and QTI 3 have common names")
    func names() throws {
        let old = try xml("<x:itemBody xmlns:x='urn:x'><choiceInteraction responseIdentifier=\"R\"/></x:itemBody>")
        let new = try xml("<qti-item-body><qti-choice-interaction response-identifier='R'/></qti-item-body>")
        #expect(old.name == "itembody" && new.name == "itembody")
        #expect(old.elements.first?.name == new.elements.first?.name)
        #expect(
            old.elements.first?["responseidentifier"] == "R" && new.elements.first?["responseidentifier"] == "R")
    }

    @Test("references and CDATA become characters")
    func characters() throws {
        #expect(try xml("<a>1 &lt; 2 &amp;&#233;&#xE9;<![CDATA[<b>&amp;]]></a>").text == "1 < 2 &éé<b>&amp;")
    }

    @Test(
        "a document that is not well-formed is refused",
        arguments: [
            "", "text", "<a>", "<a></b>", "<a/><b/>", "<a x></a>", "<a x=1/>", "<a>&unknown;</a>",
            "<a><![CDATA[x</a>",
            "<a", "<a b='", "<a>1 < 2</a>", "</a>", "<!-- x",
        ])
    func malformed(text: String) { #expect(throws: MarkupFault.malformed) { try xml(text) } }

    @Test("declared entities, of files or of each other, are refused")
    func entities() {
        let bomb = "<!DOCTYPE a [<!ENTITY b \"lol\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>"
        let file = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"
        #expect(throws: MarkupFault.declaresEntities) { try xml(bomb) }
        #expect(throws: MarkupFault.declaresEntities) { try xml(file) }
        #expect(throws: Never.self) { try xml("<!DOCTYPE a SYSTEM 'a.dtd'><a/>") }
    }

    @Test("deep nesting and millions of elements are refused")
    func bombs() {
        #expect(throws: MarkupFault.tooLarge) { try xml(String(repeating: "<a>", count: 100_000)) }
        #expect(throws: MarkupFault.tooLarge) {
            try xml("<a>" + String(repeating: "<b/>", count: 1_000_000) + "</a>")
        }
        #expect(throws: ImportedQuestions.LeftOut.Reason.unreadable) {
            try QuestionMarkup.markdown(html: String(repeating: "<div>", count: 100_000))
        }
    }

    @Test(
        "HTML becomes Markdown",
        arguments: [
            ("<p>Is 3 &lt; 4 &amp; 5?</p>", "Is 3 < 4 & 5?"), ("one<br>two<br/>three", "one\ntwo\nthree"),
            ("<p>a\n  b</p><p>c</p>", "a b\n\nc"), ("<b>bold</b> and <em>slanted</em>", "**bold** and *slanted*"),
            ("<ul><li>a<li>b</ul>", "- a\n- b"), ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
            ("L&rsquo;&eacute;t&eacute;&nbsp;?", "L’été\u{A0}?"), ("2 * 3 * 4", "2 * 3 * 4"),
            ("2*3*4", "2\\*3\\*4"), ("snake_case _x_", "snake_case \\_x\\_"), ("# no heading", "\\# no heading"),
            ("1. no list", "1\\. no list"), ("- 5", "\\- 5"), ("[a](javascript:x)", "[a\\](javascript:x)"),
            ("<a href='javascript:x'>a</a>", "a"),
            ("<a href='https://a.example/b'>a</a>", "[a](https://a.example/b)"),
            ("<script>alert(1)</script>x", "x"), ("x < y", "x < y"), ("a & b; c", "a & b; c"),
            ("{{blank}}", "{\\{blank}}"), ("&amp;lt;", "\\&lt;"), ("\\(x^2\\)", "\\\\(x^2\\\\)"),
            ("<table><tr><th>a<th>b</tr><tr><td>1<td>|</tr></table>", "| a | b |\n| --- | --- |\n| 1 | \\| |"),
            ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n> \n> b"), ("<h3>Head</h3>text", "## Head\n\ntext"),
            ("</p>text<p>", "text"), ("<b>unclosed", "**unclosed**"), ("a <", "a <"),
            ("<pre>a\n b</pre>", "```\na\n b\n```"),
        ])
    func markdown(html: String, expected: String) throws {
        #expect(try QuestionMarkup.markdown(html: html) == expected)
    }

    @Test("what would be missing from the text is a reason to leave the question out")
    func missing() {
        #expect(throws: ImportedQuestions.LeftOut.Reason.picture) {
            try QuestionMarkup.markdown(html: "<p>See <img src='a.png' alt='a'></p>")
        }
        #expect(throws: ImportedQuestions.LeftOut.Reason.formula) {
            try QuestionMarkup.plain(html: "<math><maction><mn>1</mn></maction></math>")
        }
        #expect(throws: ImportedQuestions.LeftOut.Reason.media) {
            try QuestionMarkup.plain(html: "<div><audio src='a'></audio></div>")
        }
    }

    @Test("the text of an answer keeps its signs")
    func plain() throws {
        #expect(try QuestionMarkup.plain(html: "<p>2 * 3 &lt; <b>7</b></p>\n") == "2 * 3 < 7")
        #expect(try QuestionMarkup.plain(html: "don't") == "don't")
    }
}
