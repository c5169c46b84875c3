public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation
public import GradingInterface

/// Everything of one course that has marks: entered here and marked by other blocks.
struct Gradebook: Sendable {
    let items: [GradebookItem]
    let settings: GradeSettings
    let service: GradeCalculationService
    private let grades: [UUID: [UUID: Grade]]

    init(items: [GradebookItem], grades: [Grade], settings: GradeSettings, scale: GradingScale) {
        self.items = items
        self.settings = settings
        service = GradeCalculationService(scale: scale)
        var byStudent: [UUID: [UUID: Grade]] = [:]
        for grade in grades { byStudent[grade.studentId, default: [:]][grade.itemId] = grade }
        self.grades = byStudent
    }

    /// As students know it: only what was released.
    var released: Gradebook {
        let shown = items.filter { $0.releasedAt != nil }
        let ids = Set(shown.map(\.id))
        return Gradebook(
            items: shown, grades: grades.values.flatMap(\.values).filter { ids.contains($0.itemId) },
            settings: settings, scale: service.scale)
    }

    func grade(of studentId: UUID, for itemId: UUID) -> Grade? { grades[studentId]?[itemId] }

    /// A student's entries in the order of the items.
    func entries(of studentId: UUID) -> [GradeEntry] {
        guard let own = grades[studentId] else { return [] }
        return items.compactMap { item in
            own[item.id]?.entry(for: item, missingCounts: settings.missingCounts)
        }
    }

    func courseGrade(of studentId: UUID) -> GradeCalculationService.CourseGrade? {
        service.calculateCourseGrade(grades: entries(of: studentId), weights: settings.weights)
    }

    /// The mean of these students' percentages, shown as a grade; `nil` where nobody has one.
    func average(of studentIds: [UUID]) -> (shown: Decimal, letter: LetterGrade)? {
        let all = studentIds.compactMap { courseGrade(of: $0)?.percentage }
        guard !all.isEmpty else { return nil }
        let shown = service.scale.rounding.shown(Exactness.trimmed(all.reduce(0, +) / Decimal(all.count)))
        return (shown, service.letterGrade(from: shown))
    }

    /// From the last marks, by due day and then by the order in which items were made.
    func trend(of studentId: UUID) -> GradeTrend? {
        guard let own = grades[studentId] else { return nil }
        let ordered = items.enumerated().sorted { left, right in
            switch (left.element.dueDay, right.element.dueDay) {
            case (let one?, let other?) where one != other: one < other
            default: left.offset < right.offset
            }
        }
        return GradeTrend(
            ordered.compactMap { _, item in
                own[item.id]?.entry(for: item, missingCounts: settings.missingCounts)?.percentage
            })
    }
}

/// Reads gradebooks; what another block marks stands beside what is entered here.
struct GradebookReader: Sendable {
    let sources: [any GradedItemSource]

    /// - Parameter student: whose marks are read; everybody's where it is left out.
    func gradebook(of courseId: UUID, student: UUID? = nil, in sql: any SQLReading) throws -> Gradebook {
        var items = try GradingRepository.items(of: [courseId], in: sql)
        var grades =
            try student.map { try GradingRepository.grades(ofStudent: $0, in: sql) }
            ?? GradingRepository.grades(of: courseId, in: sql)
        for source in sources {
            for foreign in try source.items(of: courseId, in: sql) {
                items.append(Self.item(foreign, of: courseId))
                grades += foreign.marks.map { Self.grade($1, of: $0, for: foreign.id) }
            }
        }
        return Gradebook(
            items: items, grades: grades,
            settings: try GradingRepository.settings(of: [courseId], in: sql)[courseId] ?? .standard,
            scale: try GradingRepository.scale(in: sql))
    }

    /// One student's gradebooks of several courses, released marks alone.
    func released(
        ofStudent studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: Gradebook] {
        guard !courseIds.isEmpty else { return [:] }
        var items = Dictionary(
            grouping: try GradingRepository.items(of: courseIds, in: sql).filter { $0.releasedAt != nil },
            by: \.courseId)
        var grades = try GradingRepository.grades(ofStudent: studentId, in: sql)
        for source in sources {
            for courseId in courseIds {
                for foreign in try source.items(of: courseId, in: sql) {
                    items[courseId, default: []].append(Self.item(foreign, of: courseId))
                    if let mark = foreign.marks[studentId] {
                        grades.append(Self.grade(mark, of: studentId, for: foreign.id))
                    }
                }
            }
        }
        let settings = try GradingRepository.settings(of: courseIds, in: sql)
        let scale = try GradingRepository.scale(in: sql)
        let byItem = Dictionary(grouping: grades, by: \.itemId)
        return items.reduce(into: [:]) { all, course in
            all[course.key] = Gradebook(
                items: course.value, grades: course.value.flatMap { byItem[$0.id] ?? [] },
                settings: settings[course.key] ?? .standard, scale: scale)
        }
    }

    /// What another block has marked is as released as it made it: it tells nothing else.
    private static func item(_ foreign: GradedItem, of courseId: UUID) -> GradebookItem {
        GradebookItem(
            id: foreign.id, courseId: courseId, title: foreign.title, category: foreign.category,
            maximum: foreign.maximum, dueDay: foreign.dueDay, isExtraCredit: false,
            releasedAt: Date(timeIntervalSince1970: 0), createdAt: Date(timeIntervalSince1970: 0),
            path: foreign.path)
    }

    private static func grade(_ points: Decimal, of studentId: UUID, for itemId: UUID) -> Grade {
        Grade(itemId: itemId, studentId: studentId, points: points, state: .graded, version: 0)
    }
}

/// Grades for other blocks: released marks alone.
public struct SQLGradeService: GradeService {
    let courses: any CourseService
    let roster: any CourseRoster
    let reader: GradebookReader

    public init(courses: any CourseService, roster: any CourseRoster, sources: [any GradedItemSource] = []) {
        self.courses = courses
        self.roster = roster
        reader = GradebookReader(sources: sources)
    }

    public func standings(
        ofStudent studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: CourseStanding] {
        try reader.released(ofStudent: studentId, in: courseIds, sql).reduce(into: [:]) { all, course in
            guard let grade = course.value.courseGrade(of: studentId) else { return }
            all[course.key] = CourseStanding(
                courseId: course.key, percentage: grade.percentage, shown: grade.shown,
                letter: grade.letter.rawValue, color: grade.color)
        }
    }

    public func work(
        ofStudent studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]] {
        try reader.released(ofStudent: studentId, in: courseIds, sql).mapValues { gradebook in
            gradebook.items.compactMap { item in
                let grade = gradebook.grade(of: studentId, for: item.id)
                // Whoever was excused had nothing to do.
                guard grade?.state != .excused else { return nil }
                return GradedWork(
                    category: item.category, dueDay: item.dueDay,
                    isDone: grade?.points != nil && grade?.state != .missing)
            }
        }
    }

    public func gradePointAverage(ofStudent studentId: UUID, in sql: any SQLReading) throws -> GradePointAverage? {
        let ids = try roster.courseIds(ofStudent: studentId, in: sql)
        return try gradePointAverage(of: standings(ofStudent: studentId, in: Array(ids), sql), in: sql)
    }

    func gradePointAverage(
        of standings: [UUID: CourseStanding], in sql: any SQLReading
    ) throws -> GradePointAverage? {
        let known = try courses.courses(Set(standings.keys), in: sql)
        return GradeCalculationService().calculateGPA(
            courseGrades: standings.values.compactMap { standing in
                LetterGrade(rawValue: standing.letter).map { ($0, known[standing.courseId]?.credits ?? 0) }
            })
    }
}
