import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface
import OrganizationTesting
import Synchronization
import TestKit
import Testing

@testable import Reports

@Suite("Transcripts")
struct TranscriptTests {
    // MARK: - On paper

    @Test(
        "the header has a mark in the place of a logo, the title and the day", .requirement("WW-11.02.a"))
    func header() throws {
        let document = try composed(transcript())
        #expect(document.title == "Official Transcript")
        #expect(document.emblem == PrintedEmblem(initials: "MM", name: "Maple Montessori"))
        #expect(document.subtitle?.contains("20") == true && document.subtitle?.contains("2026") == true)
    }

    @Test("the student block has name, student ID, grade level and school year", .requirement("WW-11.02.b"))
    func student() throws {
        let table = try #require(try tables(composed(transcript())).first)
        #expect(table.columns.map(\.title) == ["Name", "Student ID", "Grade Level", "School Year"])
        #expect(table.rows == [["Mia Roy", "S-17", "Grade 9", "2026–2027"]])
    }

    @Test(
        "the table has the course, its teacher, the grade, the letter and the credits",
        .requirement("WW-11.02.c"))
    func courses() throws {
        let table = try #require(try tables(composed(transcript())).last)
        #expect(table.columns.map(\.title) == ["Course Name", "Teacher", "Grade", "Letter Grade", "Credits"])
        #expect(
            table.rows == [
                ["Algebra", "Tea Cher", "91.5%", "A-", "1"], ["History", "Tea Cher, Colin Ague", "–", "–", "0.5"],
            ])
    }

    @Test(
        "the footer has the average over all courses, the credits that were earned and the attendance",
        .requirement("WW-11.03.a"))
    func footer() throws {
        let texts = try texts(composed(transcript()))
        #expect(texts.contains("GPA: 3.70 · Credits: 1 · Attendance: 90%"))
        #expect(try self.texts(composed(transcript(attendance: []))).contains { $0.hasSuffix("Attendance: –") })
    }

    @Test("the pages have numbers if there is more than one", .requirement("WW-11.03.b"))
    func numbers() throws {
        let document = try composed(transcript())
        #expect(document.pageNumber(1, 1).isEmpty)
        #expect(document.pageNumber(2, 3) == "Page 2 of 3")
    }

    @Test("the transcript has the colors of the reader's theme", .requirement("WW-11.03.c"))
    func theme() throws {
        #expect(try composed(transcript(), theme: .wolfwhale).theme == .wolfwhale)
        #expect(try composed(transcript(), theme: .pinktower).theme == .pinktower)
    }

    @Test(
        "the attendance is the part of the marked days on which the student was present, rounded half up to one place",
        arguments: [(0, 1, "0"), (1, 1, "100"), (9, 10, "90"), (2, 3, "66.7"), (1, 8, "12.5"), (1999, 2000, "100")])
    func attendance(present: Int, marked: Int, shown: String) throws {
        let marks = (0..<marked).map { $0 < present }
        let attendance = try #require(Reports.Transcript.Attendance(marks))
        #expect(attendance.percentage.text() == shown)
        #expect(Reports.Transcript.Attendance([Bool]()) == nil, "without a marked day there is no percentage")
    }

    @Test("a school year begins on 1 August")
    func years() throws {
        #expect(SchoolYear(of: try #require(Day("2026-07-31"))).title == "2025–2026")
        #expect(SchoolYear(of: try #require(Day("2026-08-01"))).title == "2026–2027")
        #expect(SchoolYear(start: 2026).days.contains(try #require(Day("2027-07-31"))))
    }

    @Test("a French transcript has French terms and decimal commas")
    func french() throws {
        let document = try composed(transcript(), language: .french)
        #expect(document.title == "Relevé de notes officiel")
        #expect(try tables(document).last?.rows.first?[2] == "91,5\u{A0}%")
    }

    // MARK: - Who may have it

    @Test("students and parents export the transcript as a PDF file", .requirement("WW-11.01"))
    func export() async throws {
        let fixture = try await TranscriptFixture()
        for person in [fixture.mia, fixture.mother, fixture.admin] {
            let code = try await fixture.issue(as: person)
            let file = try await fixture.file(code, as: person)
            #expect(file.contentType == "application/pdf")
            #expect(file.use == .attachment(name: "Official Transcript Mia Roy 2026-11-02.pdf"))
            let badge = try #require(
                fixture.press.documents.last?.blocks.compactMap { block -> PrintedBadge? in
                    if case .badges(let badges) = block { badges.first } else { nil }
                }.first)
            #expect(RecordingPress.text(of: badge.code) == "https://tower.example/verify/\(code)")
        }
    }

    @Test("others have no transcript of a student, and a code of one student prints no other")
    func strangers() async throws {
        let fixture = try await TranscriptFixture()
        #expect(try await problem { _ = try await fixture.issue(as: fixture.noah) } == .notFound)
        #expect(try await problem { _ = try await fixture.issue(as: fixture.guide) }?.status == 403)
        let code = try await fixture.issue(as: fixture.mia)
        #expect(try await problem { _ = try await fixture.file(code, as: fixture.noah) } == .notFound)
        #expect(try await problem { _ = try await fixture.file("ZZZZZZZZZZZZ", as: fixture.mia) } == .notFound)
        #expect(
            try await problem { _ = try await fixture.file(code, year: "1999", as: fixture.mia) } == .notFound)
    }

    @Test("an administrator exports a transcript from the page of a person")
    func administrators() async throws {
        let fixture = try await TranscriptFixture()
        let page = try await fixture.outline("/transcripts/\(TranscriptFixture.miaId.text)", as: fixture.admin)
        #expect(page.contains("Mia Roy") && page.contains("Export PDF"))
    }

    @Test(
        "an administrator issues transcripts of students only, and the page of other people says that there is none"
    )
    func noStudent() async throws {
        let fixture = try await TranscriptFixture()
        let mother = TranscriptFixture.motherId
        let page = try await fixture.outline("/transcripts/\(mother.text)", as: fixture.admin)
        #expect(page.contains("Mona Roy") && !page.contains("Export PDF"))
        let code = ShortCode.make(length: TranscriptCode.length, fixture.school.ids)
        let refused = try await problem {
            _ = try await fixture.school.execute(
                IssueTranscript.self, ["personId": .id(mother), "transcriptCode": .text(code)], as: fixture.admin)
        }
        #expect(refused == .notFound)
        // Others have no such page at all.
        #expect(
            try await problem { _ = try await fixture.outline("/transcripts/\(mother.text)", as: fixture.noah) }
                == .notFound)
    }

    @Test("the transcript has the logo of the school in the place of its initials, and none once it is removed")
    func logo() async throws {
        let fixture = try await TranscriptFixture()
        let bytes = Array("a picture".utf8)
        let hash = try await fixture.school.context(of: fixture.admin).files.put(bytes)
        fixture.logo.logo = SchoolLogo(hash: hash, width: 400, height: 100)
        let code = try await fixture.issue(as: fixture.mia)
        _ = try await fixture.file(code, as: fixture.mia)
        #expect(
            fixture.press.documents.last?.emblem?.logo == ShrunkImage(bytes: bytes, width: 400, height: 100))
        fixture.logo.logo = nil
        _ = try await fixture.file(code, as: fixture.mia)
        #expect(fixture.press.documents.last?.emblem?.logo == nil)
    }

    // MARK: - Verifying

    @Test("the public page knows a code that was issued, and tells only the school and the day")
    func verify() async throws {
        let fixture = try await TranscriptFixture()
        let code = try await fixture.issue(as: fixture.mia)
        let typed = ShortCode.grouped(code, by: 4).lowercased()
        #expect(
            ShortCode.normalized(ShortCode.unbroken(code, by: 4)) == code, "copied from the page of the transcript")
        for path in ["/verify/\(code)", "/verify/\(typed)"] {
            let page = try await fixture.school.environment.outline(path, as: .nobody).description
            #expect(page.contains("This code is genuine") && page.contains("Maple Montessori"))
            #expect(!page.contains("Mia") && !page.contains("Algebra") && !page.contains("91"))
        }
        let unknown = try await fixture.school.environment.outline("/verify/ABCDEFGHJKMN", as: .nobody).description
        #expect(unknown.contains("No transcript has this code") && !unknown.contains("Maple"))
    }

    @Test("guesses of one network are limited, and known codes do not count")
    func guesses() async throws {
        let fixture = try await TranscriptFixture()
        let code = try await fixture.issue(as: fixture.mia)
        let environment = fixture.school.environment
        for _ in 0..<40 { _ = try await environment.outline("/verify/\(code)", as: .nobody) }
        let refused = try await problem {
            for _ in 0..<40 { _ = try await environment.outline("/verify/ABCDEFGHJKMN", as: .nobody) }
        }
        #expect(refused?.status == 429)
    }

    // MARK: - Mail

    @Test(
        "the transcript is emailed once to the contact that the sender chose, and the audit log notes it",
        .requirement("WW-11.05"))
    func mail() async throws {
        let fixture = try await TranscriptFixture()
        let code = try await fixture.issue(as: fixture.mother)
        let contact = "0 Mona Roy m…@home.example"
        for _ in 0..<2 { try await fixture.mail(code, to: contact, as: fixture.mother, key: "one-key-of-one-page") }
        #expect(fixture.mailer.mails.map(\.to) == ["mona@home.example"])
        let mail = try #require(fixture.mailer.mails.first)
        #expect(mail.attachment?.contentType == "application/pdf" && mail.attachment?.bytes == Array("%PDF".utf8))
        #expect(mail.text.contains("Mona Roy") && mail.text.contains("Maple Montessori"))
        #expect(mail.schoolId == fixture.school.organization.id && mail.personId == TranscriptFixture.miaId)
        #expect(try await fixture.school.changes().map(\.change.kind) == ["transcripts.mailed"])
    }

    @Test("a parent sends it to the own address only, and a student sees no whole address of a contact")
    func contacts() async throws {
        let fixture = try await TranscriptFixture()
        let code = try await fixture.issue(as: fixture.mother)
        let path = "/transcripts/\(TranscriptFixture.miaId.text)/\(code)"
        let forMother = try await fixture.outline(path, as: fixture.mother)
        #expect(forMother.contains("mona@home.example"))
        #expect(!forMother.contains("paul@home.example") && !forMother.contains("gran@home.example"))
        let forMia = try await fixture.outline(path, as: fixture.mia)
        #expect(forMia.contains("p…@home.example") && !forMia.contains("paul@home.example"))
        let forAdmin = try await fixture.outline(path, as: fixture.admin)
        #expect(forAdmin.contains("paul@home.example") && forAdmin.contains("gran@home.example"))
        let refused = try await problem {
            try await fixture.mail(code, to: "0 Paul Roy p…@home.example", as: fixture.mother)
        }
        #expect(refused?.faults.first?.field == "contact")
        #expect(fixture.mailer.mails.isEmpty)
    }

    @Test("a person can email at most five transcripts an hour")
    func limit() async throws {
        let fixture = try await TranscriptFixture()
        let code = try await fixture.issue(as: fixture.mother)
        let refused = try await problem {
            for _ in 0..<6 { try await fixture.mail(code, to: "0 Mona Roy m…@home.example", as: fixture.mother) }
        }
        #expect(refused?.status == 429 && fixture.mailer.mails.count == 5)
    }

    // MARK: - Values

    private func transcript(attendance: [Bool] = Array(repeating: true, count: 9) + [false]) -> Reports.Transcript {
        let year = SchoolYear(start: 2026)
        return Reports.Transcript(
            student: FixedPeople.mia, years: [year], year: year,
            rows: [
                .init(
                    course: "Algebra", teacher: "Tea Cher", year: year, grade: FixedResults.grade,
                    credits: Hundredths(count: 100)),
                .init(
                    course: "History", teacher: "Tea Cher, Colin Ague", year: year, grade: nil,
                    credits: Hundredths(count: 50)),
            ], average: FixedResults.average, attendance: Reports.Transcript.Attendance(attendance))
    }

    private func composed(
        _ transcript: Reports.Transcript, language: Language = .english, theme: ThemeName = .pinktower
    ) throws -> PrintedDocument {
        let catalog = try ReportsFeature.make(
            classrooms: NoRooms(), students: NoRooms(), record: NoRooms(), history: NoRooms(), materials: nil,
            printer: NoRooms(), qr: NoRooms(), publicURL: "https://tower.example"
        ).catalog
        return TranscriptComposer(
            school: "Maple Montessori", words: Words(language, [catalog, try .featureKit()]), paper: .a4,
            theme: theme, today: try #require(Day("2026-11-20"))
        ).document(transcript, code: "4K7QP9XW2MAB", address: "https://tower.example/verify", modules: [[true]])
    }

    private func tables(_ document: PrintedDocument) throws -> [PrintedTable] {
        document.blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
    }

    private func texts(_ document: PrintedDocument) -> [String] {
        document.blocks.compactMap { block in
            switch block {
            case .text(let text), .note(let text): text
            default: nil
            }
        }
    }
}

