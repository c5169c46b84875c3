import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// Gathers how far a student is from the blocks that know.
struct ProgressService: Sendable {
    let courses: any CourseService
    let roster: any CourseRoster
    let lessons: any LessonRecord
    let grades: any GradeService
    let work: any WorkRecord

    /// One of a student's courses.
    struct Standing: Sendable {
        let course: Course
        let progress: CourseProgress
        let grade: CourseGrade?
    }

    /// Everything of one student.
    struct Overview: Sendable {
        let courses: [Standing]
        let week: WeeklySummary
        let average: GradePointAverage?
        let points: Points

        /// Where to go on: in the course that is furthest and not done.
        var next: (course: Course, lesson: LessonProgress.Step)? {
            courses.filter { $0.progress.next != nil }
                .max { $0.progress.lessons.fraction < $1.progress.lessons.fraction }
                .flatMap { standing in standing.progress.next.map { (standing.course, $0) } }
        }
    }

    /// - Parameter zone: whose midnights part the days.
    func overview(
        of studentId: UUID, on today: Day, in zone: TimeZone, _ sql: any SQLReading
    ) throws -> Overview {
        let ids = Array(try roster.courseIds(ofStudent: studentId, in: sql))
        let open = try courses.courses(Set(ids), in: sql).values.filter { !$0.isArchived }
            .sorted { (NameFolding.fold($0.name), $0.id.text) < (NameFolding.fold($1.name), $1.id.text) }
        let progress = try lessons.progress(of: studentId, in: open.map(\.id), sql)
        let standings = try grades.grades(for: studentId, in: open.map(\.id), sql)
        let work = try grades.work(for: studentId, in: open.map(\.id), sql)
        let completions = try lessons.completions(by: studentId, in: sql)
        let days = completions.map { Day($0, in: zone) }
        return Overview(
            courses: open.map { course in
                Standing(
                    course: course,
                    progress: CourseProgress(lessons: progress[course.id], work: work[course.id] ?? [], on: today),
                    grade: standings[course.id])
            },
            week: WeeklySummary(completions: days, work: work.values.flatMap(\.self), on: today),
            average: try grades.gradePointAverage(for: studentId, in: sql),
            // Of all courses, those that are over or were left too: nothing that was done is taken away.
            points: Points(
                lessons: completions.count, work: try self.work.workDone(by: studentId, in: sql)))
    }

    /// How far a student is with one course; `nil` for one who is not in it.
    func progress(of studentId: UUID, in courseId: UUID, on today: Day, _ sql: any SQLReading) throws
        -> CourseProgress?
    {
        guard try roster.courseIds(ofStudent: studentId, in: sql).contains(courseId) else { return nil }
        return CourseProgress(
            lessons: try lessons.progress(of: studentId, in: [courseId], sql)[courseId],
            work: try grades.work(for: studentId, in: [courseId], sql)[courseId] ?? [], on: today)
    }
}
