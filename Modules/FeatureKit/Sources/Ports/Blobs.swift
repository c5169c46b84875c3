public import Domain
public import Foundation

extension BlobHash {
    /// The name of these bytes.
    public init(of bytes: [UInt8]) { self.init(digest: SHA256.hex(bytes)) }

    /// The name of a content, read in portions. Throws where it cannot be read.
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

/// The files of one school, each by what is in it. Bound to the school like its database: nobody names another.
///
/// A file has no owner here. The row that cites its hash says whose it is and who may see it, and its table says
/// so in `RecordTable.files`; what no row cites any more is swept away.
public protocol BlobStore: Sendable {
    /// Keeps a content, read in portions; the same bytes are one file. They are on the disk, name and all, when this
    /// returns: a command puts in its preparation and cites in its transaction, so that no row ever names a file that
    /// is not there.
    func put(_ content: FileContent) async throws -> BlobHash
    /// Where the file stands on this machine; `nil` where it does not.
    func file(_ hash: BlobHash) async throws -> URL?
}

extension BlobStore {
    /// Keeps bytes that are in memory.
    public func put(_ bytes: [UInt8]) async throws -> BlobHash { try await put(.bytes(bytes)) }
}

/// The files of all schools: for the pipeline, and for those who take schools home, back and away.
public protocol SchoolBlobs: Sendable {
    func blobs(of schoolId: UUID) -> any BlobStore
    /// Every file of a school, also those that no row cites.
    func all(of schoolId: UUID) async throws -> Set<BlobHash>
    /// Takes files away; those that somebody has put since `limit` stay, because a command may be about to cite them.
    /// What a stopped server has begun to write goes with them. Answers how many files went.
    @discardableResult
    func remove(_ hashes: Set<BlobHash>, of schoolId: UUID, unlessPutSince limit: Date) async throws -> Int
    /// Takes all of a school's files away. Doing it again changes nothing.
    func removeAll(of schoolId: UUID) async throws
}

/// The kinds of files that are kept, told by how they begin and never by what their sender says.
public enum MediaType: String, Sendable, Hashable, Codable, CaseIterable, SQLConvertible {
    case jpeg, png, webP, webM, ogg, mp4, wav, webVTT

    /// As many first bytes of a file as tell its kind.
    public static let headBytes = 16

    /// `nil` where the bytes begin like none of them.
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

    /// `WEBVTT`, perhaps after a byte order mark, and then a blank, the line's end or the file's (WebVTT section 4.1).
    private static func isWebVTT(_ bytes: some Collection<UInt8>) -> Bool {
        let (order, mark) = (Array("\u{FEFF}".utf8), Array("WEBVTT".utf8))
        let text = bytes.dropFirst(bytes.starts(with: order) ? order.count : 0)
        guard text.starts(with: mark) else { return false }
        return text.dropFirst(mark.count).first.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? true
    }

    /// What can be listened to.
    public var isSound: Bool { [.webM, .ogg, .mp4, .wav].contains(self) }

    /// As it is served. The containers that may also hold a film are served as sound; who takes films says so itself.
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
