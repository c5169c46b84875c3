import Domain
import FeatureKit
import Foundation

/// Replaces names by placeholders before a text is sent to the model, and puts the names back into the answer.
struct Pseudonyms: Sendable {
    private let names: [String]
    /// The beginning of a placeholder, which no text that goes out holds.
    private let mark: String
    /// What stood in the text, by its placeholder, so that it comes back as it was written.
    private var written: [String: String] = [:]
    private var placeholders: [String: String] = [:]

    /// - Parameters:
    ///   - people: everybody of the school.
    ///   - text: all that goes out.
    init(_ people: [PersonName], hiding text: String) {
        var parts: Set<String> = []
        for name in people {
            for part in [name.given, name.family, name.preferred ?? "", name.display] {
                parts.insert(part)
                parts.formUnion(part.split(whereSeparator: \.isWhitespace).map(String.init))
            }
        }
        // The longest first: of Anna Maria Ruiz nothing is left beside a placeholder for Anna.
        names = parts.filter { !$0.isEmpty }.sorted { ($1.count, $0) < ($0.count, $1) }
        var mark = "Person"
        while text.localizedStandardContains("[\(mark)-") { mark += "X" }
        self.mark = mark
    }

    mutating func hide(_ text: String) -> String {
        var taken: [Range<String.Index>] = []
        for name in names {
            for range in NamesInText.ranges(of: name, in: text) where !taken.contains(where: { $0.overlaps(range) })
            {
                taken.append(range)
            }
        }
        var hidden = ""
        var rest = text.startIndex
        for range in taken.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            hidden += text[rest..<range.lowerBound]
            hidden += placeholder(for: String(text[range]))
            rest = range.upperBound
        }
        return hidden + text[rest...]
    }

    /// - Returns: `nil` where the answer has a placeholder that stands for nobody.
    func restore(_ answer: String) -> String? {
        var text = answer
        // The longest first: [Person-1] is not the beginning of [Person-12], but a model may forget a bracket.
        for (placeholder, name) in written.sorted(by: { $0.key.count > $1.key.count }) {
            text = text.replacingOccurrences(of: placeholder, with: name)
        }
        return text.contains("\(mark)-") ? nil : text
    }

    private mutating func placeholder(for name: String) -> String {
        if let known = placeholders[name] { return known }
        let made = "[\(mark)-\(placeholders.count + 1)]"
        placeholders[name] = made
        written[made] = name
        return made
    }
}
