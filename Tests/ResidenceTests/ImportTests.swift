import Domain
import FeatureKit
import Foundation
import OrganizationTesting
import ResidenceModel
import TestKit
import Testing

@testable import Residence

@Suite("Importing rooms and residents")
struct ImportTests {
    private struct Setup {
        let fixture: ResidenceFixture
        let residence: Residence
        let clock = FixedClock()

        init() async throws {
            fixture = try await ResidenceFixture(clock: clock)
            residence = try await fixture.residence()
        }

        func preview(_ text: String) async throws -> ResidenceImportReport {
            try await fixture.school.execute(
                PreviewResidenceImport.self,
                [
                    "pgId": .id(residence.id),
                    "file": .file(
                        UploadedFile(name: "rooms.csv", contentType: "text/csv", bytes: Array(text.utf8))),
                ],
                as: fixture.warden)
        }

        func apply(_ preview: ResidenceImportReport) async throws -> ResidenceImportReport {
            try await fixture.school.execute(
                ImportResidence.self,
                ["pgId": .id(residence.id), "uploadId": .id(preview.uploadId), "plan": .text(preview.plan)],
                as: fixture.warden)
        }

        func undo(_ importId: UUID?) async throws -> ResidenceUndoReport {
            try await fixture.school.execute(
                UndoResidenceImport.self,
                ["pgId": .id(residence.id), "importId": .id(try #require(importId))], as: fixture.warden)
        }

        func export() async throws -> String {
            let file = try await fixture.school.environment.answer(
                "residence.export", ["pgId": .id(residence.id)], as: fixture.warden)
            return String(decoding: file, as: UTF8.self)
        }
    }

    @Test("a dry run shows every change by its line and changes nothing, and the import makes the changes")
    func applying() async throws {
        let setup = try await Setup()
        _ = try await setup.fixture.room("007", beds: 1, in: setup.residence)
        for name in ["Ana Diaz", "Ben Ito"] { _ = try await setup.fixture.student(name) }
        let preview = try await setup.preview(
            "Room;Type;Beds;Last name;First name\n007;Single;1;Diaz;Ana\n12 b;Twin;2;Ito;Ben\n")
        #expect(preview.faults == [])
        #expect(preview.changes.map(\.line) == [2, 3, 2, 3])
        #expect(
            preview.changes.map(\.sentence) == [
                "Room 007 changes from Twin, 1 bed to Single, 1 bed", "Room 12 b is added: Twin, 2 beds",
                "Ana Diaz moves into room 007", "Ben Ito moves into room 12 b",
            ])
        #expect(try await setup.fixture.rooms(setup.residence).map(\.occupiedBeds) == [0])
        let done = try await setup.apply(preview)
        #expect(done.isApplied && done.importId != nil)
        #expect(try await setup.fixture.rooms(setup.residence).map(\.number) == ["007", "12 b"])
        #expect(try await setup.fixture.rooms(setup.residence).map(\.occupiedBeds) == [1, 1])
    }

    @Test("all faults of a file are reported at once, each with its line")
    func faults() async throws {
        let setup = try await Setup()
        let linden = try await setup.fixture.residence("Linden House")
        try await setup.fixture.moveIn(setup.fixture.student("Ana Diaz"), linden)
        for name in ["Ben Ito", "Cem Kaya"] { _ = try await setup.fixture.student(name) }
        let preview = try await setup.preview(
            """
            Room,Type,Beds,First name,Last name,First day
            1,Twin,two,,,
            2,Single,1,Ben,Ito,
            2,Single,1,Cem,Kaya,
            3,,,,,
            4,Single,1,Ana,Diaz,
            5,Single,1,Nobody,Known,
            6,Single,1,Ben,Ito,tomorrow
            """)
        #expect(preview.faults.map(\.line) == [2, 4, 5, 6, 7, 8, 8])
        #expect(
            preview.faults.map(\.sentence) == [
                "“two” is not a number of beds from 1 to 50.", "Room 2 has too few beds (1) for its residents (2).",
                "Room 3 is new. Give its type and beds.",
                "Ana Diaz lives in Linden House. Move them out there first.",
                "The school has no person Nobody Known.",
                "“tomorrow” is not a day such as 2026-09-01, at most two years away.",
                "Ben Ito is already in line 3.",
            ])
        let refused = try await setup.apply(preview)
        #expect(!refused.isApplied && refused.isOutdated)
        #expect(try await setup.fixture.rooms(setup.residence) == [])
    }

    @Test("an exported file changes nothing when it is imported, and two residents of full rooms can swap")
    func swapping() async throws {
        let setup = try await Setup()
        let (one, two) = try await (
            setup.fixture.room("1", beds: 1, in: setup.residence),
            setup.fixture.room("2", beds: 1, in: setup.residence)
        )
        let (ana, ben) = try await (setup.fixture.student("Ana Diaz"), setup.fixture.student("Ben Ito"))
        try await setup.fixture.moveIn(ana, setup.residence, room: one)
        try await setup.fixture.moveIn(ben, setup.residence, room: two)
        let file = try await setup.export()
        #expect(
            file.hasPrefix(
                "\u{FEFF}Room,Type,Beds,Details,Student ID,Last name,First name,Email,First day,Exported\r\n")
        )
        #expect(try await setup.preview(file).changes == [])
        let swap = try await setup.preview("Room,First name,Last name\n2,Ana,Diaz\n1,Ben,Ito\n")
        #expect(swap.faults == [] && swap.changes.count == 2)
        let done = try await setup.apply(swap)
        #expect(done.isApplied)
        let rooms = try await setup.fixture.school.database.read {
            [today = setup.fixture.today, residence = setup.residence] in
            try RoomRepository.rooms(of: residence.id, on: today, in: $0).map(\.studentIds)
        }
        #expect(rooms == [[ResidenceFixture.id(ben)], [ResidenceFixture.id(ana)]])
    }

