public import Foundation

/// The files whose upload has begun and that no record cites yet, on the server's disk.
///
/// A file belongs to one person of one school. Its length is the number of bytes that have arrived, so that an upload that
/// was cut goes on there, also after a restart of the server.
public protocol PartialFiles: Sendable {
    /// Returns the number of bytes that have arrived; zero for an unknown file.
    func received(_ key: PartialFileKey) async throws -> Int
    /// Opens a file for more bytes, and creates it at offset 0. An earlier writer of the file can write no more.
    ///
    /// Throws `PartialFileFault.otherOffset` unless exactly `offset` bytes have arrived.
    func writer(of key: PartialFileKey, at offset: Int) async throws -> any PartialFileWriter
    /// Returns the content of a file.
    func content(of key: PartialFileKey) -> FileContent
    /// Deletes the files of a school that nobody has written to since `limit`, except those with the given ids.
    func remove(of schoolId: UUID, except ids: Set<UUID>, untouchedSince limit: Date) async throws
    /// Deletes all files of a person. Safe to repeat.
    func removeAll(of personId: UUID, in schoolId: UUID) async throws
    /// Deletes all files of a school. Safe to repeat.
    func removeAll(of schoolId: UUID) async throws
}

/// Appends bytes to a file whose upload has begun (`PartialFiles`).
public protocol PartialFileWriter: Sendable {
    /// Writes bytes to the end of the file. Throws `PartialFileFault.takenOver` after another writer was opened.
    func append(_ bytes: [UInt8]) async throws
    /// Returns when all bytes are on disk.
    func sync() async throws
}

/// The place of a file whose upload has begun.
public struct PartialFileKey: Sendable, Hashable {
    public let schoolId: UUID
    /// The person who uploads the file.
    public let personId: UUID
    public let id: UUID

    public init(schoolId: UUID, personId: UUID, id: UUID) {
        self.schoolId = schoolId
        self.personId = personId
        self.id = id
    }
}

/// A reason why bytes cannot be added to an upload.
public enum PartialFileFault: Error, Hashable {
    /// Another number of bytes has arrived.
    case otherOffset(Int)
    /// A later request goes on with the upload.
    case takenOver
}

extension PartialFiles {
    /// The files as a store of copies, for erasing people and schools.
    /// - Parameter place: the name of the folder in the data folder.
    public func store(_ id: String, in place: String) -> DerivedStore {
        DerivedStore(
            id, places: [place],
            erasePeople: { people in
                for personId in people.personIds { try await removeAll(of: personId, in: people.schoolId) }
            },
            eraseSchool: { try await removeAll(of: $0) })
    }
}
