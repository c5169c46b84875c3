public import DesignSystem
import FeatureKit
public import ScreenKit

/// A simple Markdown reader for tests, which supports paragraphs, `**strong**` and `![pictures](address)`.
///
/// That suffices to show that a text was read as Markdown, and where its markup is removed.
public struct StarMarkdown: MarkdownReader {
    public init() {}

    public func read(_ markdown: String, pictures: (_ address: String) -> PTImage?) -> PTRichText {
        PTRichText(
            PTRichText(plain: markdown).blocks.map { block in
                guard case .paragraph(let inlines) = block else { return block }
                return .paragraph(inlines.flatMap { pictured($0, pictures) }.flatMap(starred))
            })
    }

    private func pictured(
        _ inline: PTRichText.Inline, _ pictures: (String) -> PTImage?
    ) -> [PTRichText.Inline] {
        guard case .text(let text) = inline else { return [inline] }
        var (inlines, rest): ([PTRichText.Inline], Substring) = ([], text[...])
        while let found = rest.firstMatch(of: /!\[([^\]]*)\]\(([^)]*)\)/) {
            let before = rest[..<found.range.lowerBound]
            if !before.isEmpty { inlines.append(.text(String(before))) }
            if var picture = pictures(String(found.2)) {
                picture.alt = String(found.1)
                inlines.append(.picture(picture))
            } else {
                inlines.append(.text(String(found.1)))
            }
            rest = rest[found.range.upperBound...]
        }
        return rest.isEmpty ? inlines : inlines + [.text(String(rest))]
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
