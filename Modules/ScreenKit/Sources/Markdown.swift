public import DesignSystem

/// The port that reads Markdown which an author typed.
public protocol MarkdownReader: Sendable {
    /// Returns the text with its structure.
    ///
    /// Every text is valid Markdown, so nothing is refused. Links are limited to what `PTRichText.address(_:)`
    /// allows, and HTML stays literal text. Safe for texts of unknown authors: the result is nested within bounds.
    /// - Parameter pictures: returns the picture with an address; its `alt` is the author's description. An address
    ///   that is none (`nil`) becomes a link, if links may lead there.
    func read(_ markdown: String, pictures: (_ address: String) -> PTImage?) -> PTRichText
}

extension MarkdownReader {
    /// Returns the structure of a Markdown text, with its pictures as links.
    public func read(_ markdown: String) -> PTRichText { read(markdown) { _ in nil } }
}
