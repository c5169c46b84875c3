import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// Texts about times, sizes and states that several pages show.
struct WorkWords: Sendable {
    let words: Words
    let timeZone: TimeZone
    let now: Date

    init(words: Words, timeZone: TimeZone, now: Date) {
        self.words = words
        self.timeZone = timeZone
        self.now = now
    }

    /// The texts for the caller of a request.
    init(of context: RequestContext) {
        self.init(words: context.words, timeZone: context.caller.timeZone, now: context.now)
    }

    /// The texts for the caller of a command.
    init(of context: CommandContext) {
        self.init(words: context.words, timeZone: context.caller.timeZone, now: context.now)
    }

    /// A time as "12 Nov, 16:00".
    func when(_ instant: Date) -> String {
        // A date is not broken over two lines.
        let day = words.dayAndMonth(Day(instant, in: timeZone)).replacing(" ", with: "\u{00A0}")
        return words("coursework.when", day, words.time(instant, in: timeZone))
    }

    /// The ways of handing in work, in the order of their declaration.
    func kinds(_ one: Assignment) -> String {
        Assignment.HandInKind.allCases.filter(one.kinds.contains).map { kind in
            let title = words("coursework.kind.\(kind.rawValue)")
            guard kind == .files, !one.fileKinds.isEmpty else { return title }
            return words("coursework.kind.chosenFiles", title, fileKinds(one.fileKinds))
        }.joined(separator: ", ")
    }

    /// The files that an assignment takes: "PDF, pictures, scan".
    func fileKinds(_ one: Assignment) -> String {
        let tools = [Assignment.HandInKind.scan, .drawing].filter(one.kinds.contains)
        let chosen = one.kinds.contains(.files) ? fileKinds(one.fileKinds) : ""
        return ([chosen].filter { !$0.isEmpty } + tools.map { words("coursework.kind.\($0.rawValue)") })
            .joined(separator: ", ")
    }

    /// The hint of the field for files: the kinds, the number and the sizes.
    func filesTip(_ one: Assignment) -> String {
        let sizes = words(
            "coursework.filesTip", SubmissionFiles.atOnce, SubmissionFiles.largestUpload >> 20,
            SubmissionFiles.largest >> 20)
        let kinds = fileKinds(one)
        return one.kinds.contains(.files) && one.fileKinds.isEmpty ? sizes : "\(kinds) · \(sizes)"
    }

    /// Kinds of files, in the order of their declaration: "PDF, pictures".
    private func fileKinds(_ kinds: Set<Assignment.FileKind>) -> String {
        Assignment.FileKind.allCases.filter(kinds.contains).map { words("coursework.fileKind.\($0.rawValue)") }
            .joined(separator: ", ")
    }

    /// The size of a file: "620 KB", "3 MB", "1.4 GB".
    func size(_ bytes: Int) -> String {
        if bytes < 1 << 20 { return words("coursework.kilobytes", bytes == 0 ? 0 : max(1, bytes >> 10)) }
        if bytes < 1 << 30 { return words("coursework.megabytes", bytes >> 20) }
        let gigabytes = Double(bytes) / Double(1 << 30)
        return words(
            "coursework.gigabytes",
            gigabytes.formatted(.number.precision(.fractionLength(0...1)).locale(words.locale)))
    }

    /// The files of a submission: "2 files, 3 MB"; `nil` without files.
    func files(_ files: [SubmittedFile]) -> String? {
        guard !files.isEmpty else { return nil }
        return "\(words("coursework.files.count", files.count)), \(size(files.reduce(0) { $0 + $1.size }))"
    }

    /// Whether a submission was late, as "On time" or "2 days late".
    func lateness(of instant: Date, _ times: WorkTimes) -> String? {
        guard times.dueAt != nil else { return nil }
        let days = times.daysLate(at: instant)
        return days == 0 ? words("coursework.onTime") : late(by: instant.timeIntervalSince(times.dueAt ?? instant))
    }

    /// A duration of lateness in the largest fitting unit: "20 min late", "3 h late", "2 days late".
    private func late(by seconds: TimeInterval) -> String {
        let minutes = max(1, Int(seconds / 60))
        if minutes < 60 { return words("coursework.late.minutes", minutes) }
        if minutes < 24 * 60 { return words("coursework.late.hours", minutes / 60) }
        return words("coursework.late.days", minutes / (24 * 60))
    }

    /// The rule for late work: "Until 14 Nov, 23:59, 10 % less for each day".
    func lateRule(_ times: WorkTimes, _ assignment: Assignment) -> String? {
        guard times.dueAt != nil else { return nil }
        let end =
            switch assignment.lateWork {
            case .never: words("coursework.lateWork.never")
            case .always: words("coursework.lateWork.always")
            case .until: times.closesAt.map { words("coursework.lateUntil", when($0)) } ?? ""
            }
        guard assignment.lateWork != .never, times.penalty > 0 else { return end }
        return "\(end), \(words("coursework.penalty", words.percent(times.penalty)))"
    }

    /// The state of a student's work as a tag, if it needs attention or is settled.
    func tag(_ work: AssignedWork) -> PTTag {
        switch work.status {
        case .missed: PTTag(text: words("coursework.status.missed"), tone: .danger, icon: .alert)
        case .handedInLate: PTTag(text: words("coursework.status.handedInLate"), tone: .warning)
        case .handedIn: PTTag(text: words("coursework.status.handedIn"), tone: .good, icon: .check)
        case .returned:
            PTTag(
                text: score(work) ?? words("coursework.status.returned"), tone: .info)
        case .draft: PTTag(text: words("coursework.status.draft"), tone: .accent)
        case .open: left(work) ?? PTTag(text: words("coursework.status.open"))
        case .over: PTTag(text: words("coursework.status.over"))
        }
    }

    /// "3 h left" on the last day; `nil` earlier.
    private func left(_ work: AssignedWork) -> PTTag? {
        guard let dueAt = work.times.dueAt else { return nil }
        let minutes = Int((dueAt + WorkTimes.grace).timeIntervalSince(now) / 60)
        guard minutes >= 0, minutes < 24 * 60 else { return nil }
        return PTTag(
            text: minutes < 60
                ? words("coursework.left.minutes", max(1, minutes)) : words("coursework.left.hours", minutes / 60),
            tone: .warning)
    }

    /// The score of returned work: "44 of 50"; `nil` without one.
    func score(_ work: AssignedWork) -> String? {
        guard let score = work.score.flatMap({ Hundredths($0) }), let maximum = work.assignment.maximum else {
            return nil
        }
        return words("coursework.scoreOf", score.shown(words), maximum.shown(words))
    }
}
