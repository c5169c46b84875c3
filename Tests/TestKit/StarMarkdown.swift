public import DesignSystem
public import FeatureKit

/// Knows paragraphs and `**strong**` alone: enough to show that a text was read, and where its markup is gone.
public struct StarMarkdown: MarkdownReader {
    public init() {}

    public func read(_ markdown: String) -> PTRichText {
        PTRichText(
            PTRichText(plain: markdown).blocks.map { block in
                guard case .paragraph(let inlines) = block else { return block }
                return .paragraph(inlines.flatMap(starred))
            })
    }

    private func starred(_ inline: PTRichText.Inline) -> [PTRichText.Inline] {
        guard case .text(let text) = inline else { return [inline] }
        return text.split(separator: "**", omittingEmptySubsequences: false).enumerated().compactMap {
            place, part in
            if part.isEmpty { return nil }
            return place.isMultiple(of: 2) ? .text(String(part)) : .strong([.text(String(part))])
        }
    }
}
