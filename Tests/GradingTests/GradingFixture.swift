import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface
import OrganizationTesting
import TestKit

@testable import Grading

/// The block in a school with one course, its teacher, two of its students and the mother of one.
struct GradingFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let families = LinkedFamilies()
    let admin: Caller
    let teacher: Caller
    let stranger: Caller
    let mia: Caller
    let noah: Caller
    let mother: Caller
    let course: Course

    init(sources: [any GradedItemSource] = []) async throws {
        feature = try GradingFeature.make(
            courses: FamilyCourses(families: families), roster: TestCourses(), people: TestPeople(),
            families: families, printer: PlainPrinter(), sources: sources)
        let school = try await TestSchool(
            [TestPeople.feature(), TestCourses.feature(), feature], clock: FixedClock())
        self.school = school
        func person(_ role: Role, _ name: String) async throws -> Caller {
            try await TestPeople.add(school.makeCaller(role), name, to: school.database)
        }
        admin = try await person(.admin, "Ada Admin")
        teacher = try await person(.guide, "Tea Cher")
        stranger = try await person(.guide, "Olga Other")
        mia = try await person(.student, "Mia Roy")
        noah = try await person(.student, "Noah Roy")
        mother = try await person(.parent, "Mona Roy")
        families.add(parent: Self.id(mother), of: Self.id(mia), named: "Mia")
        course = try await TestCourses.addAlgebra(
            school.ids.id(at: school.clock.now), taughtBy: [Self.id(teacher)], to: [mia, noah].map(Self.id),
            at: school.clock.now, in: school.database)
    }

    // MARK: - Actions

    func item(
        _ title: String = "Essay", _ category: GradeCategory = .assignments, maximum: String = "20",
        extra: Bool = false, released: Bool = true
    ) async throws -> ItemAnswer {
        let item = try await school.execute(
            AddGradebookItem.self,
            [
                "courseId": .id(course.id), "title": .text(title), "category": .text(category.rawValue),
                "maximum": .text(maximum), "isExtraCredit": .bool(extra),
            ], as: teacher)
        if released { try await release(item) }
        return item
    }

    func release(_ item: ItemAnswer, _ isReleased: Bool = true) async throws {
        try await school.execute(
            ReleaseGradebookItem.self,
            ["courseId": .id(course.id), "itemId": .id(item.id), "isReleased": .bool(isReleased)], as: teacher)
    }

    @discardableResult
    func mark(
        _ student: Caller, _ text: String, _ item: ItemAnswer, version: Int = 0, as caller: Caller? = nil
    ) async throws -> GradeCell {
        try await school.execute(
            SetScore.self,
            [
                "courseId": .id(course.id), "itemId": .id(item.id), "studentId": .id(Self.id(student)),
                "text": .text(text), "version": .number(Double(version)),
            ], as: caller ?? teacher)
    }

    /// Pastes a column as a person does who has seen the stored scores, or those of `versions`.
    @discardableResult
    func paste(
        _ text: String, _ item: ItemAnswer, replaces: Bool = false, versions: [Int]? = nil,
        students: [Caller] = []
    ) async throws -> Int {
        try await pasted(text, item, replaces: replaces, versions: versions, students: students).count
    }

    /// Pastes a column like `paste` and returns the whole answer.
    func pasted(
        _ text: String, _ item: ItemAnswer, replaces: Bool = false, versions: [Int]? = nil,
        students: [Caller] = []
    ) async throws -> PastedScores {
        let stored = try await stored(item).map(\.version)
        return try await school.execute(
            PasteScores.self,
            [
                "courseId": .id(course.id), "itemId": .id(item.id), "text": .text(text),
                "replaces": .bool(replaces),
                "versions": .text((versions ?? stored).map(String.init).joined(separator: " ")),
                "students": .list(students.map { .id(Self.id($0)) }),
            ], as: teacher)
    }

    /// The scores of an item as a teacher reads them, in the gradebook's order.
    func stored(_ item: ItemAnswer, as caller: Caller? = nil) async throws -> [StoredScore] {
        try await school.answer(
            ReadScores.self, ["courseId": .id(course.id), "itemId": .id(item.id)], as: caller ?? teacher
        ).items
    }

    /// Uploads a file of scores and returns its preview.
    func preview(_ text: String) async throws -> ScoreImportReport {
        let file = UploadedFile(name: "marks.csv", contentType: "text/csv", bytes: Array(text.utf8))
        return try await school.execute(
            PreviewScoreImport.self, ["courseId": .id(course.id), "file": .file(file)], as: teacher)
    }

    /// Imports a previewed file.
    func apply(_ preview: ScoreImportReport, taken: [ScoreConflict] = []) async throws -> ScoreImportReport {
        try await school.execute(
            ImportScores.self,
            [
                "courseId": .id(course.id), "uploadId": .id(preview.uploadId), "plan": .text(preview.plan),
                "taken": .list(taken.map { .text("\($0.studentId.text)/\($0.itemId.text)") }),
            ], as: teacher)
    }

    func export(as caller: Caller? = nil) async throws -> String {
        guard let route = feature.endpoints.downloads.first else { return "" }
        let file = try await route.file(
            ["courseId": course.id.text], try await school.context(of: caller ?? teacher))
        guard case .bytes(let bytes) = file.content else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Adds another student to the course.
    @discardableResult
    func join(_ name: String) async throws -> Caller {
        let caller = school.makeCaller(.student)
        try await TestPeople.insert(Self.id(caller), name, into: school.database)
        try await TestCourses.enrol(Self.id(caller), in: course.id, school.database)
        return caller
    }

    /// Removes a student from the course.
    func leave(_ student: Caller) async throws {
        try await TestCourses.remove(Self.id(student), from: course.id, school.database)
    }

    func grades(_ caller: Caller, _ student: Caller? = nil) async throws -> StudentGrades {
        var input: [String: InputValue] = ["courseId": .id(course.id)]
        input["student"] = student.map { .id(Self.id($0)) }
        return try await school.answer(ReadCourseGrades.self, .object(input), as: caller)
    }

    func marks(_ item: ItemAnswer) async throws -> [String: String] {
        try await school.database.read { try GradingRepository.scores(ofItem: item.id, in: $0) }
            .reduce(into: [:]) { $0[$1.studentId == Self.id(mia) ? "Mia" : "Noah"] = $1.text }
    }

    /// The kinds of the changes of which a person is notified.
    func heard(_ caller: Caller) async throws -> [String] {
        let audience = Audience.person(Self.id(caller))
        return try await school.database.read { try ChangeLog.changes(after: 0, limit: 10_000, in: $0) }
            .filter { $0.change.audience.contains(audience) }.map(\.change.kind)
    }
}

