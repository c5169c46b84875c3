import Domain
public import FeatureKit
import Foundation
import OrganizationInterface

/// The block: schools, people, memberships, invites.
public enum OrganizationFeature {
    /// - Parameter publicURL: where people reach this server, for links in QR codes.
    public static func make(
        organizations: any OrgService, memberships: DirectoryMembershipService, invites: any InviteService,
        removal: SchoolRemoval, qr: any QRCodeEncoder, publicURL: String
    ) throws -> Feature {
        let organizationHandlers = OrganizationHandlers(organizations: organizations)
        let memberHandlers = MemberHandlers(memberships: memberships)
        let inviteHandlers = InviteHandlers(invites: invites, limit: RateLimiter(limit: 10, period: 5 * 60))
        var feature = Feature("Organization", needs: ["Auth"], catalog: try StringCatalog(in: .module))
        feature.permissions = [
            .viewMembers, .changeRoles, .removeMembers, .renameOrganization, .requireSecondFactor,
            .deleteOrganization, .invite,
            .importPeople, .belong,
        ]
        feature.directoryMigrations = OrganizationMigrations.directory
        feature.schoolMigrations = OrganizationMigrations.school
        feature.commands =
            organizationHandlers.commands + memberHandlers.commands + inviteHandlers.commands
            + ClosingHandlers(organizations: organizations, removal: removal).commands
            + StaffSecurity(memberships: memberships).commands
        feature.jobs = [removal.job]
        feature.records = OrganizationRecordStore.kinds
        feature.queries = organizationHandlers.queries + memberHandlers.queries + inviteHandlers.queries
        feature.screens =
            OrganizationScreens(organizations: organizations).routes
            + MembersScreen(memberships: memberships).routes
            + InviteScreens(invites: invites, qr: qr, publicURL: publicURL).routes
            + [ClosingScreen().route]
        feature.navigation = [
            NavigationEntry(
                .settings, "settings.organization", icon: "home", path: "/settings/organization", order: 20,
                permission: .belong),
            NavigationEntry(
                .settings, "settings.members", icon: "people", path: "/settings/members", order: 30,
                permission: .viewMembers),
            NavigationEntry(
                .settings, "settings.invites", icon: "send", path: "/settings/invites", order: 40,
                permission: .invite),
            NavigationEntry(
                .school, "closing.title", icon: "trash", path: ClosingScreen.path, order: 90,
                permission: .deleteOrganization),
            NavigationEntry(
                .account, "organization.switch", icon: "swap", path: "/organizations", order: 20),
        ]
        feature.notificationKinds = [
            NotificationKind("members.joined", icon: "people") { logged, context in
                let id = logged.change.payload["person"].flatMap(UUID.init(text:))
                let orgId = try context.membership.organization.id
                let person = try await context.school.read { sql in
                    try id.flatMap { try PeopleRepository.people([$0], of: orgId, in: sql)[$0] }
                }
                let role = context.words("role.\(logged.change.payload["role"] ?? "guide")")
                return (
                    context.words(
                        "notification.joined", person?.name.display ?? context.words("members.someone"), role),
                    "/settings/members"
                )
            }
        ]
        return feature
    }
}
