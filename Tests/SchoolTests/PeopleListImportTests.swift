import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface
import RosterTesting
import ScreenKit
import TestKit
import Testing

@testable import Classroom
@testable import Organization
@testable import Roster

@Suite("Importing a plain list") struct PeopleListImportTests {
    let fixture: RosterFixture

    init() async throws { fixture = try await RosterFixture() }

    private func list(_ text: String) -> [RosterFile] { [RosterFile(name: "people.csv", bytes: Array(text.utf8))] }

    private func exported() async throws -> [RosterFile] {
        let bytes = try await fixture.school.environment.answer("roster.exportPeople", as: fixture.admin)
        return [RosterFile(name: "people.csv", bytes: Array(bytes))]
    }

    private func names() async throws -> [String] {
        let orgId = fixture.school.organization.id
        return try await fixture.school.database.read { sql in
            try SQLPeopleService().everybody(of: orgId, in: sql).map(\.person.name.display).sorted()
        }
    }

    static let text = """
        Prénom;Nom;Courriel;Rôle;Classe
        Chloé;Côté;;élève;Casa Érable
        大翔;Sato;;élève;Casa Érable; Atelier
        Xi;Moreau;xi@maple.example;enseignante;Casa Érable
        Léa;Côté;lea@home.example;parent;
        """.replacing("Casa Érable; Atelier", with: "\"Casa Érable; Atelier\"")

    @Test(
        "a list creates people, classrooms, places and roles, and importing it again changes nothing",
        .requirement("BY-1.14.a", "BY-1.14.b", "BY-1.14.c"))
    func imports() async throws {
        let before = try await fixture.sizes()
        let dry = try await fixture.preview(list(Self.text))
        #expect(dry.faultCount == 0, "\(dry.faults)")
        #expect(dry.counts.peopleCreated == 4 && dry.counts.classroomsCreated == 2)
        #expect(dry.counts.studentsEnrolled == 3 && dry.counts.guidesAssigned == 1 && dry.counts.rolesGiven == 2)
        #expect(dry.changes.first?.place == "people.csv:2" && dry.changes.first?.sentence == "Add Chloé Côté")
        #expect(try await fixture.sizes() == before)
        let report = try await fixture.importing(list(Self.text))
        #expect(report.isApplied)
        #expect(try await names() == ["Chloé Côté", "Léa Côté", "Xi Moreau", "大翔 Sato"])
        #expect(try await fixture.memberCount() == 2)
        let again = try await fixture.importing(list(Self.text))
        #expect(again.changeCount == 0 && again.importId == nil && again.counts.peopleUnchanged == 4)
        let id = try #require(report.importId)
        try await fixture.school.execute("roster.undo", ["importId": .id(id)], as: fixture.admin)
        #expect(try await names() == [])
    }

    @Test("importing the school's own list changes nothing", .requirement("BY-1.14.f"))
    func roundTrip() async throws {
        try await fixture.importing(RosterSample(rooms: 3, studentsPerRoom: 4).bundle)
        try await fixture.importing(list(Self.text.replacing("Chloé", with: "Zoé")))
        try await fixture.importing(
            list(
                "First name,Last name,Preferred,Role,Classroom\n=cmd,'-x,+Bo,student;teacher,\"A;; B\"\nEve,,,,\"=C\"\n"
            ))
        let report = try await fixture.preview(try await exported())
        #expect(report.faults.map(\.sentence) == [])
        #expect(report.changes.map(\.sentence) == [])
        #expect(report.counts.peopleUnchanged == 28 + 4 + 2)
        #expect(try await fixture.holdings().classrooms.contains { $0.name == "=C" })
    }

