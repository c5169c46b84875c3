import ClassroomInterface
import ClassroomTesting
import CurriculumInterface
import Domain
import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Reports

@Suite("Printed documents")
struct DocumentComposerTests {
    private let today = Day("2026-11-20") ?? Day(number: 0)

    private func composer(_ language: Language = .english) throws -> DocumentComposer {
        let catalog = try ReportsFeature.make(
            classrooms: NoRooms(), students: NoRooms(), record: NoRooms(), history: NoRooms(), materials: nil,
            printer: NoRooms(), qr: NoRooms(), publicURL: "https://tower.example"
        ).catalog
        return DocumentComposer(
            school: "Maple Montessori", words: Words(language, [catalog, try .featureKit()]), paper: .a4,
            today: today)
    }

    private func child(_ first: String, _ last: String = "Ruiz") -> Student {
        Student(
            id: UUID(), orgId: UUID(), firstName: first, lastName: last, displayName: first, avatarTint: .leaf,
            createdAt: Date(timeIntervalSince1970: 0))
    }

    private func table(_ document: PrintedDocument) throws -> PrintedTable {
        try #require(
            document.blocks.lazy.compactMap { if case .table(let table) = $0 { table } else { nil } }.first)
    }

    private func texts(_ document: PrintedDocument) -> [String] {
        document.blocks.flatMap { block -> [String] in
            switch block {
            case .heading(let text): ["# \(text)"]
            case .text(let text), .note(let text): [text]
            case .items(let items): items
            case .table(let table): table.rows.map { $0.joined(separator: " | ") }
            case .badges(let badges): badges.map(\.name)
            case .writing(let text, _): ["_ \(text)"]
            }
        }
    }

    @Test(
        "the class list has the children in the order of the class with all their contacts",
        .requirement("BY-1.27.a"))
    func roster() throws {
        let (bea, tom) = (child("Bea"), child("Tom"))
        let document = try composer().roster(
            "Maple room", [bea, tom],
            [
                bea.id: [
                    FamilyContact(fullName: "Luz Ruiz", email: nil, phone: "555-0100"),
                    FamilyContact(fullName: "Max Ruiz", email: "max@home.example", phone: nil),
                ]
            ])
        #expect(
            try table(document).rows == [
                ["Bea Ruiz", "Luz Ruiz · 555-0100\nMax Ruiz · max@home.example"], ["Tom Ruiz", ""],
            ])
        #expect(document.title == "Class list" && document.subtitle == "Maple room")
        #expect(texts(document).first == "2 children")
        #expect(document.pageNumber(2, 3) == "Page 2 of 3")
        #expect(document.school.contains("Friday"), "it says when it was printed: \(document.school)")
    }

    @Test("a right-to-left name is isolated in its line, and other names are unchanged")
    func direction() throws {
        #expect("محمد".isolated == "\u{2068}محمد\u{2069}")
        #expect("a\u{202E}b".isolated == "\u{2068}a\u{202E}b\u{2069}")
        #expect("O’Neill 李 🦊".isolated == "O’Neill 李 🦊")
        #expect("נועה\nb".isolated == "\u{2068}נועה\u{2069}\n\u{2068}b\u{2069}")
        let bea = child("Bea")
        let document = try composer().roster(
            "غرفة", [bea], [bea.id: [FamilyContact(fullName: "محمد العربي", email: nil, phone: "+41 79 555 01 00")]]
        )
        #expect(try table(document).rows == [["Bea Ruiz", "\u{2068}محمد العربي\u{2069} · +41 79 555 01 00"]])
    }

    @Test(
        "the attendance sheet has a column for each school day and each other day with a mark",
        .requirement("BY-1.27.b"))
    func attendance() throws {
        let (bea, tom) = (child("Bea"), child("Tom"))
        let (first, saturday) = (Day("2026-11-02") ?? today, Day("2026-11-14") ?? today)
        let lines = [
            line(bea, from: nil, through: nil, [first: true, saturday: false]),
            line(tom, from: Day("2026-11-10"), through: Day("2026-11-27"), [:]),
        ]
        let document = try composer().attendance("Maple room", lines, month: first)
        let table = try table(document)
        // November 2026 has 21 days from Monday to Friday.
        #expect(table.columns.count == 1 + 22 + 2)
        let place = try #require(table.columns.firstIndex { $0.title == "14" })
        #expect(table.rows[0][1] == "P" && table.rows[0][place] == "A")
        #expect(table.rows[0].suffix(2) == ["1", "1"] && table.rows[1].suffix(2) == ["0", "0"])
        let tomsDays = zip(table.columns, table.rows[1]).dropFirst().dropLast(2)
        #expect(
            tomsDays.allSatisfy { column, cell in
                cell == ((10...27).contains(Int(column.title) ?? 0) ? "" : "\u{2013}")
            }, "nobody marked Tom, and outside of his days in the class he has a dash")
        #expect(table.rows.allSatisfy { $0.count == table.columns.count })
        #expect(document.isLandscape)
    }

    private func line(_ student: Student, from first: Day?, through last: Day?, _ marks: [Day: Bool])
        -> RegisterLine
    {
        RegisterLine(
            student: student,
            stays: [
                ClassroomStay(studentId: student.id, classroomId: UUID(), firstDay: first, lastDay: last)
            ], marks: marks)
    }

    @Test(
        "a month has all its days, also February of a leap year",
        arguments: [("2028-02-15", 29), ("2026-02-01", 28), ("2026-12-31", 31), ("2026-11-30", 30)])
    func months(day: String, count: Int) throws {
        let days = DocumentComposer.days(ofMonth: try #require(Day(day)))
        #expect(days.count == count && days.first?.day == 1 && days.last?.day == count)
    }

    private func period(_ child: Student, _ other: UUID, withNotes: Bool) -> DocumentComposer.Period {
        let day = today.adding(days: -3)
        func note(_ text: String, of studentId: UUID, with tagged: [UUID] = []) -> RecordedObservation {
            RecordedObservation(
                id: UUID(), studentId: studentId, taggedStudentIds: tagged, day: day, content: text,
                subjectTag: nil, materialTag: nil, followUpOn: nil)
        }
        let tower = UUID()
        return DocumentComposer.Period(
            first: today.adding(days: -29), last: today,
            record: ChildPeriod(
                observations: [
                    note("Poured water alone", of: child.id), note("Helped Jonah", of: child.id, with: [other]),
                    note("Jonah built with Bea", of: other, with: [child.id]),
                ],
                completed: [
                    RecordedWork(
                        id: UUID(), isLesson: true, title: "Golden beads", scheduledFor: nil, completedOn: day)
                ],
                open: [
                    RecordedWork(
                        id: UUID(), isLesson: true, title: "Stamp game", scheduledFor: day, completedOn: nil)
                ],
                habits: [
                    RecordedHabit(id: UUID(), name: "Coat", doneOn: [day, today]),
                    RecordedHabit(id: UUID(), name: "Shoes", doneOn: []),
                ], absentOn: []),
            attended: [day: true, today: false],
            materials: [
                MaterialStep(materialId: tower, name: "Pink Tower", state: .presented, day: day),
                MaterialStep(materialId: tower, name: "Pink Tower", state: .mastered, day: today),
            ], withNotes: withNotes)
    }

    @Test(
        "a child's report has each thing once, and only what was recorded", .requirement("BY-1.27.c"),
        arguments: Language.allCases)
    func report(_ language: Language) throws {
        let bea = child("Bea")
        let document = try composer(language).report(bea, ["Maple room"], period(bea, UUID(), withNotes: false))
        let lines = texts(document)
        let all = lines.joined(separator: "\n")
        #expect(all.contains("Golden beads") && all.contains("Stamp game") && all.contains("Coat"))
        #expect(!all.contains("Shoes"), "a habit that was not done is no news")
        #expect(lines.filter { $0.contains("Pink Tower") }.count == 1)
        #expect(all.contains(language == .english ? "Mastered" : "Maîtrisé"))
        #expect(
            lines.contains(
                language == .english
                    ? "Present: 1 day. Absent: 1 day." : "Présence\u{A0}: 1 jour. Absence\u{A0}: 1 jour."),
            "\(lines)")
        #expect(!all.contains("Poured"), "notes are the guide's until she says otherwise")
        #expect(!all.contains("«"), "a word is missing: \(all)")
        #expect(document.title == "Bea Ruiz" && document.subtitle?.hasPrefix("Maple room · ") == true)
    }

    @Test("a report with notes has only notes about this child")
    func notes() throws {
        let bea = child("Bea")
        let all = texts(try composer().report(bea, [], period(bea, UUID(), withNotes: true))).joined()
        #expect(all.contains("Poured water alone") && !all.contains("Jonah"))
    }

    @Test("a report without records says so and leaves room to write")
    func empty() throws {
        let bea = child("Bea")
        let nothing = DocumentComposer.Period(
            first: today, last: today,
            record: ChildPeriod(observations: [], completed: [], open: [], habits: [], absentOn: []),
            attended: [:], materials: [], withNotes: true)
        #expect(
            texts(try composer().report(bea, [], nothing)) == [
                "Nothing recorded in this period.", "_ From the family", "_ Agreements",
            ])
    }
}

