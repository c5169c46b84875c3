import Domain
public import FeatureKit
import Foundation

/// Takes away the files that no row of a school cites any more: of what was deleted or erased, and of commands
/// that put one and then failed.
public struct FileSweep: Sendable {
    private let readKinds: @Sendable () -> [RecordKind]
    var kinds: [RecordKind] { readKinds() }
    let blobs: any SchoolBlobs

    public init(kinds: @autoclosure @escaping @Sendable () -> [RecordKind], blobs: any SchoolBlobs) {
        readKinds = kinds
        self.blobs = blobs
    }

    /// A file younger than this may be about to be cited, by a command or a restore that runs now.
    static let age: TimeInterval = 86_400
    /// The same for what somebody wants to be gone; no command takes as long.
    static let ageOfErased: TimeInterval = 60

    @discardableResult
    func run(_ schoolId: UUID, _ school: any Database, unlessPutSince limit: Date) async throws -> Int {
        // The files first: what is put and cited after this look is not among them.
        let all = try await blobs.all(of: schoolId)
        guard !all.isEmpty else { return 0 }
        let cited = try await school.read { try kinds.citedFiles(in: $0) }
        return try await blobs.remove(all.subtracting(cited), of: schoolId, unlessPutSince: limit)
    }

    /// The same after an erasure.
    /// - Parameter certain: files that only erased rows have cited; they go however young they are.
    /// - Returns: whether every file that no row cites is gone. One that was put a moment ago stays, because a command may be
    ///   about to cite it.
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
    /// The files as parts of a zip that every system opens.
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
