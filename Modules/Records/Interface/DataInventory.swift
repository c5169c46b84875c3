public import Domain

/// The kinds of record that a server stores, for the privacy page.
public protocol DataInventory: Sendable {
    /// Returns the kinds of record that the server stores, in words of the reader's language.
    func entries(_ words: Words) -> [InventoryEntry]
}

/// A kind of record that the server stores, in words that people understand.
public struct InventoryEntry: Identifiable, Hashable, Codable, Sendable {
    /// The id of the kind of record: `classroom.attendance`.
    public let id: String
    public let title: String
    /// The kinds of data about a person that the records contain, in words.
    public let personal: [String]
    /// The time for which records are stored, as a sentence.
    public let kept: String
    /// The rule for erasing the records, as a sentence.
    public let erasure: String

    public init(id: String, title: String, personal: [String], kept: String, erasure: String) {
        self.id = id
        self.title = title
        self.personal = personal
        self.kept = kept
        self.erasure = erasure
    }
}

extension Permission {
    /// Allows backing up, exporting, restoring, moving and deleting a school.
    public static let manageSchoolFiles = Permission("records.school", [.superAdmin])
    /// Allows choosing how long records are stored.
    public static let setRetention = Permission("records.retention", [.superAdmin])
    /// Allows viewing, exporting and erasing the records of one person.
    public static let managePersonRecords = Permission("records.person", [.superAdmin, .admin])
}