/// The terms of the school.
enum TestTerm {
    static let autumn = Term(
        id: UUID(), name: "Autumn", firstDay: Day(number: 20_000), lastDay: Day(number: 20_100))
    static let spring = Term(
        id: UUID(), name: "Spring", firstDay: Day(number: 20_101), lastDay: Day(number: 20_200))
    static let all = [spring, autumn]
}

/// A printer that writes a document as text, with each block on a line.
struct PlainPrinter: DocumentPrinting {
    func pdf(of document: PrintedDocument) async throws -> [UInt8] {
        let blocks = document.blocks.map { block in
            switch block {
            case .heading(let text), .text(let text), .note(let text): text
            case .items(let items): items.joined(separator: "\n")
            case .table(let table):
                ([table.columns.map(\.title)] + table.rows).map { $0.joined(separator: " | ") }
                    .joined(separator: "\n")
            case .badges: "badges"
            case .writing(let title, let lines): "\(title): \(lines) lines"
            }
        }
        return Array(([document.title, document.subtitle ?? ""] + blocks).joined(separator: "\n").utf8)
    }
}

/// `TestCourses`, which parents of its students may enter.
struct FamilyCourses: CourseService {
    let families: LinkedFamilies
    private let base = TestCourses()

    init(families: LinkedFamilies) { self.families = families }

    func course(_ id: UUID, enteredBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course {
        let children = try families.children(
            ofParent: membership.personId, orgId: membership.organization.id, in: sql)
        let inCourse = try base.students(of: id, in: sql)
        if children.contains(where: { inCourse.contains($0.id) }), let course = try base.courses([id], in: sql)[id]
        {
            return course
        }
        return try base.course(id, enteredBy: membership, in: sql)
    }

    func course(_ id: UUID, ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course {
        try base.course(id, ledBy: membership, in: sql)
    }
    func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: Course] {
        try base.courses(ids, in: sql)
    }
    func courses(taughtBy personId: UUID, in sql: any SQLReading) throws -> [Course] {
        try base.courses(taughtBy: personId, in: sql)
    }
    func offered(on day: Day, in sql: any SQLReading) throws -> [Course] { try base.offered(on: day, in: sql) }
    func version(in sql: any SQLReading) throws -> Int64 { try base.version(in: sql) }
    func terms(in sql: any SQLReading) throws -> [Term] { TestTerm.all }
}
