/// A language in which every text of the product exists.
public enum Language: String, CaseIterable, Codable, Sendable, Hashable {
    case english = "en"
    case french = "fr"

    /// Chooses the best language for an `Accept-Language` header (RFC 9110 section 12.5.4); English if the header
    /// names none of ours.
    public init(acceptLanguage header: String) {
        var best: (language: Language, weight: Double)?
        for part in header.prefix(500).split(separator: ",") {
            let pieces = part.split(separator: ";").map { $0.trimmed.lowercased() }
            guard let range = pieces.first, !range.isEmpty else { continue }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            let primary = range.split(separator: "-").first.map(String.init) ?? range
            guard weight > 0, let language = Language(rawValue: primary) else { continue }
            if weight > (best?.weight ?? 0) { best = (language, weight) }
        }
        self = best?.language ?? .english
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
