import Domain
public import FeatureKit
public import Foundation

/// Takes schools off a server for good: first all that is in it, then the directory's rows.
///
/// Stopped anywhere in between, it can be done again: as long as the rows are there the school is closed and
/// due, and the next run of the job ends what was begun.
public struct SchoolRemoval: Sendable {
    let directory: any Database
    let files: any SchoolFiles
    let blobs: any SchoolBlobs
    let memberships: DirectoryMembershipService

    public init(
        directory: any Database, files: any SchoolFiles, blobs: any SchoolBlobs,
        memberships: DirectoryMembershipService
    ) {
        self.directory = directory
        self.files = files
        self.blobs = blobs
        self.memberships = memberships
    }

    public func remove(_ orgId: UUID) async throws {
        try await files.remove(orgId)
        try await blobs.removeAll(of: orgId)
        // conformance: allow write - the end of a command or job whose transaction has named the school
        try await directory.write { try OrganizationRepository.delete(orgId, in: $0) }
        memberships.forgetActive()
    }

    /// Deletes the schools whose time is over.
    var job: Job {
        .server("organization.delete", every: 3600) { context in
            let now = context.now
            for orgId in try await directory.read({ try ClosingRepository.due(at: now, in: $0) }) {
                try await remove(orgId)
            }
        }
    }
}
