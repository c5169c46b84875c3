import Domain
import FeatureKit
import Foundation

/// The courses of the sample school's older students, with their progress.
extension DemoSchool {
    private struct SampleCourse {
        let name: String
        let subject: String
        let details: String
        let schedule: String
        let lessons: [String]
        var isAnas = false
    }

    private static let courses = [
        SampleCourse(
            name: "Geometry of patterns", subject: "Mathematics",
            details: "Compass and straightedge: from the circle to the tilings of Granada.",
            schedule: "Mon 9:00-10:15 Studio\nThu 9:00-10:15 Studio",
            lessons: ["Points and lines", "Tilings", "Patterns of Granada"], isAnas: true),
        SampleCourse(
            name: "The young naturalists", subject: "Science", details: "An afternoon a week in the forest.",
            schedule: "Fri 13:00-15:00 Forest", lessons: ["How to keep a field book", "Traces in the snow"]),
        SampleCourse(
            name: "Le théâtre en français", subject: "Languages", details: "Jouer, parler, écouter.",
            schedule: "Wed 14:00-15:30", lessons: ["La voix", "Le corps"]),
    ]

    /// Adds the courses.
    /// - Parameter children: the students of Ana's course besides the student with an account.
    /// - Returns: the student with an account; `nil` without courses.
    func courses(
        of ana: Caller, with guides: [Caller], _ children: [String], _ diary: inout DemoDiary
    ) async throws -> Caller? {
        guard has("Courses"), let benoit = guides.first else { return nil }
        let student = has("Enrollment") ? try await student(invitedBy: ana) : nil
        let term = try await run(
            "courses.addTerm",
            [
                "name": .text("Autumn term"), "firstDay": .text(diary.today.adding(days: -80).description),
                "lastDay": .text(diary.today.adding(days: 40).description),
            ], as: ana)
        for course in Self.courses {
            let caller = course.isAnas ? ana : benoit
            let made = try await run(
                "courses.create",
                [
                    "name": .text(course.name), "subject": .text(course.subject),
                    "schedule": .text(course.schedule), "termId": .text(Self.text("id", of: term)),
                    "admission": .text(course.isAnas ? "approval" : "open"), "capacity": .number(12),
                    "gradeLevel": .text("Upper elementary"), "details": .text(course.details),
                ], as: caller)
            let courseId = Self.text("id", of: made)
            let module = try await run(
                "courses.addModule", ["courseId": .text(courseId), "title": .text("Beginnings")], as: caller)
            var lessons: [String] = []
            for (place, lesson) in course.lessons.enumerated() {
                let made = try await run(
                    "courses.addLesson",
                    [
                        "moduleId": .text(Self.text("id", of: module)), "title": .text(lesson),
                        "content": .text("Look first, then draw, then name it.\n\nBring what you found."),
                        "duration": .number(Double(20 + 10 * place)), "published": .bool(true),
                    ], as: caller)
                lessons.append(Self.text("id", of: made))
            }
            guard let student, let id = student.membership?.personId.text, course.subject != "Languages" else {
                continue
            }
            let learners = [id] + (course.isAnas ? children.prefix(10) : [])
            for learner in learners {
                try await run(
                    "enrollment.add", ["courseId": .text(courseId), "studentId": .text(learner)], as: caller)
            }
            // One lesson two weeks ago; in the course with three lessons, a second one on the school day before
            // today.
            let evenings = [12] + (lessons.count > 2 ? [1] : [])
            for (lesson, daysAgo) in zip(lessons, evenings) {
                diary.add(diary.lastSchoolDays(daysAgo).first ?? diary.today, 17, 25) {
                    try await run(
                        "courses.completeLesson", ["lessonId": .text(lesson), "done": .bool(true)], as: student)
                }
            }
            if has("Grading") { try await marks(of: learners, in: courseId, as: caller, &diary) }
            if has("Flashcards") {
                try await flashcards(of: student, in: courseId, isGeometry: course.isAnas, as: caller, &diary)
            }
            if has("Coursework"), course.isAnas {
                try await assignments(of: student, in: courseId, as: caller, &diary)
            }
            if has("Practice"), course.isAnas {
                try await practice(of: student, in: courseId, as: caller, &diary)
            }
        }
        return student
    }

    private func student(invitedBy ana: Caller) async throws -> Caller {
        let invite = try await run("invites.create", ["role": .text("student")], as: ana)
        let account = try await signUp("Sami Haddad", "sami@demo.example")
        try await run("invites.redeem", ["code": .text(Self.text("code", of: invite))], as: account)
        return try await caller(account)
    }