    @Test("names are corrected by id, and with a match by name the school's spelling stays")
    func identity() async throws {
        try await fixture.importing(RosterSample(rooms: 1, studentsPerRoom: 1).bundle)
        let byName = try await fixture.preview(
            list("First name,Last name,Email\nCHLOE,cote,g@x.example\nOlu,BERG-DE,\n"))
        #expect(byName.changes.map(\.kind) == [.personUpdated])
        #expect(byName.changes.first?.sentence.hasPrefix("Change the details of ") == true)
        #expect(
            byName.changes.first?.fields == [
                .init(column: "email", before: "guide-0@maple.example", after: "g@x.example")
            ])
        let byId = try await fixture.preview(list("id,First name,Last name\nguide-0,Chloe,\n"))
        #expect(byId.changes.first?.fields == [.init(column: "givenName", before: "Chloé", after: "Chloe")])
    }

    @Test("an ambiguous name is a fault, never a guess")
    func ambiguous() async throws {
        try await fixture.importing(
            list("First name,Last name,Email\nAna,Li,a@x.example\nAna,Li,b@x.example\nBo,Li,\n"))
        #expect(try await names() == ["Ana Li", "Ana Li", "Bo Li"])
        func codes(_ text: String) async throws -> [String] {
            try await fixture.preview(list("First name,Last name,Email\n\(text)\n")).faults.map {
                "\($0.code) \($0.line)"
            }
        }
        #expect(try await codes("Ana,Li,") == ["severalPeople 2"])
        #expect(try await codes("Ana,Li,b@x.example") == [])
        #expect(try await codes("Bo,Li,\nbo,LI,") == ["samePerson 3"])
        #expect(try await codes("Cy,Li,\nCy,Li,c@x.example") == ["samePerson 3"])
        #expect(try await codes("Cy,Li,c@x.example\nCy,Li,") == ["samePerson 3"])
        #expect(try await codes("Cy,Li,c@x.example\nCy,Li,d@x.example") == [])
        let refused = await #expect(throws: Problem.self) {
            try await fixture.importing(list("First name,Last name\nAna,Li\n"))
        }
        #expect(refused?.faults.map(\.code) == ["roster.severalPeople"])
    }

    @Test("a classroom without a role makes a student, and an ambiguous classroom or role is reported")
    func places() async throws {
        let first = try await fixture.importing(list("First name,Classroom\nAna,Casa\nBo,casa\n"))
        #expect(first.counts.classroomsCreated == 1 && first.counts.studentsEnrolled == 2)
        let report = try await fixture.preview(
            list("First name,Role,Classroom\nPa,parent,Casa\nCy,student;teacher,Casa\n"))
        #expect(report.notices.map(\.code).sorted() == ["placeUnclear", "placeWithoutRole"])
        try await fixture.school.database.write { sql in
            try sql.execute("UPDATE classrooms SET name = 'Nido' WHERE name = 'Casa'")
            var more = ClassroomAdditions()
            more.newClassrooms = [ImportedClassroom(id: UUID(), name: "NIDO", externalId: nil)]
            try SQLClassroomService().apply(
                more, on: Day(fixture.school.clock.now, in: .gmt), at: fixture.school.clock.now, in: sql)
        }
        #expect(
            try await fixture.preview(list("First name,Classroom\nAna,Nido\n")).faults.map(\.code) == [
                "severalRooms"
            ]
        )
    }

    // MARK: - Families and addresses

    @Test("children with the same guardian's address share one guardian, also in the next import")
    func guardians() async throws {
        let text = """
            First name,Last name,Classroom,Email,Guardian name,Guardian email
            Ana,Roy,Casa,,Eva Roy,eva@home.example
            Bo,Roy,Casa,EVA@home.example,Eva Roy,Eva@Home.example
            Cy,Roy,Nido,,,eva@home.example
            Di,Li,Nido,,Max Li,
            """
        let report = try await fixture.importing(list(text), confirmed: false)
        #expect(report.counts.peopleCreated == 6 && report.counts.guardiansLinked == 4)
        #expect(report.counts.rolesGiven == 2)
        #expect(
            report.notices.filter { $0.code == "addressOfAdult" }.map(\.place) == ["people.csv:3"])
        #expect(try await names() == ["Ana Roy", "Bo Roy", "Cy Roy", "Di Li", "Eva Roy", "Max Li"])
        let links = try await fixture.school.database.read { try SQLFamilyImport().links(in: $0) }
        #expect(Dictionary(grouping: links, by: \.guardianId).values.map(\.count).sorted() == [1, 3])
        let again = try await fixture.preview(list(text.replacing(",Max Li,", with: ",,")))
        #expect(again.faults.isEmpty && again.changes.map(\.sentence) == [])
        let undone: RosterUndo = try await fixture.school.execute(
            "roster.undo", ["importId": .id(try #require(report.importId))], as: fixture.admin
        ).result()
        #expect(undone.keptCount == 0)
        #expect(try await names() == [])
    }

    @Test("the same address in different case is a fault, in the file and against the school")
    func oneAddress() async throws {
        func codes(_ text: String) async throws -> [String] {
            try await fixture.preview(list("First name,Last name,Email,Role\n\(text)\n")).faults.map {
                "\($0.code) \($0.line)"
            }
        }
        #expect(try await codes("Peter,Li,p@x.example,teacher\nPaul,Li,P@X.example,teacher") == ["sameAddress 3"])
        #expect(try await codes("Peter,Li,p@x.example,student\nPaul,Li,P@X.example,student") == ["sameAddress 3"])
        #expect(try await codes("Peter,Li,p@x.example,teacher\nPETER,LI,P@X.example,teacher") == ["samePerson 3"])
        try await fixture.importing(list("First name,Last name,Email,Role\nPeter,Li,p@x.example,teacher\n"))
        #expect(try await codes("Paul,Li,P@X.example,teacher") == ["addressTaken 2"])
        #expect(try await codes("PETER,Li,P@X.example,teacher") == [])
    }

    // MARK: - Names

    @Test("one name is enough, and an invisible character does not make a new person")
    func oneName() async throws {
        let head = "First name,Last name,Role\n"
        try await fixture.importing(
            list(head + "Sena,,student\n,Ito,student\nAna,Roy,student\nBo,Roy,student\nLi,Roy,student\n"))
        #expect(try await names() == ["Ana Roy", "Bo Roy", "Ito", "Li Roy", "Sena"])
        let again = try await fixture.preview(
            list(head + "Sena\u{200D},,student\n,\u{200B}Ito,student\nAna\u{2060},Roy,student\n"))
        #expect(again.faults.isEmpty && again.changeCount == 0)
    }

    @Test("a name of usage replaces the family name of an earlier list")
    func usedName() async throws {
        try await fixture.importing(list("Prénom,Nom,Classe\nZoé,Roy,Casa\n"))
        let later = list("Prénom,Nom,Nom d'usage,Classe\nZoé,Roy,Martin,Casa\n")
        let report = try await fixture.importing(later)
        #expect(report.counts.peopleCreated == 0)
        #expect(try await names() == ["Zoé Martin"])
        #expect(try await fixture.preview(later).changeCount == 0)
    }

    // MARK: - Questions

    @Test("an import asks for a confirmation if nobody gets a role or most names are incomplete")
    func questions() async throws {
        let texts = [
            "First name,Last name,Rolle\nAna,Roy,student\nBo,Roy,student\n": ["nobodyHasRole"],
            "First name,Nachname,Role\nAna,Roy,student\nBo,Roy,student\n": ["halfNames"],
            "First name,Nachname,Rolle\nAna,Roy,student\n": ["nobodyHasRole", "halfNames"],
            "First name,Last name,Role\nAna,Roy,student\nさくら,,student\n": [],
        ]
        for (text, codes) in texts {
            let report = try await fixture.preview(list(text))
            #expect(report.faults.isEmpty && report.questions.map(\.code) == codes, "\(text)")
            guard !codes.isEmpty else { continue }
            let refused = await #expect(throws: Problem.self) {
                try await fixture.importing(list(text), confirmed: false)
            }
            #expect(refused?.faults.map(\.code) == ["roster.confirm"])
        }
        #expect(try await names() == [])
        let words = try fixture.school.environment.words(.english)
        let (roster, orgId): (any RosterImporting, UUID) = (fixture.roster, fixture.school.organization.id)
        for isConfirmed in [false, true] {
            let report = try await roster.run(
                list("First name,Last name\nAna,Roy\n"), into: fixture.school.database, of: orgId, in: .gmt,
                by: nil, dryRun: false, isConfirmed: isConfirmed, words: words)
            #expect(report.isApplied == isConfirmed && report.questions.count == 1)
            #expect(report.lines(words).contains { $0.hasPrefix("people.csv: 1 person would be imported") })
        }
        #expect(try await names() == ["Ana Roy"])
    }

    @Test("unknown columns can be chosen on the page, and the import uses the choice")
    func choosing() async throws {
        let text = "Vorname,Nachname,Klasse,Farbe\nAna,Roy,Casa,blau\n"
        let first = try await fixture.preview(list(text))
        let id = try #require(first.uploadId)
        #expect(
            first.faults.map(\.code) == ["noNameColumn"]
                && first.columns.map(\.isKnown) == [false, false, false, false])
        let asked = try await page(["upload": id.text])
        #expect(asked.contains("column0") && asked.contains("<Farbe: select") && !asked.contains("«roster"))
        let command = try await fixture.school.execute(
            "roster.columns",
            [
                "uploadId": .id(id), "column0": "given", "column1": "family", "column2": "classrooms",
                "column3": "ignore",
            ],
            as: fixture.admin)
        let report: RosterReport = try command.result()
        #expect(report.faults.isEmpty && report.counts.peopleCreated == 1 && report.counts.classroomsCreated == 1)
        #expect(report.columns.map(\.meaning) == ["given", "family", "classrooms", nil])
        #expect(try await names() == [])
        let choices = "0-given.1-family.2-classrooms.3-ignore"
        let chosen = try await page(["upload": id.text, "columns": choices])
        #expect(chosen.contains(choices) && chosen.contains("Add Ana Roy"))
        let imported: RosterReport = try await fixture.school.execute(
            "roster.import",
            ["uploadId": .id(id), "columns": .text(choices), "plan": .text(try #require(report.plan))],
            as: fixture.admin
        ).result()
        #expect(imported.isApplied)
        #expect(try await names() == ["Ana Roy"])
    }

    private func page(_ query: [String: String]) async throws -> String {
        let route = try #require(RosterScreen(roster: fixture.roster).routes.first)
        let context = try await fixture.school.context(of: fixture.admin, language: .english)
        let answer = try await route.make(
            ScreenRequest(context: context, path: route.path, parameters: [:], query: query))
        guard case .screen(let screen) = answer else { return "" }
        // The outline leaves out invisible values.
        return Outline(screen).description + String(decoding: try JSON.encode(screen), as: UTF8.self)
    }

    // MARK: - Files of an earlier export

    /// The exported rows as text.
    private func exportedText() async throws -> String {
        String(decoding: try #require(try await exported().first).bytes, as: UTF8.self)
    }

    private static let people = """
        id,first name,last name,email,role,classroom
        p1,Noor,Aziz,noor@home.example,student,Maple
        p2,Dario,Conti,,student,Maple
        p3,Ana,Ruiz,ana@maple.example,teacher,Maple
        """

    @Test("an older export of people puts nothing back that was changed in the school since")
    func olderExport() async throws {
        try await fixture.importing(list(Self.people))
        let old = try await exportedText()
        try await fixture.importing(
            list("id,first name,email,role,classroom\np1,Noura,noura@new.example,student,Birch\n"))
        let changed = try await fixture.people()
        let report = try await fixture.importing(list(old))
        #expect(report.faults == [] && report.changeCount == 0 && report.questions == [])
        #expect(report.notices.map(\.code) == ["changedSince", "changedSince", "changedSince"])
        #expect(report.notices.map(\.column) == ["givenName", "email", "classrooms"])
        #expect(try await fixture.people() == changed)
    }

    @Test("of an edited export only the edited values are imported")
    func editedExport() async throws {
        try await fixture.importing(list(Self.people))
        let old = try await exportedText()
        try await fixture.importing(list("id,first name,email\np1,Noura,noura@new.example\n"))
        let report = try await fixture.importing(list(old.replacing("Aziz", with: "Azizi")))
        #expect(report.questions == [])
        #expect(report.changes.map(\.fields) == [[.init(column: "familyName", before: "Aziz", after: "Azizi")]])
        let noor = try #require(try await fixture.people()["p1"])
        #expect(noor.name.display == "Noura Azizi" && noor.email == "noura@new.example")
    }

    @Test(
        "a value that both the file and the school changed is shown with both, and counts only once it is confirmed"
    )
    func conflictingExport() async throws {
        try await fixture.importing(list(Self.people))
        let old = try await exportedText()
        try await fixture.importing(list("id,first name,email\np1,Noor,school@new.example\n"))
        let edited = list(old.replacing("noor@home.example", with: "file@new.example"))
        let preview = try await fixture.preview(edited)
        #expect(preview.questions.map(\.column) == ["email"])
        #expect(
            preview.questions.map(\.sentence) == [
                "Noor Aziz: the school now has “school@new.example”, the file has “file@new.example”."
            ])
        let shown = try await page(["upload": try #require(preview.uploadId).text])
        #expect(shown.contains("1 value was changed both in the file and in the school"))
        let refused = try await problem { try await fixture.importing(edited, confirmed: false) }
        #expect(refused?.faults.map(\.code) == ["roster.confirm"])
        #expect(try await fixture.people()["p1"]?.email == "school@new.example")
        try await fixture.importing(edited)
        #expect(try await fixture.people()["p1"]?.email == "file@new.example")
    }

    @Test(
        "an export brings nobody back who was removed since, its damaged cells are faults, and another school's counts"
    )
    func otherExports() async throws {
        try await fixture.importing(list(Self.people))
        let old = try await exportedText()
        let gone = try await fixture.preview(list(old.replacing("p2,", with: "p9,")))
        #expect(gone.changeCount == 0 && gone.notices.map(\.code) == ["removedSince"])
        let damaged = try await fixture.preview(list(old.replacing("source=", with: "source")))
        #expect(damaged.faults.map(\.place).first == "people.csv:2 exported (do not change)")
        #expect(
            damaged.faults.first?.sentence == "The cell was changed. Copy it from the export again, or empty it.")
        let other = try await RosterFixture()
        let foreign = old.replacing(/source=[0-9a-f]{8}/, with: "source=00000000")
        let moved = try await other.importing(list(foreign))
        #expect(moved.counts.peopleCreated == 3 && moved.questions == [])
        let later = try await other.importing(list(foreign.replacing("Aziz", with: "Azizi")))
        #expect(later.counts.peopleUpdated == 1 && later.questions == [])
    }

    // MARK: - Missing people

    @Test("people and places that are missing in the bundle are listed and stay")
    func whoLeft() async throws {
        try await fixture.importing(RosterSample().bundle)
        let before = try await fixture.people()
        var sample = RosterSample()
        for file in ["users.csv", "roles.csv", "enrollments.csv"] {
            let lines = sample.files[file, default: ""].split(whereSeparator: \.isNewline)
            sample.files[file] = lines.filter { !$0.contains("-0-2") }.joined(separator: "\n") + "\n"
        }
        sample.replace("enr-class-0-guide-0-teacher,,,class-0", with: "enr-x,,,class-1", in: "enrollments.csv")
        let report = try await fixture.importing(sample.bundle)
        // A child, her parent, and the guide of classroom 0.
        #expect(report.stays.map(\.code) == ["personNotInFile", "personNotInFile", "guideNotInFile"])
        #expect(report.stays.last?.sentence == "Chloé Côté as a guide of Casa 0 is not in this file and stays.")
        #expect(try await fixture.people() == before)
        #expect(
            report.lines(try fixture.school.environment.words(.english)).contains(
                "3 entries are not in these files and stay")
        )
        let list = try await fixture.preview(list("First name,Last name\nNew,Child\n"))
        #expect(list.stayCount == 0, "a list without ids may be of a few people only")
    }
}
