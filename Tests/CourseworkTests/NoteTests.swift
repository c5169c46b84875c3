import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Coursework

/// Shows each document with three pages.
struct ThreePages: DocumentPages {
    func sizes(of document: StoredDocument) async throws(DocumentFault) -> [DocumentPageSize] {
        Array(repeating: DocumentPageSize(width: 600, height: 800), count: 3)
    }
    func page(_ number: Int, of document: StoredDocument) async throws(DocumentFault) -> URL { throw .unreadable }
    var store: DerivedStore {
        DerivedStore("test.pages", places: [], erasePeople: { _ in }, eraseSchool: { _ in })
    }
}

@Suite("Notes on files")
struct NoteTests {
    private let pdf = UploadedFile(
        name: "essay.pdf", contentType: "application/pdf", bytes: Array("%PDF-1.7 some pages".utf8))

    /// A school in which Mia has handed in a document.
    private func handedIn() async throws -> (CourseworkFixture, Assignment, SubmittedFile) {
        let fixture = try await CourseworkFixture(pages: ThreePages())
        let one = try await fixture.assign(with: ["attempts": 0])
        let submission = try await fixture.handIn(one, as: fixture.mia, files: [pdf])
        return (fixture, one, try #require(submission.files.first))
    }

    @discardableResult
    private func pin(
        _ fixture: CourseworkFixture, _ one: Assignment, _ file: SubmittedFile, _ text: String = "Quote a source",
        page: Double = 2, at place: (Double, Double) = (0.25, 0.4), size: (Double, Double)? = nil,
        as caller: Caller? = nil
    ) async throws -> PinnedNote {
        var fields: [String: InputValue] = [
            "assignmentId": .id(one.id), "fileId": .id(file.id), "text": .text(text), "page": .number(page),
            "x": .number(place.0), "y": .number(place.1),
        ]
        if let size { fields.merge(["width": .number(size.0), "height": .number(size.1)]) { $1 } }
        return try await fixture.school.execute(AddNote.self, .object(fields), as: caller ?? fixture.teacher)
    }

    private func notes(
        _ fixture: CourseworkFixture, _ one: Assignment, _ file: SubmittedFile, as caller: Caller
    ) async throws -> [PinnedNote] {
        try await fixture.school.answer(
            ListNotes.self, ["assignmentId": .id(one.id), "fileId": .id(file.id)], as: caller
        ).items
    }

    private func fields(_ note: PinnedNote, _ one: Assignment, _ text: String? = nil) -> [String: InputValue] {
        var fields: [String: InputValue] = [
            "assignmentId": .id(one.id), "fileId": .id(note.fileId), "noteId": .id(note.id),
        ]
        fields["text"] = text.map { .text($0) }
        return fields
    }

    @Test(
        "notes are stored in fractions of the page and listed as they follow each other, beside an unchanged file")
    func pinned() async throws {
        let (fixture, one, file) = try await handedIn()
        try await pin(fixture, one, file, "Last", page: 3, at: (0, 1))
        let note = try await pin(fixture, one, file, size: (0.5, 0.05))
        #expect([note.x, note.y, note.width, note.height] == [0.25, 0.4, 0.5, 0.05] && note.page == 2)
        #expect(try await notes(fixture, one, file, as: fixture.teacher).map(\.text) == ["Quote a source", "Last"])
        let mia = CourseworkFixture.id(fixture.mia)
        let page = try await fixture.outline(AssignmentScreens.marking(one.id, mia), as: fixture.teacher)
        #expect(
            page.contains("1. Quote a source")
                && page.contains("Page 2, 25\u{A0}% from the left, 40\u{A0}% from the top"))
        let stored = try await fixture.school.database.read { try SubmissionRepository.file(file.id, in: $0) }
        #expect(stored?.hash == BlobHash(of: Array("%PDF-1.7 some pages".utf8)))
    }

