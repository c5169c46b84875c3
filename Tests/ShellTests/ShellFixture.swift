import ClassroomInterface
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

@testable import Shell

/// Records the classrooms and students that were created, and fails on any other call.
final class RecordedClassrooms: ClassroomService, StudentService {
    struct School: Sendable, Equatable {
        var classrooms: [Classroom] = []
        var students: [StudentDraft] = []
    }
    private let schools = Mutex<[UUID: School]>([:])

    subscript(_ orgId: UUID) -> School { schools.withLock { $0[orgId] ?? School() } }

    func add(_ name: String, to orgId: UUID) {
        let classroom = Classroom(
            id: UUID(), orgId: orgId, name: name, avatarTint: .leaf, guideIds: [], studentIds: [], createdAt: Date()
        )
        schools.withLock { $0[orgId, default: School()].classrooms.append(classroom) }
    }

    func classrooms(visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> [ClassroomSummary] {
        self[membership.organization.id].classrooms.map {
            ClassroomSummary(id: $0.id, name: $0.name, avatarTint: $0.avatarTint, studentCount: 0)
        }
    }

    func create(_ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom {
        try context.require(.manageClassrooms)
        let membership = try context.membership
        let classroom = Classroom(
            id: context.newId(), orgId: membership.organization.id, name: draft.name,
            avatarTint: draft.avatarTint ?? .sand, guideIds: [membership.personId], studentIds: [],
            createdAt: context.now)
        context.sql.afterCommit { [self] in
            schools.withLock { $0[classroom.orgId, default: School()].classrooms.append(classroom) }
        }
        return classroom
    }

    func create(_ draft: StudentDraft, in context: inout CommandContext) throws -> Student {
        try context.require(.manageStudents)
        let orgId = try context.membership.organization.id
        context.sql.afterCommit { [self] in
            schools.withLock { $0[orgId, default: School()].students.append(draft) }
        }
        return Student(
            id: context.newId(), orgId: orgId, firstName: draft.firstName, lastName: draft.lastName,
            displayName: draft.firstName, avatarTint: draft.avatarTint ?? .sand, createdAt: context.now)
    }

    func classroom(_ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> Classroom {
        throw unexpectedCall()
    }
    func classroomIds(in sql: any SQLReading) throws -> [UUID] { throw unexpectedCall() }
    func classroomIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> [UUID] { throw unexpectedCall() }
    func studentIds(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] { throw unexpectedCall() }
    func update(_ id: UUID, _ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom {
        throw unexpectedCall()
    }
    func assign(guides: [UUID], to id: UUID, in context: inout CommandContext) throws -> Classroom {
        throw unexpectedCall()
    }
    func students(of classroomId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        throw unexpectedCall()
    }
    func student(_ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> Student {
        throw unexpectedCall()
    }
    func update(_ id: UUID, _ draft: StudentDraft, in context: inout CommandContext) throws -> Student {
        throw unexpectedCall()
    }
    func delete(_ id: UUID, in context: inout CommandContext) throws { throw unexpectedCall() }
    func add(_ id: UUID, to classroomId: UUID, in context: inout CommandContext) throws { throw unexpectedCall() }
    func remove(_ id: UUID, from classroomId: UUID, in context: inout CommandContext) throws {
        throw unexpectedCall()
    }
}

/// The block in a test environment.
struct ShellFixture {
    let environment: TestEnvironment
    let founding: TestFounding
    let classes = RecordedClassrooms()
    let sessions: LiveSessionService
    /// The number of organizations of each account.
    let organizations: OrganizationCounts

    final class OrganizationCounts: Sendable {
        private let counts = Mutex<[UUID: Int]>([:])
        subscript(_ account: UUID) -> Int {
            get { counts.withLock { $0[account] ?? 0 } }
            set { counts.withLock { $0[account] = newValue } }
        }
    }

    init(
        isNewServer: Bool = false,
        widget: WidgetSources = WidgetSources(work: [], calendar: [], unread: nil, families: LinkedFamilies())
    ) async throws {
        let (classes, organizations) = (classes, OrganizationCounts())
        self.organizations = organizations
        var founding: TestFounding?
        environment = try await TestEnvironment { ports in
            let made = TestFounding(schools: ports.schools)
            founding = made
            return [
                try TestPeople.feature(),
                try ShellFeature.make(
                    founding: made, classrooms: classes, students: classes,
                    hasAccounts: { !isNewServer }, organizationCount: { organizations[$0] }, widget: widget),
            ]
        }
        guard let founding else { throw TestEnvironment.Unknown(description: "no block was made") }
        self.founding = founding
        sessions = LiveSessionService(classrooms: classes, organizationCount: { organizations[$0] })
    }

    func newcomer() -> Caller { Caller(account: environment.makeAccount(), membership: nil) }

    /// The founder with the membership of the new school.
    func inside(_ founded: Founding, as caller: Caller) -> Caller {
        Caller(
            account: caller.account,
            membership: ActiveMembership(
                organization: founded.organization, personId: founded.personId, roles: [.superAdmin]))
    }

    func route(_ caller: Caller, code: String? = nil) async throws -> InitialRoute {
        try await sessions.determineInitialRoute(pendingCode: code, environment.context(of: caller))
    }

    func start(_ caller: Caller, code: String? = nil) async throws -> String? {
        try await environment.redirect("/", as: caller, query: code.map { ["code": $0] } ?? [:])
    }

    @discardableResult
    func run(_ name: String, _ input: InputValue = [:], as caller: Caller, key: String? = nil) async throws
        -> Pipeline.Outcome
    {
        try await environment.execute("onboarding.\(name)", input, as: caller, key: key, isForm: true)
    }

    /// Fills in the wizard up to its last step.
    func fillIn(_ caller: Caller, children: [String] = []) async throws {
        try await run("school", ["name": "Maple School", "avatarTint": "sky"], as: caller)
        try await run("classroom", ["name": "Maple room", "avatarTint": "clay"], as: caller)
        for child in children {
            try await run("addChild", ["firstName": .text(child), "lastName": "Roy"], as: caller)
        }
    }
}