    @Test("an older export puts nothing back that was changed since, and what both changed is a fault")
    func olderExport() async throws {
        let setup = try await Setup()
        let (ana, ben) = try await (setup.fixture.student("Ana Diaz"), setup.fixture.student("Ben Ito"))
        let (one, two, three) = try await (
            setup.fixture.room("1", in: setup.residence), setup.fixture.room("2", in: setup.residence),
            setup.fixture.room("3", in: setup.residence)
        )
        try await setup.fixture.moveIn(ana, setup.residence, room: one)
        try await setup.fixture.moveIn(ben, setup.residence, room: one)
        let file = try await setup.export()
        // Ana moves to room 2, Ben moves out, room 1 gets a third bed, and room 3 is removed.
        try await setup.fixture.assign(ana, two, in: setup.residence)
        try await setup.fixture.school.execute(
            MoveOut.self, ["pgId": .id(setup.residence.id), "studentId": .id(ResidenceFixture.id(ben))],
            as: setup.fixture.warden)
        try await setup.fixture.school.execute(
            UpdateRoom.self,
            ["pgId": .id(setup.residence.id), "roomId": .id(one.id), "bedCount": .number(3)],
            as: setup.fixture.warden)
        try await setup.fixture.school.execute(
            DeleteRoom.self, ["pgId": .id(setup.residence.id), "roomId": .id(three.id)], as: setup.fixture.warden)
        setup.clock.advance(by: 86_400)
        let untouched = try await setup.preview(file)
        #expect(untouched.faults == [] && untouched.changes == [])

        // The details are new in the file alone; the beds were changed in both.
        let details = file.replacing("1,Twin,2,,", with: "1,Twin,2,By the garden,")
        #expect(
            try await setup.preview(details).changes.map(\.sentence)
                == ["Room 1 changes from Twin, 3 beds to Twin, 3 beds, By the garden"])
        let beds = try await setup.preview(file.replacing("1,Twin,2,,", with: "1,Twin,4,,"))
        #expect(
            beds.faults.first?.sentence
                == "Since the export the beds of room 1 have become 3, and the file says 4. To use the file, empty “Exported”."
        )
        let moved = try await setup.preview(file.replacing("1,Twin,2,,,Diaz", with: "4,Twin,2,,,Diaz"))
        #expect(
            moved.faults.map(\.sentence) == [
                "Since the export Ana Diaz has moved to 2, and the file says 4. To use the file, empty “Exported”."
            ])

        // Without the column the file's values count, and a changed cell of it is refused.
        let plain = file.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.dropLast().joined(separator: ",") }.joined(separator: "\r\n")
        #expect(try await setup.preview(plain).changes.count == 4)
        #expect(
            try await setup.preview(file.replacing("room=", with: "room")).faults.first?.sentence
                == "The cell “Exported” was changed. Copy it from the export again, or empty it.")
    }

    @Test("an import is undone except for what was changed since, and undoing twice is harmless")
    func undoing() async throws {
        let setup = try await Setup()
        let (ana, ben) = try await (setup.fixture.student("Ana Diaz"), setup.fixture.student("Ben Ito"))
        let done = try await setup.apply(
            setup.preview("Room,Type,Beds,First name,Last name\n1,Single,1,Ana,Diaz\n2,Single,1,Ben,Ito\n"))
        try await setup.fixture.assign(ben, nil, in: setup.residence)
        let report = try await setup.undo(done.importId)
        #expect(
            report.undone == [
                "Ana Diaz moves into room 1", "Room 2 is added: Single, 1 bed", "Room 1 is added: Single, 1 bed",
            ])
        #expect(report.kept == ["Ben Ito moves into room 2"])
        #expect(try await setup.fixture.rooms(setup.residence) == [])
        let residents = try await setup.fixture.school.answer(
            ListResidents.self, ["pgId": .id(setup.residence.id)], as: setup.fixture.warden)
        #expect(residents.items.map(\.id) == [ResidenceFixture.id(ben)])
        #expect(try await setup.undo(done.importId) == ResidenceUndoReport(undone: [], kept: []))
        try await setup.fixture.moveIn(ana, setup.residence)
    }

    @Test("a room that shrinks below its residents is a fault at its line")
    func shrinking() async throws {
        let setup = try await Setup()
        let room = try await setup.fixture.room("1", beds: 2, in: setup.residence)
        for name in ["Ana Diaz", "Ben Ito"] {
            try await setup.fixture.moveIn(setup.fixture.student(name), setup.residence, room: room)
        }
        let preview = try await setup.preview("Room,Beds\n1,1\n")
        #expect(preview.faults.map(\.line) == [2])
        #expect(preview.faults.map(\.sentence) == ["Room 1 has too few beds (1) for its residents (2)."])
    }

    @Test("nothing is imported if the residence has changed since the preview")
    func outdated() async throws {
        let setup = try await Setup()
        _ = try await setup.fixture.student("Ana Diaz")
        let preview = try await setup.preview("Room,Type,Beds,First name,Last name\n1,Single,1,Ana,Diaz\n")
        _ = try await setup.fixture.room("1", in: setup.residence)
        let answer = try await setup.apply(preview)
        #expect(answer.isOutdated && !answer.isApplied && answer.plan != preview.plan)
        #expect(try await setup.fixture.rooms(setup.residence).map(\.occupiedBeds) == [0])
    }
}
