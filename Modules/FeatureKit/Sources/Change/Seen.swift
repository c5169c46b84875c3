/// The entry of the audit trail for a page or query that shows data about people.
public struct Seen: Sendable, Hashable {
    /// The kind of the entry in the change log: `student.seen`.
    public let kind: String
    /// The path parameter or field with the id of the person who is shown; `nil` for a list of many people.
    public let parameter: String?
    /// Whether data leaves the server as a file. An export is recorded each time, before it is answered; a view is
    /// recorded once an hour, after the answer.
    public let isExport: Bool

    public init(_ kind: String, _ parameter: String? = nil, isExport: Bool = false) {
        self.kind = kind
        self.parameter = parameter
        self.isExport = isExport
    }
}
