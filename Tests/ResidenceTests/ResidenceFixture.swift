import AuthInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import OrganizationTesting
import ResidenceModel
import Synchronization
import TestKit
import Testing

@testable import Residence

/// The block in a school of its own, with an admin, two wardens and as many students as a test wants.
struct ResidenceFixture: SchoolFixture {
    let school: TestSchool
    let roles = ResidenceRoles()
    let families = LinkedFamilies()
    /// The school that the block's job looks up.
    private let place = Place()
    let sessions = GateSessions()
    let codes = CameraCodes()
    let feature: Feature
    let admin: Caller
    let warden: Caller
    let otherWarden: Caller

    init(clock: FixedClock = FixedClock()) async throws {
        feature = try ResidenceFeature.make(
            people: TestPeople(), roles: roles, families: families, printer: LinePrinter(),
            gates: GatePorts(
                sessions: sessions, hasher: FastHasher(), ids: CountingIDs(), qr: TestQRCode(), codes: codes,
                publicURL: "https://tower.example"), school: place.find)
        school = try await TestSchool([TestPeople.feature(), feature], clock: clock)
        place.set(school.organization)
        admin = try await Self.person(.admin, "Ada Admin", school, roles)
        warden = try await Self.person(.warden, "Ines Costa", school, roles)
        otherWarden = try await Self.person(.warden, "Olga Other", school, roles)
    }

    /// Sets the clock to a time of a day in November 2026, in the school's time zone.
    func set(_ clock: FixedClock, to time: String, on day: String = "2026-11-12") throws {
        let zone = try #require(TimeZone(identifier: school.organization.timeZone))
        clock.set(try #require(ClockTime(time)).instant(on: try #require(Day(day)), in: zone))
    }

    private static func person(
        _ role: Role, _ name: String, _ school: TestSchool, _ roles: ResidenceRoles
    ) async throws -> Caller {
        let caller = try await TestPeople.add(school.makeCaller(role), name, to: school.database)
        roles.give(role, to: id(caller))
        return caller
    }

    var today: Day { Day(school.clock.now, in: school.organization.resolvedTimeZone) }

    func person(_ role: Role, _ name: String) async throws -> Caller {
        try await Self.person(role, name, school, roles)
    }

    func student(_ name: String) async throws -> Caller { try await Self.person(.student, name, school, roles) }

    func parent(_ name: String, of child: Caller) async throws -> Caller {
        let caller = try await Self.person(.parent, name, school, roles)
        families.add(parent: Self.id(caller), of: Self.id(child), named: "Child")
        return caller
    }

    /// A residence that `warden` runs.
    func residence(
        _ name: String = "Birch House", wardens: [Caller]? = nil, kitchen: [Caller] = []
    ) async throws -> Residence {
        try await school.execute(
            CreateResidence.self,
            [
                "name": .text(name), "schoolNightCurfew": .text("20:00"), "weekendCurfew": .text("22:00"),
                "wardenIds": .list((wardens ?? [warden]).map { .id(Self.id($0)) }),
                "kitchenIds": .list(kitchen.map { .id(Self.id($0)) }),
            ], as: admin)
    }

    func room(_ number: String, beds: Int = 2, in residence: Residence) async throws -> Room {
        try await school.execute(
            CreateRoom.self,
            [
                "pgId": .id(residence.id), "number": .text(number), "type": .text("Twin"),
                "bedCount": .number(Double(beds)),
            ], as: warden)
    }

    @discardableResult
    func moveIn(
        _ student: Caller, _ residence: Residence, room: Room? = nil, on day: Day? = nil
    ) async throws -> ResidenceMember {
        var fields: [String: InputValue] = ["pgId": .id(residence.id), "studentId": .id(Self.id(student))]
        fields["roomId"] = room.map { .id($0.id) }
        fields["firstDay"] = day.map { .text($0.description) }
        return try await school.execute(MoveIn.self, .object(fields), as: warden)
    }

    @discardableResult
    func assign(
        _ student: Caller, _ room: Room?, in residence: Residence, as caller: Caller? = nil
    ) async throws -> ResidenceMember {
        var fields: [String: InputValue] = ["pgId": .id(residence.id), "studentId": .id(Self.id(student))]
        fields["roomId"] = room.map { .id($0.id) }
        return try await school.execute(AssignRoom.self, .object(fields), as: caller ?? warden)
    }

    func rooms(_ residence: Residence) async throws -> [RoomListItem] {
        try await school.answer(ListRooms.self, ["pgId": .id(residence.id)], as: warden).items
    }
}

/// The only school of a test.
private final class Place: Sendable {
    private let school = Mutex<Organization?>(nil)

    func set(_ organization: Organization) { school.withLock { $0 = organization } }

    @Sendable func find(_ id: UUID) async throws -> Organization? {
        school.withLock { $0.flatMap { $0.id == id ? $0 : nil } }
    }
}

/// Who holds which role, in memory.
final class ResidenceRoles: RoleDirectory {
    private let held = Mutex<[UUID: Set<Role>]>([:])

    func give(_ role: Role, to personId: UUID) { _ = held.withLock { $0[personId, default: []].insert(role) } }

    func roles(of personIds: [UUID], in orgId: UUID) async throws -> [UUID: Set<Role>] {
        held.withLock { held in held.filter { personIds.contains($0.key) } }
    }

    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>] { held.withLock { $0 } }
}

/// A printer that writes a document as text, with each block on a line.
struct LinePrinter: DocumentPrinting {
    func pdf(of document: PrintedDocument) async throws -> [UInt8] {
        let blocks = document.blocks.map { block in
            switch block {
            case .heading(let text), .text(let text), .note(let text): text
            case .items(let items): items.joined(separator: "\n")
            case .table(let table):
                ([table.columns.map(\.title)] + table.rows).map { $0.joined(separator: " | ") }
                    .joined(separator: "\n")
            case .badges(let badges): badges.map(\.name).joined(separator: "\n")
            case .writing(let title, let lines): "\(title): \(lines) lines"
            }
        }
        return Array(([document.title, document.subtitle ?? ""] + blocks).joined(separator: "\n").utf8)
    }
}

/// Notes the sessions that gates start.
final class GateSessions: NarrowSessions {
    private let all = Mutex<[NarrowSession]>([])
    var started: [NarrowSession] { all.withLock { $0 } }

    func start(_ session: NarrowSession, in context: inout CommandContext) throws {
        all.withLock { $0.append(session) }
    }
    func narrow(to scopes: Set<TokenScope>, in context: CommandContext) throws { throw unexpectedCall() }
    func open(_ scopes: Set<TokenScope>, until instant: Date, in context: CommandContext) throws {
        throw unexpectedCall()
    }
    func close(in context: CommandContext) throws { throw unexpectedCall() }
}

/// Reads a picture's bytes as the text of its code.
struct CameraCodes: QRCodeDecoder {
    func texts(in picture: FileContent) async throws(ImageFault) -> [String] {
        guard let bytes = try? picture.bytes(), !bytes.isEmpty else { throw .notAnImage }
        return [String(decoding: bytes, as: UTF8.self)]
    }
}
