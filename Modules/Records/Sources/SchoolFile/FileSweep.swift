import Domain
public import FeatureKit
import Foundation

/// Deletes the files that no row of a school refers to: those of deleted or erased rows, and of failed commands.
public struct FileSweep: Sendable {
    private let readKinds: @Sendable () -> [RecordKind]
    var kinds: [RecordKind] { readKinds() }
    let blobs: any SchoolBlobs

    /// Creates the service that deletes files without a reference. The record kinds are those of all feature blocks,
    /// read at each use.
    public init(kinds: @autoclosure @escaping @Sendable () -> [RecordKind], blobs: any SchoolBlobs) {
        readKinds = kinds
        self.blobs = blobs
    }

    /// The seconds for which a new file stays, because a running command or restore may be about to refer to it.
    static let age: TimeInterval = 86_400
    /// The seconds for which a new file stays after an erasure, more than any command takes.
    static let ageOfErased: TimeInterval = 60

    /// Deletes files without a reference, unless they were put since a limit. Returns their number.
    @discardableResult
    func run(_ schoolId: UUID, _ school: any Database, unlessPutSince limit: Date) async throws -> Int {
        // Read first: files that are put and referred to later are not among them.
        let all = try await blobs.all(of: schoolId)
        guard !all.isEmpty else { return 0 }
        let cited = try await school.read { try kinds.citedFiles(in: $0) }
        return try await blobs.remove(all.subtracting(cited), of: schoolId, unlessPutSince: limit)
    }

    /// Deletes files without a reference after an erasure.
    ///
    /// - Parameter certain: Files that only erased rows referred to, which are deleted at any age.
    /// - Returns: Whether all files without a reference are deleted. A recent one stays, because a command may be about
    ///   to refer to it.
    func runAfterErasure(
        _ schoolId: UUID, _ school: any Database, certain: Set<BlobHash>, now: Date
    ) async throws -> Bool {
        let all = try await blobs.all(of: schoolId)
        let cited = try await school.read { try kinds.citedFiles(in: $0) }
        let free = all.subtracting(cited)
        try await blobs.remove(free.intersection(certain), of: schoolId, unlessPutSince: .distantFuture)
        let rest = free.subtracting(certain)
        return try await blobs.remove(rest, of: schoolId, unlessPutSince: now - Self.ageOfErased) == rest.count
    }

    var job: Job {
        .school("records.sweepFiles", every: Self.age) { context in
            guard let schoolId = context.schoolId else { return }
            try await run(schoolId, context.database, unlessPutSince: context.now - Self.age)
        }
    }
}

extension BlobStore {
    /// The files as parts of a ZIP file, with an extension for their type.
    func parts(_ hashes: Set<BlobHash>) async throws -> [ArchivePart] {
        var parts: [ArchivePart] = []
        for hash in hashes.sorted() {
            guard let file = try await file(hash) else { continue }
            let head = FileHandle(forReadingAtPath: file.path)
            let type = MediaType(try head?.read(upToCount: 16) ?? Data())
            try head?.close()
            parts.append(ArchivePart("files/\(hash).\(type?.fileExtension ?? "bin")", .file(file)))
        }
        return parts
    }
}