    @Test("before the return no page, change, list or export tells the family of a note; after it all do")
    func hidden() async throws {
        let (fixture, one, file) = try await handedIn()
        let before = try await fixture.told(fixture.mia)
        try await pin(fixture, one, file, "Weak argument")
        try await fixture.mark(one, fixture.mia, "12")
        #expect(try await fixture.told(fixture.mia) == before)
        let payloads = try await fixture.school.changes().map { $0.change.payload.values.joined(separator: " ") }
        #expect(!payloads.contains { $0.contains("Weak argument") })
        let subject = RecordSubject(
            schoolId: fixture.school.organization.id, personId: CourseworkFixture.id(fixture.mia), accountId: nil,
            placeholder: "Someone")
        let table = try #require(NoteRepository.records.tables.first)
        func exported() async throws -> Int {
            try await fixture.school.database.read { sql in
                try table.about.map { try sql.rows($0(subject)).count } ?? -1
            }
        }
        #expect(try await exported() == 0)
        for caller in [fixture.mia, fixture.mother] {
            #expect(try await notes(fixture, one, file, as: caller).isEmpty)
            for path in [AssignmentScreens.path(one.id), AssignmentScreens.home] {
                let page = try await fixture.outline(path, as: caller)
                #expect(!page.contains("Weak") && !page.contains("island notes"), "\(path)")
            }
        }
        _ = try await fixture.returnAll(one)
        #expect(try await exported() == 1)
        for caller in [fixture.mia, fixture.mother] {
            #expect(try await notes(fixture, one, file, as: caller).map(\.text) == ["Weak argument"])
            let page = try await fixture.outline(AssignmentScreens.path(one.id), as: caller)
            #expect(page.contains("Note 1 · Page 2") && page.contains("Weak argument"))
            #expect(page.contains("island notes") && !page.contains("/note\""), "readers cannot add notes")
        }
        #expect(try await fixture.told(fixture.noah).filter { $0.contains("note") }.isEmpty)
    }

    @Test("a second submission keeps the notes of the first, and its own are hidden until it is marked too")
    func secondAttempt() async throws {
        let (fixture, one, file) = try await handedIn()
        try await pin(fixture, one, file, "First notes")
        try await fixture.mark(one, fixture.mia, "12", returns: true)
        fixture.school.clock.advance(by: 60)
        let second = try await fixture.handIn(one, as: fixture.mia, files: [pdf])
        let newer = try #require(second.files.first)
        fixture.school.clock.advance(by: 60)
        try await pin(fixture, one, newer, "Second notes")
        #expect(try await notes(fixture, one, file, as: fixture.mia).map(\.text) == ["First notes"])
        #expect(try await notes(fixture, one, newer, as: fixture.mia).isEmpty)
        try await fixture.mark(one, fixture.mia, "15", version: 1)
        #expect(try await notes(fixture, one, newer, as: fixture.mia).map(\.text) == ["Second notes"])
        #expect(try await notes(fixture, one, file, as: fixture.mia).map(\.text) == ["First notes"])
    }

