public import Foundation

/// A store of copies of records outside of the tables: an index, files that wait for download, unsent mails.
///
/// Erasing a person and deleting a school go through every declared store. A folder of the data folder that no store
/// names fails a test (`EndToEndTests/ErasureTests`).
public struct DerivedStore: Sendable {
    /// The name of the store of copies, unique and safe to log: `mail.outbox`.
    public let id: String
    /// The names in the data folder under which the store writes files.
    public let places: Set<String>
    /// Deletes every copy in the store that may hold something about people whose records were erased. Safe to repeat.
    public let erasePeople: @Sendable (ErasedPeople) async throws -> Void
    /// Deletes every copy of a school's records in the store. Safe to repeat.
    public let eraseSchool: @Sendable (UUID) async throws -> Void

    public init(
        _ id: String, places: Set<String>,
        erasePeople: @escaping @Sendable (ErasedPeople) async throws -> Void,
        eraseSchool: @escaping @Sendable (UUID) async throws -> Void
    ) {
        self.id = id
        self.places = places
        self.erasePeople = erasePeople
        self.eraseSchool = eraseSchool
    }
}

/// The people of one school whose records were erased, so that copies of the records can be deleted too.
public struct ErasedPeople: Sendable, Hashable {
    public let schoolId: UUID
    public let personIds: Set<UUID>

    public init(schoolId: UUID, personIds: Set<UUID>) {
        self.schoolId = schoolId
        self.personIds = personIds
    }
}

extension SearchIndexes {
    /// The search index as a store of copies. The index is made of the school's rows: an erasure deletes it, and it
    /// is built again without the erased people.
    public var store: DerivedStore {
        DerivedStore(
            "search.index", places: ["search"], erasePeople: { try await remove($0.schoolId) },
            eraseSchool: { try await remove($0) })
    }
}

extension MailOutbox {
    /// The unsent mails as a store of copies. An erasure deletes the mails about the erased people, or of the
    /// deleted school.
    public var store: DerivedStore {
        DerivedStore(
            "mail.outbox", places: ["outbox"],
            erasePeople: { people in
                try await remove { mail in
                    mail.schoolId == people.schoolId && mail.personId.map(people.personIds.contains) ?? false
                }
            }, eraseSchool: { schoolId in try await remove { $0.schoolId == schoolId } })
    }
}
