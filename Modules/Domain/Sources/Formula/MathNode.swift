/// An element of MathML (https://www.w3.org/TR/mathml-core), the form in which browsers and screen readers read formulas.
public struct MathNode: Codable, Hashable, Sendable {
    /// The name of an element. There are no others, so that a formula contains no scripts, links or pictures.
    public enum Name: String, Codable, Hashable, Sendable, CaseIterable {
        case mi, mn, mo, mtext, mspace, mrow, mfrac, msqrt, mroot, msub, msup, msubsup, munder, mover, munderover,
            mtable, mtr, mtd, mstyle
    }

    /// The name of an attribute.
    public enum Attribute: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
        case accent, columnalign, displaystyle, linethickness, mathvariant, movablelimits, stretchy, width
    }

    public var name: Name
    /// The characters of a token such as a letter, a number or an operator; empty for an element with children.
    public var text: String
    public var children: [MathNode]
    public var attributes: [Attribute: String]

    /// Creates a token: a letter, a number, an operator or words.
    public init(_ name: Name, _ text: String, _ attributes: [Attribute: String] = [:]) {
        self.name = name
        self.text = text
        children = []
        self.attributes = attributes
    }

    /// Creates an element with children.
    public init(_ name: Name, _ children: [MathNode], _ attributes: [Attribute: String] = [:]) {
        self.name = name
        text = ""
        self.children = children
        self.attributes = attributes
    }

    /// Returns one node for several: the node itself, or a row of them.
    static func row(_ nodes: [MathNode]) -> MathNode { nodes.count == 1 ? nodes[0] : MathNode(.mrow, nodes) }
}

extension MathNode {
    /// The formula on one line: `(a+b)/2`, `√(x)`, `x²`.
    var line: String {
        func part(_ place: Int) -> String { children.indices.contains(place) ? children[place].line : "" }
        func grouped(_ place: Int) -> String {
            let line = part(place)
            return line.count == 1 || line.allSatisfy(\.isNumber) ? line : "(\(line))"
        }
        switch name {
        case .mi, .mn, .mtext: return text
        case .mo: return Self.spaced.contains(text) ? " \(text) " : text
        case .mspace: return " "
        case .mrow, .mstyle, .mtd: return children.map(\.line).joined()
        case .mfrac:
            // A fraction without a line is a binomial coefficient, within its parentheses.
            return attributes[.linethickness] == nil
                ? "\(grouped(0))/\(grouped(1))" : "\(part(0)) \(part(1))"
        case .msqrt: return "√(\(children.map(\.line).joined()))"
        case .mroot: return "\(part(1))√(\(part(0)))"
        case .msub, .munder: return part(0) + "_" + grouped(1)
        case .msup: return part(0) + Self.raised(part(1), grouped(1))
        case .mover: return attributes[.accent] == nil ? part(0) + "^" + grouped(1) : part(0) + part(1)
        case .msubsup, .munderover: return part(0) + "_" + grouped(1) + Self.raised(part(2), grouped(2))
        case .mtable: return children.map(\.line).joined(separator: "; ")
        case .mtr: return children.map(\.line).joined(separator: ", ")
        }
    }

    private static let spaced: Set<String> = ["=", "+", "−", "<", ">", "≤", "≥", "≠", "≈", "→", "⇒", "⇔", "∈", "±"]
    private static let superscripts: [Character: Character] = [
        "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
        "n": "ⁿ",
    ]

    private static func raised(_ line: String, _ grouped: String) -> String {
        if ["′", "″", "‴"].contains(line) { return line }
        let small = line.compactMap { superscripts[$0] }
        return small.count == line.count ? String(small) : "^" + grouped
    }
}
