import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import RosterInterface
import RosterTesting
import Synchronization
import TestKit
import Testing

@testable import Roster

/// Terms, courses and enrollments in memory.
private final class HeldCourses: CourseImporting, CoursePlaceImporting {
    struct State: Equatable {
        var terms: [ImportedTerm] = []
        var courses: [ImportedCourse] = []
        var firstDays: [CoursePlace: Day] = [:]
        var filled: Set<UUID> = []
        var places: Set<CoursePlace> { Set(firstDays.keys) }
    }
    let state = Mutex(State())

    let tables: Set<String> = []

    func terms(in sql: any SQLReading) throws -> [ImportedTerm] { state.withLock { $0.terms } }
    func courses(in sql: any SQLReading) throws -> [ImportedCourse] { state.withLock { $0.courses } }
    func places(in sql: any SQLReading) throws -> [CoursePlace: Day] { state.withLock { $0.firstDays } }
    func filled(_ courseIds: Set<UUID>, in sql: any SQLReading) throws -> Set<UUID> { state.withLock { $0.filled } }
    func save(
        _ terms: [ImportedTerm], _ courses: [ImportedCourse], at instant: Date, in sql: any SQLWriting
    ) throws {
        state.withLock { state in
            state.terms = state.terms.filter { old in !terms.contains { $0.id == old.id } } + terms
            state.courses = state.courses.filter { old in !courses.contains { $0.id == old.id } } + courses
        }
    }
    func remove(terms: [UUID], courses: [UUID], in sql: any SQLWriting) throws {
        state.withLock { state in
            state.terms.removeAll { terms.contains($0.id) }
            state.courses.removeAll { courses.contains($0.id) }
        }
    }
    func add(
        _ places: [CoursePlace], firstDays: [CoursePlace: Day], at instant: Date, in sql: any SQLWriting
    ) throws {
        state.withLock { state in
            for place in places { state.firstDays[place] = firstDays[place] ?? Day(instant, in: .gmt) }
        }
    }
    func remove(_ places: [CoursePlace], in sql: any SQLWriting) throws {
        state.withLock { state in
            for place in places { state.firstDays[place] = nil }
        }
    }
}

@Suite("Importing terms and courses") struct RosterCoursesTests {
    private let held: HeldCourses
    let fixture: RosterFixture

    init() async throws {
        held = HeldCourses()
        fixture = try await RosterFixture(courses: RosterImport.Courses(held, places: held))
    }