/// The block in a school with a student, her parents, and people who may not see her transcript.
private struct TranscriptFixture {
    static let (miaId, motherId, fatherId) = (UUID(), UUID(), UUID())

    let school: TestSchool
    let feature: Feature
    let mailer = RememberingMailer()
    let press = RecordingPress()
    let logo = LogoFile()
    let mia: Caller
    let noah: Caller
    let mother: Caller
    let admin: Caller
    let guide: Caller

    init() async throws {
        let families = LinkedFamilies()
        families.add(parent: Self.motherId, of: Self.miaId, named: "Mia")
        families.add(parent: Self.fatherId, of: Self.miaId, named: "Mia")
        feature = try ReportsFeature.make(
            classrooms: NoRooms(), students: NoRooms(), record: FixedRecord(), history: NoRooms(), materials: nil,
            printer: press, qr: press, publicURL: "https://tower.example",
            transcripts: TranscriptPorts(
                courses: FixedCourses(), results: FixedResults(), people: FixedPeople(), families: families,
                logos: FixedLogo(file: logo), hasher: FastHasher(), mailer: mailer,
                school: { id in
                    Organization(
                        id: id, name: "Maple Montessori", avatarTint: .leaf, timeZone: "Europe/Paris",
                        createdAt: Date(timeIntervalSince1970: 1_793_000_000))
                }))
        school = try await TestSchool([feature])
        mia = school.makeCaller(.student, personId: Self.miaId)
        noah = school.makeCaller(.student)
        mother = school.makeCaller(.parent, personId: Self.motherId)
        admin = school.makeCaller(.admin)
        guide = school.makeCaller(.guide)
    }

