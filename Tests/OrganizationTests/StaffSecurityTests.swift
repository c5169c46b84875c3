import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import TestKit
import Testing

@testable import Organization

@Suite("A school that requires a second factor of its staff")
struct StaffSecurityTests {
    let org: OrganizationFixture

    init() async throws { org = try await OrganizationFixture() }

    /// Returns the caller after the session has shown a second factor.
    private func proven(_ caller: Caller) throws -> Caller {
        let account = try #require(caller.account)
        return Caller(
            account: SignedInAccount(
                id: account.id, sessionId: account.sessionId, deviceId: account.deviceId, email: account.email,
                name: account.name, hasSecondFactor: true),
            membership: caller.membership)
    }

    private func require(_ isRequired: Bool, as caller: Caller) async throws {
        try await org.environment.execute(
            RequireSecondFactor.self, ["isRequired": .bool(isRequired)], as: caller)
    }

    @Test(
        "a super admin with a second factor can switch the rule on and off, and the school learns of it",
        .requirement("BY-1.23.c"))
    func onAndOff() async throws {
        let founder = try await org.founder()
        #expect(
            try await problem { try await require(true, as: founder) }
                == Problem(409, "organization.ownSecondFactorFirst"))
        try await require(true, as: proven(founder))
        let locked = try await org.again(founder)
        #expect(locked.needsSecondFactor)
        #expect(try await problem { try await require(false, as: locked) } == .secondFactorNeeded)
        try await require(false, as: proven(locked))
        #expect(try await !org.again(founder).needsSecondFactor)
        let school = try await org.environment.context(of: founder).school
        let changes = try await school.read { try ChangeLog.changes(after: 0, limit: 100, in: $0) }
        let told = changes.map(\.change).filter { $0.kind == "organization.secondFactor" }
        let reshaping = told.filter(\.reshapesAudience)
        #expect(reshaping.map { $0.payload["isRequired"] } == ["yes", "no"])
    }

    @Test(
        "staff without a second factor can open nothing of the school, and families need none",
        arguments: Role.allCases)
    func roles(_ role: Role) async throws {
        let founder = try await org.founder()
        try await require(true, as: proven(founder))
        let membership = try #require(try await org.again(founder).membership)
        let someone = Caller(
            account: org.account(),
            membership: ActiveMembership(
                organization: membership.organization, personId: membership.personId, roles: [role],
                requiresSecondFactor: membership.requiresSecondFactor))
        let isStaff = [.superAdmin, .admin, .guide, .warden].contains(role)
        #expect(someone.needsSecondFactor == isStaff)
        let context = try await org.environment.context(of: someone)
        for work in [
            { _ = try context.school }, { _ = try context.membership },
            { try PermissionService.authorize(page: .member(.belong), someone) },
        ] as [() throws -> Void] {
            let refusal = try await problem { try work() }
            #expect(refusal == (isStaff ? .secondFactorNeeded : nil))
        }
        let everything =
            org.feature.endpoints.commands.map(\.contract) + org.feature.endpoints.queries.map(\.contract)
        for contract in everything {
            guard case .member = contract.access else { continue }
            let refusal = try await problem { try PermissionService.authorize(page: contract.access, someone) }
            #expect((refusal == .secondFactorNeeded) == isStaff, "\(contract.name)")
        }
        let shown = try proven(someone)
        #expect(!shown.needsSecondFactor)
        _ = try await org.environment.context(of: shown).school
    }

    @Test("the rule of one school does not apply to another")
    func tenants() async throws {
        let founder = try await org.founder("Maple Montessori")
        try await require(true, as: proven(founder))
        let other = try await org.founder("Birch Montessori", "Bo Lind")
        #expect(!other.needsSecondFactor)
        _ = try await org.environment.context(of: other).school
        // In another school that they found, the password is enough; here they still need a second factor.
        let account = try #require(founder.account)
        try await org.found("Second School", by: account)
        #expect(try await !org.again(founder).needsSecondFactor)
        let first = try #require(founder.membership?.organization.id)
        try await org.environment.execute(
            SetActiveOrganization.self, ["organizationId": .id(first)], as: org.again(founder))
        #expect(try await org.again(founder).needsSecondFactor)
    }

    @Test("the school's settings show the switch only to those who may use it, in both languages")
    func screen() async throws {
        let founder = try await org.founder()
        let page = try await org.environment.outline("/settings/organization", as: founder)
        #expect(page.contains("Require two-step sign-in for staff"))
        let french = try await org.environment.outline("/settings/organization", as: founder, language: .french)
        #expect(french.contains("Exiger la connexion en deux étapes du personnel"))
        let membership = try #require(founder.membership)
        let guide = Caller(
            account: org.account(),
            membership: ActiveMembership(
                organization: membership.organization, personId: membership.personId, roles: [.guide]))
        #expect(
            try await !org.environment.outline("/settings/organization", as: guide).contains("two-step sign-in"))
    }
}
