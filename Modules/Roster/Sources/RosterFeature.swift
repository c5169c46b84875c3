import Domain
public import FeatureKit
import OrganizationInterface

/// The block: people, classrooms and enrolments out of a OneRoster bundle.
public enum RosterFeature {
    public static func make(_ roster: RosterImport) throws -> Feature {
        var feature = Feature(
            "Roster", needs: ["Organization", "Classroom"], catalog: try StringCatalog(in: .module))
        feature.schoolMigrations = RosterMigrations.school
        feature.commands = RosterHandlers(roster: roster).commands
        feature.screens = RosterScreen(roster: roster).routes
        feature.navigation = [
            NavigationEntry(
                .school, "roster.title", icon: "cloud-up", path: RosterScreen.path, order: 30,
                permission: .importPeople)
        ]
        return feature
    }
}