    @Test("of two teachers who change one note, the later is refused; a deleted note is gone for both")
    func twoTeachers() async throws {
        let (fixture, one, file) = try await handedIn()
        let note = try await pin(fixture, one, file)
        let stored = try #require(
            try await fixture.school.database.read { try NoteRepository.note(note.id, in: $0) })
        var opened = fields(note, one, "Name the page")
        opened["version"] = .text(stored.version.text)
        #expect(
            try await fixture.school.execute(EditNote.self, .object(opened), as: fixture.colleague).authorId
                == CourseworkFixture.id(fixture.colleague))
        opened["text"] = "Name the book"
        let refused = try await problem {
            _ = try await fixture.school.execute(EditNote.self, .object(opened), as: fixture.teacher)
        }
        #expect(refused?.status == 409 && refused?.code == ContentVersion.changed)
        #expect(try await notes(fixture, one, file, as: fixture.teacher).map(\.text) == ["Name the page"])
        for (attempt, status) in [(1, nil), (2, 404)] {
            let answer = try await problem {
                _ = try await fixture.school.execute(
                    DeleteNote.self, .object(fields(note, one)), as: fixture.teacher)
            }
            #expect(answer?.status == status, "attempt \(attempt)")
        }
        let sheet = try await fixture.school.environment.outline(
            NotedFile.path(file.id, of: one.id), as: fixture.teacher, query: ["page": "3", "left": "99999"])
        #expect(sheet.description.contains("Page 3, 100\u{A0}% from the left, 50\u{A0}% from the top"))
    }

    @Test("places that do not exist, empty and endless texts, and too many notes are refused with a sentence")
    func hostile() async throws {
        let (fixture, one, file) = try await handedIn()
        let words = try fixture.school.environment.words()
        let cases: [(field: String, page: Double, place: (Double, Double), size: (Double, Double)?, text: String)] =
            [
                ("x", 1, (.nan, 0), nil, "A"), ("y", 1, (0, -1), nil, "A"), ("x", 1, (.infinity, 0), nil, "A"),
                ("x", 1, (1.1, 0), nil, "A"), ("page", 0, (0, 0), nil, "A"), ("page", 4, (0, 0), nil, "A"),
                ("page", 10_000, (0, 0), nil, "A"), ("page", 1.5, (0, 0), nil, "A"),
                ("width", 1, (0.9, 0), (0.2, 0.1), "A"), ("width", 1, (0, 0.95), (0.1, 0.1), "A"),
                ("text", 1, (0, 0), nil, " "), ("text", 1, (0, 0), nil, String(repeating: "a", count: 2001)),
            ]
        for attack in cases {
            let refused = try await problem {
                try await pin(
                    fixture, one, file, attack.text, page: attack.page, at: attack.place, size: attack.size)
            }
            #expect(refused?.faults.map(\.field) == [attack.field], "\(attack)")
            #expect(refused?.sentence(words).isEmpty == false)
        }
        let mia = CourseworkFixture.id(fixture.mia)
        try await fixture.school.database.write { sql in
            for _ in 0..<WorkNote.most {
                try NoteRepository.insert(
                    WorkNote(
                        id: UUID(), fileId: file.id, studentId: mia, assignmentId: one.id,
                        place: NotePlace(page: 1, left: 5, top: 5, width: 0, height: 0), text: "Again",
                        authorId: mia,
                        changedAt: fixture.school.clock.now), in: sql)
            }
        }
        let full = try await problem { try await pin(fixture, one, file) }
        #expect(full?.code == "coursework.notesFull" && full?.sentence(words).contains("200") == true)
    }

    @Test("only teachers of the course write notes, on files that were handed in and are shown as pages")
    func access() async throws {
        let (fixture, one, file) = try await handedIn()
        for caller in [fixture.stranger, fixture.mia, fixture.mother] {
            let refused = try await problem { try await pin(fixture, one, file, as: caller) }
            #expect([403, 404].contains(refused?.status))
        }
        #expect(try await problem { _ = try await notes(fixture, one, file, as: fixture.noah) }?.status == 404)
        let draft = try await fixture.saveDraft(one, as: fixture.noah, files: [pdf])
        let unseen = try #require(draft.files.first)
        #expect(try await problem { try await pin(fixture, one, unseen) }?.status == 404)
        let text = try await fixture.handIn(one, as: fixture.mia, files: [fixture.file("notes.txt")])
        let plain = try #require(text.files.first)
        #expect(
            try await problem { try await pin(fixture, one, plain, page: 1) }?.faults.first?.code
                == "coursework.noteUnshown")
    }

    @Test("the notes about a student are erased with the student, and with the assignment")
    func erased() async throws {
        let (fixture, one, file) = try await handedIn()
        let note = try await pin(fixture, one, file)
        func exists() async throws -> Bool {
            try await fixture.school.database.read { try NoteRepository.note(note.id, in: $0) } != nil
        }
        let subject = RecordSubject(
            schoolId: fixture.school.organization.id, personId: CourseworkFixture.id(fixture.mia), accountId: nil,
            placeholder: "Someone")
        let erase = try #require(NoteRepository.records.tables.first?.erase)
        #expect(try await exists())
        try await fixture.school.database.write { try $0.execute(erase(subject)) }
        #expect(try await !exists())
        let again = try await pin(fixture, one, file)
        try await fixture.school.database.write { try AssignmentRepository.delete(one.id, in: $0) }
        #expect(try await fixture.school.database.read { try NoteRepository.note(again.id, in: $0) } == nil)
    }
}
