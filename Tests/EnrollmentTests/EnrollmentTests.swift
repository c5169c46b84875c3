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

@Suite("Enrolling and dropping")
struct EnrollmentTests {
    @Test(
        "a student is enrolled in an open course at once, and in an approval course when the teacher agrees",
        .requirement("PT-1.11.d", "WW-7.03.a", "WW-7.04.a", "WW-7.04.b", "WW-7.07.b"))
    func enrolling() async throws {
        let fixture = try await EnrollmentFixture()
        let (open, asked) = (
            try await fixture.course(), try await fixture.course("Chemistry", admission: .approval)
        )
        let mia = try await fixture.student("Mia Roy")
        #expect(try await fixture.enroll(mia, in: open).status == .enrolled)
        // The student has an account but no student record in a classroom.
        let (id, orgId) = (EnrollmentFixture.id(mia), fixture.school.organization.id)
        let (person, children) = try await fixture.school.database.read { sql in
            (
                try TestPeople().people([id], of: orgId, in: sql)[id],
                try sql.rows("SELECT id FROM students WHERE id = \(id)").count
            )
        }
        #expect(try await fixture.places(open).map(\.studentId) == [id])
        #expect(person?.name.display == "Mia Roy" && children == 0)
        #expect(try await fixture.enroll(mia, in: asked).status == .pending)
        try await fixture.decide(asked, mia, true, as: fixture.teacher)
        #expect(try await fixture.state(mia, asked) == .enrolled)
        #expect(
            try await fixture.log(of: mia) == [
                "enrollment.enrolled", "enrollment.requested", "enrollment.approved",
            ])
        await #expect(throws: Problem(409, "enrollment.isDecided")) {
            try await fixture.decide(asked, mia, false, as: fixture.teacher)
        }
    }

    @Test("a student sees at once that she is enrolled in an open course", .requirement("WW-7.03.b"))
    func confirmed() async throws {
        let fixture = try await EnrollmentFixture()
        let (open, asked) = (
            try await fixture.course(), try await fixture.course("Chemistry", admission: .approval)
        )
        let mia = try await fixture.student("Mia Roy")
        func feedback(_ course: Course) async throws -> Feedback? {
            try await fixture.school.execute(
                EnrollInCourse.contract.name, ["courseId": .id(course.id)], as: mia
            ).feedback
        }
        #expect(try await feedback(open) == Feedback(.burst, "You are enrolled in Algebra."))
        #expect(try await feedback(asked) == Feedback(.toast, "Request sent."))
    }

    @Test(
        "the page People of a course begins with the requests and their buttons to approve and decline",
        .requirement("WW-7.07.a"))
    func requests() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(admission: .approval)
        let names = ["Mia Roy", "Noah Roy"]
        for name in names { try await fixture.enroll(fixture.student(name), in: course) }
        let page = try await fixture.school.environment.page(PeopleScreens.path(course.id), as: fixture.teacher)
        let rows = page.cells.filter { names.contains($0.title) }
        #expect(rows.map(\.title) == names)
        for row in rows {
            let student = try #require(row.id)
            let buttons = row.trailing.compactMap { trailing in
                if case .button(let button) = trailing { button } else { nil }
            }
            #expect(buttons.map(\.title) == ["Approve", "Decline"])
            for (button, approves) in zip(buttons, ["true", "false"]) {
                guard case .perform(let call) = button.action else {
                    Issue.record("\(button.title) runs no command")
                    continue
                }
                #expect(
                    call.path
                        == DecideRequest.contract.path(
                            filling: ["courseId": course.id.text, "studentId": student]))
                #expect(call.fields["approves"] == approves)
            }
        }
    }

    @Test(
        "declining a request gives its place to the waitlist", .requirement("WW-7.07.c", "WW-7.10.c", "WW-7.04.b"))
    func denied() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(capacity: 1, admission: .approval)
        let (mia, noah) = (try await fixture.student("Mia Roy"), try await fixture.student("Noah Roy"))
        try await fixture.enroll(mia, in: course)
        #expect(try await fixture.enroll(noah, in: course).position == 1)
        try await fixture.decide(course, mia, false, as: fixture.admin)
        #expect(try await fixture.state(mia, course) == nil)
        // The request takes the place, and the teacher still decides.
        #expect(try await fixture.state(noah, course) == .pending)
    }

    @Test(
        "a second enrollment or request of the same student is refused", .requirement("WW-7.06.a", "WW-7.06.b"),
        arguments: Course.Admission.allCases)
    func twice(_ admission: Course.Admission) async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(capacity: 1, admission: admission)
        let (mia, noah) = (try await fixture.student("Mia Roy"), try await fixture.student("Noah Roy"))
        try await fixture.enroll(mia, in: course)
        try await fixture.enroll(noah, in: course)
        for student in [mia, noah] {
            await #expect(throws: Problem(409, "enrollment.twice")) {
                try await fixture.enroll(student, in: course)
            }
        }
        #expect(try await fixture.places(course).count == 2)
    }

    @Test(
        "of 200 students who enroll at once in a course of 30, 30 are enrolled, 170 wait in order, and each drop admits one",
        .requirement("WW-7.10.a", "WW-7.10.b", "BY-1.11.a", "BY-1.11.c", "BY-1.11.d"))
    func atOnce() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(capacity: 30)
        let students = try await fixture.students(200)
        try await withThrowingTaskGroup { group in
            for student in students { group.addTask { try await fixture.enroll(student, in: course) } }
            try await group.waitForAll()
        }
        let places = try await fixture.places(course)
        #expect(places.map(\.arrival) == Array(1...200))
        #expect(places.prefix(30).allSatisfy { $0.state == .enrolled })
        #expect(places.dropFirst(30).allSatisfy { $0.state == .waitlisted })

        // Twelve students drop at once: the first twelve of the waitlist are enrolled and notified once each.
        let byId = Dictionary(uniqueKeysWithValues: students.map { (EnrollmentFixture.id($0), $0) })
        let leaving = try places.prefix(12).map { try #require(byId[$0.studentId]) }
        try await withThrowingTaskGroup { group in
            for student in leaving { group.addTask { try await fixture.drop(student, course) } }
            try await group.waitForAll()
        }
        let after = try await fixture.places(course)
        #expect(after.filter { $0.state == .enrolled }.map(\.arrival) == Array(13...42))
        for place in places[30..<42] {
            let student = try #require(byId[place.studentId])
            #expect(try await fixture.log(of: student).filter { $0 == "enrollment.promoted" }.count == 1)
        }
        let next = try #require(byId[places[42].studentId])
        #expect(try await !fixture.log(of: next).contains("enrollment.promoted"))
    }

    @Test(
        "of 200 students who request 30 places at once, each decision frees a place only once",
        .requirement("BY-1.11.b"))
    func atOnceWithApproval() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(capacity: 30, admission: .approval)
        let students = try await fixture.students(200)
        try await withThrowingTaskGroup { group in
            for student in students { group.addTask { try await fixture.enroll(student, in: course) } }
            try await group.waitForAll()
        }
        func held(_ state: PlaceState) async throws -> [Enrollment] {
            try await fixture.places(course).filter { $0.state == state }
        }
        let pending = try await held(.pending)
        #expect(pending.count == 30)
        #expect(try await held(.waitlisted).count == 170)

        let byId = Dictionary(uniqueKeysWithValues: students.map { (EnrollmentFixture.id($0), $0) })
        try await withThrowingTaskGroup { group in
            for (number, place) in pending.enumerated() {
                let student = try #require(byId[place.studentId])
                group.addTask { try await fixture.decide(course, student, number < 20, as: fixture.teacher) }
            }
            try await group.waitForAll()
        }
        #expect(try await held(.enrolled).count == 20)
        #expect(try await held(.pending).count == 10, "each denied request let in the next who waits")
        #expect(try await held(.waitlisted).count == 160)
    }

    @Test("a higher capacity admits the waitlist, and archiving a course clears it")
    func fitting() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(capacity: 1)
        let students = try await fixture.students(4)
        for student in students { try await fixture.enroll(student, in: course) }
        let wider = try await fixture.course(capacity: 3, id: course.id)
        try await fixture.fit(wider)
        #expect(try await fixture.places(course).map(\.state) == [.enrolled, .enrolled, .enrolled, .waitlisted])
        // A lower capacity removes no student.
        try await fixture.fit(try await fixture.course(capacity: 1, id: course.id))
        #expect(try await fixture.places(course).filter { $0.state == .enrolled }.count == 3)
        try await fixture.fit(try await fixture.course(capacity: 9, isArchived: true, id: course.id))
        #expect(try await fixture.places(course).map(\.state) == [.enrolled, .enrolled, .enrolled])
        #expect(try await fixture.log(of: students[3]).last == "enrollment.lapsed")
        await #expect(throws: Problem(404, "enrollment.notOffered")) {
            try await fixture.enroll(try await fixture.student("Late Comer"), in: course)
        }
    }

    @Test(
        "after the drop date only an administrator can approve a drop",
        .requirement("WW-7.08.b"))
    func lateDrop() async throws {
        let fixture = try await EnrollmentFixture()
        let yesterday = Day(fixture.school.clock.now, in: fixture.timeZone).adding(days: -1)
        let course = try await fixture.course(capacity: 1, dropDay: yesterday)
        let (mia, noah) = (try await fixture.student("Mia Roy"), try await fixture.student("Noah Roy"))
        try await fixture.enroll(mia, in: course)
        try await fixture.enroll(noah, in: course)
        #expect(try await fixture.drop(mia, course).isDropAsked)
        await #expect(throws: Problem(409, "enrollment.dropAsked")) { try await fixture.drop(mia, course) }
        #expect(try await fixture.state(mia, course) == .enrolled)
        let answer: InputValue = [
            "courseId": .id(course.id), "studentId": .id(EnrollmentFixture.id(mia)), "approves": .bool(true),
        ]
        await #expect(throws: Problem.notAllowed) {
            try await fixture.school.execute(DecideDrop.self, answer, as: fixture.teacher)
        }
        try await fixture.school.execute(DecideDrop.self, answer, as: fixture.admin)
        #expect(try await fixture.state(mia, course) == nil)
        #expect(try await fixture.state(noah, course) == .enrolled)
        // A student on the waitlist needs no approval to leave it.
        let late = try await fixture.student("Late Comer")
        try await fixture.enroll(late, in: course)
        #expect(try await fixture.drop(late, course).isDropAsked == false)
        #expect(try await fixture.state(late, course) == nil)
    }

    @Test("a student withdraws a drop request, and the administrators have nothing left to decide")
    func withdrawsDrop() async throws {
        let fixture = try await EnrollmentFixture()
        let yesterday = Day(fixture.school.clock.now, in: fixture.timeZone).adding(days: -1)
        let course = try await fixture.course(dropDay: yesterday)
        let mia = try await fixture.student("Mia Roy")
        try await fixture.enroll(mia, in: course)
        try await fixture.drop(mia, course)
        let input: InputValue = ["courseId": .id(course.id)]
        let withdrawn = try await fixture.school.execute(WithdrawDrop.self, input, as: mia)
        #expect(!withdrawn.isDropAsked && withdrawn.status == .enrolled)
        await #expect(throws: Problem(409, "enrollment.isDecided")) {
            try await fixture.school.execute(WithdrawDrop.self, input, as: mia)
        }
        await #expect(throws: Problem(409, "enrollment.isDecided")) {
            try await fixture.school.execute(
                DecideDrop.self,
                [
                    "courseId": .id(course.id), "studentId": .id(EnrollmentFixture.id(mia)),
                    "approves": .bool(true),
                ], as: fixture.admin)
        }
        #expect(try await fixture.drop(mia, course).isDropAsked, "it can be asked again")
    }

    @Test("a leader adds a student without a request, and cannot find another teacher's course")
    func byLeader() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(capacity: 1, admission: .approval)
        let (mia, noah) = (try await fixture.student("Mia Roy"), try await fixture.student("Noah Roy"))
        func add(_ student: Caller, as caller: Caller) async throws -> EnrollmentStatus {
            try await fixture.school.execute(
                AddStudent.self, ["courseId": .id(course.id), "studentId": .id(EnrollmentFixture.id(student))],
                as: caller)
        }
        #expect(try await add(mia, as: fixture.teacher).status == .enrolled)
        #expect(try await add(noah, as: fixture.teacher).position == 1)
        await #expect(throws: Problem(409, "enrollment.isIn")) { try await add(mia, as: fixture.teacher) }
        await #expect(throws: Problem.notFound) { try await add(mia, as: fixture.stranger) }
        // A person outside of the school.
        await #expect(throws: Problem.notFound) {
            try await add(fixture.school.makeCaller(.guide), as: fixture.teacher)
        }
        try await fixture.school.execute(
            RemoveStudent.self, ["courseId": .id(course.id), "studentId": .id(EnrollmentFixture.id(mia))],
            as: fixture.teacher)
        #expect(try await fixture.state(noah, course) == .pending)
        await #expect(throws: Problem.notFound) {
            try await fixture.school.answer(
                ListCoursePeople.self, ["courseId": .text(course.id.text)], as: fixture.stranger)
        }
    }

    @Test("parents are notified of decisions and teachers of requests, and others of neither")
    func audiences() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(admission: .approval)
        let mia = try await fixture.student("Mia Roy")
        let mother = try await fixture.parent("Sofia Roy", of: mia)
        try await fixture.enroll(mia, in: course)
        try await fixture.decide(course, mia, true, as: fixture.teacher)
        let changes = try await fixture.school.database.read { try ChangeLog.changes(after: 0, limit: 100, in: $0) }
            .map(\.change).filter { $0.kind != "enrollment.seats" }
        #expect(changes.map(\.kind) == ["enrollment.requested", "enrollment.approved"])
        #expect(Set(changes[0].audience) == [.teachers(of: course.id), .role(.admin), .role(.superAdmin)])
        #expect(
            Set(changes[1].audience)
                == [.person(EnrollmentFixture.id(mia)), .person(EnrollmentFixture.id(mother))])
        // The whole school learns that a number has changed, but not whose enrollment.
        let seats = try await fixture.school.database.read { try ChangeLog.changes(after: 0, limit: 100, in: $0) }
            .map(\.change).filter { $0.kind == "enrollment.seats" }
        #expect(seats.allSatisfy { $0.payload == ["course": course.id.text] && $0.audience == [.school] })
    }

    @Test("a student is notified of an approved request with the name of the course", .requirement("WW-9.03"))
    func notified() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course(admission: .approval)
        let mia = try await fixture.student("Mia Roy")
        try await fixture.enroll(mia, in: course)
        try await fixture.decide(course, mia, true, as: fixture.teacher)
        let logged = try #require(
            try await fixture.school.changes().first { $0.change.kind == "enrollment.approved" })
        #expect(logged.change.audience.contains(.person(EnrollmentFixture.id(mia))))
        let kind = try #require(fixture.feature.notifications.kinds.first { $0.kind == "enrollment.approved" })
        let shown = try await kind.show(logged, fixture.school.context(of: mia))
        #expect(
            shown.text == "The enrollment of Mia Roy in Algebra is approved"
                && shown.path == "/courses/\(course.id.text)")
    }

    @Test("erasing a person deletes her enrollments")
    func erasure() async throws {
        let fixture = try await EnrollmentFixture()
        let course = try await fixture.course()
        let mia = try await fixture.student("Mia Roy")
        try await fixture.enroll(mia, in: course)
        let table = try #require(EnrollmentRecordStore.kinds.first?.tables.first)
        let erase = try #require(table.erase)
        let subject = RecordSubject(
            schoolId: fixture.school.organization.id, personId: EnrollmentFixture.id(mia), accountId: nil,
            placeholder: "—")
        // conformance: allow write - erases as the records job does
        try await fixture.school.database.write { _ = try $0.execute(erase(subject)) }
        #expect(try await fixture.places(course).isEmpty)
    }
}
