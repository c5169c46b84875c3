import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

/// The time that is looked at, up to today.
enum Span: String, Codable, Sendable, Hashable, CaseIterable {
    case today, week, month

    /// The first day of it.
    func first(until today: Day) -> Day {
        switch self {
        case .today: today
        case .week: today.adding(days: -6)
        case .month: today.adding(days: -29)
        }
    }
}

/// Gathers what the writer needs, and nothing of another child but what it is called.
struct ChildReader: Sendable {
    let students: any StudentService
    let history: any ChildHistory
    /// `nil` where no block keeps progress.
    let materials: (any MaterialRecord)?
    let taxonomy: (any Taxonomy)?
    /// The block's own words, for texts in a language that is not the reader's.
    let catalog: StringCatalog

    func writer(
        for student: Student, from first: Day, through last: Day, _ language: Language, timeZone: TimeZone,
        in sql: any SQLReading
    ) throws -> ChildWriter {
        let period = try history.period(of: student.id, from: first, through: last, timeZone: timeZone, in: sql)
        let used = Set(period.observations.flatMap { [$0.subjectTag, $0.materialTag].compactMap(\.self) })
        return ChildWriter(
            name: student.calledName, words: Words(language, [catalog]),
            material: ChildMaterial(
                first: first, last: last, period: period,
                steps: try materials?.steps(of: student.id, from: first, through: last, in: language, sql) ?? [],
                tags: used.isEmpty ? [:] : try taxonomy?.tags(used, in: language, sql).mapValues(\.name) ?? [:],
                others: try othersNames(of: student, in: sql)))
    }

    /// What the other children of its classes are called.
    func othersNames(of student: Student, in sql: any SQLReading) throws -> [String] {
        let all = try students.classroomIds(ofStudent: student.id, in: sql).flatMap {
            try students.students(of: $0, orgId: student.orgId, in: sql)
        }
        return Array(Set(all.filter { $0.id != student.id }.flatMap { [$0.calledName, $0.firstName] }))
            .filter { !$0.isEmpty && $0 != student.calledName && $0 != student.firstName }.sorted()
    }
}

extension Student {
    /// What one says to the child.
    var calledName: String { PersonName(given: firstName, family: lastName, display: displayName).called }
}