    /// Issues the transcript of Mia and returns its code.
    func issue(as caller: Caller) async throws -> String {
        let code = ShortCode.make(length: TranscriptCode.length, school.ids)
        _ = try await school.execute(
            IssueTranscript.self, ["personId": .id(Self.miaId), "transcriptCode": .text(code)], as: caller)
        return code
    }

    func file(_ code: String, year: String = "all", as caller: Caller) async throws -> DownloadedFile {
        let route = feature.endpoints.downloads.first { $0.path.hasPrefix("/transcripts/") }
        return try await #require(route).file(
            ["personId": Self.miaId.text, "code": code, "paper": "a4", "year": year], school.context(of: caller))
    }

    func mail(_ code: String, to contact: String, as caller: Caller, key: String? = nil) async throws {
        _ = try await school.execute(
            MailTranscript.self,
            [
                "personId": .id(Self.miaId), "transcriptCode": .text(code), "year": "all",
                "contact": .text(contact),
            ], as: caller, key: key)
    }

    func outline(_ path: String, as caller: Caller) async throws -> String {
        try await school.environment.outline(path, as: caller).description
    }
}

private struct FixedPeople: PeopleService {
    static let mia = person(TranscriptFixture.miaId, "Mia Roy", nil, number: "S-17", gradeLevel: "Grade 9")

