/// The declaration that a page or query shows data about people, so that the audit log records who viewed whose data.
public struct Seen: Sendable, Hashable {
    /// The kind of change under which the change log records the view: `student.seen`, "a member viewed a student's
    /// data".
    public let kind: String
    /// The path parameter or field with the id of the person whose data is shown; `nil` for a list of many people.
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