    private func undo(_ report: RosterReport) async throws -> RosterUndo {
        try await fixture.school.execute(
            "roster.undo", ["importId": .id(try #require(report.importId))], as: fixture.admin
        ).result()
    }

    /// The sample with a scheduled class of its own course and two teachers.
    private func sample() -> RosterSample {
        var sample = RosterSample(rooms: 2, studentsPerRoom: 2)
        sample.append("course-2,,,year-1,Mathematics,M9,09,school-1,\"Algebra,Geometry\",", to: "courses.csv")
        sample.files["classes.csv", default: ""] +=
            "math-1,,,Mathematics 9A,,course-2,M9A,scheduled,,school-1,\"term-1,year-1\",,,\r\n"
        sample.append(RosterSample.enrollment("math-1", "student-0-0", "student"), to: "enrollments.csv")
        sample.append("e-1,,,math-1,school-1,guide-1,teacher,false,,", to: "enrollments.csv")
        sample.append("e-2,,,math-1,school-1,guide-0,teacher,true,,", to: "enrollments.csv")
        return sample
    }

    @Test(
        "terms, courses, teachers and students are imported once and can be undone",
        .requirement("BY-1.19.a"))
    func imports() async throws {
        let dry = try await fixture.preview(sample().bundle)
        #expect(held.state.withLock { $0 } == .init(), "a dry run changes nothing")
        let report = try await fixture.importing(sample().bundle)
        #expect(dry.changes == report.changes)
        #expect(report.counts.termsCreated == 2 && report.counts.coursesCreated == 2)
        #expect(report.counts.coursePlaces == 4 + 1 && report.counts.classroomsCreated == 2)
        #expect(!report.notices.contains { $0.code == "fileOnlyChecked" && $0.file != "orgs.csv" })
        let (people, state) = (try await fixture.people(), held.state.withLock { $0 })
        let terms = Dictionary(state.terms.map { ($0.name, $0) }) { first, _ in first }
        #expect(terms["2026-2027"]?.lastDay == Day("2027-06-30") && terms["Automne / Fall"] != nil)
        let math = try #require(state.courses.first { $0.externalId == "class:math-1" })
        #expect(math.name == "Mathematics 9A" && math.subject == "Algebra" && math.gradeLevel == "09")
        #expect(math.termId == terms["Automne / Fall"]?.id)
        #expect(math.teacherIds == [people["guide-0"]?.id, people["guide-1"]?.id], "the primary one comes first")
        #expect(state.places.contains(CoursePlace(courseId: math.id, personId: people["student-0-0"]!.id)))
        let casa = try #require(state.courses.first { $0.externalId == "course:course-1" })
        #expect(casa.name == "Casa" && state.places.count { $0.courseId == casa.id } == 4)
        #expect(try await fixture.importing(sample().bundle).changeCount == 0)
        let undone = try await undo(report)
        #expect(undone.keptCount == 0, "\(undone.kept)")
        #expect(held.state.withLock { $0 } == .init())
    }

    @Test("changes of courses and terms are reported by column and can be undone")
    func updates() async throws {
        try await fixture.importing(sample().bundle)
        let before = held.state.withLock { $0 }
        var sample = sample()
        sample.replace("Mathematics 9A", with: "Mathematics 9B", in: "classes.csv")
        sample.replace("2026-12-20", with: "2026-12-18", in: "academicSessions.csv")
        let report = try await fixture.importing(sample.bundle)
        #expect(report.counts.coursesUpdated == 2 && report.changeCount == 2)
        #expect(
            report.changes.flatMap(\.fields) == [
                .init(column: "endDate", before: "2026-12-20", after: "2026-12-18"),
                .init(column: "title", before: "Mathematics 9A", after: "Mathematics 9B"),
            ])
        #expect(try await undo(report).stepCount == 2)
        let after = held.state.withLock { $0 }
        #expect(Set(after.courses) == Set(before.courses) && Set(after.terms) == Set(before.terms))
    }

    @Test("an undo keeps a course with later lessons or students, and its term")
    func keepsUsedCourses() async throws {
        let report = try await fixture.importing(sample().bundle)
        held.state.withLock { state in
            for course in state.courses where course.name == "Casa" { state.filled.insert(course.id) }
            for course in state.courses where course.name != "Casa" {
                state.firstDays[CoursePlace(courseId: course.id, personId: UUID())] = Day("2026-10-01")
            }
        }
        let undone = try await undo(report)
        #expect(undone.kept.contains("Casa was changed by hand since then."))
        #expect(undone.kept.contains("Someone is still in the course Mathematics 9A."))
        #expect(undone.kept.contains("A course uses the term Automne / Fall."))
        #expect(held.state.withLock { $0.courses.count } == 2)
    }

    @Test("a school without courses imports scheduled classes as classrooms and notes the unused files")
    func without() async throws {
        let fixture = try await RosterFixture()
        let report = try await fixture.importing(sample().bundle)
        #expect(report.counts.classroomsCreated == 3 && report.counts.coursesCreated == 0)
        #expect(
            report.notices.filter { $0.code == "fileOnlyChecked" }.map(\.file) == [
                "orgs.csv", "academicSessions.csv", "courses.csv",
            ])
    }

    @Test("a file of changes can enroll a student in a course that it does not contain")
    func deltas() async throws {
        try await fixture.importing(sample().bundle)
        var sample = sample()
        for file in ["users", "roles", "enrollments", "classes", "courses"] {
            sample.replace("file.\(file),bulk", with: "file.\(file),delta", in: "manifest.csv")
            let header = sample.files["\(file).csv"]?.split(whereSeparator: \.isNewline).first ?? ""
            sample.files["\(file).csv"] = "\(header)\n"
        }
        sample.append(RosterSample.enrollment("math-1", "student-1-0", "student"), to: "enrollments.csv")
        let report = try await fixture.importing(sample.bundle)
        #expect(report.faults.isEmpty && report.counts.coursePlaces == 1 && report.changeCount == 1)
    }

