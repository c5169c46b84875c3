import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// `StudentSubmissionsView`: the students of an assignment with what they handed in, its time, its files and the score.
struct SubmissionsList {
    /// The parts of the list that a teacher can choose.
    private enum Filter: String, CaseIterable {
        case all, toMark, late, missing

        func includes(_ row: SubmissionsReader.Row) -> Bool {
            switch self {
            case .all: true
            case .toMark: row.state == .toMark
            case .late: row.isLate
            case .missing: row.state == .missing
            }
        }
    }

    let assignment: Assignment
    let rows: [SubmissionsReader.Row]
    let request: ScreenRequest
    let text: WorkWords

    private var words: Words { request.words }

    private func count(_ states: SubmissionsReader.Row.State...) -> Int { rows.count { states.contains($0.state) } }

    /// The summary with the button that returns all marked work.
    var head: [Component] {
        let (marked, toMark, missing) = (count(.marked, .returned), count(.toMark), count(.missing))
        let hidden = rows.count { $0.mark != nil && $0.mark?.returnedAt == nil }
        let parts = [
            (marked, Tint.leaf, "coursework.state.marked"), (toMark, .sky, "coursework.toMark"),
            (missing, .clay, "coursework.state.missing"),
        ].filter { $0.0 > 0 }
        let call = request.call(
            ReturnWork.self, ["assignmentId": assignment.id.text],
            confirmation: PTConfirmation(
                title: words("coursework.returnAll.title", hidden),
                message: words("coursework.returnAll.message"), confirm: words("coursework.return"),
                isDestructive: false))
        let first = rows.first { $0.state == .toMark }
        var buttons: [PTButton] = []
        if let first {
            buttons.append(
                PTButton(
                    title: words("coursework.startMarking"), icon: .edit,
                    action: .open(AssignmentScreens.marking(assignment.id, first.id))))
        }
        if hidden > 0 {
            buttons.append(
                PTButton(
                    title: words("coursework.returnAll", hidden), icon: .send,
                    role: first == nil ? .primary : .tonal, action: .perform(call)))
        }
        if rows.contains(where: { !$0.submissions.isEmpty }) {
            buttons.append(
                PTButton(
                    title: words("coursework.downloadAll"), icon: .download, role: .tonal,
                    action: .external(SubmissionsArchive.path(assignment.id))))
        }
        return [
            .greeting(
                PTGreeting(
                    eyebrow: assignment.dueAt.map { words("coursework.due", text.when($0)) },
                    title: toMark > 0
                        ? words("coursework.toMark.count", toMark)
                        : words("coursework.handedIn.of", rows.count { !$0.submissions.isEmpty }, rows.count),
                    split: PTSplitBar(
                        parts: parts.map { .init(count: $0.0, tint: $0.1, title: words($0.2), detail: "\($0.0)") },
                        total: max(1, rows.count),
                        spoken: parts.map { "\(words($0.2)) \($0.0)" }.joined(separator: ", "))))
        ] + (buttons.isEmpty ? [] : [.buttons(PTButtonGroup(buttons: buttons))])
    }

    /// The filters and the table.
    var body: [Component] {
        guard !rows.isEmpty else {
            return [
                .empty(
                    PTEmptyState(
                        icon: .people, title: words("coursework.noStudents"),
                        message: words("coursework.noStudentsTip")))
            ]
        }
        guard assignment.publishedAt != nil else { return [] }
        let chosen = request.query["show"].flatMap(Filter.init) ?? .all
        let path = AssignmentScreens.path(assignment.id)
        let chips = Filter.allCases.compactMap { filter -> PTChips.Chip? in
            let count = rows.count(where: filter.includes)
            guard count > 0 || filter == chosen else { return nil }
            return PTChips.Chip(
                title: words("coursework.show.\(filter.rawValue)", count), isSelected: filter == chosen,
                action: .open(filter == .all ? path : "\(path)?show=\(filter.rawValue)"))
        }
        let columns =
            [
                PTDataTable.Column(title: words("coursework.student")), .init(title: words("coursework.state")),
                .init(title: words("coursework.handedIn")), .init(title: words("coursework.files")),
            ]
            + (assignment.maximum.map {
                [
                    PTDataTable.Column(
                        title: words("coursework.score"), detail: "/ \($0.shown(words))", isNumeric: true)
                ]
            } ?? [])
        return [
            .chips(PTChips(label: words("coursework.show"), chips: chips)),
            .table(
                PTDataTable(
                    label: words("coursework.submissions"), columns: columns,
                    rows: rows.filter(chosen.includes).map(row))),
        ]
    }

    private func row(_ row: SubmissionsReader.Row) -> PTDataTable.Row {
        let counted = row.counted
        let name =
            row.isFormer ? words("coursework.former", row.student.name) : row.student.name
        var cells: [PTDataTable.Cell] = [
            .tag(Self.tag(row, text)),
            .text(counted.map { text.when($0.handedInAt) } ?? "–"),
            .text(counted.flatMap { text.files($0.files) } ?? "–"),
        ]
        if assignment.maximum != nil { cells.append(.text(row.score?.shown(words) ?? "–")) }
        return PTDataTable.Row(
            id: row.id.text, header: name, avatar: PTAvatar(row.student.person),
            action: .open(AssignmentScreens.marking(assignment.id, row.id)), cells: cells)
    }

    /// The state of a student's work, with its lateness.
    static func tag(_ row: SubmissionsReader.Row, _ text: WorkWords) -> PTTag {
        let words = text.words
        let late = row.isLate ? row.counted.flatMap { text.lateness(of: $0.handedInAt, row.times) } : nil
        let state = words("coursework.state.\(row.state.rawValue)")
        let whole = late.map { words("coursework.stateLate", state, $0) } ?? state
        switch row.state {
        case .toMark: return PTTag(text: whole, tone: late == nil ? .info : .warning)
        case .marked: return PTTag(text: whole, tone: .accent, icon: .lock)
        case .returned: return PTTag(text: whole, tone: .good, icon: .check)
        case .missing: return PTTag(text: whole, tone: .danger)
        case .waiting: return PTTag(text: whole)
        }
    }
}
