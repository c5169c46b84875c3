/// The meanings that a person has chosen for unknown columns of a plain list, by column number.
///
/// In URLs and forms it has the form `2-given.5-ignore`.
struct ColumnChoices: Sendable, Hashable {
    /// The chosen column, or `nil` to ignore it.
    private(set) var choices: [Int: ListColumn?] = [:]

    static let ignored = "ignore"
    /// The most columns whose meaning can be chosen.
    static let limit = 40

    init() {}

    /// Parses the text form and skips invalid parts.
    init(_ text: String?) {
        for part in (text ?? "").split(separator: ".").prefix(Self.limit) {
            let pair = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let place = Int(pair[0]) else { continue }
            choose(String(pair[1]), at: place)
        }
    }

    /// Sets the meaning of a column. Does nothing if the name or the number is invalid.
    mutating func choose(_ name: String, at place: Int) {
        guard (0..<Self.limit).contains(place) else { return }
        if name == Self.ignored {
            choices[place] = .some(nil)
        } else if let column = ListColumn(rawValue: name), column.isUsed {
            choices[place] = .some(column)
        }
    }

    /// The text form.
    var text: String {
        choices.sorted { $0.key < $1.key }.map { "\($0.key)-\($0.value?.rawValue ?? Self.ignored)" }
            .joined(separator: ".")
    }
}
