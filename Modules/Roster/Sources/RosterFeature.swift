import DesignSystem
public import Domain
public import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Imports people, classrooms and courses from a OneRoster bundle or a plain list, and exports them.
public enum RosterFeature {
    /// Builds the Roster feature block with the service that imports rosters.
    public static func make(_ roster: RosterImport) throws -> Feature {
        var feature = Feature(
            "Roster", catalog: try catalog())
        feature.storage.schoolMigrations = RosterMigrations.school
        feature.storage.records = RosterRecordStore.kinds
        feature.endpoints.commands = RosterHandlers(roster: roster).commands + UndoHandlers(roster: roster).commands
        feature.endpoints.queries = RosterHandlers(roster: roster).queries + UndoHandlers(roster: roster).queries
        feature.pages.screens = RosterScreen(roster: roster).routes + PastImportScreens(roster: roster).routes
        feature.pages.navigation = [
            NavigationEntry(
                .records, "roster.title", icon: .cloudUp, path: RosterScreen.path, order: 30,
                permission: .importPeople)
        ]
        feature.audit.title = "audit.group.roster"
        feature.audit.kinds = [
            AuditKind(
                "roster.imported", "audit.roster.imported", .value("peopleCreated"), .value("peopleUpdated")),
            AuditKind("roster.undone", "audit.roster.undone", .value("undone"), .value("kept")),
            AuditKind("people.exported", "audit.people.exported"),
        ]
        return feature
    }

    /// Returns the feature block's texts, which the command line uses without the rest of the block.
    public static func catalog() throws -> StringCatalog { try StringCatalog(in: .module) }
}
