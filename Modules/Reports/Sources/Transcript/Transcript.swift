import ClassroomInterface
import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// A school year. It begins on 1 August, because terms of schools that begin in September or in late August belong
/// together.
struct SchoolYear: Hashable, Comparable, Sendable {
    /// The calendar year in which the school year begins.
    let start: Int

    init(start: Int) { self.start = start }

    /// The school year of a day.
    init(of day: Day) { start = day.month >= 8 ? day.year : day.year - 1 }

    var days: ClosedRange<Day> {
        let first = Day(year: start, month: 8, day: 1) ?? Day(number: 0)
        return first...(Day(year: start + 1, month: 7, day: 31) ?? first)
    }

    var title: String { "\(start)–\(start + 1)" }

    static func < (left: SchoolYear, right: SchoolYear) -> Bool { left.start < right.start }
}

/// The courses of a student with their grades, credits and attendance, of one school year or of all.
struct Transcript: Sendable {
    struct Row: Sendable, Hashable {
        let course: String
        let teacher: String
        let year: SchoolYear
        let grade: CourseGrade?
        let credits: Hundredths
    }

    let student: Person
    /// The school years of the student's courses, the latest first.
    let years: [SchoolYear]
    /// The school year of the transcript; `nil` for all.
    let year: SchoolYear?
    let rows: [Row]
    let average: GradePointAverage?
    /// The part of the marked days on which the student was present; `nil` if none was marked.
    let attendance: Attendance?

    /// The attendance of a student by the rule of the transcript: of the days that were marked, those on which the
    /// student was present. Days without a mark do not count.
    struct Attendance: Sendable, Hashable {
        let present: Int
        let marked: Int

        init?(_ marks: some Collection<Bool>) {
            guard !marks.isEmpty else { return nil }
            present = marks.count { $0 }
            marked = marks.count
        }

        /// The percentage with one decimal place, rounded half up.
        var percentage: Hundredths { Hundredths(count: (present * 2000 + marked) / (2 * marked) * 10) }
    }

    /// The sum of the credits of the courses in which the student has a grade.
    var credits: Hundredths { rows.filter { $0.grade != nil }.reduce(.zero) { $0 + $1.credits } }
}

/// Reads transcripts from the courses, grades and attendance of a student.
struct TranscriptReader: Sendable {
    let courses: any CourseService
    let results: any CourseResults
    let people: any PeopleService
    let families: any FamilyLinks
    let record: any ClassRecord
    let logos: any SchoolLogos

    /// Whether a member may have the transcripts of all students.
    func readsAll(_ membership: ActiveMembership) -> Bool {
        !membership.roles.isDisjoint(with: [.superAdmin, .admin])
    }

    /// Reads the transcript of a student that the member may have: the member's own, that of a child, or for an
    /// administrator that of any student.
    ///
    /// For administrators a student is a person who is in a course, or left one with released scores. There is no
    /// transcript of other people, such as teachers and parents.
    /// - Parameters:
    ///   - wanted: the first year of a school year; `all` for all courses. Throws `Problem.notFound` for another text,
    ///     another person, and a year without courses.
    ///   - isPreview: whether only the page is shown that says whether there is a transcript.
    func transcript(
        of studentId: UUID, _ wanted: String, for membership: ActiveMembership, today: Day, isPreview: Bool = false,
        in sql: any SQLReading
    ) throws -> Transcript {
        let orgId = membership.organization.id
        let isOwn = try families.learners(of: membership, in: sql).contains(studentId)
        guard isOwn || readsAll(membership),
            let student = try people.people([studentId], of: orgId, in: sql)[studentId]
        else { throw Problem.notFound }
        let taken = try results.results(of: studentId, in: sql)
        guard isOwn || isPreview || !taken.isEmpty else { throw Problem.notFound }
        // A course that the student left belongs to no official record.
        let all = taken.filter { !$0.isFormer }
        let known = try courses.courses(Set(all.map(\.courseId)), in: sql)
        let terms = try courses.terms(in: sql).reduce(into: [UUID: Term]()) { $0[$1.id] = $1 }
        func year(_ course: Course) -> SchoolYear {
            SchoolYear(
                of: course.termId.flatMap { terms[$0] }?.firstDay ?? Day(course.createdAt, in: membership.timeZone))
        }
        let years = Set(known.values.map(year)).sorted(by: >)
        let chosen = wanted == "all" ? nil : years.first { String($0.start) == wanted }
        guard chosen != nil || wanted == "all" else { throw Problem.notFound }
        let shown = all.filter { result in
            known[result.courseId].map { chosen == nil || year($0) == chosen } ?? false
        }
        let teachers = try people.people(known.values.flatMap(\.teacherIds), of: orgId, in: sql)
        let rows = shown.compactMap { result -> Transcript.Row? in
            guard let course = known[result.courseId] else { return nil }
            return Transcript.Row(
                course: course.name,
                teacher: course.teacherIds.compactMap { teachers[$0]?.name.display }.joined(separator: ", "),
                year: year(course), grade: result.grade, credits: Hundredths(count: course.credits))
        }
        // All years together begin with the first one that has a course.
        let first = chosen?.days.lowerBound ?? years.last?.days.lowerBound ?? today
        let last = min(today, chosen?.days.upperBound ?? today)
        let marks =
            first <= last
            ? try record.attendance(of: [studentId], from: first, through: last, in: sql)[studentId] ?? [:] : [:]
        return Transcript(
            student: student, years: years, year: chosen,
            rows: rows.sorted { ($0.year, $0.course) < ($1.year, $1.course) },
            average: try results.average(of: shown, in: sql), attendance: Transcript.Attendance(marks.values))
    }
}

