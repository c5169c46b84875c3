public import DesignSystem

/// Reads what an author typed in Markdown.
public protocol MarkdownReader: Sendable {
    /// The text with its structure. Every text is Markdown, so that nothing is refused; links lead only where
    /// `PTRichText.address(_:)` lets them, and markup of another kind stays the text that it is. Safe for texts of
    /// strangers: what comes out is nested within bounds.
    func read(_ markdown: String) -> PTRichText
}
