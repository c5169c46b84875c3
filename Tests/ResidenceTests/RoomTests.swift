import Domain
import FeatureKit
import Foundation
import ResidenceModel
import ScreenKit
import TestKit
import Testing

@testable import Residence

@Suite("Rooms and residents")
struct RoomTests {
    private func code(_ work: () async throws -> Void) async throws -> String? {
        let found = try await problem(work)
        return found?.faults.first?.code ?? found?.code
    }

    @Test("a room is created, listed in the order of numbers, changed and deleted", .requirement("PG-1.06.a"))
    func rooms() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        for number in ["10", "9", "9 b"] { _ = try await fixture.room(number, in: residence) }
        #expect(try await fixture.rooms(residence).map(\.number) == ["9", "9 b", "10"])
        let room = try await fixture.room("11", beds: 3, in: residence)
        let changed = try await fixture.school.execute(
            UpdateRoom.self,
            ["pgId": .id(residence.id), "roomId": .id(room.id), "bedCount": .number(4)], as: fixture.warden)
        #expect(changed.bedCount == 4 && changed.number == "11" && changed.type == "Twin")
        try await fixture.school.execute(
            DeleteRoom.self, ["pgId": .id(residence.id), "roomId": .id(room.id)], as: fixture.warden)
        #expect(try await fixture.rooms(residence).map(\.number) == ["9", "9 b", "10"])
    }

    @Test("of two people who change one room or residence, the second is refused and shown both texts")
    func twoEditors() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        let room = try await fixture.room("11", in: residence)
        try await fixture.school.environment.expectVersions(
            of: "room", at: "/residences/\(residence.id.text)/rooms/\(room.id.text)/edit", changing: "details",
            as: fixture.warden, code: "residence.roomChanged")
        try await fixture.school.environment.expectVersions(
            of: "residence", at: "/residences/\(residence.id.text)/edit", changing: "name", as: fixture.admin,
            code: "residence.changed")
    }

    @Test("a save of a room that is repeated is accepted, and one with another content is refused")
    func repeatedSave() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        let room = try await fixture.room("11", in: residence)
        func save(_ type: String) async throws {
            try await fixture.school.execute(
                UpdateRoom.self,
                [
                    "pgId": .id(residence.id), "roomId": .id(room.id), "type": .text(type),
                    "version": .text(room.version.text),
                ], as: fixture.warden)
        }
        for _ in 1...2 { try await save("Single") }
        #expect(try await code { try await save("Suite") } == "residence.roomChanged")
    }

    @Test("a room's number is unique in its residence, whatever its case and blanks")
    func numbers() async throws {
        let fixture = try await ResidenceFixture()
        let (birch, linden) = (try await fixture.residence(), try await fixture.residence("Linden House"))
        let room = try await fixture.room("12 b", in: birch)
        #expect(try await code { _ = try await fixture.room("12B", in: birch) } == "residence.numberTaken")
        _ = try await fixture.room("12B", in: linden)
        _ = try await fixture.school.execute(
            UpdateRoom.self, ["pgId": .id(birch.id), "roomId": .id(room.id), "number": .text("12 B")],
            as: fixture.warden)
    }

    @Test("of thirty assignments of the last bed at the same moment one succeeds, and the others are told")
    func lastBed() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        let room = try await fixture.room("101", beds: 1, in: residence)
        var students: [Caller] = []
        for number in 1...30 {
            let student = try await fixture.student("Student \(number)")
            try await fixture.moveIn(student, residence)
            students.append(student)
        }
        let outcomes = try await withThrowingTaskGroup(of: String?.self) { group in
            for student in students {
                group.addTask {
                    try await problem { try await fixture.assign(student, room, in: residence) }?.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == "residence.roomFull" } == 29)
        #expect(try await fixture.rooms(residence).first?.occupiedBeds == 1)
    }

    @Test("a room cannot have fewer beds than residents, also those who move in later")
    func shrinking() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        let room = try await fixture.room("101", beds: 2, in: residence)
        try await fixture.moveIn(fixture.student("Ana Diaz"), residence, room: room)
        try await fixture.moveIn(
            fixture.student("Ben Ito"), residence, room: room, on: fixture.today.adding(days: 7))
        func shrink(to beds: Double) async throws -> String? {
            try await code {
                _ = try await fixture.school.execute(
                    UpdateRoom.self,
                    ["pgId": .id(residence.id), "roomId": .id(room.id), "bedCount": .number(beds)],
                    as: fixture.warden)
            }
        }
        #expect(try await shrink(to: 1) == "residence.bedsTaken")
        #expect(try await shrink(to: 2) == nil)
        let third = try await fixture.student("Cem Kaya")
        #expect(
            try await code { try await fixture.moveIn(third, residence, room: room) } == "residence.roomFull",
            "both beds are taken in a week")
    }

    @Test("deleting a room moves its residents in the same step, or refuses")
    func deleting() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        let (full, small, large) = try await (
            fixture.room("101", in: residence), fixture.room("102", beds: 1, in: residence),
            fixture.room("103", in: residence)
        )
        let students = [try await fixture.student("Ana Diaz"), try await fixture.student("Ben Ito")]
        for student in students { try await fixture.moveIn(student, residence, room: full) }
        func delete(into target: Room?) async throws -> String? {
            try await code {
                var fields: [String: InputValue] = ["pgId": .id(residence.id), "roomId": .id(full.id)]
                fields["moveTo"] = target.map { .id($0.id) }
                try await fixture.school.execute(DeleteRoom.self, .object(fields), as: fixture.warden)
            }
        }
        #expect(try await delete(into: nil) == "residence.roomOccupied")
        #expect(try await delete(into: small) == "residence.roomFull")
        #expect(try await fixture.rooms(residence).map(\.occupiedBeds) == [2, 0, 0], "nobody was moved by half")
        #expect(try await delete(into: large) == nil)
        #expect(try await fixture.rooms(residence).map(\.occupiedBeds) == [0, 2])
    }

    @Test("a resident who moves out frees the bed on that day, and the history keeps the days")
    func movingOut() async throws {
        let clock = FixedClock()
        let fixture = try await ResidenceFixture(clock: clock)
        let residence = try await fixture.residence()
        let room = try await fixture.room("101", beds: 1, in: residence)
        let (ana, ben) = (try await fixture.student("Ana Diaz"), try await fixture.student("Ben Ito"))
        let first = fixture.today
        try await fixture.moveIn(ana, residence, room: room)
        clock.advance(by: 3 * 86_400)
        try await fixture.school.execute(
            MoveOut.self, ["pgId": .id(residence.id), "studentId": .id(ResidenceFixture.id(ana))],
            as: fixture.warden)
        let moved = try await fixture.moveIn(ben, residence, room: room)
        #expect(moved.roomId == room.id)
        let stays = try await fixture.school.database.read {
            try StayRepository.history(of: ResidenceFixture.id(ana), in: $0)
        }
        #expect(stays.map(\.firstDay) == [first] && stays.map(\.leftOn) == [first.adding(days: 3)])
        #expect(
            try await code { try await fixture.assign(ana, room, in: residence) } == "residence.movedOut")
    }

    @Test("nobody lives in two residences, and an earlier stay is not overlapped")
    func twoResidences() async throws {
        let fixture = try await ResidenceFixture()
        let (birch, linden) = (try await fixture.residence(), try await fixture.residence("Linden House"))
        let ana = try await fixture.student("Ana Diaz")
        try await fixture.moveIn(ana, birch, on: fixture.today.adding(days: -5))
        #expect(try await code { try await fixture.moveIn(ana, linden) } == "residence.livesElsewhere")
        try await fixture.school.execute(
            MoveOut.self, ["pgId": .id(birch.id), "studentId": .id(ResidenceFixture.id(ana))], as: fixture.warden)
        #expect(
            try await code { try await fixture.moveIn(ana, linden, on: fixture.today.adding(days: -1)) }
                == "residence.stayOverlaps")
        try await fixture.moveIn(ana, linden)
        let member = try await fixture.school.answer(
            ReadResident.self, ["pgId": .id(linden.id), "studentId": .id(ResidenceFixture.id(ana))],
            as: fixture.warden)
        #expect(member.pgId == linden.id && member.status == .active)
    }

    @Test("a room that is renamed while a warden assigns it gets the resident under its new number")
    func renamedMeanwhile() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        for turn in 0..<8 {
            let room = try await fixture.room("\(turn)", beds: 1, in: residence)
            let student = try await fixture.student("Resident \(turn)")
            try await fixture.moveIn(student, residence)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await fixture.assign(student, room, in: residence) }
                group.addTask {
                    _ = try await fixture.school.execute(
                        UpdateRoom.self,
                        ["pgId": .id(residence.id), "roomId": .id(room.id), "number": .text("New \(turn)")],
                        as: fixture.admin)
                }
                try await group.waitForAll()
            }
            let found = try await fixture.school.answer(
                ReadRoom.self, ["pgId": .id(residence.id), "roomId": .id(room.id)], as: fixture.warden)
            #expect(found.number == "New \(turn)" && found.studentIds == [ResidenceFixture.id(student)])
        }
    }

    @Test("a guide reaches nothing of a residence but the menu of a kitchen in which the guide works")
    func guides() async throws {
        let fixture = try await ResidenceFixture()
        let cook = try await fixture.person(.guide, "Cleo Cook")
        let residence = try await fixture.residence(kitchen: [cook])
        let guide = try await fixture.person(.guide, "Gil Guide")
        func isForGuides(_ access: Contract.Access) -> Bool {
            if case .member(let permission) = access { permission.roles.contains(.guide) } else { false }
        }
        let endpoints =
            fixture.feature.endpoints.queries.map(\.contract) + fixture.feature.endpoints.commands.map(\.contract)
        #expect(
            endpoints.filter { isForGuides($0.access) }.map(\.name).sorted() == [
                "residence.allergies", "residence.copyMenu", "residence.headCounts", "residence.saveMenu",
            ])
        let environment = fixture.school.environment
        let pages = fixture.feature.pages.screens.filter { isForGuides($0.access) }.map {
            $0.path.replacingOccurrences(of: "{pgId}", with: residence.id.text)
        }
        #expect(pages.count == 5)
        for path in pages where path != ResidenceScreens.list {
            #expect(
                try await problem { _ = try await environment.outline(path, as: guide) } == .notFound, "\(path)")
            _ = try await environment.outline(path, as: cook)
        }
        let fields: InputValue = ["pgId": .id(residence.id)]
        for work in [
            { _ = try await fixture.school.answer(ListMeals.self, fields, as: guide) },
            { _ = try await fixture.school.answer(ListAllergies.self, fields, as: guide) },
            { _ = try await fixture.school.execute(CopyMenu.self, fields, as: guide) },
        ] as [() async throws -> Void] {
            #expect(try await problem(work) == .notFound)
        }
    }

    @Test("residents are listed by name, by status and in pages", .requirement("PG-1.06.b"))
    func residents() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        let room = try await fixture.room("101", in: residence)
        for name in ["Cem Kaya", "Ana Diaz", "Ben Ito"] {
            try await fixture.moveIn(fixture.student(name), residence, room: name == "Ana Diaz" ? room : nil)
        }
        func page(_ fields: [String: InputValue]) async throws -> Page<ResidenceMember> {
            try await fixture.school.answer(
                ListResidents.self, .object(fields.merging(["pgId": .id(residence.id)]) { $1 }), as: fixture.warden)
        }
        let first = try await page(["status": .text("ACTIVE"), "limit": .number(2)])
        #expect(first.items.map(\.name) == ["Ana Diaz", "Ben Ito"] && first.next == "2")
        #expect(first.items.map(\.roomId) == [room.id, nil])
        #expect(try await page(["limit": .number(2), "after": .number(2)]).items.map(\.name) == ["Cem Kaya"])
        #expect(try await page(["status": .text("movedOut")]).items.isEmpty)
        let refused = try await problem { _ = try await page(["status": .text("GONE")]) }
        #expect(refused?.faults.map(\.code) == ["residence.status"])
    }

    @Test("a warden finds only the residences that she runs")
    func access() async throws {
        let fixture = try await ResidenceFixture()
        let residence = try await fixture.residence()
        let room = try await fixture.room("101", in: residence)
        func list(_ caller: Caller) async throws -> [String] {
            try await fixture.school.answer(ListResidences.self, as: caller).items.map(\.name)
        }
        #expect(try await list(fixture.warden) == ["Birch House"])
        #expect(try await list(fixture.admin) == ["Birch House"])
        #expect(try await list(fixture.otherWarden) == [])
        let foreign = try await problem {
            _ = try await fixture.school.answer(
                ReadRoom.self, ["pgId": .id(residence.id), "roomId": .id(room.id)], as: fixture.otherWarden)
        }
        #expect(foreign == .notFound)
    }
}
