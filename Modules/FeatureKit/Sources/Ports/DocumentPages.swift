public import Domain
public import Foundation

/// The pages of PDF documents as pictures that every device can show.
///
/// A document comes from a stranger. It is read in a process of its own, with limits on time and memory. Its pages are made
/// when they are first asked for, and stored.
public protocol DocumentPages: Sendable {
    /// Returns the size of each page. It is quick after the first time.
    func sizes(of document: StoredDocument) async throws(DocumentFault) -> [DocumentPageSize]
    /// Returns the location of a page as a JPEG picture. The first page has the number 1.
    func page(_ number: Int, of document: StoredDocument) async throws(DocumentFault) -> URL
    /// The stored pages, for erasing people and schools.
    var store: DerivedStore { get }
}

/// A document among the files of a school.
public struct StoredDocument: Sendable, Hashable {
    public let schoolId: UUID
    public let hash: BlobHash
    /// The location of the document on this machine.
    public let file: URL

    public init(schoolId: UUID, hash: BlobHash, file: URL) {
        self.schoolId = schoolId
        self.hash = hash
        self.file = file
    }
}

/// The size of a document's page as a picture, in pixels.
public struct DocumentPageSize: Sendable, Hashable, Codable {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// A reason why the pages of a document cannot be shown. The document itself can still be downloaded.
public enum DocumentFault: String, Error, Hashable, Sendable, Codable, CaseIterable {
    /// The file is no PDF document, is damaged, or has no pages.
    case unreadable
    /// The document can be opened only with a password.
    case locked
    /// The document has more pages than are shown.
    case tooLong
    /// The document takes more time or memory than is allowed, or ends the program that reads it.
    case tooHeavy
    /// The program that reads documents is missing, or the disk is full.
    case unavailable
}