    @Test(
        "an export has the terms and courses: importing it again changes nothing, and fills an empty school",
        .requirement("BY-1.19.b"))
    func export() async throws {
        try await fixture.importing(sample().bundle)
        let child = try #require(try await fixture.people()["student-1-0"]).id
        let own = ImportedCourse(
            id: UUID(), name: "Choir", subject: "Music, Dance", gradeLevel: nil, termId: nil, teacherIds: [],
            externalId: nil)
        held.state.withLock { state in
            state.courses.append(own)
            state.firstDays[CoursePlace(courseId: own.id, personId: child)] = Day("2026-10-01")
        }
        let organization = fixture.school.organization
        let holdings = try await fixture.school.database.read { sql in
            try fixture.roster.holdings(of: organization.id, in: sql)
        }
        let bundle = RosterExport(
            organization: organization, today: Day(fixture.school.clock.now, in: .gmt), holdings: holdings
        ).bundle
        let again = try await fixture.preview(bundle)
        #expect(again.faults.map(\.sentence) == [] && again.changes.map(\.sentence) == [])
        let other = HeldCourses()
        let empty = try await RosterFixture(courses: RosterImport.Courses(other, places: other))
        let report = try await empty.importing(bundle)
        #expect(report.counts.coursesCreated == 3 && report.counts.termsCreated == 2)
        let (before, after) = (held.state.withLock { $0 }, other.state.withLock { $0 })
        #expect(after.courses.map(\.name).sorted() == before.courses.map(\.name).sorted())
        #expect(after.courses.map(\.teacherIds.count).sorted() == before.courses.map(\.teacherIds.count).sorted())
        #expect(after.firstDays.values.sorted() == before.firstDays.values.sorted())
        #expect(try await empty.families() == fixture.families())
        #expect(try await empty.importing(bundle).changeCount == 0)
    }

    // MARK: - Days

    private func change(_ sample: inout RosterSample, begin: String = "2026-08-24", end: String) {
        sample.replace(
            "class-0,school-1,student-0-0,student,false,2026-08-24,2027-06-30",
            with: "class-0,school-1,student-0-0,student,false,\(begin),\(end)", in: "enrollments.csv")
    }

    @Test("the test clock is within the school year of the sample")
    func clock() {
        #expect(Day(fixture.school.clock.now, in: .gmt) > Day("2026-09-01")!)
        #expect(Day(fixture.school.clock.now, in: .gmt) < Day("2027-06-01")!)
    }

    private func stays(of id: String) async throws -> [String] {
        let person = try #require(try await fixture.people()[id])
        return try await fixture.school.database.read { sql in
            try sql.rows(
                """
                SELECT first_day, last_day FROM classroom_stays WHERE student_id = \(person.id) ORDER BY first_day
                """
            ).map { row in
                let first: Day? = try row.optional("first_day")
                let last: Day? = try row.optional("last_day")
                return "\(first?.description ?? "")..\(last?.description ?? "")"
            }
        }
    }

    @Test("an ended enrollment ends the stay on its last day, and an undo reopens it")
    func ended() async throws {
        var sample = RosterSample(rooms: 1, studentsPerRoom: 2)
        change(&sample, end: "2026-09-01")
        let first = try await fixture.importing(sample.bundle)
        #expect(first.counts.studentsEnrolled == 1 && first.notices.contains { $0.code == "enrollmentEnded" })
        try await fixture.importing(RosterSample(rooms: 1, studentsPerRoom: 2).bundle)
        #expect(try await stays(of: "student-0-0") == ["2026-08-24.."])
        let dry = try await fixture.preview(sample.bundle)
        // The class is a classroom and a course of its own.
        #expect(Set(dry.changes.map(\.kind)) == [.studentLeft, .courseLeft] && dry.changes.count == 2)
        for change in dry.changes {
            #expect(change.sentence.hasPrefix("End the enrollment of "))
            #expect(change.fields == [.init(column: "endDate", before: "", after: "2026-09-01")])
        }
        let second = try await fixture.importing(sample.bundle)
        #expect(second.counts.studentsLeft == 1 && second.changeCount == 2)
        #expect(try await stays(of: "student-0-0") == ["2026-08-24..2026-09-01"])
        #expect(try await fixture.holdings().studentPlaces.count == 1)
        #expect(try await fixture.importing(sample.bundle).changeCount == 0)
        #expect(try await undo(second).stepCount == 2)
        #expect(try await stays(of: "student-0-0") == ["2026-08-24.."])
        #expect(try await fixture.holdings().studentPlaces.count == 2)
    }

