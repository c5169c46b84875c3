import Domain
import FeatureKit
import Foundation
import ResidenceModel

extension Permission {
    /// Creating residences and choosing who works for them.
    static let manageResidences = Permission("residence.manage", [.superAdmin, .admin])
    /// Running a residence. Wardens act in the residences that they are assigned to, admins in all.
    static let runResidence = Permission("residence.run", [.superAdmin, .admin, .warden])
    /// A resident's own passages.
    static let liveInResidence = Permission("residence.live", [.student])
}

extension ActiveMembership {
    func may(_ permission: Permission) -> Bool { permission.isGiven(to: roles) }
}

/// Who may act in which residence. A residence that is not the caller's is "not found".
enum ResidenceAccess {
    /// The residences that a member runs, by name; none for a member without the permission.
    static func run(by membership: ActiveMembership, in sql: any SQLReading) throws -> [Residence] {
        guard membership.may(.runResidence) else { return [] }
        return try ResidenceRepository.residences(condition(membership), in: sql)
    }

    /// One residence that a member runs.
    static func residence(
        _ id: UUID, runBy membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Residence {
        guard membership.may(.runResidence),
            let found = try ResidenceRepository.residences("id = \(id) AND (\(condition(membership)))", in: sql)
                .first
        else { throw Problem.notFound }
        return found
    }

    private static func condition(_ membership: ActiveMembership) -> SQL {
        membership.may(.manageResidences)
            ? "1 = 1" : ResidenceRepository.served(by: membership.personId, as: .warden)
    }
}

extension Audience {
    /// The wardens of a residence.
    static func wardens(of residenceId: UUID) -> Audience { Audience("residence:\(residenceId.text)") }
}

/// The topics of a residence's pages.
enum ResidenceTopic {
    static let list = "residences"
    static func residence(_ id: UUID) -> String { "residence:\(id.text)" }
    /// The pages with the leaves of a resident.
    static func leaves(of studentId: UUID) -> String { "leaves:\(studentId.text)" }
}
