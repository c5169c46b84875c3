import DesignSystem
import Domain

/// Writes formulas as MathML, which browsers draw and screen readers speak.
extension PageRenderer {
    mutating func formula(_ formula: Formula) {
        html.raw(formula.isDisplay ? "<math display=\"block\"" : "<math")
        // The text alternative for programs that do not read MathML.
        html.attribute(" alttext=", formula.plainText)
        html.raw(">")
        node(formula.root)
        html.raw("</math>")
    }

    /// Writes an element. Its name and its attributes are those of `MathNode` and need no escapes; their values are
    /// escaped.
    private mutating func node(_ node: MathNode) {
        html.raw("<")
        html.text(node.name.rawValue)
        for (attribute, value) in node.attributes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            html.raw(" ")
            html.text(attribute.rawValue)
            html.attribute("=", value)
        }
        html.raw(">")
        html.text(node.text)
        for child in node.children { self.node(child) }
        html.raw("</")
        html.text(node.name.rawValue)
        html.raw(">")
    }
}
