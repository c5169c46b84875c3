import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

/// Composes printed documents from recorded values. It reads no database.
struct DocumentComposer: Sendable {
    let school: String
    let words: Words
    let paper: PrintedDocument.Paper
    /// The day of printing.
    let today: Day

    // MARK: - A class

    /// A class list with the contacts of each child.
    func roster(_ room: String, _ children: [Student], _ contacts: [UUID: [FamilyContact]]) -> PrintedDocument {
        let rows = children.map { child in
            [child.fullName, contacts[child.id, default: []].map(line).joined(separator: "\n")]
        }
        let table = PrintedTable(
            columns: [
                .init(words("reports.child"), share: 2), .init(words("reports.contacts"), share: 3),
            ], rows: rows)
        return document(
            words("reports.roster"), room, [.note(words("reports.childCount", children.count)), .table(table)])
    }

    private func line(_ contact: FamilyContact) -> String {
        [contact.fullName, contact.phone, contact.email].compactMap { $0?.isolated }.joined(separator: " · ")
    }

    /// The attendance of a month, with a column for each school day and each other day with a mark. Days before and
    /// after a child's stay have a dash.
    func attendance(_ room: String, _ lines: [RegisterLine], month: Day) -> PrintedDocument {
        let marked = Set(lines.flatMap(\.marks.keys))
        let days = Self.days(ofMonth: month).filter { $0.daysSinceMonday < 5 || marked.contains($0) }
        let (present, absent) = (words("reports.sign.present"), words("reports.sign.absent"))
        let outside = words("reports.sign.outside")
        let rows = lines.map { line in
            let own = line.marks
            return [line.student.fullName]
                + days.map { day in
                    own[day].map { $0 ? present : absent } ?? (line.belongs(on: day) ? "" : outside)
                } + [String(own.values.filter { $0 }.count), String(own.values.filter { !$0 }.count)]
        }
        let columns =
            [PrintedTable.Column(words("reports.child"), share: 7)]
            + days.map { .init(String($0.day), isCentered: true) }
            + [.init(present, isCentered: true), .init(absent, isCentered: true)]
        return document(
            words("reports.attendance"), "\(room.isolated) · \(words.month(month))",
            [
                .note(words("reports.signs", present, absent, outside)),
                .table(PrintedTable(columns: columns, rows: rows)),
            ], isLandscape: true)
    }

    /// The days of the month that contains `day`.
    static func days(ofMonth day: Day) -> [Day] {
        let first = day.adding(days: 1 - day.day)
        return (0..<31).map { first.adding(days: $0) }.filter { $0.month == day.month }
    }

    /// A badge for each child. Its code leads to the child's page, which requires permission.
    func badges(
        _ room: String, _ children: [Student], code: (Student) throws -> [[Bool]]
    ) rethrows -> PrintedDocument {
        document(
            words("reports.badges"), room,
            [
                .note(words("reports.badges.note")),
                .badges(
                    try children.map {
                        PrintedBadge(name: $0.displayName, detail: "\(room)\n\(school)", code: try code($0))
                    }),
            ])
    }

    // MARK: - A child

    /// The content of a child's report.
    struct Period: Sendable {
        let first: Day
        let last: Day
        let record: ChildPeriod
        let attended: [Day: Bool]
        let materials: [MaterialStep]
        /// Whether the report includes the guide's notes.
        let withNotes: Bool
    }

    /// A child's report for the meeting with the family. Empty sections are left out.
    func report(_ child: Student, _ rooms: [String], _ period: Period) -> PrintedDocument {
        let span = words("reports.span", words.shortDate(period.first), words.shortDate(period.last))
        var blocks = attended(period)
        blocks += materials(period.materials)
        blocks += section(
            "reports.lessons", period.record.completed.filter(\.isLesson).map(dated))
        blocks += section("reports.tasks", period.record.completed.filter { !$0.isLesson }.map(dated))
        blocks += section(
            "reports.habits",
            period.record.habits.filter { !$0.doneOn.isEmpty }.map {
                words("reports.habitDays", $0.doneOn.count, $0.name)
            })
        if period.withNotes {
            // A note that names another child belongs to that child too.
            let notes = period.record.observations.filter {
                $0.studentId == child.id && $0.taggedStudentIds.isEmpty
            }
            blocks += section("reports.notes", notes.map { "\(words.shortDate($0.day)): \($0.content.isolated)" })
        }
        blocks += section(
            "reports.next",
            period.record.open.map { work in
                work.scheduledFor.map { "\(work.title.isolated) (\(words.shortDate($0)))" } ?? work.title
            })
        if blocks.isEmpty { blocks = [.text(words("reports.nothing"))] }
        blocks += [
            .writing(words("reports.fromFamily"), lines: 4), .writing(words("reports.agreed"), lines: 3),
        ]
        return document(child.fullName, (rooms.map(\.isolated) + [span]).joined(separator: " · "), blocks)
    }

    private func attended(_ period: Period) -> [PrintedBlock] {
        let (here, away) = (period.attended.values.filter { $0 }.count, period.attended.values.filter { !$0 }.count)
        guard here + away > 0 else { return [] }
        return [
            .heading(words("reports.attendance")),
            .text("\(words("reports.daysHere", here)) \(words("reports.daysAway", away))"),
        ]
    }

    /// Each material once with its latest state, in the order of days.
    private func materials(_ steps: [MaterialStep]) -> [PrintedBlock] {
        let latest = Dictionary(steps.map { ($0.materialId, $0) }) { $1 }
        guard !latest.isEmpty else { return [] }
        let rows = latest.values.sorted { ($0.day, $0.name) < ($1.day, $1.name) }.map {
            [$0.name, words("reports.state.\($0.state.rawValue)"), words.shortDate($0.day)]
        }
        return [
            .heading(words("reports.materials")),
            .table(
                PrintedTable(
                    columns: [
                        .init(words("reports.material"), share: 3), .init(words("reports.state"), share: 2),
                        .init(words("reports.since"), share: 1.5),
                    ], rows: rows)),
        ]
    }

    private func dated(_ work: RecordedWork) -> String {
        work.completedOn.map { "\(words.shortDate($0)): \(work.title.isolated)" } ?? work.title
    }

    private func section(_ title: String, _ items: [String]) -> [PrintedBlock] {
        items.isEmpty ? [] : [.heading(words(title)), .items(items)]
    }

    private func document(
        _ title: String, _ subtitle: String, _ blocks: [PrintedBlock], isLandscape: Bool = false
    ) -> PrintedDocument {
        PrintedDocument(
            title: title, subtitle: subtitle,
            school: "\(school.isolated) · \(words("reports.printed", words.longDate(today)))",
            language: words.language,
            paper: paper, isLandscape: isLandscape, blocks: blocks,
            pageNumber: { [words] in words("reports.page", $0, $1) })
    }
}

extension Student {
    /// The full name on paper, or the display name if it is empty.
    var fullName: String {
        let whole = [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ")
        return whole.isEmpty ? displayName : whole
    }
}
