import Domain
import FeatureKit
import Foundation

/// Replaces names by placeholders before a text is sent to the model, and puts the names back into the answer.
struct Pseudonyms: Sendable {
    private let names: [String]
    /// The beginning of each placeholder. It does not occur in the text.
    private let mark: String
    /// The replaced text by its placeholder, to restore it exactly.
    private var written: [String: String] = [:]
    private var placeholders: [String: String] = [:]

    /// Prepares placeholders for the names of some people.
    ///
    /// - Parameters:
    ///   - people: all people of the school.
    ///   - text: the whole text that will be sent.
    init(_ people: [PersonName], hiding text: String) {
        var parts: Set<String> = []
        for name in people {
            for part in [name.given, name.family, name.preferred ?? "", name.display] {
                parts.insert(part)
                parts.formUnion(part.split(whereSeparator: \.isWhitespace).map(String.init))
            }
        }
        // The longest first, so that nothing of "Anna Maria Ruiz" is left beside a placeholder for "Anna".
        names = parts.filter { !$0.isEmpty }.sorted { ($1.count, $0) < ($0.count, $1) }
        var mark = "Person"
        while text.localizedStandardContains("[\(mark)-") { mark += "X" }
        self.mark = mark
    }

    /// Replaces the names in a text by placeholders.
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

    /// Puts the names back into an answer. Returns `nil` if it has a placeholder that was not in the question.
    func restore(_ answer: String) -> String? {
        var text = answer
        // The longest first: a model may omit a bracket, and [Person-1 is the beginning of [Person-12.
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
