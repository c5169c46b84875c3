public import Domain
public import FeatureKit
import Foundation
import OrganizationInterface

/// The block: people, classrooms and enrolments out of a OneRoster bundle or a plain list, and back.
public enum RosterFeature {
    public static func make(_ roster: RosterImport) throws -> Feature {
        var feature = Feature(
            "Roster", catalog: try catalog())
        feature.schoolMigrations = RosterMigrations.school
        feature.records = RosterRecordStore.kinds
        feature.commands = RosterHandlers(roster: roster).commands + UndoHandlers(roster: roster).commands
        feature.queries = RosterHandlers(roster: roster).queries + UndoHandlers(roster: roster).queries
        feature.screens = RosterScreen(roster: roster).routes + PastImportScreens(roster: roster).routes
        feature.navigation = [
            NavigationEntry(
                .school, "roster.title", icon: "cloud-up", path: RosterScreen.path, order: 30,
                permission: .importPeople)
        ]
        feature.auditTitle = "audit.group.roster"
        feature.auditKinds = [
            AuditKind(
                "roster.imported", "audit.roster.imported", .value("peopleCreated"), .value("peopleUpdated")),
            AuditKind("roster.undone", "audit.roster.undone", .value("undone"), .value("kept")),
            AuditKind("people.exported", "audit.people.exported"),
        ]
        return feature
    }

    /// The block's texts; the command line needs them without the rest.
    public static func catalog() throws -> StringCatalog { try StringCatalog(in: .module) }
}
