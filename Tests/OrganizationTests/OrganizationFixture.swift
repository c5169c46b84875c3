import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import OrganizationTesting
import Synchronization
import TestKit
import Testing

@testable import Organization

/// The accounts that a test made.
final class KnownAccounts: AccountReading {
    private let known = Mutex<[UUID: Account]>([:])

    func add(_ account: Account) { known.withLock { $0[account.id] = account } }
    func accounts(_ ids: [UUID]) async throws -> [UUID: Account] {
        known.withLock { known in known.filter { ids.contains($0.key) } }
    }
    func account(email: String) async throws -> Account? {
        known.withLock { $0.values.first { $0.email == email } }
    }
}

/// Changes email addresses at once, or only records the requests.
final class NotedAddresses: AddressChanging {
    private let state = Mutex<(noted: [UUID: String], answer: AddressChange)>(([:], .waiting))
    /// The address that was requested for each account.
    var noted: [UUID: String] { state.withLock { $0.noted } }
    func answer(_ change: AddressChange) { state.withLock { $0.answer = change } }

    func changeAddress(of accountId: UUID, to email: String, in context: CommandContext) throws -> AddressChange {
        state.withLock { state in
            state.noted[accountId] = email
            return state.answer
        }
    }
}

/// A QR encoder that returns one dark module and records the text.
final class OneDot: QRCodeEncoder {
    private let drawn = Mutex<[String]>([])
    var texts: [String] { drawn.withLock { $0 } }
    func modules(of text: String) throws -> [[Bool]] {
        drawn.withLock { $0.append(text) }
        return [[true]]
    }
}

/// Two classrooms, and the people who were added to them.
final class TwoClassrooms: ClassroomPlacing {
    let birch = OfferedClassroom(id: UUID(), name: "Birch")
    let cedar = OfferedClassroom(id: UUID(), name: "Cedar")
    private let state = Mutex<[UUID: Set<UUID>]>([:])
    /// The classrooms to which each person was added.
    var placed: [UUID: Set<UUID>] { state.withLock { $0 } }

    func classrooms(offeredTo membership: ActiveMembership, in sql: any SQLReading) throws -> [OfferedClassroom] {
        [birch, cedar]
    }
    func place(_ personId: UUID, in classroomIds: [UUID], _ sql: any SQLWriting) throws {
        state.withLock { $0[personId, default: []].formUnion(classroomIds) }
    }
}

/// The Organization block in its own environment, with accounts that found and join schools.
struct OrganizationFixture {
    let environment: TestEnvironment
    let accounts = KnownAccounts()
    let addresses = NotedAddresses()
    let qr = OneDot()
    let classrooms = TwoClassrooms()
    let mailer: RememberingMailer
    /// The mails that were posted.
    var mails: [Mail] { mailer.mails }
    let memberships: DirectoryMembershipService
    let organizations: DirectoryOrgService
    /// The directory, as the services read it.
    let directory: InterruptedDatabase
    let feature: Feature

    init() async throws {
        var made:
            (DirectoryMembershipService, DirectoryOrgService, InterruptedDatabase, Feature, RememberingMailer)?
        let (accounts, addresses, qr, classrooms) = (accounts, addresses, qr, classrooms)
        environment = try await TestEnvironment { ports in
            let directory = InterruptedDatabase(ports.directory)
            let memberships = DirectoryMembershipService(
                directory: directory, accounts: accounts, schools: ports.schools, clock: ports.clock, ids: ports.ids
            )
            let organizations = DirectoryOrgService(
                directory: directory, schools: ports.schools, memberships: memberships, clock: ports.clock,
                ids: ports.ids)
            let feature = try OrganizationFeature.make(
                organizations: organizations, memberships: memberships,
                invites: DirectoryInviteService(
                    directory: directory, schools: ports.schools, memberships: memberships, clock: ports.clock,
                    ids: ports.ids, hasher: ports.hasher, classrooms: classrooms),
                qr: qr, publicURL: "https://tower.example", directory: directory, mailer: ports.mailer,
                letter: InviteLetter(
                    mailer: ports.mailer, hasher: ports.hasher, publicURL: "https://tower.example"),
                accounts: accounts, addresses: addresses, classrooms: classrooms, images: TestImages(),
                removal: SchoolRemoval(
                    directory: directory, files: ports.files, blobs: ports.blobs, kinds: ports.allFeatures.records,
                    stores: [], memberships: memberships, clock: ports.clock))
            made = (memberships, organizations, directory, feature, ports.mailer)
            return [feature]
        }
        guard let made else { throw TestEnvironment.Unknown(description: "no block was made") }
        (memberships, organizations, directory, feature, mailer) = made
    }

    // MARK: - People

    func account(_ name: String = "Ana Kovač", device: UUID? = nil) -> SignedInAccount {
        let made = environment.makeAccount(
            email: "\(environment.ids.randomBytes(4).map(String.init).joined())@maple.example", name: name)
        accounts.add(Account(id: made.id, email: made.email, name: name))
        return device.map { on($0, made) } ?? made
    }

    /// Returns the same account on another device.
    func on(_ device: UUID, _ account: SignedInAccount) -> SignedInAccount {
        SignedInAccount(
            id: account.id, sessionId: environment.ids.id(at: environment.clock.now), deviceId: device,
            email: account.email,
            name: account.name)
    }

    /// Returns the account as a caller in the school that is active for it now.
    func caller(_ account: SignedInAccount) async throws -> Caller {
        Caller(account: account, membership: try await memberships.activeMembership(of: account))
    }

    func again(_ caller: Caller) async throws -> Caller {
        guard let account = caller.account else { return caller }
        return try await self.caller(account)
    }

    /// Founds a school and returns its founder.
    func founder(_ school: String = "Maple Montessori", _ name: String = "Ana Kovač") async throws -> Caller {
        let account = account(name)
        try await found(school, by: account)
        return try await caller(account)
    }

    @discardableResult
    func found(_ school: String, by account: SignedInAccount) async throws -> Organization {
        try await environment.execute(
            CreateOrganization.self, ["name": .text(school), "timeZone": "America/Toronto"],
            as: Caller(account: account, membership: nil))
    }

    func invite(_ role: Role = .guide, person: UUID? = nil, by caller: Caller) async throws -> Invite {
        var input: [String: InputValue] = ["role": .text(role.rawValue)]
        if let person { input["personId"] = .id(person) }
        return try await environment.execute(CreateInvite.self, .object(input), as: caller)
    }

    @discardableResult
    func redeem(_ code: String, as account: SignedInAccount) async throws -> Membership {
        try await environment.execute(
            RedeemInvite.self, ["code": .text(code)], as: try await caller(account))
    }

    /// Lets an account join the founder's school with a code.
    func member(_ role: Role, of founder: Caller, _ name: String = "Ben Ito") async throws -> Caller {
        let account = account(name)
        try await redeem(invite(role, by: founder).code, as: account)
        return try await caller(account)
    }

    func changes(in caller: Caller) async throws -> [LoggedChange] {
        guard let id = caller.membership?.organization.id else { return [] }
        return try await environment.schools.school(id).read {
            try ChangeLog.changes(after: 0, limit: 1000, in: $0)
        }
    }
}
