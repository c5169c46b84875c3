public import Domain
public import Foundation

/// An import of people that changed the school.
public struct PastImport: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let at: Date
    /// The person who made the import; `nil` for the command line.
    public let personId: UUID?
    /// The name of the person; absent if they have left the school.
    public let person: String?
    /// The numbers of changes that the import made, by kind; kinds without changes are left out.
    public let counts: [Count]
    /// The number of changes of the import that are not undone.
    public let standing: Int
    public let undoneAt: Date?

    /// The number of changes of one kind that an import made.
    public struct Count: Codable, Sendable, Hashable {
        public let kind: RosterChange.Kind
        public let count: Int

        public init(kind: RosterChange.Kind, count: Int) {
            self.kind = kind
            self.count = count
        }
    }

    public init(
        id: UUID, at: Date, personId: UUID?, person: String?, counts: [Count], standing: Int, undoneAt: Date?
    ) {
        self.id = id
        self.at = at
        self.personId = personId
        self.person = person
        self.counts = counts
        self.standing = standing
        self.undoneAt = undoneAt
    }

    /// Returns the name of the person who made the import; if it was made on the command line, words that say so.
    public func actor(_ words: Words) -> String {
        person ?? words(personId == nil ? "roster.past.system" : "roster.past.someone")
    }

    /// Returns a text such as "12 people added" for each kind of change.
    public func descriptions(in words: Words) -> [String] {
        counts.map { words("roster.counted.\($0.kind.rawValue)", $0.count) }
    }
}

/// The undoing of an import: what it would change, as a plan, or what it has changed.
public struct RosterUndo: Codable, Sendable, Hashable {
    public var importId: UUID
    /// Whether the undoing has changed the school, and was not only a dry run.
    public var isApplied: Bool
    /// The changes of the import that are undone; at most `RosterReport.changeLimit`.
    public var steps: [Step]
    public var stepCount: Int
    /// The reasons for changes that stay because something was changed since; at most `RosterReport.findingLimit`.
    public var kept: [String]
    public var keptCount: Int

    /// One change of an import that its undoing reverses.
    public struct Step: Codable, Sendable, Hashable {
        /// The kind of the change that is undone.
        public let kind: RosterChange.Kind
        public let sentence: String

        public init(kind: RosterChange.Kind, sentence: String) {
            self.kind = kind
            self.sentence = sentence
        }
    }

    public init(
        importId: UUID, isApplied: Bool, steps: [Step], stepCount: Int, kept: [String], keptCount: Int
    ) {
        self.importId = importId
        self.isApplied = isApplied
        self.steps = steps
        self.stepCount = stepCount
        self.kept = kept
        self.keptCount = keptCount
    }

    /// Returns the undoing as lines of text, for a terminal.
    /// - Parameter stepLimit: the largest number of changes that are listed.
    public func lines(_ words: Words, stepLimit: Int = 50) -> [String] {
        var lines: [String] = []
        if keptCount > 0 {
            lines.append(words("roster.undo.kept", keptCount))
            lines += kept.map { "  \($0)" }
            if keptCount > kept.count { lines.append("  \(words("roster.more", keptCount - kept.count))") }
        }
        if stepCount > 0 {
            lines.append(words("roster.undo.steps", stepCount))
            lines += steps.prefix(stepLimit).map { "  \($0.sentence)" }
            if stepCount > stepLimit { lines.append("  \(words("roster.more", stepCount - stepLimit))") }
        }
        switch (stepCount == 0, isApplied) {
        case (true, _): lines.append(words("roster.undo.nothing"))
        case (false, true): lines.append(words("roster.undo.done"))
        case (false, false): lines.append(words("roster.dryRun"))
        }
        return lines
    }
}
