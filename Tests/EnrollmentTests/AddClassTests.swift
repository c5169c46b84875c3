import ClassroomTesting
import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Enrollment

@Suite("Adding a class to a course")
struct AddClassTests {
    /// Makes a classroom of the teacher with these children.
    private func room(_ names: [String], in fixture: EnrollmentFixture) async throws -> (id: UUID, children: [UUID])
    {
        func newId() -> UUID { fixture.school.ids.id(at: fixture.school.clock.now) }
        let room = try await TestClassrooms.room(
            "Maple room", of: fixture.teacher, id: newId(), in: fixture.school.database)
        var children: [UUID] = []
        for name in names {
            let id = try await TestClassrooms.child(name, in: room, id: newId(), in: fixture.school.database)
            try await TestPeople.insert(id, name, into: fixture.school.database)
            children.append(id)
        }
        return (room, children)
    }

    private func add(
        _ ids: [UUID], of room: UUID, to course: Course, in fixture: EnrollmentFixture, as caller: Caller? = nil
    ) async throws -> AddedClass {
        try await fixture.school.execute(
            AddClass.self,
            ["courseId": .id(course.id), "classroomId": .id(room), "studentIds": .list(ids.map { .id($0) })],
            as: caller ?? fixture.teacher)
    }

    @Test("the page shows the students of a class who are not in the course and adds them together")
    func whole() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course()
        let (room, children) = try await room(["Ada Berg", "Ben Carter", "Cleo Dubois"], in: fixture)
        _ = try await add([children[1]], of: room, to: course, in: fixture)
        let path = "\(PeopleScreens.path(course.id))/add-class"
        let rooms = try await fixture.school.environment.outline(path, as: fixture.teacher)
        #expect(rooms.contains("Not enrolled yet: 2 of 3"))
        let preview = try await fixture.school.environment.outline(
            path, as: fixture.teacher, query: ["classroom": room.text])
        #expect(preview.contains("Ada Berg") && preview.contains("Cleo Dubois") && !preview.contains("Ben Carter"))
        let french = try await fixture.school.environment.outline(path, as: fixture.teacher, language: .french)
        #expect(french.contains("Pas encore inscrits\u{A0}: 2 sur 3"))
        // A student who has enrolled meanwhile is not added twice.
        let added = try await add(children, of: room, to: course, in: fixture)
        #expect(added == AddedClass(enrolled: [children[0], children[2]], waiting: []))
        #expect(try await fixture.places(course).count == 3)
    }

    @Test("a class of three gets the two places left, and the third student joins the waitlist")
    func places() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(capacity: 2)
        let (room, children) = try await room(["Ada Berg", "Ben Carter", "Cleo Dubois"], in: fixture)
        let preview = try await fixture.school.environment.outline(
            "\(PeopleScreens.path(course.id))/add-class", as: fixture.teacher, query: ["classroom": room.text])
        #expect(preview.contains("2 places left in this course."))
        let added = try await add(children, of: room, to: course, in: fixture)
        #expect(added == AddedClass(enrolled: Array(children.prefix(2)), waiting: Array(children.suffix(1))))
    }

    @Test("a leader can add only students of a class that she sees, to a course that she leads")
    func rights() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course()
        let (room, children) = try await room(["Ada Berg"], in: fixture)
        for caller in [fixture.stranger] {
            #expect(
                try await problem { _ = try await add(children, of: room, to: course, in: fixture, as: caller) }
                    == .notFound)
        }
        let foreign = try await problem {
            _ = try await add([EnrollmentFixture.id(fixture.admin)], of: room, to: course, in: fixture)
        }
        #expect(foreign?.code == "enrollment.notInClass")
        #expect(try await fixture.places(course).isEmpty)
    }
}

@Suite("Enrolling again")
struct ReturnTests {
    /// Records of one student, released or not.
    private struct OldRecords: CourseRecords {
        let isSeen: Bool
        func hasRecords(
            of studentId: UUID, in courseId: UUID, seenByStudent isReleased: Bool, _ sql: any SQLReading
        ) throws -> Bool { isSeen || !isReleased }
    }

    @Test(
        "a student who enrolls again is told that her grades are back if she has seen them",
        arguments: [true, false])
    func keepsGrades(_ isSeen: Bool) async throws {
        let fixture = try await EnrollmentFixture(records: [OldRecords(isSeen: isSeen)])
        let course = try await fixture.course()
        let mia = try await fixture.student("Mia Roy")
        let own = try await fixture.school.execute("enrollment.enroll", ["courseId": .id(course.id)], as: mia)
        #expect(own.feedback?.text.contains("with your earlier scores") == isSeen)
        try await fixture.drop(mia, course)
        let led = try await fixture.school.execute(
            "enrollment.add", ["courseId": .id(course.id), "studentId": .id(EnrollmentFixture.id(mia))],
            as: fixture.teacher)
        #expect(led.feedback?.text.contains("with earlier scores") == true)
    }
}
