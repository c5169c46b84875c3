/// What a page or a query shows of somebody, for the audit trail: "who saw what".
public struct Seen: Sendable, Hashable {
    /// The kind of the log's entry: `student.seen`.
    public let kind: String
    /// The variable part of the address, or the field, that names the person; `nil` where all are shown.
    public let parameter: String?
    /// Noted each time and before the answer goes out, not once in an hour beside it: for what leaves the house.
    public let isExport: Bool

    public init(_ kind: String, _ parameter: String? = nil, isExport: Bool = false) {
        self.kind = kind
        self.parameter = parameter
        self.isExport = isExport
    }
}
