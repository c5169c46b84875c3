public import Domain
public import FeatureKit
public import Foundation

/// The changes of an import, planned or made, and the faults of its files.
public struct RosterReport: Codable, Sendable, Hashable {
    /// The id under which the checked files are stored for the import; absent if they are not.
    public var uploadId: UUID?
    /// Whether the import changed the school. A dry run and files with a fault change nothing.
    public var isApplied: Bool
    public var counts: RosterCounts
    /// The changes in the order of the files; at most `RosterReport.changeLimit`.
    public var changes: [RosterChange]
    /// The number of all changes of the import, including those that the report leaves out.
    public var changeCount: Int
    /// The faults to correct before the import; at most `RosterReport.findingLimit`.
    public var faults: [RosterFinding]
    public var faultCount: Int
    /// The findings that are ignored or worth checking; at most `RosterReport.findingLimit`.
    public var notices: [RosterFinding]
    public var noticeCount: Int
    /// People of the school whom the files no longer list as members of the other system. They stay in the school. The
    /// report lists at most `RosterReport.findingLimit` of them.
    public var stays: [RosterFinding]
    public var stayCount: Int
    /// The findings that look like mistakes in whole files. The import needs a confirmation.
    public var questions: [RosterFinding]
    /// The columns of a list of people; empty for a bundle.
    public var columns: [RosterColumn] = []
    /// A fingerprint of the changes. An import with it makes exactly these changes.
    public var plan: String?
    /// Whether the import was given the fingerprint of a plan that no longer fits the school, and changed nothing.
    public var isOutdated = false
    /// The id of the import, for undoing it; absent if nothing was changed.
    public var importId: UUID?

    /// The largest number of changes that a report lists.
    public static let changeLimit = 20_000
    /// The largest number of findings of each kind in a report.
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

    /// Returns the report as lines of text, for a terminal.
    /// - Parameter changeLimit: the largest number of changes that are listed.
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

/// A column of an imported list of people, with the meaning of its values.
public struct RosterColumn: Codable, Sendable, Hashable {
    /// The index of the column in the file, counted from 0.
    public let place: Int
    public let title: String
    /// The meaning of the column's values: `given`, `family`, `classrooms`, ...; absent if they are not used.
    public let meaning: String?
    /// Whether the column's title is recognized, so that no meaning has to be chosen.
    public let isKnown: Bool

    public init(place: Int, title: String, meaning: String?, isKnown: Bool) {
        self.place = place
        self.title = title
        self.meaning = meaning
        self.isKnown = isKnown
    }
}

/// The numbers of changes that an import makes, by kind.
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
    /// The number of students whose stay in a classroom ends.
    public var studentsLeft = 0
    public var rolesGiven = 0
    public var guardiansLinked = 0
    public var termsCreated = 0
    public var coursesCreated = 0
    /// The number of terms and courses with changed values.
    public var coursesUpdated = 0
    /// The number of students who are enrolled in a course by the import.
    public var coursePlaces = 0
    /// The number of students whose enrollment in a course ends.
    public var coursePlacesEnded = 0

    public init() {}

    /// Returns each number of changes with its name in the reader's language.
    public func rows(in words: Words) -> [(term: String, value: String)] {
        let numbers = [
            ("peopleCreated", peopleCreated), ("peopleUpdated", peopleUpdated),
            ("peopleUnchanged", peopleUnchanged), ("classroomsCreated", classroomsCreated),
            ("classroomsRenamed", classroomsRenamed), ("classroomsUnchanged", classroomsUnchanged),
            ("studentsAdded", studentsAdded), ("guidesAssigned", guidesAssigned),
            ("studentsEnrolled", studentsEnrolled), ("studentsLeft", studentsLeft), ("rolesGiven", rolesGiven),
            ("guardiansLinked", guardiansLinked), ("termsCreated", termsCreated),
            ("coursesCreated", coursesCreated), ("coursesUpdated", coursesUpdated), ("coursePlaces", coursePlaces),
            ("coursePlacesEnded", coursePlacesEnded),
        ]
        return numbers.map { (words("roster.count.\($0.0)"), $0.1.shown(in: words.locale)) }
    }
}

/// A change of the school that one row of the imported files causes.
public struct RosterChange: Codable, Sendable, Hashable {
    /// The kinds of changes that an import makes.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case personCreated, personUpdated, classroomCreated, classroomRenamed, studentAdded, guideAssigned
        case studentEnrolled, studentLeft, roleGiven, guardianLinked
        case termCreated, termUpdated, courseCreated, courseUpdated, courseEnrolled, courseLeft
    }
    public let file: String
    public let line: Int
    public let kind: Kind
    /// The description of the change as a sentence in the reader's language.
    public let sentence: String
    /// The changed values of the row by column; empty for something new.
    public let fields: [Field]

    /// The value of one column before and after the change.
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

    /// The file and line of the change: `users.csv:12`.
    public var place: String { "\(file):\(line)" }
}

extension RosterChange.Kind: SQLConvertible {}

/// A fault of the imported files, or something worth checking.
public struct RosterFinding: Codable, Sendable, Hashable {
    public let file: String
    /// The line of the finding, counted from 1 with the header; 0 for the file as a whole.
    public let line: Int
    /// The name of the column that the finding is about; `nil` if it is about none.
    public let column: String?
    /// The code of the finding, which never changes: `duplicateId`, `unknownReference`, ...
    public let code: String
    /// The finding as a sentence in the reader's language.
    public let sentence: String

    public init(file: String, line: Int, column: String?, code: String, sentence: String) {
        self.file = file
        self.line = line
        self.column = column
        self.code = code
        self.sentence = sentence
    }

    /// The place of the finding in the files: `users.csv:12 email`, without the parts that are unknown.
    public var place: String {
        "\(file)\(line > 0 ? ":\(line)" : "")\(column.map { " \($0)" } ?? "")"
    }
}
