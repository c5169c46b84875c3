import ClassroomInterface
import FeatureKit
import OrganizationInterface
import Shell

extension Wirings {
    static let shell: BlockWiring? = BlockWiring("Shell", needs: ["Auth", "Organization", "Classroom"]) {
        services in
        let accounts = try services.require((any AccountAdministration).self)
        let register = try services.require((any SchoolRegister).self)
        return try ShellFeature.make(
            founding: services.require(), classrooms: services.require(), students: services.require(),
            hasAccounts: { try await accounts.hasAccounts() },
            organizationCount: { [directory = services.ports.directory] accountId in
                try await directory.read { try register.seats(ofAccount: accountId, in: $0).count }
            })
    }
}
