import Domain
import Testing

@Suite("Formulas")
struct FormulaTests {
    @Test(
        "a formula has a structure and a line of text",
        arguments: [
            ("x^2", "x²"), ("\\frac{1}{2}", "1/2"), ("\\frac{a+b}{2}", "(a + b)/2"), ("\\sqrt{x}", "√(x)"),
            ("\\sqrt[3]{8}", "3√(8)"), ("a_1", "a_1"), ("x_i^2", "x_i²"), ("3.14", "3.14"), ("3{,}14", "3,14"),
            ("\\alpha \\leq \\beta", "α ≤ β"), ("f'(x)", "f′(x)"), ("\\sin x", "sinx"), ("\\mathbb{R}", "ℝ"),
            ("\\sum_{i=1}^{n} i", "∑_(i = 1)ⁿi"), ("\\left(\\frac{1}{2}\\right)", "(1/2)"),
            ("\\text{if } x", "if x"), ("\\vec{v}", "v →"), ("\\binom{n}{k}", "(n k)"),
            ("\\begin{cases} 1 & x \\\\ 2 & y \\end{cases}", "{1, x; 2, y"), ("\\lim_{x \\to 0}", "lim_(x → 0)"),
            ("90\\degree", "90°"), ("5\\%", "5%"), ("x-1", "x − 1"), ("2\\,\\mathrm{kg}", "2 kg"),
        ])
    func reads(typed: String, line: String) throws {
        #expect(try #require(Formula(typed)).plainText == line)
    }

    @Test(
        "a formula with an unknown command or an open group is not read",
        arguments: [
            "\\foo", "\\frac{1}", "{x", "x}", "x^", "\\left( x", "\\begin{matrix} 1", "a^b^c", "", " ", "#1",
            "\\text{\\input}", "\\begin{figure}\\end{figure}", "{{blank}}", "\\", "&",
            String(repeating: "{", count: 5000) + String(repeating: "}", count: 5000),
            String(repeating: "\\sqrt{", count: 200) + "x" + String(repeating: "}", count: 200),
        ])
    func refuses(typed: String) {
        #expect(Formula(typed) == nil)
    }

    @Test(
        "prices, code and escaped signs are no formulas",
        arguments: [
            "It costs $5 and $10.", "5 $ et 10 $", "5$ or 10$", "US$5 (or CA$7)", "$5-$10", "`$x$`",
            "```\n$x$\n```",
            "\\$x\\$", "$ x $", "$", "$$", "$5, not 6$", "$x\n\ny$", "a$b$c",
        ])
    func stays(text: String) {
        let found = FormulaText(text)
        #expect(!found.hasFormula && found.unreadable.isEmpty)
        let typed = found.parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
        #expect(typed == text)
    }

    @Test("formulas in a line and on lines of their own are found between words")
    func finds() {
        let parts = FormulaText("Let $x^2$ be, and $$\n\\frac12\n$$ for $5. But $\\foo$ and `$y$`.").parts
        let kinds = parts.map { part in
            switch part {
            case .text(let text): text
            case .formula(let formula): (formula.isDisplay ? "D:" : "F:") + formula.plainText
            case .unreadable(let typed): "U:" + typed
            }
        }
        #expect(
            kinds == ["Let ", "F:x²", " be, and ", "D:1/2", " for $5. But ", "U:$\\foo$", " and `$y$`."])
    }

    @Test("text with thousands of dollar signs is read within a moment")
    func isQuick() {
        let clock = ContinuousClock()
        for text in [
            String(repeating: "$x", count: 5000), String(repeating: "$x$ ", count: 2500),
            String(repeating: "$`", count: 5000),
        ] {
            #expect(clock.measure { _ = FormulaText(text) } < .seconds(2))
        }
    }
}
