import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// Wellness: children check in with mood, sleep, energy and a line of text (WW-1.05).
///
/// They can share check-ins with an adult, and ask the adults whom the school named for help.
public enum WellnessFeature {
    /// Builds the Wellness feature block.
    ///
    /// - Parameters:
    ///   - roles: the roles of people in the school.
    ///   - people: the names of people.
    ///   - families: the parents of students.
    public static func make(
        roles: any RoleDirectory, people: any PeopleService, families: any FamilyLinks
    ) throws -> Feature {
        let access = WellnessAccess(roles: roles, people: people, families: families)
        let checkIns = CheckInHandlers(access: access)
        let sharing = SharingHandlers(access: access)
        let help = HelpHandlers(access: access)
        let settings = SettingsHandlers(access: access)
        let shared = SharedScreens(access: access, handlers: sharing)
        let home = WellnessHome(access: access)
        var feature = Feature("Wellness", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.checkIn, .readSharedWellness, .manageWellness]
        feature.access.titles = [
            .checkIn: "right.wellness.checkIn", .readSharedWellness: "right.wellness.read",
            .manageWellness: "right.wellness.manage",
        ]
        // No API token and no device that was narrowed for a child reaches check-ins.
        feature.access.personalAreas = ["wellness"]
        feature.storage.schoolMigrations = WellnessMigrations.school
        feature.storage.records = WellnessRecordStore.kinds
        feature.endpoints.queries = checkIns.queries + sharing.queries + help.queries
        feature.endpoints.commands = checkIns.commands + sharing.commands + help.commands + settings.commands
        feature.pages.screens =
            WellnessScreens(access: access).routes + HelpScreens(access: access, handlers: help).routes
            + shared.routes + [settings.route]
        feature.pages.navigation = [
            NavigationEntry(
                .tools, "wellness.title", icon: .heart, path: WellnessScreens.path, order: 62, permission: .checkIn),
            NavigationEntry(
                .account, "wellness.title", icon: .heart, path: SharedScreens.path, order: 45,
                permission: .readSharedWellness),
            NavigationEntry(
                .school, "wellness.title", icon: .heart, path: SettingsHandlers.path, order: 78,
                permission: .manageWellness),
        ]
        feature.pages.entryStates = [
            WellnessScreens.path: { context, sql in
                guard context.caller.may(.checkIn) else { return EntryState(isShown: false) }
                let me = try context.membership.personId
                // A child also reads, deletes and stops sharing what is stored while check-ins are switched off.
                return EntryState(
                    isShown: try WellnessSettings.read(in: sql).isOn
                        || !CheckInRepository.checkIns(of: me, limit: 1, in: sql).isEmpty)
            },
            SharedScreens.path: { try shared.state($0, in: $1) },
        ]
        feature.pages.sections = [
            PageSection(
                .home, order: 3, permission: .checkIn,
                topics: { [WellnessTopic.of($0), WellnessTopic.settings] }
            ) { try await home.child($1) },
            PageSection(
                .home, order: 2, permission: .readSharedWellness,
                topics: { _ in [WellnessTopic.requests, WellnessTopic.settings] }
            ) { try await home.adult($1) },
        ]
        feature.pages.deepLinks = [.place("wellness", WellnessScreens.path)]
        feature.notifications.kinds = help.notifications
        feature.audit.title = "wellness.title"
        feature.audit.kinds = [
            AuditKind(HelpHandlers.asked, "audit.wellness.helpAsked"),
            AuditKind(HelpHandlers.seen, "audit.wellness.helpSeen"),
            AuditKind(HelpHandlers.closed, "audit.wellness.helpClosed"),
            AuditKind(SettingsHandlers.changed, "audit.wellness.settingsChanged"),
        ]
        return feature
    }
}
