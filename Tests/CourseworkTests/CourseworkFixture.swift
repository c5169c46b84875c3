import CoursesInterface
import CoursesTesting
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface
import OrganizationTesting
import ScreenKit
import TestKit

@testable import Coursework

/// The block in a school with one course, its two teachers, two of its students and the mother of one.
struct CourseworkFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let families = LinkedFamilies()
    let admin: Caller
    let teacher: Caller
    let colleague: Caller
    let stranger: Caller
    let mia: Caller
    let noah: Caller
    let mother: Caller
    let course: Course
    let grades: CourseworkGrades
    let partialFiles: TestPartialFiles

    init(
        images: any ImageShrinking = TestImages(), pages: any DocumentPages = NoPages()
    ) async throws {
        let clock = FixedClock()
        partialFiles = try TestPartialFiles()
        feature = try CourseworkFeature.make(
            courses: FamilyCourses(families: families), roster: TestCourses(), people: TestPeople(),
            families: families, markdown: StarMarkdown(), images: images,
            partialFiles: partialFiles, zips: ListingZip(), pages: pages)
        let school = try await TestSchool([TestPeople.feature(), TestCourses.feature(), feature], clock: clock)
        self.school = school
        grades = CourseworkGrades(clock: clock)
        func person(_ role: Role, _ name: String) async throws -> Caller {
            try await TestPeople.add(school.makeCaller(role), name, to: school.database)
        }
        admin = try await person(.admin, "Ada Admin")
        teacher = try await person(.guide, "Tea Cher")
        colleague = try await person(.guide, "Colin Ague")
        stranger = try await person(.guide, "Olga Other")
        mia = try await person(.student, "Mia Roy")
        noah = try await person(.student, "Noah Roy")
        mother = try await person(.parent, "Mona Roy")
        families.add(parent: Self.id(mother), of: Self.id(mia), named: "Mia")
        course = try await TestCourses.addAlgebra(
            school.ids.id(at: school.clock.now), taughtBy: [Self.id(teacher), Self.id(colleague)],
            to: [mia, noah].map(Self.id),
            at: school.clock.now, in: school.database)
    }

    var zone: TimeZone { teacher.timeZone }
    var today: Day { Day(school.clock.now, in: zone) }

    /// Moves the clock to a time of day, given in seconds since midnight, some days from the first day of the test.
    func go(to day: Day, seconds: Int) {
        let target = day.start(in: zone) + TimeInterval(seconds)
        school.clock.advance(by: target.timeIntervalSince(school.clock.now))
    }

    // MARK: - Actions

    /// Adds an assignment that is due tomorrow at 23:59, and publishes it.
    @discardableResult
    func assign(
        _ title: String = "Essay", points: String? = "20", published: Bool = true,
        with more: [String: InputValue] = [:]
    ) async throws -> Assignment {
        var fields: [String: InputValue] = [
            "courseId": .id(course.id), "title": .text(title), "instructions": "Write *two* pages.",
            "dueDay": .text(today.adding(days: 1).description), "kinds": .list(["text", "files", "link"]),
        ]
        fields["points"] = points.map { .text($0) }
        fields.merge(more) { $1 }
        let one = try await school.execute(AddAssignment.self, .object(fields), as: teacher)
        return published ? try await publish(one) : one
    }

    @discardableResult
    func publish(_ one: Assignment, _ isPublished: Bool = true) async throws -> Assignment {
        try await school.execute(
            PublishAssignment.self, ["assignmentId": .id(one.id), "isPublished": .bool(isPublished)], as: teacher)
    }

    /// The fields of an assignment's form as they are stored, with changes.
    func edit(
        _ one: Assignment, _ changes: [String: InputValue], as caller: Caller? = nil
    ) async throws -> Assignment {
        var fields: [String: InputValue] = [
            "assignmentId": .id(one.id), "title": .text(one.title), "instructions": .text(one.instructions),
            "lateWork": .text(one.lateWork.rawValue), "latePenalty": .number(Double(one.latePenalty)),
            "kinds": .list(one.kinds.map { .text($0.rawValue) }),
            "attempts": .number(Double(one.attempts ?? 0)), "version": .number(Double(one.version)),
        ]
        fields["points"] = one.points.map { .text($0) }
        fields["dueDay"] = one.dueDay.map { .text($0.description) }
        fields["dueTime"] = one.dueAt.map { .text("\(ClockTime($0, in: zone))") }
        fields.merge(changes) { $1 }
        return try await school.execute(EditAssignment.self, .object(fields), as: caller ?? teacher)
    }

    @discardableResult
    func handIn(
        _ one: Assignment, as student: Caller, _ text: String? = "My work", link: String? = nil,
        files: [UploadedFile] = []
    ) async throws -> Submission {
        try await school.execute(HandInWork.self, input(one, text, link, files), as: student)
    }

    @discardableResult
    func saveDraft(
        _ one: Assignment, as student: Caller, _ text: String? = nil, files: [UploadedFile] = []
    ) async throws -> SubmissionDraft {
        try await school.execute(SaveWork.self, input(one, text, nil, files), as: student)
    }

    private func input(
        _ one: Assignment, _ text: String?, _ link: String?, _ files: [UploadedFile]
    ) -> InputValue {
        var fields: [String: InputValue] = ["assignmentId": .id(one.id)]
        fields["text"] = text.map { .text($0) }
        fields["link"] = link.map { .text($0) }
        if !files.isEmpty { fields["files"] = .list(files.map { .file($0) }) }
        return .object(fields)
    }

    func file(_ name: String, _ content: String = "Some content") -> UploadedFile {
        UploadedFile(name: name, contentType: "text/plain", bytes: Array(content.utf8))
    }

    @discardableResult
    func mark(
        _ one: Assignment, _ student: Caller, _ points: String?, comment: String? = nil, version: Int = 0,
        submission: Submission? = nil, returns: Bool = false, as caller: Caller? = nil
    ) async throws -> MarkedWork {
        var fields: [String: InputValue] = [
            "assignmentId": .id(one.id), "studentId": .id(Self.id(student)), "version": .number(Double(version)),
        ]
        fields["points"] = points.map { .text($0) }
        fields["comment"] = comment.map { .text($0) }
        fields["submissionId"] = submission.map { .id($0.id) }
        return returns
            ? try await school.execute(MarkAndReturnWork.self, .object(fields), as: caller ?? teacher)
            : try await school.execute(MarkWork.self, .object(fields), as: caller ?? teacher)
    }

    func extend(_ one: Assignment, _ student: Caller, to day: Day?) async throws -> WorkTimes {
        var fields: [String: InputValue] = ["assignmentId": .id(one.id), "studentId": .id(Self.id(student))]
        fields["dueDay"] = day.map { .text($0.description) }
        return try await school.execute(ExtendAssignment.self, .object(fields), as: teacher)
    }

    func returnAll(_ one: Assignment) async throws -> [UUID] {
        try await school.execute(ReturnWork.self, ["assignmentId": .id(one.id)], as: teacher).studentIds
    }

    /// The list of a student's work.
    func work(_ caller: Caller) async throws -> [AssignedWork] {
        try await school.answer(ListWork.self, as: caller).items
    }

    func submissions(_ one: Assignment, as caller: Caller) async throws -> [Submission] {
        try await school.answer(ListSubmissions.self, ["assignmentId": .id(one.id)], as: caller).items
    }

    func outline(_ path: String, as caller: Caller, query: [String: String] = [:]) async throws -> String {
        try await school.environment.outline(path, as: caller, query: query).description
    }

    /// The kinds of the changes of which a person is told by name.
    func told(_ caller: Caller) async throws -> [String] {
        let audience = Audience.person(Self.id(caller))
        return try await school.changes().filter { $0.change.audience.contains(audience) }.map(\.change.kind)
    }
}

