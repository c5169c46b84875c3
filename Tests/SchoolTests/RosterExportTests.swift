import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface
import RosterTesting
import TestKit
import Testing

@testable import Classroom
@testable import Organization
@testable import Roster

@Suite("Exporting people")
struct RosterExportTests {
    let fixture: RosterFixture

    init() async throws { fixture = try await RosterFixture() }

    private func exported() async throws -> [RosterFile] {
        let (organization, roster) = (fixture.school.organization, fixture.roster)
        let holdings = try await fixture.school.database.read { try roster.holdings(of: organization.id, in: $0) }
        let today = Day(fixture.school.clock.now, in: .gmt)
        return RosterExport(organization: organization, today: today, holdings: holdings).bundle
    }

    /// Adds people and a classroom without external ids, one person without a family name.
    private func addOwn() async throws {
        let (orgId, now, ids) = (fixture.school.organization.id, fixture.school.clock.now, fixture.school.ids)
        try await fixture.school.database.write { sql in
            let names = [("Noor", "Aziz, \"NA\""), ("大翔", ""), ("Leïla", "O’Neill")]
            let people = names.map { given, family in
                let id = ids.id(at: now)
                return Person(
                    id: id, orgId: orgId, name: PersonName(given: given, family: family),
                    email: nil, avatarTint: .leaf, createdAt: now)
            }
            for person in people { try PeopleRepository.insert(person, externalId: nil, accountId: nil, in: sql) }
            let room = ids.id(at: now)
            var additions = ClassroomAdditions()
            additions.newClassrooms = [ImportedClassroom(id: room, name: "Maple, room", externalId: nil)]
            additions.students = [people[0].id, people[1].id]
            additions.guidePlaces = [ClassroomPlace(classroomId: room, personId: people[2].id)]
            additions.studentPlaces = people.prefix(2).map { ClassroomPlace(classroomId: room, personId: $0.id) }
            try SQLClassroomService().apply(additions, on: Day(now, in: .gmt), at: now, in: sql)
        }
    }

    @Test(
        "importing the school's own export changes nothing, for people of any origin",
        .requirement("BY-1.14.f", "BY-1.19.b"))
    func roundTrip() async throws {
        try await fixture.importing(RosterSample(rooms: 3, studentsPerRoom: 4).bundle)
        try await addOwn()
        let files = try await exported()
        let report = try await fixture.preview(files)
        #expect(report.faultCount == 0, "\(report.faults.map(\.sentence))")
        #expect(report.changeCount == 0, "\(report.changes.map(\.sentence))")
        #expect(report.counts.peopleUnchanged == 31)
        #expect(try await exported() == files, "two exports of one school are the same bytes")
    }

    @Test("the export fills an empty school with the same people and places", .requirement("BY-1.19.b"))
    func moves() async throws {
        try await fixture.importing(RosterSample(rooms: 2, studentsPerRoom: 3).bundle)
        try await addOwn()
        let other = try await RosterFixture()
        let report = try await other.importing(try await exported())
        #expect(report.counts.peopleCreated == 18 && report.counts.studentsEnrolled == 8)
        #expect(report.counts.guidesAssigned == 3 && report.counts.classroomsCreated == 3)
        let names = try await other.people().values.map(\.name.display)
        #expect(names.contains("大翔") && names.contains("Noor Aziz, \"NA\""))
    }

