import Domain

/// A short hash of the fields that a form edits.
///
/// A form sends the version that it was opened with. If someone else has changed the content since then, the save is
/// refused, and no text is overwritten unseen.
public struct ContentVersion: Sendable, Hashable {
    /// The code of the refusal of forms that have no sentence of their own for it.
    public static let changed = "form.changed"

    /// The hash as text: 16 hexadecimal digits.
    public let text: String

    /// Creates the version of some content.
    /// - Parameter content: the values that the form edits, in a fixed order. `nil` and an empty text are the same.
    public init(_ content: [String?]) {
        let joined = content.map { $0 ?? "" }.joined(separator: "\u{1F}")
        text = String(BlobHash(of: Array(joined.utf8)).text.prefix(16))
    }

    /// Reads a version that a form sent. A text that is no version equals no content.
    fileprivate init(sent text: String) { self.text = text }

    /// Throws `Problem` 409 if a form was opened with another version than this one.
    /// - Parameters:
    ///   - opened: the version that the form was opened with; `nil` skips the check.
    ///   - code: the code of the refusal, such as `courses.changed`.
    public func check(_ opened: ContentVersion?, _ code: String = Self.changed) throws {
        guard opened == nil || opened == self else { throw Problem(409, code) }
    }
}

extension FieldReader {
    /// Reads the version of the content that a form was opened with from its field `version`; `nil` if there is none.
    public mutating func contentVersion() -> ContentVersion? {
        optionalText("version", max: 40).map(ContentVersion.init(sent:))
    }
}
