import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// Sets one score.
struct SetScore: Command {
    static let contract = Contract(
        "grades.mark", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/marks/{studentId}",
        access: .member(.teachCourses), isOfflineCapable: true,
        summary: "Sets a score as it is typed: a number, 'ex', 'm', a number with 'l' for late, or an empty text.")
    typealias Result = GradeCell

    let courseId: UUID
    let itemId: UUID
    let studentId: UUID
    let text: String
    let comment: String?
    /// Whether the comment stays as it is. The sheet sets scores only.
    let keepsComment: Bool
    /// The version of the score that the caller saw; 0 without one.
    let version: Int

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        studentId = fields.id("studentId")
        text = fields.optionalText("text", max: 20) ?? ""
        comment = fields.optionalText("comment", max: 500, multiline: true)
        keepsComment = fields.flag("keepsComment")
        version = fields.integer("version", in: 0...1_000_000_000, default: 0)
    }
}

/// A cell of the gradebook after a change, with the student's course grade.
struct GradeCell: Codable, Sendable, Hashable {
    let itemId: UUID
    let studentId: UUID
    let text: String
    let comment: String?
    let version: Int
    /// The rounded percentage; `nil` if nothing counts.
    let shown: String?
    let letter: String?
    let color: GradeColor?
    let trend: GradeTrend?
}

/// Sets the scores of an item from lines of text.
struct PasteScores: Command {
    static let contract = Contract(
        "grades.paste", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/paste",
        access: .member(.teachCourses), isOfflineCapable: true,
        summary: """
            Sets the scores of an item: a line for each student in the gradebook's order. Stores all of them or none; none \
            if a score has changed since the caller saw it.
            """)
    typealias Result = PastedScores

    let courseId: UUID
    let itemId: UUID
    let text: String
    /// The first student; `nil` for the first of the gradebook.
    let from: UUID?
    /// The students of the lines, in order; empty for the gradebook's order. The sheet sends them, because a
    /// student may have joined the course since it was opened.
    let students: [UUID]
    /// Whether existing scores may be replaced.
    let replaces: Bool
    /// The versions that the caller saw, in the order of the lines. 0 or a left-out one means no score.
    let versions: [Int]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        // Not trimmed: a column that begins with empty cells would otherwise move up.
        text = fields.writing("text", max: 10_000)
        from = fields.optionalId("from")
        students = fields.ids("students", max: 5000)
        replaces = fields.flag("replaces")
        let seen = (fields.optionalText("versions", max: 10_000) ?? "").split(separator: " ")
        versions = seen.compactMap { Int($0) }
        fields.refuse("versions", "grading.paste.versions", unless: versions.count == seen.count)
    }
}

/// The lines that a command stored.
struct PastedScores: Codable, Sendable, Hashable {
    let count: Int
    /// The scores after the command, in the order of the lines.
    let scores: [PastedScore]
}

/// A score as it is stored. Its text may differ from the pasted line: "excused" becomes "ex".
struct PastedScore: Codable, Sendable, Hashable {
    let studentId: UUID
    let text: String
    /// The version for the next change; 0 without a score.
    let version: Int
}

/// The commands and queries of scores.
struct ScoreHandlers: Sendable {
    let items: ItemHandlers
    let people: GradebookPeople
    let reader: GradebookReader

    /// The most conflicts that are reported at once.
    private static let conflictLimit = 50
    var authors: ScoreAuthors { ScoreAuthors(people: people) }

