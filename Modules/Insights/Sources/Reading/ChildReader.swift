import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

/// A period that ends today.
enum Span: String, Codable, Sendable, Hashable, CaseIterable {
    case today, week, month

    /// Returns the first day of the period.
    func first(until today: Day) -> Day {
        switch self {
        case .today: today
        case .week: today.adding(days: -6)
        case .month: today.adding(days: -29)
        }
    }
}

/// Gathers a child's records for the writer. Of other children it reads only their names.
struct ChildReader: Sendable {
    let students: any StudentService
    let history: any ChildHistory
    /// `nil` in a server without progress.
    let materials: (any MaterialRecord)?
    let taxonomy: (any Taxonomy)?
    /// The block's own texts, for writing in a language other than the reader's.
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

    /// The names of the other children in the child's classrooms.
    func othersNames(of student: Student, in sql: any SQLReading) throws -> [String] {
        let all = try students.classroomIds(ofStudent: student.id, in: sql).flatMap {
            try students.students(of: $0, orgId: student.orgId, in: sql)
        }
        return Array(Set(all.filter { $0.id != student.id }.flatMap { [$0.calledName, $0.firstName] }))
            .filter { !$0.isEmpty && $0 != student.calledName && $0 != student.firstName }.sorted()
    }
}

extension Student {
    /// The name by which the child is addressed.
    var calledName: String { PersonName(given: firstName, family: lastName, display: displayName).called }
}
