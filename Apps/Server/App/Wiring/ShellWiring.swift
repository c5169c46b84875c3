import ClassroomInterface
import FeatureKit
import OrganizationInterface
import Shell
import ShellInterface

extension Wirings {
    static let shell: BlockWiring? = BlockWiring("Shell", needs: ["Auth", "Organization"]) {
        services in
        let accounts = try services.require((any AccountAdministration).self)
        let accountMemberships = try services.require((any AccountMemberships).self)
        return try ShellFeature.make(
            founding: services.require(), classrooms: services.find((any ClassroomService).self),
            students: services.find((any StudentService).self),
            hasAccounts: { try await accounts.hasAccounts() },
            organizationCount: { [directory = services.ports.directory] accountId in
                try await directory.read { try accountMemberships.memberships(ofAccount: accountId, in: $0).count }
            },
            widget: WidgetSources(
                work: services.all(), calendar: services.all(),
                unread: services.find((any UnreadCounting).self), families: services.require()))
    }
}
