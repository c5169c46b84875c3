import Domain
import Foundation

/// Converts formulas between MathML of other programs and the notation of TeX.
enum FormulaMarkup {
    /// Returns the formula of a `math` element, with its dollar signs; `nil` if it has no counterpart.
    static func source(_ math: MarkupElement) -> String? {
        let isDisplay = math["display"] == "block"
        let annotations = math.all { $0.name == "annotation" }
        if let tex = annotations.first(where: { $0["encoding"]?.lowercased().contains("tex") == true })?
            .trimmedText,
            let formula = Formula(tex, isDisplay: isDisplay)
        {
            return formula.source
        }
        guard let tex = tex(math.content) else { return nil }
        return Formula(tex.trimmingCharacters(in: .whitespaces), isDisplay: isDisplay)?.source
    }

    private static func tex(_ nodes: [MarkupNode]) -> String? {
        var text = ""
        for node in nodes {
            guard case .element(let element) = node else {
                if case .text(let typed) = node, !typed.allSatisfy(\.isWhitespace) { return nil }
                continue
            }
            guard let part = tex(element) else { return nil }
            text += part
        }
        return text
    }

    private static func tex(_ element: MarkupElement) -> String? {
        let parts = element.elements
        func group(_ place: Int) -> String? {
            guard parts.indices.contains(place) else { return nil }
            return tex(parts[place]).map { "{\($0)}" }
        }
        switch element.name {
        case "math", "mrow", "mstyle", "mpadded", "mphantom": return tex(element.content)
        case "semantics": return parts.first.flatMap(tex)
        case "mn": return number(element.trimmedText)
        case "mi": return identifier(element.trimmedText, isUpright: element["mathvariant"] == "normal")
        case "mo": return sign(element.trimmedText)
        case "mtext", "ms": return words(element.text)
        case "mspace": return "\\,"
        case "mfenced":
            let inner = parts.map { tex($0) }
            guard !inner.contains(nil) else { return nil }
            let open = sign(element["open"] ?? "(") ?? "("
            let close = sign(element["close"] ?? ")") ?? ")"
            return "\\left\(open)" + inner.compactMap(\.self).joined(separator: ",") + "\\right\(close)"
        case "mfrac":
            guard parts.count == 2, let above = group(0), let below = group(1) else { return nil }
            return element["linethickness"] == "0" ? "\\binom\(above)\(below)" : "\\frac\(above)\(below)"
        case "msqrt": return tex(element.content).map { "\\sqrt{\($0)}" }
        case "mroot":
            guard parts.count == 2, let base = group(0), let degree = tex(parts[1]) else { return nil }
            return "\\sqrt[\(degree)]\(base)"
        case "msub", "munder": return scripts(group(0), "_", group(1))
        case "msup": return scripts(group(0), "^", group(1))
        case "mover":
            guard parts.count == 2, let base = group(0) else { return nil }
            if let accent = accents[parts[1].trimmedText] { return "\\\(accent)\(base)" }
            return scripts(base, "^", group(1))
        case "msubsup", "munderover":
            guard parts.count == 3, let base = group(0), let sub = group(1), let sup = group(2) else { return nil }
            return "\(base)_\(sub)^\(sup)"
        case "mtable":
            let rows = element.elements("mtr").map { row -> String? in
                let cells = row.elements("mtd").map { tex($0.content) }
                return cells.contains(nil) ? nil : cells.compactMap(\.self).joined(separator: " & ")
            }
            guard !rows.isEmpty, !rows.contains(nil) else { return nil }
            return "\\begin{matrix}" + rows.compactMap(\.self).joined(separator: " \\\\ ") + "\\end{matrix}"
        default: return nil
        }
    }

    private static func scripts(_ base: String?, _ sign: String, _ script: String?) -> String? {
        guard let base, let script else { return nil }
        return base + sign + script
    }

    private static func number(_ text: String) -> String? {
        text.allSatisfy { $0.isNumber || $0 == "." || $0 == "," } && !text.isEmpty
            ? text.replacing(",", with: "{,}") : words(text)
    }

    private static func identifier(_ text: String, isUpright: Bool) -> String? {
        if let name = names[text] { return "\\\(name) " }
        if text.count == 1, !isUpright, text.allSatisfy(\.isLetter) { return text }
        if functions.contains(text) { return "\\\(text) " }
        guard !text.isEmpty, text.allSatisfy({ $0.isLetter || $0.isNumber }) else { return sign(text) }
        return "\\mathrm{\(text)}"
    }

    private static func sign(_ text: String) -> String? {
        switch text {
        case "": return ""
        // Invisible times, function application, separator and plus.
        case "\u{2061}", "\u{2062}", "\u{2063}", "\u{2064}": return ""
        case "−", "-": return "-"
        case "∗", "*": return "*"
        case "{", "}", "%", "&", "#", "_", "$": return "\\\(text)"
        case "′": return "'"
        default: break
        }
        if let name = names[text] { return "\\\(name) " }
        if functions.contains(text) { return "\\\(text) " }
        if text.count == 1, !"\\^~`".contains(text) { return text }
        return text.allSatisfy(\.isLetter) ? "\\operatorname{\(text)}" : nil
    }

    private static func words(_ text: String) -> String? {
        guard !text.contains(where: { "\\{}$~".contains($0) }) else { return nil }
        return "\\text{" + text.reduce(into: "") { $0 += "%&#_".contains($1) ? "\\\($1)" : String($1) } + "}"
    }

    /// Operators with limits above and below. Other signs mean themselves.
    private static let names: [String: String] = [
        "∑": "sum", "∏": "prod", "∐": "coprod", "⋃": "bigcup", "⋂": "bigcap", "⋁": "bigvee", "⋀": "bigwedge",
    ]
    private static let functions: Set<String> = [
        "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "log", "ln",
        "exp", "lim", "max", "min", "sup", "inf", "gcd", "det", "dim", "ker", "deg",
    ]
    private static let accents: [String: String] = [
        "^": "hat", "ˆ": "hat", "¯": "bar", "‾": "bar", "→": "vec", "⃗": "vec", "~": "tilde", "˜": "tilde",
        "˙": "dot",
        "¨": "ddot",
    ]

    // MARK: - Formulas of Moodle

    /// Returns the parts of a text of Moodle, in which formulas are between `\(` and `\)`, `\[` and `\]`, or `$$`.
    static func parts(_ text: String) -> [(text: String, isFormula: Bool)] {
        var (parts, rest): ([(String, Bool)], Substring) = ([], text[...])
        let ends = ["\\(": "\\)", "\\[": "\\]", "$$": "$$"]
        var open = ""
        while !rest.isEmpty {
            guard let end = ends[String(rest.prefix(2))], let close = rest.dropFirst(2).range(of: end),
                let formula = Formula(
                    rest[rest.index(rest.startIndex, offsetBy: 2)..<close.lowerBound]
                        .trimmingCharacters(in: .whitespacesAndNewlines), isDisplay: end != "\\)")
            else {
                open.append(rest.removeFirst())
                continue
            }
            if !open.isEmpty { parts.append((open, false)) }
            open = ""
            parts.append((formula.source, true))
            rest = rest[close.upperBound...]
        }
        return open.isEmpty ? parts : parts + [(open, false)]
    }
}