    @Test("admins can export a ZIP file or a CSV file, and each export is logged")
    func queries() async throws {
        try await addOwn()
        let zip = try await fixture.school.environment.answer("roster.export", as: fixture.admin)
        #expect(
            zip == (try ListingPacking().zip(try await exported().map { ArchivePart($0.name, .bytes(Data())) })))
        let plain = String(
            decoding: try await fixture.school.environment.answer("roster.exportPeople", as: fixture.admin),
            as: UTF8.self)
        #expect(plain.contains("\"Aziz, \"\"NA\"\"\"") && plain.contains("\"Maple, room\""))
        let kinds = try await fixture.school.changes().map(\.change.kind)
        #expect(kinds.filter { $0 == "people.exported" }.count == 2)
        let guide = fixture.school.makeCaller(.guide)
        for name in ["roster.export", "roster.exportPeople"] {
            #expect(
                try await problem { _ = try await fixture.school.environment.answer(name, as: guide) }
                    == .notAllowed)
        }
    }

    @Test(
        "the people's file runs no formula and can be imported again, and a bundle has the plain values"
    )
    func formulas() async throws {
        let formula = "=HYPERLINK(\"https://x.example\",\"Open\")"
        let list =
            "sourcedId,givenName,familyName,number,classrooms,roles\n"
            + "=7+7,\"\(formula.replacing("\"", with: "\"\""))\",@SUM,+3,-Room,student\n"
        let first = try await fixture.importing([RosterFile(name: "people.csv", bytes: Array(list.utf8))])
        #expect(first.isApplied && first.counts.peopleCreated == 1)
        #expect(try await fixture.people().values.map(\.name.given) == [formula])

        let plain = try await fixture.school.environment.answer("roster.exportPeople", as: fixture.admin)
        #expect(plain.starts(with: [0xEF, 0xBB, 0xBF]), "Excel needs the byte order mark")
        let text = String(decoding: plain, as: UTF8.self)
        let line = try #require(text.split(separator: "\r\n").dropFirst().first)
        #expect(
            line.hasPrefix(
                "'=7+7,\"'=HYPERLINK(\"\"https://x.example\"\",\"\"Open\"\")\",'@SUM,,,'+3,,student,'-Room"),
            "\(line)")
        let again = try await fixture.importing([RosterFile(name: "people.csv", bytes: Array(plain))])
        #expect(again.changeCount == 0 && again.counts.peopleUnchanged == 1)

        let users = try #require(try await exported().first { $0.name == "users.csv" })
        let bundle = String(decoding: users.bytes, as: UTF8.self)
        #expect(bundle.contains("\"=HYPERLINK(\"\"https://x.example\"\",\"\"Open\"\")\"") && !bundle.contains("'="))
    }

    @Test(
        "a student's number and grade level are imported, compared and exported")
    func schooling() async throws {
        var sample = RosterSample()
        try await fixture.importing(sample.bundle)
        let child = try #require(try await fixture.people().values.first { $0.number == "M-1-2" })
        #expect(child.gradeLevel == "02")
        sample.replace(",M-1-2,", with: ",2026-014,", in: "users.csv")
        sample.replace(",02,,,", with: ",03,,,", in: "users.csv")
        let changes = try await fixture.preview(sample.bundle).changes
        #expect(
            changes.map(\.fields) == [
                [.init(column: "grades", before: "02", after: "03")],
                [.init(column: "identifier", before: "M-1-2", after: "2026-014")],
            ])
        let other = try await RosterFixture()
        try await other.importing(try await exported())
        let imported = try #require(try await other.people().values.first { $0.number == "M-1-2" })
        #expect(imported.gradeLevel == "02" && imported.name == child.name)
    }

    @Test("a number that two people share is noted in the preview")
    func sameNumbers() async throws {
        var sample = RosterSample()
        sample.replace(",M-0-1,", with: ",M-0-0,", in: "users.csv")
        let first = try await fixture.importing(sample.bundle)
        for report in [first, try await fixture.preview(sample.bundle)] {
            let notices = report.notices.filter { $0.code == "sameNumber" }
            #expect(notices.count == 2, "each has the other's")
            #expect(
                notices.allSatisfy {
                    $0.column == "identifier" && $0.sentence.contains("also has the student ID M-0-0")
                }
            )
        }
        let mended = try await fixture.preview(RosterSample().bundle)
        #expect(!mended.notices.contains { $0.code == "sameNumber" })
    }

    @Test("the dry run shows the changed columns of a person", .requirement("BY-1.14.c"))
    func fields() async throws {
        var sample = RosterSample()
        try await fixture.importing(sample.bundle)
        let users = try #require(sample.files["users.csv"])
        sample.files["users.csv"] = users.replacing("head@maple.example", with: "new@maple.example")
        let change = try #require(try await fixture.preview(sample.bundle).changes.first)
        #expect(change.kind == .personUpdated)
        #expect(
            change.fields == [.init(column: "email", before: "head@maple.example", after: "new@maple.example")])
    }
}
