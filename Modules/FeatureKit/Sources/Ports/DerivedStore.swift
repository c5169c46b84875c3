public import Foundation

/// A place outside of the tables that holds copies of what records say: an index, files that wait for their download,
/// mails that were not sent.
///
/// The erasure of a person and the deletion of a school go through every declared store. A folder of the data folder that
/// no store names fails a test (`EndToEndTests/ErasureTests`).
public struct DerivedStore: Sendable {
    /// `mail.outbox`: unique, and safe to log.
    public let id: String
    /// The names in the data folder under which it keeps files.
    public let places: Set<String>
    /// Removes every copy that may hold something about the people. Safe to repeat.
    public let erasePeople: @Sendable (ErasedPeople) async throws -> Void
    /// Removes every copy of a school's records. Safe to repeat.
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

/// The people of a school whose rows were erased.
public struct ErasedPeople: Sendable, Hashable {
    public let schoolId: UUID
    public let personIds: Set<UUID>

    public init(schoolId: UUID, personIds: Set<UUID>) {
        self.schoolId = schoolId
        self.personIds = personIds
    }
}

extension SearchIndexes {
    /// The index is made of the school's rows: it is thrown away, and built again without the erased.
    public var store: DerivedStore {
        DerivedStore(
            "search.index", places: ["search"], erasePeople: { try await remove($0.schoolId) },
            eraseSchool: { try await remove($0) })
    }
}

extension MailOutbox {
    /// Mails that were not sent, about these people or of this school.
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