    var queries: [QueryRegistration] {
        [
            .handle(ReadScores.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let course = try items.courses.course(query.courseId, ledBy: membership, in: sql)
                    guard let item = try GradingRepository.item(query.itemId, in: sql), item.courseId == course.id
                    else { throw Problem.notFound }
                    let students = try people.students(of: course.id, membership.organization.id, in: sql)
                    let stored = Dictionary(
                        try GradingRepository.scores(ofItem: item.id, in: sql).map { ($0.studentId, $0) },
                        uniquingKeysWith: { first, _ in first })
                    let keys = Set(stored.keys.map { ScoreKey(studentId: $0, itemId: item.id) })
                    let authors = try authors.authors(of: keys, membership.organization.id, in: sql)
                    return Page(
                        items: students.map { student in
                            StoredScore(
                                studentId: student.id, text: stored[student.id]?.text ?? "",
                                version: stored[student.id]?.version ?? 0,
                                by: authors[ScoreKey(studentId: student.id, itemId: item.id)]?.name)
                        }, next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(SetScore.self) { command, context in
                let item = try items.item(command.itemId, of: command.courseId, context)
                let inCourse = try people.roster.students(of: item.courseId, in: context.sql)
                guard inCourse.contains(command.studentId) else { throw Problem.notFound }
                let before = try GradingRepository.score(of: command.studentId, for: item.id, in: context.sql)
                guard before?.version ?? 0 == command.version else {
                    // The problem names the stored score; the client still has what was typed.
                    throw Problem(409, "grading.changed", [.text(before?.text ?? "")])
                }
                let score: ScoreText?
                do throws(ScoreText.Fault) {
                    score = try ScoreText.read(
                        command.text, maximum: item.maximum, isExtraCredit: item.isExtraCredit)
                } catch {
                    throw Problem.invalid("text", error.code, [.text("\(item.maximum)")])
                }
                let after = Score(
                    itemId: item.id, studentId: command.studentId, points: score?.points,
                    state: score?.state ?? .graded,
                    comment: command.keepsComment ? before?.comment : command.comment,
                    version: command.version + 1)
                try store(after, of: item, in: &context)
                context.feedback = Feedback(.toast, context.words("grading.said.marked"))
                return try cell(after, of: item, in: context.sql)
            },
            .handle(PasteScores.self) { command, context in
                let item = try items.item(command.itemId, of: command.courseId, context)
                let orgId = try context.membership.organization.id
                var students = try people.students(of: item.courseId, orgId, in: context.sql)[...]
                if let from = command.from {
                    guard let first = students.firstIndex(where: { $0.id == from }) else { throw Problem.notFound }
                    students = students[first...]
                }
                if !command.students.isEmpty {
                    let known = Dictionary(students.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
                    students = try command.students.map { id in
                        guard let student = known[id] else { throw Problem(409, "grading.studentLeft") }
                        return student
                    }[...]
                }
                let old = Dictionary(
                    try GradingRepository.scores(ofItem: item.id, in: context.sql).map { ($0.studentId, $0) },
                    uniquingKeysWith: { first, _ in first })
                let scores = try Self.column(command, students.map(\.id), item, old)
                var changes: [Score] = []
                var pasted: [PastedScore] = []
                var conflicts: [Int: ScoreConflict] = [:]
                for (row, (student, (studentId, score))) in zip(students, scores).enumerated() {
                    let before = old[studentId]
                    let after = Score(
                        itemId: item.id, studentId: studentId, points: score?.points,
                        state: score?.state ?? .graded,
                        comment: before?.comment, version: (before?.version ?? 0) + 1)
                    let stored = before?.text ?? ""
                    let isChanged = stored != after.text
                    pasted.append(
                        PastedScore(
                            studentId: studentId, text: after.text,
                            version: isChanged ? after.version : before?.version ?? 0))
                    guard isChanged else { continue }
                    changes.append(after)
                    let seen = command.versions.indices.contains(row) ? command.versions[row] : 0
                    guard command.replaces, seen != before?.version ?? 0 else { continue }
                    conflicts[row] = ScoreConflict(
                        studentId: studentId, itemId: item.id, student: student.name, item: item.title,
                        theirs: stored, yours: after.text)
                }
                try refuse(conflicts, "lines", orgId, in: context.sql)
                for change in changes { try store(change, of: item, in: &context) }
                context.feedback = Feedback(.toast, context.words("grading.said.pasted", scores.count))
                return PastedScores(count: scores.count, scores: pasted)
            },
        ]
    }

    /// Reads the lines of a pasted column. Throws a problem with a fault for each line that cannot be stored.
    private static func column(
        _ command: PasteScores, _ students: [UUID], _ item: GradebookItem, _ old: [UUID: Score]
    ) throws -> [(UUID, ScoreText?)] {
        var lines = command.text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // A spreadsheet ends its last line too. Further empty lines clear cells, as far as there are students.
        if lines.last?.isEmpty == true { lines.removeLast() }
        while lines.count > students.count, lines.last?.isEmpty == true { lines.removeLast() }
        var faults: [Fault] = []
        var scores: [(UUID, ScoreText?)] = []
        for (row, line) in lines.enumerated() {
            // A form shows one fault beside a field of that name and lists all others above, so the lines have names of
            // their own.
            let field = "lines[\(row)]"
            guard students.indices.contains(row) else {
                faults.append(Fault(field, "grading.paste.nobody", [.number(row + 1)]))
                break
            }
            do throws(ScoreText.Fault) {
                let score = try ScoreText.read(line, maximum: item.maximum, isExtraCredit: item.isExtraCredit)
                let new = Score(
                    itemId: item.id, studentId: students[row], points: score?.points,
                    state: score?.state ?? .graded, version: 0)
                let stored = old[students[row]]?.text ?? ""
                if !command.replaces, !stored.isEmpty, stored != new.text {
                    faults.append(Fault(field, "grading.paste.taken", [.number(row + 1), .text(stored)]))
                }
                scores.append((students[row], score))
            } catch {
                faults.append(
                    Fault(
                        field, error.lineCode,
                        [.number(row + 1), .text(String(line.prefix(20))), .text("\(item.maximum)")]))
            }
        }
        guard faults.isEmpty else { throw Problem.invalid(faults) }
        return scores
    }

    /// Throws `grading.clashes` with a fault for each conflict, by its line. Does nothing without conflicts.
    func refuse(_ conflicts: [Int: ScoreConflict], _ field: String, _ orgId: UUID, in sql: any SQLReading) throws {
        guard !conflicts.isEmpty else { return }
        let rows = conflicts.keys.sorted()
        let named = try authors.addingAuthors(to: rows.compactMap { conflicts[$0] }, orgId, in: sql)
        throw Problem(
            409, "grading.clashes",
            faults: zip(rows, named).prefix(Self.conflictLimit).map { $1.fault("\(field)[\($0)]") })
    }

    /// Stores a score, and notifies those concerned.
    func store(_ grade: Score, of item: GradebookItem, in context: inout CommandContext) throws {
        try GradingRepository.put(grade, at: context.now, in: context.sql)
        items.notifications.notifyLeaders("grades.marked", item, student: grade.studentId, in: &context)
        if item.releasedAt != nil {
            try items.notifications.notifyFamilies("grades.changed", item, of: [grade.studentId], in: &context)
        }
    }

    /// Returns the cell of a score. Reads only this student's scores, from which the course grade follows.
    private func cell(_ grade: Score, of item: GradebookItem, in sql: any SQLReading) throws -> GradeCell {
        let gradebook = try reader.gradebook(of: item.courseId, student: grade.studentId, in: sql)
        let total = gradebook.courseGrade(of: grade.studentId)
        return GradeCell(
            itemId: grade.itemId, studentId: grade.studentId, text: grade.text, comment: grade.comment,
            version: grade.version, shown: total.map { "\($0.shown)" }, letter: total?.letter.rawValue,
            color: total?.color, trend: gradebook.trend(of: grade.studentId))
    }
}

extension ScoreText.Fault {
    /// The code for a single score.
    fileprivate var code: String {
        switch self {
        case .unreadable: "grading.mark.unreadable"
        case .negative: "grading.mark.negative"
        case .aboveMaximum: "grading.mark.aboveMaximum"
        case .tooFine: "grading.mark.tooFine"
        }
    }

    /// The code for a line of a pasted column.
    fileprivate var lineCode: String {
        switch self {
        case .unreadable: "grading.paste.unreadable"
        case .negative: "grading.paste.negative"
        case .aboveMaximum: "grading.paste.aboveMaximum"
        case .tooFine: "grading.paste.tooFine"
        }
    }
}
