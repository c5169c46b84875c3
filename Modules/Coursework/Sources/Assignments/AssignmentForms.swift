import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// The form of an assignment, for a new one and for changes.
struct AssignmentForms: Sendable {
    let request: ScreenRequest
    let timeZone: TimeZone

    private var words: Words { request.words }

    /// The fields of the form.
    /// - Parameters:
    ///   - one: the assignment that is changed; `nil` for a new one.
    ///   - students: the students of the course.
    ///   - chosen: the students for whom the assignment is; empty for all.
    func fields(_ one: Assignment?, _ students: [CourseworkAccess.Student], chosen: Set<UUID>) -> [PTField] {
        [
            PTField(
                name: "title", label: words("coursework.form.title"), value: one?.title ?? "", isRequired: true,
                maxLength: 120),
            PTField(
                .multiline, name: "instructions", label: words("coursework.form.instructions"),
                value: one?.instructions ?? "", hint: words("coursework.form.instructionsTip"),
                maxLength: AssignmentDraft.longest),
            PTField(
                .date, name: "dueDay", label: words("coursework.form.dueDay"),
                value: one?.dueAt.map { "\(Day($0, in: timeZone))" } ?? "", width: .half),
            PTField(
                name: "dueTime", label: words("coursework.form.dueTime"),
                value: time(one?.dueAt, "23:59"), maxLength: 5, width: .half),
            PTField(
                name: "points", label: words("coursework.form.points"),
                value: (one == nil ? "20" : one?.maximum.map { $0.shown(words) }) ?? "",
                hint: words("coursework.form.pointsTip"), maxLength: 12, width: .half),
            PTField(
                .select(
                    GradeCategory.allCases.map {
                        .init(value: $0.rawValue, title: words("coursework.category.\($0.rawValue)"))
                    }), name: "category", label: words("coursework.form.category"),
                value: one?.category ?? GradeCategory.assignments.rawValue, width: .half),
            PTField(
                .multipleChoice(
                    Assignment.HandInKind.allCases.map {
                        .init(value: $0.rawValue, title: words("coursework.kind.\($0.rawValue)"))
                    }), name: "kinds", label: words("coursework.form.kinds"),
                values: (one?.kinds ?? [.text, .files, .scan, .drawing]).map(\.rawValue).sorted(),
                hint: words("coursework.form.kindsTip")),
        ] + further(one) + [chosenStudents(students, chosen)].compactMap(\.self)
    }

    /// The fields that are folded away at first.
    private func further(_ one: Assignment?) -> [PTField] {
        let fields = [
            PTField(
                .multipleChoice(
                    Assignment.FileKind.allCases.map {
                        .init(value: $0.rawValue, title: words("coursework.fileKind.\($0.rawValue)"))
                    }), name: "fileKinds", label: words("coursework.form.fileKinds"),
                values: (one?.fileKinds ?? []).map(\.rawValue).sorted(),
                hint: words("coursework.form.fileKindsTip")),
            PTField(
                .date, name: "opensDay", label: words("coursework.form.opensDay"),
                value: one?.opensAt.map { "\(Day($0, in: timeZone))" } ?? "",
                hint: words("coursework.form.opensTip"), width: .half),
            PTField(
                name: "opensTime", label: words("coursework.form.opensTime"), value: time(one?.opensAt, "08:00"),
                maxLength: 5, width: .half),
            PTField(
                .select(
                    Assignment.LateWork.allCases.map {
                        .init(value: $0.rawValue, title: words("coursework.form.lateWork.\($0.rawValue)"))
                    }), name: "lateWork", label: words("coursework.form.lateWork"),
                value: (one?.lateWork ?? .always).rawValue),
            PTField(
                .date, name: "lateDay", label: words("coursework.form.lateDay"),
                value: one?.lateUntil.map { "\(Day($0, in: timeZone))" } ?? "", width: .half),
            PTField(
                name: "lateTime", label: words("coursework.form.lateTime"), value: time(one?.lateUntil, "23:59"),
                maxLength: 5, width: .half),
            PTField(
                .number, name: "latePenalty", label: words("coursework.form.penalty"),
                value: String(one?.latePenalty ?? 0), hint: words("coursework.form.penaltyTip")),
            PTField(
                .number, name: "attempts", label: words("coursework.form.attempts"),
                value: String(one.map { $0.attempts ?? 0 } ?? 1), hint: words("coursework.form.attemptsTip")),
        ]
        return fields.map { field in
            var field = field
            field.isFolded = true
            return field
        }
    }

    private func chosenStudents(_ students: [CourseworkAccess.Student], _ chosen: Set<UUID>) -> PTField? {
        guard !students.isEmpty else { return nil }
        var field = PTField(
            .multipleChoice(students.map { .init(value: $0.id.text, title: $0.name) }), name: "students",
            label: words("coursework.form.students"), values: chosen.map(\.text).sorted(),
            hint: words("coursework.form.studentsTip"))
        field.isFolded = true
        return field
    }

    private func time(_ instant: Date?, _ standard: String) -> String {
        instant.map { "\(ClockTime($0, in: timeZone))" } ?? standard
    }
}