    private static func person(
        _ id: UUID, _ name: String, _ email: String?, number: String? = nil, gradeLevel: String? = nil
    ) -> Person {
        Person(
            id: id, orgId: id, name: PersonName(fullName: name), email: email, number: number,
            gradeLevel: gradeLevel, avatarTint: .sky, createdAt: Date(timeIntervalSince1970: 1_793_000_000))
    }

    func people(_ ids: [UUID], of orgId: UUID, in sql: any SQLReading) throws -> [UUID: Person] {
        let all = [
            Self.mia, Self.person(TranscriptFixture.motherId, "Mona Roy", "mona@home.example"),
            Self.person(TranscriptFixture.fatherId, "Paul Roy", "paul@home.example"),
        ]
        return all.filter { ids.contains($0.id) }.reduce(into: [:]) { $0[$1.id] = $1 }
    }
    func add(_ draft: PersonDraft, in context: CommandContext) throws -> Person { throw unexpectedCall() }
    func update(_ id: UUID, _ draft: PersonDraft, in context: CommandContext) throws -> Person {
        throw unexpectedCall()
    }
    func remove(_ id: UUID, in context: CommandContext) throws { throw unexpectedCall() }
}

private struct FixedCourses: CourseService {
    static let algebra = Course(
        id: UUID(), name: "Algebra", subject: "Mathematics", teacherIds: [], tint: .leaf,
        createdAt: Date(timeIntervalSince1970: 1_793_000_000))

