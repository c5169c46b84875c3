import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// A teacher's section of the home page: the grade items that still lack scores.
struct GradingHome: Sendable {
    /// The number of grade items in the section.
    static let count = 4

    let courses: any CourseService
    let roster: any CourseRoster
    let reader: GradebookReader

    /// A grade item with the number of students whose score is entered.
    private struct Open {
        let item: GradebookItem
        let course: Course
        let scored: Int
        let students: Int
    }

    func section(_ personId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, today) = (request.words, request.context.today)
        let open = try await request.context.school.read { try self.open(personId, today, in: $0) }
        guard !open.isEmpty else { return [] }
        let missing = open.reduce(0) { $0 + $1.students - $1.scored }
        return [
            .section(
                PTSection(
                    title: words("grading.toMark"), detail: words("grading.toMark.count", missing),
                    body: [
                        .list(
                            PTList(
                                cells: open.prefix(Self.count).map { cell($0, words) },
                                label: words("grading.toMark")))
                    ]))
        ]
    }

    /// The items that are due, or of which some scores are entered, until all are; the oldest first.
    private func open(_ personId: UUID, _ today: Day, in sql: any SQLReading) throws -> [Open] {
        try courses.courses(taughtBy: personId, in: sql).flatMap { course -> [Open] in
            let students = try roster.students(of: course.id, in: sql)
            let gradebook = try reader.gradebook(of: course.id, in: sql)
            return zip(gradebook.items, gradebook.scoreCounts(students)).compactMap { item, scored -> Open? in
                // Other blocks grade their items themselves.
                guard item.path == nil, scored < students.count else { return nil }
                let isDue = item.dueDay.map { $0 <= today } ?? (scored > 0)
                return isDue ? Open(item: item, course: course, scored: scored, students: students.count) : nil
            }
        }
        .sorted {
            ($0.item.dueDay ?? today, $0.item.title, $0.item.id.text)
                < ($1.item.dueDay ?? today, $1.item.title, $1.item.id.text)
        }
    }

    private func cell(_ open: Open, _ words: Words) -> PTListCell {
        PTListCell(
            id: open.item.id.text,
            leading: .avatar(
                PTAvatar(initials: Initials.of(open.course.name), tint: open.course.tint, id: open.course.id)),
            title: open.item.title,
            subtitle: words("grading.toMark.scored", open.course.name, open.scored, open.students),
            trailing: open.item.dueDay.map { [.text(words.dayAndMonth($0)), .chevron] } ?? [.chevron],
            action: .open(GradebookScreens.path(open.item)))
    }
}
