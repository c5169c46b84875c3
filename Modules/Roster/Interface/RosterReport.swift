public import Domain
public import FeatureKit
public import Foundation

/// What a bundle would change in a school, or has changed, and what is wrong with it.
public struct RosterReport: Codable, Sendable, Hashable {
    /// Where the checked bundle is kept for the import; absent where none is.
    public var uploadId: UUID?
    /// Whether the school was changed; a dry run and a faulty bundle change nothing.
    public var isApplied: Bool
    public var counts: RosterCounts
    /// Row by row, in the order of the files; at most `RosterReport.changeLimit`.
    public var changes: [RosterChange]
    /// How many there are in all.
    public var changeCount: Int
    /// What must be put right before the bundle is taken; at most `RosterReport.findingLimit`.
    public var faults: [RosterFinding]
    public var faultCount: Int
    /// What is not used, or worth a look; at most `RosterReport.findingLimit`.
    public var notices: [RosterFinding]
    public var noticeCount: Int
    /// Who is in the school and, by the files, left the other system. They stay; at most
    /// `RosterReport.findingLimit`.
    public var stays: [RosterFinding]
    public var stayCount: Int
    /// What looks like a mistake of the whole file: the import wants somebody to agree first.
    public var questions: [RosterFinding]
    /// The columns of a plain list; empty for a bundle.
    public var columns: [RosterColumn] = []
    /// A fingerprint of the changes: given to the import, it writes these and no others.
    public var plan: String?
    /// Whether the import was given a plan that the school has outgrown, and therefore changed nothing.
    public var isOutdated = false
    /// The record of the import, by which it can be undone; absent where nothing was changed.
    public var importId: UUID?

    public static let changeLimit = 20_000
    public static let findingLimit = 1_000

    public init(
        uploadId: UUID? = nil, isApplied: Bool = false, counts: RosterCounts, changes: [RosterChange],
        changeCount: Int, faults: [RosterFinding], faultCount: Int, notices: [RosterFinding], noticeCount: Int,
        stays: [RosterFinding] = [], stayCount: Int = 0, questions: [RosterFinding] = []
    ) {
        self.uploadId = uploadId
        self.isApplied = isApplied
        self.counts = counts
        self.changes = changes
        self.changeCount = changeCount
        self.faults = faults
        self.faultCount = faultCount
        self.notices = notices
        self.noticeCount = noticeCount
        self.stays = stays
        self.stayCount = stayCount
        self.questions = questions
    }

    /// The report as lines of text, for a terminal.
    ///
    /// - Parameter changeLimit: how many changes are told one by one.
    public func lines(_ words: Words, changeLimit: Int = 50) -> [String] {
        func all(_ findings: [RosterFinding], of count: Int) -> [String] {
            let rest = count - findings.count
            return findings.map { "  \($0.place): \($0.sentence)" }
                + (rest > 0 ? ["  \(words("roster.more", rest))"] : [])
        }
        var lines: [String] = []
        if faultCount > 0 {
            lines.append(words("roster.faults", faultCount))
            lines += all(faults, of: faultCount)
        }
        if noticeCount > 0 {
            lines.append(words("roster.notices", noticeCount))
            lines += all(notices, of: noticeCount)
        }
        guard faultCount == 0 else { return lines + [words("roster.refused")] }
        if stayCount > 0 {
            lines.append(words("roster.stays", stayCount))
            lines += all(stays, of: stayCount)
        }
        lines += questions.map { "\($0.place): \($0.sentence)" }
        if changeCount > 0 {
            lines.append(words("roster.changes", changeCount))
            lines += changes.prefix(changeLimit).map { "  \($0.place): \($0.sentence)" }
            if changeCount > changeLimit { lines.append("  \(words("roster.more", changeCount - changeLimit))") }
        }
        lines += counts.rows(in: words).map { "\($0.term): \($0.value)" }
        switch (changeCount == 0, isApplied) {
        case (true, _): lines.append(words("roster.nothing"))
        case (false, true): lines.append(words("roster.done"))
        case (false, false): lines.append(words("roster.dryRun"))
        }
        return lines
    }
}