    private static let items: [(title: String, category: String, maximum: Int, daysAgo: Int)] = [
        ("Circle study", "assignments", 20, 40), ("Quiz 1", "quizzes", 10, 33),
        ("Star tiling", "assignments", 20, 26),
        ("Quiz 2", "quizzes", 10, 19), ("In the circle", "participation", 10, 12), ("Quiz 3", "quizzes", 10, 9),
        ("Midterm", "midterm", 50, 5), ("Field notes", "assignments", 20, 3),
    ]

    /// Adds eight grade items, scored on the afternoons after their due days. The midterm is not released.
    private func marks(
        of students: [String], in courseId: String, as caller: Caller, _ diary: inout DemoDiary
    ) async throws {
        for (index, item) in Self.items.enumerated() {
            let dueDay = diary.today.adding(days: -item.daysAgo)
            let made = try await run(
                "grades.addItem",
                [
                    "courseId": .text(courseId), "title": .text(item.title), "category": .text(item.category),
                    "maximum": .text(String(item.maximum)), "dueDay": .text(dueDay.description),
                ], as: caller)
            let place: [String: InputValue] = [
                "courseId": .text(courseId), "itemId": .text(Self.text("id", of: made)),
            ]
            let isMidterm = item.category == "midterm"
            diary.add(dueDay.adding(days: 2), 16, 10) {
                for (position, student) in students.enumerated() where !(isMidterm && position % 4 == 3) {
                    let share = 62 + (position * 17 + index * 11) % 38
                    let text =
                        switch (position * 5 + index) % 23 {
                        case 4: "m"
                        case 9: "ex"
                        case 14: "\(item.maximum * share / 100) l"
                        default: "\(item.maximum * share / 100)"
                        }
                    try await run(
                        "grades.mark",
                        place.merging(["studentId": .text(student), "text": .text(text)]) { $1 }, as: caller)
                }
                guard !isMidterm else { return }
                try await run(
                    "grades.release", place.merging(["isReleased": .bool(true)]) { $1 }, as: caller)
            }
        }
    }

    private static let homework: [(title: String, dueIn: Int, points: String?, text: String)] = [
        ("Circle constructions", -6, "20", "Draw five circles with the compass and name their parts."),
        ("Patterns at home", -3, "10", "Take a photo of a pattern at home and say how it repeats."),
        ("Field sketches", -2, "20", "Sketch three leaves and measure their angles."),
        (
            "Map of a tiling", 0, "20",
            "Choose one tiling and show how it is built:\n\n1. the tile\n2. its neighbors"
        ),
        ("Reading log, week 11", 2, nil, "Write what you read and what was new."),
        ("A tiling of your own", 9, "50", "Invent a tile that fills the plane. **Explain** why it does."),
    ]

    /// Adds six assignments: one that is returned, one that was missed, one that waits to be marked, and three that are due.
    private func assignments(
        of student: Caller, in courseId: String, as caller: Caller, _ diary: inout DemoDiary
    ) async throws {
        var ids: [String] = []
        for one in Self.homework {
            var fields: [String: InputValue] = [
                "courseId": .text(courseId), "title": .text(one.title), "instructions": .text(one.text),
                "dueDay": .text(diary.today.adding(days: one.dueIn).description), "dueTime": .text("18:00"),
                "kinds": .list(["text", "files", "scan", "drawing", "link"].map { .text($0) }),
                "attempts": .number(2),
                "latePenalty": .number(10),
            ]
            fields["points"] = one.points.map { .text($0) }
            let made = try await run("coursework.add", fields, as: caller)
            ids.append(Self.text("id", of: made))
            try await run(
                "coursework.publish",
                ["assignmentId": .text(Self.text("id", of: made)), "isPublished": .bool(true)], as: caller)
        }
        let (first, third) = (ids[0], ids[2])
        diary.add(diary.today.adding(days: -7), 17, 40) {
            try await run(
                "coursework.handIn",
                [
                    "assignmentId": .text(first),
                    "text": .text(
                        "I drew a circle around each corner of the hexagon.\n\nThe radius fits six times."),
                ], as: student)
        }
        diary.add(diary.today.adding(days: -5), 16, 20) {
            try await run(
                "coursework.markAndReturn",
                [
                    "assignmentId": .text(first), "studentId": .text(student.membership?.personId.text ?? ""),
                    "points": .text("18"), "comment": .text("Clear and careful. Name the diameter too."),
                ], as: caller)
        }
        diary.add(diary.today.adding(days: -1), 19, 5) {
            try await run(
                "coursework.handIn",
                [
                    "assignmentId": .text(third),
                    "text": .text("Maple: 45 degrees. Oak: about 30. The ginkgo has no angle at all."),
                    "link": .text("https://en.wikipedia.org/wiki/Leaf"),
                ], as: student)
        }
    }
}
