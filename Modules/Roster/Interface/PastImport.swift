public import Domain
public import Foundation

/// An import that changed the school, as its record tells.
public struct PastImport: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let at: Date
    /// Who did it; absent for the command line.
    public let personId: UUID?
    /// The same by name, where the person is still in the school.
    public let person: String?
    /// What it changed; kinds of which there were none are left out.
    public let counts: [Count]
    /// How many of them are not undone.
    public let standing: Int
    public let undoneAt: Date?

    /// How many changes of one kind there were.
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

    /// Who did it, in words.
    public func actor(_ words: Words) -> String {
        person ?? words(personId == nil ? "roster.past.system" : "roster.past.somebody")
    }

    /// "12 people added", for each kind that there was any of.
    public func descriptions(in words: Words) -> [String] {
        counts.map { words("roster.counted.\($0.kind.rawValue)", $0.count) }
    }
}

/// What taking an import back would do, or has done.
public struct RosterUndo: Codable, Sendable, Hashable {
    public var importId: UUID
    /// Whether the school was changed.
    public var isApplied: Bool
    /// What is taken back, one by one; at most `RosterReport.changeLimit`.
    public var steps: [Step]
    public var stepCount: Int
    /// What stays because it was changed since, each with its reason; at most `RosterReport.findingLimit`.
    public var kept: [String]
    public var keptCount: Int

    /// One thing that is taken back.
    public struct Step: Codable, Sendable, Hashable {
        /// The kind of change that is undone.
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

    /// The same as lines of text, for a terminal.
    ///
    /// - Parameter stepLimit: how many steps are told one by one.
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
