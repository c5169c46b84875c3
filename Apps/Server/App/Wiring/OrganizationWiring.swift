import AuthInterface
import Domain
import FeatureKit
import Foundation
import Integrations
import Organization
import OrganizationInterface

extension Wirings {
    static let organization: BlockWiring? = BlockWiring("Organization", needs: ["Auth"]) { services in
        let ports = services.ports
        services.offer(DirectoryMembershipService.self) {
            try DirectoryMembershipService(
                directory: ports.directory, accounts: services.require((any AccountReading).self),
                schools: ports.schools, clock: ports.clock, ids: ports.ids,
                defaults: services.find((any DefaultClassrooms).self))
        }
        services.offer((any MembershipResolver).self) { try services.require(DirectoryMembershipService.self) }
        services.offer((any GuideService).self) { try services.require(DirectoryMembershipService.self) }
        services.offer((any RoleAssigning).self) { try services.require(DirectoryMembershipService.self) }
        services.offer((any RoleDirectory).self) { try services.require(DirectoryMembershipService.self) }

        services.offer(DirectoryOrgService.self) {
            try DirectoryOrgService(
                directory: ports.directory, schools: ports.schools, memberships: services.require(),
                clock: ports.clock, ids: ports.ids)
        }
        services.offer((any SchoolFounding).self) { try services.require(DirectoryOrgService.self) }
        services.offer((any SchoolRegister).self) { try services.require(DirectoryOrgService.self) }
        services.offer((any AccountMemberships).self) { try services.require(DirectoryOrgService.self) }

        services.offer((any FamilyLinks).self) { SQLFamilyLinks() }
        services.offer((any PeopleService).self) { SQLPeopleService() }
        services.offer((any PeopleImporting & PeopleService).self) { SQLPeopleService() }
        services.offer(InviteLetter.self) {
            InviteLetter(mailer: ports.mailer, hasher: ports.hasher, publicURL: ports.publicURL)
        }
        services.offer((any GuardianService).self) { SQLGuardianService(letter: try services.require()) }
        services.offer((any FamilyImporting).self) { SQLFamilyImport() }
        services.offer((any SchoolCalendar).self) { SQLSchoolCalendar() }
        services.offer((any SchoolLogos).self) { SQLSchoolLogos() }

        services.offer(SchoolRemoval.self) {
            let allFeatures = services.allFeatures
            return SchoolRemoval(
                directory: ports.directory, files: ports.files, blobs: ports.blobs, kinds: allFeatures.records,
                stores: ports.stores + allFeatures.stores, memberships: try services.require(), clock: ports.clock)
        }
        services.offer((any SchoolAdministration).self) {
            try DirectoryAdministration(
                organizations: services.require(), memberships: services.require(), removal: services.require(),
                accounts: services.require())
        }
    } build: { services in
        let ports = services.ports
        let placing = try services.find((any ClassroomPlacing).self)
        return try OrganizationFeature.make(
            organizations: services.require(DirectoryOrgService.self), memberships: services.require(),
            invites: DirectoryInviteService(
                directory: ports.directory, schools: ports.schools, memberships: services.require(),
                clock: ports.clock, ids: ports.ids, hasher: ports.hasher, classrooms: placing),
            qr: LibQRCode(), publicURL: ports.publicURL, directory: ports.directory, mailer: ports.mailer,
            letter: services.require(), accounts: services.require(), addresses: services.require(),
            classrooms: placing, images: ports.images,
            removal: services.require())
    }
}

private struct DirectoryAdministration: SchoolAdministration {
    let organizations: DirectoryOrgService
    let memberships: DirectoryMembershipService
    let removal: SchoolRemoval
    let accounts: any AccountReading

    func schools() async throws -> [Organization] { try await organizations.all() }
    func adopt(_ files: () async throws -> [UUID]) async throws {
        try await organizations.adopt(files, accounts: accounts)
    }
    func remove(_ id: UUID) async throws -> Bool { try await removal.remove(id) }
    func refuseClosed(_ id: UUID, in sql: any SQLReading) throws { try organizations.refuseClosed(id, in: sql) }
    func clearMembershipCache() { memberships.forgetActive() }
}
