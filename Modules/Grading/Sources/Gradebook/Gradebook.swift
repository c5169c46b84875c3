public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation
public import GradingInterface

/// All grade items and scores of a course, entered here or graded by other blocks.
struct Gradebook: Sendable {
    let items: [GradebookItem]
    let settings: GradeSettings
    let service: GradeCalculationService
    /// By student, in the order of the items.
    private let rows: [UUID: [Score?]]
    private let empty: [Score?]
    private let places: [UUID: Int]
    /// The positions of the items, sorted by due day and then by creation.
    private let byDay: [Int]

    init(items: [GradebookItem], grades: [Score], settings: GradeSettings, scale: GradingScale) {
        self.items = items
        self.settings = settings
        service = GradeCalculationService(scale: scale)
        let places = Dictionary(
            items.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let empty = [Score?](repeating: nil, count: items.count)
        rows = grades.reduce(into: [:]) { rows, grade in
            guard let place = places[grade.itemId] else { return }
            rows[grade.studentId, default: empty][place] = grade
        }
        (self.places, self.empty) = (places, empty)
        byDay = items.indices.sorted { left, right in
            switch (items[left].dueDay, items[right].dueDay) {
            case (let one?, let other?) where one != other: one < other
            default: left < right
            }
        }
    }

    /// The students who have a score.
    var scoredStudents: Set<UUID> {
        Set(rows.filter { row in row.value.contains { $0.map { !$0.isEmpty } ?? false } }.keys)
    }

    /// A student's scores in the order of the items.
    func scores(of studentId: UUID) -> [Score?] { rows[studentId] ?? empty }

    func score(of studentId: UUID, for itemId: UUID) -> Score? {
        guard let place = places[itemId] else { return nil }
        return rows[studentId]?[place]
    }

    /// The number of scores of some students for each item, in the order of the items.
    func scoreCounts(_ studentIds: [UUID]) -> [Int] {
        var counts = [Int](repeating: 0, count: items.count)
        for row in studentIds.compactMap({ rows[$0] }) {
            for place in row.indices where row[place].map({ !$0.isEmpty }) ?? false { counts[place] += 1 }
        }
        return counts
    }

    /// A student's entries for the calculation, in the order of the items.
    func entries(of studentId: UUID) -> [GradeEntry] {
        guard let own = rows[studentId] else { return [] }
        return items.indices.compactMap { own[$0]?.entry(for: items[$0], missingCounts: settings.missingCounts) }
    }

    /// A student's course grade; `nil` if nothing counts.
    func courseGrade(of studentId: UUID) -> GradeCalculationService.CourseGrade? {
        service.calculateCourseGrade(grades: entries(of: studentId), weights: settings.weights)
    }

    /// The mean of some percentages, rounded and with its letter; `nil` without any.
    func average(
        of grades: [GradeCalculationService.CourseGrade?]
    ) -> (shown: Hundredths, letter: LetterGrade)? {
        guard let mean = Quotient.mean(grades.compactMap { $0?.percentage }) else { return nil }
        let shown = service.scale.rounding.shown(mean)
        return (shown, service.letterGrade(from: shown))
    }

    /// The mean percentage of each category, rounded. Categories without a score are left out.
    func averages(of grades: [GradeCalculationService.CourseGrade?]) -> [GradeCategory: Hundredths] {
        Dictionary(grouping: grades.compactMap(\.self).flatMap(\.shares), by: \.category).compactMapValues {
            shares in
            Quotient.mean(shares.map(\.percentage)).map(service.scale.rounding.shown)
        }
    }

    /// The trend of a student's last scores, sorted by due day and then by creation; `nil` for fewer than two.
    func trend(of studentId: UUID) -> GradeTrend? { GradeTrend(lastScores(of: studentId).map(\.percentage)) }

    /// The last scores, from which the trend follows, the oldest first.
    func lastScores(of studentId: UUID) -> [(item: GradebookItem, percentage: Quotient)] {
        guard let own = rows[studentId] else { return [] }
        let scores = byDay.compactMap { place -> (item: GradebookItem, percentage: Quotient)? in
            let item = items[place]
            let entry = own[place]?.entry(for: item, missingCounts: settings.missingCounts)
            return entry?.percentage.map { (item, $0) }
        }
        return Array(scores.suffix(GradeTrend.length))
    }
}

/// Reads gradebooks, including the items of other blocks.
struct GradebookReader: Sendable {
    let sources: [any GradedItemSource]

    /// Reads the gradebook of a course.
    ///
    /// - Parameter student: reads only this student's scores; `nil` reads all.
    func gradebook(of courseId: UUID, student: UUID? = nil, in sql: any SQLReading) throws -> Gradebook {
        var items = try GradingRepository.items(of: [courseId], in: sql)
        var grades =
            try student.map { try GradingRepository.scores(for: $0, in: sql) }
            ?? GradingRepository.scores(of: courseId, in: sql)
        for source in sources {
            let all =
                try student.map { try source.items(of: [courseId], for: $0, in: sql)[courseId] ?? [] }
                ?? source.items(of: courseId, in: sql)
            for foreign in all {
                items.append(Self.item(foreign, of: courseId))
                grades += foreign.marks.filter { student == nil || $0.key == student }.map {
                    Self.score($1, of: $0, for: foreign.id)
                }
            }
        }
        return Gradebook(
            items: items, grades: grades,
            settings: try GradingRepository.settings(of: [courseId], in: sql)[courseId] ?? .standard,
            scale: try GradingRepository.scale(in: sql))
    }

