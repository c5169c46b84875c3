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

    /// Ends the writing into a school that the directory has closed: also by commands that were on their way, and by
    /// other processes. A file that is damaged or gone takes no writes anyway.
    func refuseWrites(_ orgId: UUID) async throws {
        do {
            try await files.setWritable(false, orgId)
        } catch DatabaseFault.damaged {
        } catch DatabaseFault.missing {
        }
    }

    public func remove(_ orgId: UUID) async throws {
        // The first thing that it does is to end the writing.
        try await files.remove(orgId)
        try await blobs.removeAll(of: orgId)
        // conformance: allow write - the end of a command or job whose transaction has named the school
        try await directory.write { sql in
            try OrganizationRepository.delete(orgId, in: sql)
            try SchoolSeals.forget(orgId, in: sql)
        }
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
