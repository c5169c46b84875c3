public import Domain
public import Foundation

extension BlobHash {
    /// Computes the hash of a file's bytes in memory.
    public init(of bytes: [UInt8]) { self.init(digest: SHA256.hex(bytes)) }

    /// Computes the hash of a file's content, read in portions. Throws if it cannot be read.
    public init(of content: FileContent) throws {
        var hash = SHA256()
        try content.forEachPortion { hash.update($0) }
        self.init(digest: hash.finish())
    }
}

extension BlobHash: SQLConvertible {
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(text)
    }

    public var sqlValue: SQLValue { .text(text) }
}

/// The uploaded files of one school, each identified by the hash of its content.
///
/// It is bound to its school like the school's database. A file has no owner here: the row that cites its hash decides
/// who may see it, and `RecordTable.files` declares that row. Files that no row cites are deleted.
public protocol BlobStore: Sendable {
    /// Stores a content, read in portions; equal contents are stored once.
    ///
    /// The file is on disk when this returns. Commands call it in their preparation and cite the hash in their
    /// transaction, so that no row cites a missing file.
    func put(_ content: FileContent) async throws -> BlobHash
    /// Returns the location of a file on this machine; `nil` if it does not exist.
    func file(_ hash: BlobHash) async throws -> URL?
}

extension BlobStore {
    /// Stores bytes that are in memory as a file, and returns their hash.
    public func put(_ bytes: [UInt8]) async throws -> BlobHash { try await put(.bytes(bytes)) }
}

/// The uploaded files of all schools, for the request pipeline and for backing up, restoring and deleting schools.
public protocol SchoolBlobs: Sendable {
    /// Returns the store of one school's files.
    func blobs(of schoolId: UUID) -> any BlobStore
    /// Returns the hash of every file of a school, including files that no row cites.
    func all(of schoolId: UUID) async throws -> Set<BlobHash>
    /// Deletes the files with these hashes, and incomplete files that a stopped server left; returns the number of
    /// deleted files.
    ///
    /// Files that were stored since `limit` stay, because a command may be about to cite them.
    @discardableResult
    func remove(_ hashes: Set<BlobHash>, of schoolId: UUID, unlessPutSince limit: Date) async throws -> Int
    /// Deletes all files of a school. Safe to repeat.
    func removeAll(of schoolId: UUID) async throws
}

/// The types of media files that are accepted. They are recognized by their first bytes, not by what the sender says.
public enum MediaType: String, Sendable, Hashable, Codable, CaseIterable, SQLConvertible {
    case jpeg, png, webP, webM, ogg, mp4, wav, webVTT

    /// The number of first bytes that suffice to recognize a type.
    public static let headBytes = 16

    /// Recognizes the type of a file by its first bytes; `nil` if it is none of these.
    public init?(_ bytes: some Collection<UInt8>) {
        func has(_ mark: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: mark) }
        func has(_ mark: String, at place: Int = 0) -> Bool { has(Array(mark.utf8), at: place) }
        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]) {
            self = .png
        } else if has("RIFF") && has("WEBP", at: 8) {
            self = .webP
        } else if has("RIFF") && has("WAVE", at: 8) {
            self = .wav
        } else if has([0x1A, 0x45, 0xDF, 0xA3]) {
            self = .webM
        } else if has("OggS") {
            self = .ogg
        } else if has("ftyp", at: 4) {
            self = .mp4
        } else if Self.isWebVTT(bytes) {
            self = .webVTT
        } else {
            return nil
        }
    }

    /// Whether a file begins with `WEBVTT`, optionally after a byte order mark, and then white space or its end
    /// (WebVTT section 4.1).
    private static func isWebVTT(_ bytes: some Collection<UInt8>) -> Bool {
        let (order, mark) = (Array("\u{FEFF}".utf8), Array("WEBVTT".utf8))
        let text = bytes.dropFirst(bytes.starts(with: order) ? order.count : 0)
        guard text.starts(with: mark) else { return false }
        return text.dropFirst(mark.count).first.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? true
    }

    /// Whether the type can hold a recording of sound.
    public var isSound: Bool { [.webM, .ogg, .mp4, .wav].contains(self) }

    /// The content type with which a file of the media type is served. Containers that hold either sound or video
    /// are served as sound; callers that accept video choose another type.
    public var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webP: "image/webp"
        case .webM: "audio/webm"
        case .ogg: "audio/ogg"
        case .mp4: "audio/mp4"
        case .wav: "audio/wav"
        case .webVTT: "text/vtt"
        }
    }

    /// The extension of file names for the media type, without the dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webP: "webp"
        case .webM: "webm"
        case .ogg: "ogg"
        case .mp4: "m4a"
        case .wav: "wav"
        case .webVTT: "vtt"
        }
    }
}