/// Encodes a text as one row of modules that a test can read back. Prints nothing.
final class RecordingPress: QRCodeEncoder, DocumentPrinting {
    private let printed = Mutex<[PrintedDocument]>([])
    var documents: [PrintedDocument] { printed.withLock { $0 } }

    func modules(of text: String) throws -> [[Bool]] {
        [text.utf8.flatMap { byte in (0..<8).map { byte >> $0 & 1 == 1 } }]
    }

    static func text(of modules: [[Bool]]) -> String {
        let bits = modules.flatMap(\.self)
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | (bits[start + $1] ? 1 << $1 : 0) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func pdf(of document: PrintedDocument) async throws -> [UInt8] {
        printed.withLock { $0.append(document) }
        return Array("%PDF".utf8)
    }
}

@Suite("Badges")
struct BadgeTests {
    @Test(
        "the badges of a class are a PDF with a code for each child that leads to her page",
        .requirement("BY-1.27.d"))
    func badges() async throws {
        let handlers = RecordingPress()
        let feature = try ReportsFeature.make(
            classrooms: TestClassrooms(), students: TestClassrooms(), record: NoRooms(), history: NoRooms(),
            materials: nil, printer: handlers, qr: handlers, publicURL: "https://tower.example")
        let school = try await TestSchool([TestClassrooms.feature(), feature])
        let guide = school.makeCaller(.guide)
        func newId() -> UUID { school.ids.id(at: school.clock.now) }
        let room = try await TestClassrooms.room("Maple room", of: guide, id: newId(), in: school.database)
        var wanted: [String: String] = [:]
        for name in ["Bea Ruiz", "Tom Ito", "Ana Paz"] {
            let id = try await TestClassrooms.child(name, in: room, id: newId(), in: school.database)
            wanted[name] = "https://tower.example/students/\(id.text)"
        }
        let path = "/classrooms/{classroomId}/print/{paper}/badges"
        let route = try #require(feature.endpoints.downloads.first { $0.path == path })
        let file = try await route.file(["classroomId": room.text, "paper": "a4"], school.context(of: guide))
        #expect(file.contentType == "application/pdf")
        let badges = handlers.documents.flatMap(\.blocks).flatMap { block -> [PrintedBadge] in
            if case .badges(let badges) = block { badges } else { [] }
        }
        #expect(badges.count == 3)
        #expect(
            Dictionary(
                badges.map { ($0.name, RecordingPress.text(of: $0.code)) }, uniquingKeysWith: { one, _ in one })
                == wanted)
    }
}