    /// Reads a student's gradebooks of several courses, with released items only.
    func released(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: Gradebook] {
        guard !courseIds.isEmpty else { return [:] }
        var items = Dictionary(
            grouping: try GradingRepository.items(of: courseIds, in: sql).filter { $0.releasedAt != nil },
            by: \.courseId)
        var grades = try GradingRepository.scores(for: studentId, in: sql)
        for source in sources {
            for (courseId, all) in try source.items(of: courseIds, for: studentId, in: sql) {
                // Another block may release its scores to one student at a time.
                for foreign in all where foreign.isShown(to: studentId) {
                    items[courseId, default: []].append(Self.item(foreign, of: courseId))
                    if let score = foreign.marks[studentId] {
                        grades.append(Self.score(score, of: studentId, for: foreign.id))
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

    /// The item of another block. It counts as released once all its scores are.
    private static func item(_ foreign: GradedItem, of courseId: UUID) -> GradebookItem {
        GradebookItem(
            id: foreign.id, courseId: courseId, title: foreign.title, category: foreign.category,
            maximum: foreign.maximum, dueDay: foreign.dueDay, isExtraCredit: false,
            releasedAt: foreign.shownTo == nil
                || !foreign.marks.isEmpty && foreign.marks.keys.allSatisfy(foreign.isShown)
                ? Date(timeIntervalSince1970: 0) : nil,
            createdAt: Date(timeIntervalSince1970: 0), path: foreign.path)
    }

    private static func score(_ points: Hundredths, of studentId: UUID, for itemId: UUID) -> Score {
        Score(itemId: itemId, studentId: studentId, points: points, state: .graded, version: 0)
    }
}

/// Reads the grades that students may see from the school's database, for other feature blocks.
public struct SQLGradeService: GradeService {
    let courses: any CourseService
    let roster: any CourseRoster
    let reader: GradebookReader

    public init(courses: any CourseService, roster: any CourseRoster, sources: [any GradedItemSource] = []) {
        self.courses = courses
        self.roster = roster
        reader = GradebookReader(sources: sources)
    }

    public func grades(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: CourseGrade] {
        try reader.released(for: studentId, in: courseIds, sql).reduce(into: [:]) { all, course in
            guard let grade = course.value.courseGrade(of: studentId) else { return }
            all[course.key] = CourseGrade(
                courseId: course.key, shown: grade.shown, letter: grade.letter.rawValue, color: grade.color)
        }
    }

    public func work(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]] {
        var all = try reader.released(for: studentId, in: courseIds, sql).mapValues { gradebook in
            gradebook.items.compactMap { item -> GradedWork? in
                let grade = gradebook.score(of: studentId, for: item.id)
                // An excused student had nothing to do. Other blocks know their own work.
                guard item.path == nil, grade?.state != .excused else { return nil }
                return GradedWork(
                    category: item.category, dueDay: item.dueDay,
                    isDone: grade?.points != nil && grade?.state != .missing)
            }
        }
        for source in reader.sources {
            for (courseId, work) in try source.work(for: studentId, in: courseIds, sql) {
                all[courseId, default: []] += work
            }
        }
        return all
    }

    public func gradePointAverage(for studentId: UUID, in sql: any SQLReading) throws -> GradePointAverage? {
        let ids = try roster.courseIds(ofStudent: studentId, in: sql)
        return try gradePointAverage(of: grades(for: studentId, in: Array(ids), sql), in: sql)
    }

    func gradePointAverage(
        of grades: [UUID: CourseGrade], in sql: any SQLReading
    ) throws -> GradePointAverage? {
        let known = try courses.courses(Set(grades.keys), in: sql)
        return GradeCalculationService().calculateGPA(
            courseGrades: grades.values.compactMap { grade in
                LetterGrade(rawValue: grade.letter).map { ($0, known[grade.courseId]?.credits ?? 0) }
            })
    }
}

extension SQLGradeService: CourseResults {
    public func results(of studentId: UUID, in sql: any SQLReading) throws -> [CourseResult] {
        let current = try roster.courseIds(ofStudent: studentId, in: sql)
        let all = current.union(try GradingRepository.courseIds(markedForStudent: studentId, in: sql))
        let grades = try grades(for: studentId, in: Array(all), sql)
        return all.sorted().map {
            CourseResult(courseId: $0, grade: grades[$0], isFormer: !current.contains($0))
        }
    }

    public func average(of results: [CourseResult], in sql: any SQLReading) throws -> GradePointAverage? {
        try gradePointAverage(
            of: results.reduce(into: [:]) { $0[$1.courseId] = $1.grade }, in: sql)
    }
}