/// Composes the printed transcript. It reads no database.
struct TranscriptComposer: Sendable {
    let school: String
    let words: Words
    let paper: PrintedDocument.Paper
    let theme: ThemeName
    /// The day on which the transcript is made.
    let today: Day
    /// The school's logo; `nil` for a school without one.
    var logo: ShrunkImage?

    /// - Parameters:
    ///   - code: the code with which the transcript is verified.
    ///   - address: the address of the page that verifies it.
    ///   - modules: the QR code of the page that verifies this transcript.
    func document(_ transcript: Transcript, code: String, address: String, modules: [[Bool]]) -> PrintedDocument {
        let none = words("reports.transcript.none")
        let student = PrintedTable(
            columns: [
                .init(words("reports.transcript.name"), share: 3), .init(words("reports.transcript.number")),
                .init(words("reports.transcript.level")), .init(words("reports.transcript.year")),
            ],
            rows: [
                [
                    [transcript.student.name.given, transcript.student.name.family].filter { !$0.isEmpty }
                        .joined(separator: " "),
                    transcript.student.number ?? none, transcript.student.gradeLevel ?? none,
                    transcript.year?.title ?? words("reports.transcript.allYears"),
                ]
            ])
        let courses = PrintedTable(
            columns: [
                .init(words("reports.transcript.course"), share: 4),
                .init(words("reports.transcript.teacher"), share: 2),
                .init(words("reports.transcript.grade"), isCentered: true),
                .init(words("reports.transcript.letter"), isCentered: true),
                .init(words("reports.transcript.credits"), isCentered: true),
            ],
            rows: transcript.rows.map { row in
                [
                    transcript.year == nil ? "\(row.course.isolated) (\(row.year.title.isolated))" : row.course,
                    row.teacher,
                    row.grade.map { words("reports.transcript.percent", $0.shown.shown(words)) } ?? none,
                    row.grade?.letter ?? none, row.credits.shown(words),
                ]
            })
        let summary = [
            words("reports.transcript.gpa", transcript.average?.shown(words) ?? none),
            words("reports.transcript.sum", transcript.credits.shown(words)),
            words(
                "reports.transcript.attendance",
                transcript.attendance.map {
                    words("reports.transcript.percent", $0.percentage.shown(words))
                } ?? none),
        ]
        return PrintedDocument(
            title: words("reports.transcript"), subtitle: words.shortDate(today),
            school: school.isolated, language: words.language, paper: paper,
            emblem: PrintedEmblem(initials: Initials.of(school), name: school, logo: logo), theme: theme,
            blocks: [
                .table(student),
                transcript.rows.isEmpty ? .text(words("reports.transcript.noCourses")) : .table(courses),
                .text(summary.joined(separator: " · ")), .note(words("reports.transcript.rule")),
                .badges([
                    PrintedBadge(
                        name: ShortCode.grouped(code, by: 4), detail: words("reports.transcript.check", address),
                        code: modules)
                ]),
            ],
            pageNumber: { [words] page, count in count > 1 ? words("reports.page", page, count) : "" })
    }
}