    func course(_ id: UUID, enteredBy: ActiveMembership, in sql: any SQLReading) throws -> Course {
        throw unexpectedCall()
    }
    func course(_ id: UUID, ledBy: ActiveMembership, in sql: any SQLReading) throws -> Course {
        throw unexpectedCall()
    }
    func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: Course] {
        [Self.algebra].filter { ids.contains($0.id) }.reduce(into: [:]) { $0[$1.id] = $1 }
    }
    func courses(taughtBy personId: UUID, in sql: any SQLReading) throws -> [Course] { throw unexpectedCall() }
    func offered(on day: Day, in sql: any SQLReading) throws -> [Course] { throw unexpectedCall() }
    func terms(in sql: any SQLReading) throws -> [Term] { [] }
    func version(in sql: any SQLReading) throws -> Int64 { throw unexpectedCall() }
}

/// The logo of the test's school, once it has one.
private final class LogoFile: Sendable {
    private let stored = Mutex<SchoolLogo?>(nil)

    var logo: SchoolLogo? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

private struct FixedLogo: SchoolLogos {
    let file: LogoFile

    func logo(in sql: any SQLReading) throws -> SchoolLogo? { file.logo }
}

private struct FixedResults: CourseResults {
    static let grade = CourseGrade(
        courseId: FixedCourses.algebra.id, shown: Hundredths(count: 9150), letter: "A-", color: .green)
    static let average = GradePointAverage(unweighted: Hundredths(count: 370), creditWeighted: nil, courseCount: 1)

    func results(of studentId: UUID, in sql: any SQLReading) throws -> [CourseResult] {
        studentId == TranscriptFixture.miaId
            ? [CourseResult(courseId: FixedCourses.algebra.id, grade: Self.grade, isFormer: false)] : []
    }
    func average(of results: [CourseResult], in sql: any SQLReading) throws -> GradePointAverage? {
        results.isEmpty ? nil : Self.average
    }
}

private struct FixedRecord: ClassRecord {
    func contacts(of studentIds: [UUID], in sql: any SQLReading) throws -> [UUID: [FamilyContact]] {
        studentIds.reduce(into: [:]) {
            $0[$1] = [FamilyContact(fullName: "Gran Roy", email: "gran@home.example", phone: nil)]
        }
    }
    func attendance(
        of studentIds: [UUID], from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [UUID: [Day: Bool]] { [:] }
    func register(
        of classroomId: UUID, orgId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [RegisterLine] { throw unexpectedCall() }
}