    @Test("an ended enrollment ends the place in a course, and an undo restores it with its first day")
    func endedPlace() async throws {
        try await fixture.importing(sample().bundle)
        let before = held.state.withLock { $0 }
        #expect(Set(before.firstDays.values) == [Day("2026-08-24")!])
        var sample = sample()
        change(&sample, end: "2026-09-01")
        let row = RosterSample.enrollment("math-1", "student-0-0", "student")
        sample.replace(row, with: row.replacing("2027-06-30", with: "2026-09-02"), in: "enrollments.csv")
        let dry = try await fixture.preview(sample.bundle)
        #expect(
            dry.changes.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [
                .courseLeft, .courseLeft, .studentLeft,
            ])
        #expect(!dry.notices.contains { $0.code == "enrollmentEnded" })
        let report = try await fixture.importing(sample.bundle)
        #expect(report.counts.coursePlacesEnded == 2 && report.counts.studentsLeft == 1)
        let gone = try #require(try await fixture.people()["student-0-0"]).id
        let after = held.state.withLock { $0.places }
        #expect(after == before.places.filter { $0.personId != gone } && after.count == before.places.count - 2)
        #expect(try await fixture.importing(sample.bundle).changeCount == 0)
        #expect(try await undo(report).stepCount == 3)
        #expect(held.state.withLock { $0 } == before)
        // A student who came back later keeps the new place.
        held.state.withLock { state in
            for place in state.places where place.personId == gone { state.firstDays[place] = Day("2026-09-20") }
        }
        #expect(try await fixture.importing(sample.bundle).counts.coursePlacesEnded == 0)
    }

    @Test("an import asks for a confirmation before many students leave at once")
    func manyDepartures() async throws {
        try await fixture.importing(RosterSample(rooms: 1, studentsPerRoom: 3).bundle)
        var sample = RosterSample(rooms: 1, studentsPerRoom: 3)
        sample.files["enrollments.csv"] = sample.files["enrollments.csv"]?.replacing(
            "2027-06-30", with: "2026-09-02")
        let asked = try await fixture.preview(sample.bundle)
        #expect(asked.questions.map(\.code) == ["manyLeave"] && asked.counts.studentsLeft == 3)
        await #expect(throws: Problem.self) { try await fixture.importing(sample.bundle, confirmed: false) }
        #expect(try await fixture.holdings().studentPlaces.count == 3)
    }

    @Test("an enrollment in the future adds nobody yet")
    func upcoming() async throws {
        var sample = RosterSample(rooms: 1, studentsPerRoom: 2)
        change(&sample, begin: "2027-05-03", end: "2027-06-30")
        let report = try await fixture.importing(sample.bundle)
        #expect(report.counts.studentsEnrolled == 1)
        #expect(
            report.notices.filter { $0.code == "enrollmentToCome" }.map(\.place) == ["enrollments.csv:3 beginDate"])
        #expect(try await stays(of: "student-0-0") == [])
    }

    @Test("the export has the days of enrollments, and an empty school gets them")
    func exportedDays() async throws {
        try await fixture.importing(RosterSample(rooms: 1, studentsPerRoom: 2).bundle)
        let organization = fixture.school.organization
        let holdings = try await fixture.school.database.read { sql in
            try fixture.roster.holdings(of: organization.id, in: sql)
        }
        let bundle = RosterExport(
            organization: organization, today: Day(fixture.school.clock.now, in: .gmt), holdings: holdings
        ).bundle
        #expect(try await fixture.preview(bundle).changeCount == 0)
        let other = HeldCourses()
        let empty = try await RosterFixture(courses: RosterImport.Courses(other, places: other))
        try await empty.importing(bundle)
        let days = try await empty.holdings().firstDays.values.map(\.description)
        #expect(days == ["2026-08-24", "2026-08-24"])
    }

    @Test("overlapping enrollments of one person in one class are merged")
    func overlapping() async throws {
        var sample = RosterSample(rooms: 1, studentsPerRoom: 2)
        change(&sample, end: "2026-09-01")
        sample.append(
            "again,,,class-0,school-1,student-0-0,student,false,2026-08-20,2027-01-31", to: "enrollments.csv")
        let report = try await fixture.importing(sample.bundle)
        #expect(report.counts.studentsEnrolled == 2)
        #expect(!report.notices.contains { ["wouldLeave", "enrollmentEnded"].contains($0.code) })
        #expect(try await stays(of: "student-0-0") == ["2026-08-20.."])
        #expect(try await fixture.importing(sample.bundle).changeCount == 0)
    }

    @Test("an enrollment that ends with the school year does not end a stay")
    func yearEnd() async throws {
        var sample = RosterSample(rooms: 1, studentsPerRoom: 2)
        for file in ["academicSessions.csv", "enrollments.csv"] {
            sample.files[file] = sample.files[file]?.replacing("2027-06-30", with: "2026-09-30")
                .replacing("2026-12-20", with: "2026-09-20")
        }
        let report = try await fixture.importing(sample.bundle)
        #expect(report.counts.studentsEnrolled == 2 && report.counts.guidesAssigned == 1)
        #expect(!report.notices.contains { ["wouldLeave", "enrollmentEnded"].contains($0.code) })
    }

    @Test("a term that ends before it begins is a fault")
    func order() async throws {
        var sample = RosterSample()
        sample.replace("2026-12-20", with: "2026-08-01", in: "academicSessions.csv")
        let report = try await fixture.preview(sample.bundle)
        #expect(report.faults.map { "\($0.code) \($0.place)" } == ["dayOrder academicSessions.csv:3 endDate"])
    }
}