/// Courses that parents enter too.
struct FamilyCourses: CourseService {
    let families: LinkedFamilies
    private var courses: TestCourses { TestCourses() }

    init(families: LinkedFamilies) { self.families = families }

    func course(_ id: UUID, enteredBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course {
        let students = Set(try courses.students(of: id, in: sql))
        if try families.learners(of: membership, in: sql).contains(where: students.contains),
            let course = try courses.courses([id], in: sql)[id]
        {
            return course
        }
        return try courses.course(id, ledBy: membership, in: sql)
    }

    func course(_ id: UUID, ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course {
        try courses.course(id, ledBy: membership, in: sql)
    }
    func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: Course] {
        try courses.courses(ids, in: sql)
    }
    func courses(taughtBy personId: UUID, in sql: any SQLReading) throws -> [Course] {
        try courses.courses(taughtBy: personId, in: sql)
    }
    func offered(on day: Day, in sql: any SQLReading) throws -> [Course] { try courses.offered(on: day, in: sql) }
    func terms(in sql: any SQLReading) throws -> [Term] { [] }
    func version(in sql: any SQLReading) throws -> Int64 { 0 }
}

/// Writes the paths and the contents of the files of an archive as text, without packing them.
struct ListingZip: ZipStreaming {
    func zip(_ entries: [ZipEntry], to write: @Sendable (Data) async throws -> Void) async throws {
        for entry in entries {
            try await write(Data("\(entry.path): \(String(decoding: entry.content.bytes(), as: UTF8.self))\n".utf8))
        }
    }
}

/// Fails on every document.
struct NoPages: DocumentPages {
    var fault = DocumentFault.unavailable

    func sizes(of document: StoredDocument) async throws(DocumentFault) -> [DocumentPageSize] { throw fault }
    func page(_ number: Int, of document: StoredDocument) async throws(DocumentFault) -> URL { throw fault }
    var store: DerivedStore {
        DerivedStore("test.pages", places: [], erasePeople: { _ in }, eraseSchool: { _ in })
    }
}