/// A column of a plain list.
public struct RosterColumn: Codable, Sendable, Hashable {
    /// Counted from 0.
    public let place: Int
    public let title: String
    /// What its values are taken for: `given`, `family`, `classrooms`, ...; absent where they are not used.
    public let meaning: String?
    /// Whether it is known by its title, so that there is nothing to choose.
    public let isKnown: Bool

    public init(place: Int, title: String, meaning: String?, isKnown: Bool) {
        self.place = place
        self.title = title
        self.meaning = meaning
        self.isKnown = isKnown
    }
}

/// How much a bundle changes.
public struct RosterCounts: Codable, Sendable, Hashable {
    public var peopleCreated = 0
    public var peopleUpdated = 0
    public var peopleUnchanged = 0
    public var classroomsCreated = 0
    public var classroomsRenamed = 0
    public var classroomsUnchanged = 0
    public var studentsAdded = 0
    public var guidesAssigned = 0
    public var studentsEnrolled = 0
    /// Students whose enrolment in a classroom has ended.
    public var studentsLeft = 0
    public var rolesGiven = 0
    public var guardiansLinked = 0
    public var termsCreated = 0
    public var coursesCreated = 0
    /// Terms and courses that have other values than before.
    public var coursesUpdated = 0
    /// Students who come into a course.
    public var coursePlaces = 0

    public init() {}

    /// Each number with its name.
    public func rows(in words: Words) -> [(term: String, value: String)] {
        let numbers = [
            ("peopleCreated", peopleCreated), ("peopleUpdated", peopleUpdated),
            ("peopleUnchanged", peopleUnchanged), ("classroomsCreated", classroomsCreated),
            ("classroomsRenamed", classroomsRenamed), ("classroomsUnchanged", classroomsUnchanged),
            ("studentsAdded", studentsAdded), ("guidesAssigned", guidesAssigned),
            ("studentsEnrolled", studentsEnrolled), ("studentsLeft", studentsLeft), ("rolesGiven", rolesGiven),
            ("guardiansLinked", guardiansLinked), ("termsCreated", termsCreated),
            ("coursesCreated", coursesCreated), ("coursesUpdated", coursesUpdated), ("coursePlaces", coursePlaces),
        ]
        return numbers.map { (words("roster.count.\($0.0)"), $0.1.shown(in: words.locale)) }
    }
}

/// One thing that a row of the bundle changes.
public struct RosterChange: Codable, Sendable, Hashable {
    /// What is changed.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case personCreated, personUpdated, classroomCreated, classroomRenamed, studentAdded, guideAssigned
        case studentEnrolled, studentLeft, roleGiven, guardianLinked
        case termCreated, termUpdated, courseCreated, courseUpdated, courseEnrolled
    }
    public let file: String
    public let line: Int
    public let kind: Kind
    /// The whole change in the reader's language.
    public let sentence: String
    /// Column by column, where something that was there is changed.
    public let fields: [Field]

    /// One column's value before and after.
    public struct Field: Codable, Sendable, Hashable {
        public let column: String
        public let before: String
        public let after: String

        public init(column: String, before: String, after: String) {
            self.column = column
            self.before = before
            self.after = after
        }
    }

    public init(file: String, line: Int, kind: Kind, sentence: String, fields: [Field] = []) {
        self.fields = fields
        self.file = file
        self.line = line
        self.kind = kind
        self.sentence = sentence
    }

    /// `users.csv:12`.
    public var place: String { "\(file):\(line)" }
}

extension RosterChange.Kind: SQLConvertible {}

/// One thing that is wrong with the bundle, or worth a look.
public struct RosterFinding: Codable, Sendable, Hashable {
    public let file: String
    /// Counted from 1, the header's line included; 0 for the file as a whole.
    public let line: Int
    /// The column's name, where it is about one.
    public let column: String?
    /// Stable: `duplicateId`, `unknownReference`, ...
    public let code: String
    /// The same in the reader's language.
    public let sentence: String

    public init(file: String, line: Int, column: String?, code: String, sentence: String) {
        self.file = file
        self.line = line
        self.column = column
        self.code = code
        self.sentence = sentence
    }

    /// `users.csv:12 email`, as far as it is known.
    public var place: String {
        "\(file)\(line > 0 ? ":\(line)" : "")\(column.map { " \($0)" } ?? "")"
    }
}
