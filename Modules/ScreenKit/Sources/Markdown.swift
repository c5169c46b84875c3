public import DesignSystem

/// Reads what an author typed in Markdown.
public protocol MarkdownReader: Sendable {
    /// The text with its structure. Every text is Markdown, so that nothing is refused; links lead only where
    /// `PTRichText.address(_:)` lets them, and markup of another kind stays the text that it is. Safe for texts of
    /// strangers: what comes out is nested within bounds.
    ///
    /// - Parameter pictures: the picture that the author means with an address; its `alt` is what the text says of it.
    ///   `nil` for every address that is none: what stands there is a link then, as far as one may lead there.
    func read(_ markdown: String, pictures: (_ address: String) -> PTImage?) -> PTRichText
}

extension MarkdownReader {
    /// The same for a text that has no pictures of its own.
    public func read(_ markdown: String) -> PTRichText { read(markdown) { _ in nil } }
}
