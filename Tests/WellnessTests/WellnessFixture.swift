import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import OrganizationTesting
import ScreenKit
import Synchronization
import TestKit
import Testing

@testable import Wellness

/// The block in a school with a child, the child's mother, and members of all roles.
struct WellnessFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let roles = TestRoleDirectory()
    let families = LinkedFamilies()
    let clock: FixedClock
    /// The child whose check-ins the tests are about.
    let noah: Caller
    /// Another child.
    let mia: Caller
    /// A guide with whom Noah may share.
    let ruth: Caller
    /// Another guide.
    let olga: Caller
    let admin: Caller
    let owner: Caller
    let warden: Caller
    /// Noah's mother.
    let sofia: Caller
    /// The mother of another child.
    let ines: Caller

    init(clock: FixedClock = FixedClock()) async throws {
        self.clock = clock
        feature = try WellnessFeature.make(roles: roles, people: TestPeople(), families: families)
        school = try await TestSchool([TestPeople.feature(), feature], clock: clock)
        let (school, roles) = (school, roles)
        func person(_ role: Role, _ name: String) async throws -> Caller {
            let caller = try await TestPeople.add(school.makeCaller(role), name, to: school.database)
            roles.set([role], of: Self.id(caller))
            return caller
        }
        noah = try await person(.student, "Noah Tremblay")
        mia = try await person(.student, "Mia Pereira")
        ruth = try await person(.guide, "Ruth Adler")
        olga = try await person(.guide, "Olga Other")
        admin = try await person(.admin, "Ada Admin")
        owner = try await person(.superAdmin, "Otto Owner")
        warden = try await person(.warden, "Wanda Warden")
        sofia = try await person(.parent, "Sofia Tremblay")
        ines = try await person(.parent, "Ines Pereira")
        families.add(parent: Self.id(sofia), of: Self.id(noah), named: "Noah")
        families.add(parent: Self.id(ines), of: Self.id(mia), named: "Mia")
    }

    /// All members but the child whose check-ins are at stake.
    var others: [(name: String, caller: Caller)] {
        [
            ("another student", mia), ("a guide", ruth), ("another guide", olga), ("an admin", admin),
            ("the super admin", owner), ("a warden", warden), ("the child's parent", sofia),
            ("another child's parent", ines),
        ]
    }

    @discardableResult
    func checkIn(
        _ mood: Mood = .good, note: String? = nil, sleep: Sleep? = nil, energy: Energy? = nil,
        as child: Caller? = nil
    ) async throws -> CheckIn {
        clock.advance(by: 60)
        var input: [String: InputValue] = ["mood": .text(mood.rawValue)]
        if let note { input["note"] = .text(note) }
        if let sleep { input["sleep"] = .text(sleep.rawValue) }
        if let energy { input["energy"] = .text(energy.rawValue) }
        return try await school.execute(MakeCheckIn.self, .object(input), as: child ?? noah)
    }

    func share(_ one: CheckIn? = nil, with adult: Caller) async throws {
        var input: [String: InputValue] = ["adultId": .id(Self.id(adult))]
        if let one { input["checkInId"] = .id(one.id) }
        try await school.execute(ShareCheckIns.self, .object(input), as: noah)
    }

    func endSharing(_ one: CheckIn? = nil, with adult: Caller) async throws {
        var input: [String: InputValue] = ["adultId": .id(Self.id(adult))]
        if let one { input["checkInId"] = .id(one.id) }
        try await school.execute(EndSharing.self, .object(input), as: noah)
    }

    /// Sets the choices of the school.
    func set(
        isOn: Bool = true, telling adults: [Caller] = [], parents: Bool = false, advice: String = "",
        numbers: String = ""
    ) async throws {
        try await school.execute(
            SetWellness.self,
            [
                "isOn": .bool(isOn), "staffIds": .ids(adults.map(Self.id)), "allowsParents": .bool(parents),
                "advice": .text(advice), "numbers": .text(numbers),
            ], as: admin)
    }

    func ask(_ note: String = "") async throws -> HelpRequest {
        try await school.execute(AskForHelp.self, ["note": .text(note)], as: noah)
    }

    func outline(_ path: String, as caller: Caller) async throws -> String {
        try await school.environment.outline(path, as: caller).description
    }

    func kinds() async throws -> [String] { try await school.changes().map(\.change.kind) }
}

/// The roles of people, in memory.
final class TestRoleDirectory: RoleDirectory {
    private let all = Mutex<[UUID: Set<Role>]>([:])

    func set(_ roles: Set<Role>, of personId: UUID) { all.withLock { $0[personId] = roles.isEmpty ? nil : roles } }

    func roles(of personIds: [UUID], in orgId: UUID) async throws -> [UUID: Set<Role>] {
        all.withLock { $0.filter { personIds.contains($0.key) } }
    }
    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>] { all.withLock { $0 } }
}

extension WellnessFixture {
    /// The block's sections of a person's home page, as an outline.
    func home(of caller: Caller, language: Language = .english) async throws -> String {
        let request = ScreenRequest(
            context: try await school.context(of: caller, language: language), path: "/home", parameters: [:],
            query: [:])
        var body: [Component] = []
        for section in feature.pages.sections where section.subject.name == "home" && caller.may(section.permission)
        {
            body += try await section.make(Self.id(caller), request)
        }
        return Outline(Screen(title: "Home", body: body)).description
    }
}
