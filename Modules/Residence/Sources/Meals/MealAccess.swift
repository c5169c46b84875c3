import Domain
import FeatureKit
import Foundation
import ResidenceModel

extension Permission {
    /// Planning the meals of a residence: its wardens, and members of the staff who are assigned to its kitchen.
    static let planMeals = Permission("residence.planMeals", [.superAdmin, .admin, .guide, .warden])
    /// Choosing meals and naming allergies: residents, and parents for their children.
    static let chooseMeals = Permission("residence.chooseMeals", [.student, .parent])
}

extension Audience {
    /// The kitchen of a residence.
    static func kitchen(of residenceId: UUID) -> Audience { Audience("residence-kitchen:\(residenceId.text)") }
    /// The residents of a residence and their parents.
    static func diners(of residenceId: UUID) -> Audience { Audience("residence-diners:\(residenceId.text)") }
}

extension ResidenceTopic {
    /// The menu of a residence and what its residents chose.
    static func meals(of residenceId: UUID) -> String { "residence-meals:\(residenceId.text)" }
}

/// Who plans and cooks for which residence ([decision 40](../../../../docs/decisions/0040-who-sees-allergies.md)).
enum MealAccess {
    /// The residences whose menu a member writes, by name.
    static func planned(by membership: ActiveMembership, in sql: any SQLReading) throws -> [Residence] {
        guard membership.may(.planMeals) else { return [] }
        if membership.may(.manageResidences) { return try ResidenceAccess.run(by: membership, in: sql) }
        let runs = try ResidenceAccess.run(by: membership, in: sql).map(\.id)
        let cooks = try ResidenceRepository.residenceIds(servedBy: membership.personId, as: .kitchen, in: sql)
        return try ResidenceRepository.residences("id IN \(list: runs + cooks)", in: sql)
    }

    /// One residence whose menu a member writes; others are "not found".
    static func residence(
        _ id: UUID, plannedBy membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Residence {
        guard let residence = try planned(by: membership, in: sql).first(where: { $0.id == id }) else {
            throw Problem.notFound
        }
        return residence
    }

    /// Whether a member is assigned to the kitchen of a residence, the only ones who see allergies.
    static func isKitchen(
        _ membership: ActiveMembership, of residenceId: UUID, in sql: any SQLReading
    ) throws -> Bool {
        try ResidenceRepository.staff(of: residenceId, as: .kitchen, in: sql).contains(membership.personId)
    }

    /// Refuses those who do not work in the kitchen of a residence. A residence that is not theirs is "not found".
    static func checkKitchen(_ membership: ActiveMembership, of id: UUID, in sql: any SQLReading) throws {
        let residence = try residence(id, plannedBy: membership, in: sql)
        guard try isKitchen(membership, of: residence.id, in: sql) else {
            throw Problem(403, "residence.kitchenOnly")
        }
    }
}
