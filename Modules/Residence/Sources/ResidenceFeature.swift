import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The block: student residences with their rooms and residents.
public enum ResidenceFeature {
    /// Builds the block's feature.
    ///
    /// - Parameters:
    ///   - people: The names of the school's people.
    ///   - roles: Who is a student, and who may run a residence.
    public static func make(people: any PeopleService, roles: any RoleDirectory) throws -> Feature {
        let residences = ResidenceHandlers(roles: roles)
        let residents = ResidentHandlers(people: people)
        let passages = PassageHandlers(residents: residents)
        let day = DayScreens(people: people)
        var feature = Feature("Residence", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.manageResidences, .runResidence, .liveInResidence]
        feature.access.titles = [
            .manageResidences: "right.residence.manage", .runResidence: "right.residence.run",
            .liveInResidence: "right.residence.live",
        ]
        feature.access.audiences = [
            AudienceSource { membership, sql in
                Set(
                    try ResidenceRepository.residenceIds(servedBy: membership.personId, as: .warden, in: sql)
                        .map(Audience.wardens))
            }
        ]
        feature.storage.schoolMigrations = ResidenceMigrations.school
        feature.storage.records = ResidenceRecordStore.kinds
        feature.endpoints.queries =
            residences.queries + RoomHandlers().queries + residents.queries + passages.queries + day.queries
        feature.endpoints.commands =
            residences.commands + RoomHandlers().commands + residents.commands + passages.commands
        feature.pages.screens =
            ResidenceScreens(people: people, roles: roles).routes + RoomScreens(people: people).routes
            + ResidentScreens(handlers: residents, roles: roles).routes + day.routes
        feature.pages.navigation = [
            NavigationEntry(
                .tabs, "residence.title", icon: .bed, path: ResidenceScreens.list, order: 25,
                permission: .runResidence)
        ]
        // A school without a residence has no use for the tab; its admins find it in the settings of the school.
        feature.pages.entryStates = [
            ResidenceScreens.list: { context, sql in
                EntryState(isShown: try !ResidenceAccess.run(by: context.membership, in: sql).isEmpty)
            }
        ]
        feature.audit.title = "audit.group.residence"
        feature.audit.kinds = auditKinds
        feature.audit.names = [
            NameSource("residence") { ids, sql in
                try ResidenceRepository.residences("id IN \(list: ids)", in: sql)
                    .reduce(into: [:]) { $0[$1.id] = $1.name }
            }
        ]
        return feature
    }

    private static let auditKinds =
        ["created", "updated", "deleted", "roomCreated", "roomUpdated", "roomDeleted"].map {
            AuditKind("residence.\($0)", "audit.residence.\($0)", .name("residence", of: "residence"))
        }
        + ["movedIn", "movedOut", "roomAssigned", "studentUpdated", "passageRecorded", "passageCorrected"].map {
            AuditKind(
                "residence.\($0)", "audit.residence.\($0)", .name("student", of: "person"),
                .name("residence", of: "residence"))
        }
}
