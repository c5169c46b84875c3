/// What somebody chose for the columns of a plain list that were not understood, by their places.
///
/// It travels in addresses and forms as `2-given.5-ignore`.
struct ColumnChoices: Sendable, Hashable {
    /// `nil` is to be ignored.
    private(set) var choices: [Int: ListColumn?] = [:]

    static let ignored = "ignore"
    /// How many columns a list may have for its columns to be chosen.
    static let limit = 40

    init() {}

    /// Reads the text; what it does not understand is left out.
    init(_ text: String?) {
        for part in (text ?? "").split(separator: ".").prefix(Self.limit) {
            let pair = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let place = Int(pair[0]) else { continue }
            choose(String(pair[1]), at: place)
        }
    }

    mutating func choose(_ name: String, at place: Int) {
        guard (0..<Self.limit).contains(place) else { return }
        if name == Self.ignored {
            choices[place] = .some(nil)
        } else if let column = ListColumn(rawValue: name), column.isUsed {
            choices[place] = .some(column)
        }
    }

    var text: String {
        choices.sorted { $0.key < $1.key }.map { "\($0.key)-\($0.value?.rawValue ?? Self.ignored)" }
            .joined(separator: ".")
    }
}
