public import Domain

/// The kinds of records that a server stores, for a privacy page.
public protocol DataInventory: Sendable {
    func entries(_ words: Words) -> [InventoryEntry]
}

/// One kind of record, as people read it.
public struct InventoryEntry: Identifiable, Hashable, Codable, Sendable {
    /// `classroom.attendance`
    public let id: String
    public let title: String
    /// What it may tell about a person, in words.
    public let personal: [String]
    /// How long it is kept, as a sentence.
    public let kept: String
    /// How it is erased, as a sentence.
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
    /// Taking a school's data home and bringing it back.
    public static let manageSchoolFiles = Permission("records.school", [.superAdmin])
    /// Choosing how long records are kept.
    public static let setRetention = Permission("records.retention", [.superAdmin])
    /// Seeing what is kept, exporting and erasing one person's records.
    public static let managePersonRecords = Permission("records.person", [.superAdmin, .admin])
}
