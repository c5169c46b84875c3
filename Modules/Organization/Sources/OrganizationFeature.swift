public import AuthInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// The Organization feature block: schools, people, memberships and invites.
public enum OrganizationFeature {
    /// Builds the Organization feature block.
    ///
    /// - Parameters:
    ///   - publicURL: the public address of this server, for links in QR codes.
    ///   - removal: deletes a school permanently, with the data of every block.
    public static func make(
        organizations: any OrgService, memberships: DirectoryMembershipService, invites: any InviteService,
        qr: any QRCodeEncoder, publicURL: String, directory: any Database,
        mailer: any Mailer, letter: InviteLetter, accounts: any AccountReading, addresses: any AddressChanging,
        classrooms: (any ClassroomPlacing)?, images: any ImageShrinking,
        removal: SchoolRemoval
    ) throws -> Feature {
        let organizationHandlers = OrganizationHandlers(organizations: organizations)
        let memberHandlers = MemberHandlers(memberships: memberships, addresses: addresses)
        let inviteClassrooms = InviteClassrooms(placing: classrooms)
        let inviteHandlers = InviteHandlers(
            invites: invites, classrooms: inviteClassrooms, limit: RateLimiter(limit: 10, period: 5 * 60))
        let mailHandlers = MailInviteHandlers(
            directory: directory, letter: letter, classrooms: inviteClassrooms)
        let families = FamilyHandlers(
            directory: directory, accounts: accounts, invites: invites, memberships: memberships, mailer: mailer,
            publicURL: publicURL)
        var feature = Feature("Organization", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [
            .viewMembers, .editMembers, .changeRoles, .removeMembers, .renameOrganization, .requireSecondFactor,
            .deleteOrganization, .setSchoolDays, .invite, .importPeople, .belong,
        ]
        feature.storage.directoryMigrations = OrganizationMigrations.directory
        feature.storage.schoolMigrations = OrganizationMigrations.school
        feature.endpoints.commands =
            organizationHandlers.commands + memberHandlers.commands + inviteHandlers.commands
            + mailHandlers.commands
            + StaffSecurity(memberships: memberships).commands + families.commands
            + ClosingHandlers(organizations: organizations, removal: removal).commands + CalendarHandlers.commands
        let ownPicture = OwnPicture(images: images)
        feature.endpoints.commands.append(ownPicture.command)
        let logo = LogoHandlers(images: images)
        feature.endpoints.commands.append(logo.command)
        feature.endpoints.downloads = [ownPicture.download, logo.download]
        // Programs with an API token cannot change a person's picture.
        feature.access.personalAreas = ["profile"]
        feature.pages.accountPicture = { context, sql in
            guard let id = context.caller.membership?.personId else { return nil }
            return try PeopleRepository.portrait(of: id, in: sql).map { PeopleTable.picture($0, of: id) }
        }
        feature.jobs.append(removal.job)
        feature.storage.records = OrganizationRecordStore.kinds + [LogoRepository.records]
        feature.endpoints.queries =
            organizationHandlers.queries + memberHandlers.queries + inviteHandlers.queries
            + mailHandlers.queries + families.queries + CalendarHandlers.queries
        feature.pages.screens =
            OrganizationScreens(organizations: organizations).routes
            + MembersScreen(memberships: memberships).routes
            + InviteScreens(
                invites: invites, qr: qr, publicURL: publicURL, mail: MailInviteScreens(handlers: mailHandlers),
                classrooms: inviteClassrooms
            ).routes
            + [ClosingScreen().route] + FamilyScreens(handlers: families).routes + CalendarScreen.routes
        feature.pages.sections = [
            PageSection(.home, order: 40, permission: .invite, topics: { _ in ["members"] }) {
                try await MembersScreen(memberships: memberships).home($1)
            },
            ownPicture.section,
        ]
        feature.pages.agenda = [CalendarScreen.agenda]
        feature.pages.navigation = [
            NavigationEntry(
                .school, "settings.organization", icon: .home, path: "/settings/organization", order: 2,
                permission: .belong),
            NavigationEntry(
                .school, "settings.members", icon: .people, path: "/settings/members", order: 4,
                permission: .viewMembers),
            NavigationEntry(
                .school, "settings.invites", icon: .send, path: "/settings/invites", order: 6,
                permission: .invite),
            NavigationEntry(
                .members, "families.staffTitle", icon: .people, path: FamilyScreens.staffPath, order: 30,
                permission: .invite),
            NavigationEntry(
                .school, "calendar.title", icon: .calendar, path: CalendarScreen.path, order: 60,
                permission: .setSchoolDays),
            NavigationEntry(
                .records, "closing.title", icon: .trash, path: ClosingScreen.path, order: 90,
                permission: .deleteOrganization),
            NavigationEntry(
                .account, "organization.switch", icon: .swap, path: "/organizations", order: 20),
        ]
        feature.pages.searchSources = [MemberSearch.source]
        feature.notifications.kinds = [
            NotificationKind("members.joined", icon: .people) { logged, context in
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
        feature.access.titles = [
            .viewMembers: "right.members.view", .editMembers: "right.members.edit",
            .changeRoles: "right.members.changeRole",
            .removeMembers: "right.members.remove", .renameOrganization: "right.organization.rename",
            .invite: "right.invites.manage", .importPeople: "right.people.import",
            .belong: "right.school.belong", .requireSecondFactor: "right.organization.secondFactor",
            .deleteOrganization: "right.organization.delete", .setSchoolDays: "right.organization.schoolDays",
        ]
        feature.audit.title = "audit.group.organization"
        feature.audit.kinds = auditKinds
        feature.audit.names = [
            NameSource("person") { ids, sql in try PeopleRepository.names(ids, in: sql) }
        ]
        return feature
    }

    private static let auditKinds = [
        AuditKind("organization.founded", "audit.organization.founded"),
        AuditKind("organization.renamed", "audit.organization.renamed"),
        AuditKind("organization.logoSet", "audit.organization.logoSet"),
        AuditKind("organization.logoRemoved", "audit.organization.logoRemoved"),
        AuditKind("organization.secondFactor", "audit.organization.secondFactor"),
        AuditKind("organization.daysOffAdded", "audit.organization.daysOffAdded", .value("name")),
        AuditKind("organization.daysOffRemoved", "audit.organization.daysOffRemoved", .value("name")),
        AuditKind("organization.weekdaysSet", "audit.organization.weekdaysSet"),
        AuditKind("organization.closed", "audit.organization.closed"),
        AuditKind("organization.calledBack", "audit.organization.calledBack"),
        AuditKind("invites.created", "audit.invites.created", .word("role", prefix: "role.")),
        AuditKind("invites.sent", "audit.invites.sent", .word("role", prefix: "role.")),
        AuditKind("invites.resent", "audit.invites.resent", .word("role", prefix: "role.")),
        AuditKind("invites.revoked", "audit.invites.revoked"),
        AuditKind(
            "members.joined", "audit.members.joined", .name("person", of: "person"), .word("role", prefix: "role.")),
        AuditKind(
            "members.roleChanged", "audit.members.roleChanged", .name("person", of: "person"),
            .word("role", prefix: "role.")),
        AuditKind("members.updated", "audit.members.updated", .name("person", of: "person")),
        AuditKind("members.addressAsked", "audit.members.addressAsked", .name("person", of: "person")),
        AuditKind("members.addressChanged", "audit.members.addressChanged", .name("person", of: "person")),
        AuditKind(
            "families.linked", "audit.families.linked", .name("person", of: "person"), .name("child", of: "person")),
        AuditKind("members.removed", "audit.members.removed", .name("person", of: "person")),
        AuditKind("members.seen", "audit.members.seen"),
        AuditKind("member.seen", "audit.member.seen", .name("person", of: "person")),
    ]
}
