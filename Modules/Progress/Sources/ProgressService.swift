import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// Gathers a student's progress from other blocks.
struct ProgressService: Sendable {
    let courses: any CourseService
    let roster: any CourseRoster
    let lessons: any LessonRecord
    let grades: any GradeService
    let work: any WorkRecord
    let calendar: any SchoolCalendar

    /// A course with the student's progress and grade.
    struct CourseOverview: Sendable {
        let course: Course
        let progress: CourseProgress
        let grade: CourseGrade?
    }

    /// A student's courses, week, average and points.
    struct Overview: Sendable {
        let courses: [CourseOverview]
        let week: WeeklySummary
        let streak: StudyStreak
        let average: GradePointAverage?
        let points: Points

        /// The next lesson of the course that is furthest but not done; `nil` if there is none.
        var next: (course: Course, lesson: LessonProgress.Step)? {
            courses.filter { $0.progress.next != nil }
                .max { $0.progress.lessons.fraction < $1.progress.lessons.fraction }
                .flatMap { overview in overview.progress.next.map { (overview.course, $0) } }
        }
    }

    /// Reads the overview of a student.
    ///
    /// - Parameter zone: the time zone for the days of completed lessons.
    func overview(
        of studentId: UUID, on today: Day, in zone: TimeZone, _ sql: any SQLReading
    ) throws -> Overview {
        let ids = Array(try roster.courseIds(ofStudent: studentId, in: sql))
        let open = try courses.courses(Set(ids), in: sql).values.filter { !$0.isArchived }
            .sorted { (NameFolding.fold($0.name), $0.id) < (NameFolding.fold($1.name), $1.id) }
        let progress = try lessons.progress(of: studentId, in: open.map(\.id), sql)
        let courseGrades = try grades.grades(for: studentId, in: open.map(\.id), sql)
        let work = try grades.work(for: studentId, in: open.map(\.id), sql)
        let completions = try lessons.completions(by: studentId, in: sql)
        let days = completions.map { Day($0, in: zone) }
        let handedIn = try self.work.handedIn(by: studentId, in: sql).map { Day($0, in: zone) }
        let schoolDays = try calendar.schoolDays(
            from: today.adding(days: -StudyStreak.horizon), through: today, in: sql)
        return Overview(
            courses: open.map { course in
                CourseOverview(
                    course: course,
                    progress: CourseProgress(lessons: progress[course.id], work: work[course.id] ?? [], on: today),
                    grade: courseGrades[course.id])
            },
            week: WeeklySummary(completions: days, work: work.values.flatMap(\.self), on: today),
            streak: StudyStreak(completions: Set(days + handedIn), calendar: schoolDays, today: today),
            average: try grades.gradePointAverage(for: studentId, in: sql),
            // Points include courses that have ended or that the student left.
            points: Points(
                lessons: completions.count, work: try self.work.workDone(by: studentId, in: sql)))
    }

    /// A student's progress in a course; `nil` for a student who is not in it.
    func progress(of studentId: UUID, in courseId: UUID, on today: Day, _ sql: any SQLReading) throws
        -> CourseProgress?
    {
        guard try roster.courseIds(ofStudent: studentId, in: sql).contains(courseId) else { return nil }
        return CourseProgress(
            lessons: try lessons.progress(of: studentId, in: [courseId], sql)[courseId],
            work: try grades.work(for: studentId, in: [courseId], sql)[courseId] ?? [], on: today)
    }
}