/// Services that throw when they are called: documents are composed from values alone.
struct NoRooms: ClassroomService, StudentService, ClassRecord, ChildHistory, DocumentPrinting, QRCodeEncoder {
    struct Asked: Error {}

    func classrooms(visibleTo: ActiveMembership, in: any SQLReading) throws -> [ClassroomSummary] { throw Asked() }
    func classroom(_: UUID, visibleTo: ActiveMembership, in: any SQLReading) throws -> Classroom { throw Asked() }
    func classroomIds(in: any SQLReading) throws -> [UUID] { throw Asked() }
    func studentIds(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] { [] }
    func classroomIds(ofStudent: UUID, in: any SQLReading) throws -> [UUID] { throw Asked() }
    func create(_: ClassroomDraft, in: inout CommandContext) throws -> Classroom { throw Asked() }
    func update(_: UUID, _: ClassroomDraft, in: inout CommandContext) throws -> Classroom { throw Asked() }
    func delete(_: UUID, in: inout CommandContext) throws { throw Asked() }
    func assign(guides: [UUID], to: UUID, in: inout CommandContext) throws -> Classroom { throw Asked() }
    func students(of: UUID, orgId: UUID, in: any SQLReading) throws -> [Student] { throw Asked() }
    func student(_: UUID, visibleTo: ActiveMembership, in: any SQLReading) throws -> Student { throw Asked() }
    func create(_: StudentDraft, in: inout CommandContext) throws -> Student { throw Asked() }
    func update(_: UUID, _: StudentDraft, in: inout CommandContext) throws -> Student { throw Asked() }
    func add(_: UUID, to: UUID, in: inout CommandContext) throws { throw Asked() }
    func remove(_: UUID, from: UUID, in: inout CommandContext) throws { throw Asked() }
    func contacts(of: [UUID], in: any SQLReading) throws -> [UUID: [FamilyContact]] { throw Asked() }
    func attendance(of: [UUID], from: Day, through: Day, in: any SQLReading) throws -> [UUID: [Day: Bool]] {
        throw Asked()
    }
    func register(
        of: UUID, orgId: UUID, from: Day, through: Day, in: any SQLReading
    ) throws -> [RegisterLine] { throw Asked() }
    func period(
        of: UUID, from: Day, through: Day, timeZone: TimeZone, in: any SQLReading
    ) throws -> ChildPeriod { throw Asked() }
    func observation(_: UUID, timeZone: TimeZone, in: any SQLReading) throws -> RecordedObservation? {
        throw Asked()
    }
    func photos(ofObservation: UUID, in: any SQLReading) throws -> [RecordedPhoto] { throw Asked() }
    func pdf(of: PrintedDocument) async throws -> [UInt8] { throw Asked() }
    func modules(of: String) throws -> [[Bool]] { throw Asked() }
}
