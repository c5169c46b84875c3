import Domain
import FeatureKit
import Foundation

/// Records a round.
struct RecordRound: Command {
    static let contract = Contract(
        "practice.record", "/api/v1/practice/rounds", access: .member(.practice), isOfflineCapable: true,
        replay: .natural,
        summary: """
            Records a round that the caller finished on a device, perhaps offline, with an id that the device chose. \
            Sending it again has no effect. If the word list was deleted since, the round keeps its name.
            """)
    typealias Result = PracticeRound

    /// The most words, tasks or characters of a round.
    static let mostAsked = 2000
    /// The most missed items.
    static let mostMissed = 100

    let round: UUID
    let tool: PracticeTool
    let kind: String
    let level: Int
    let list: UUID?
    let listName: String?
    let asked: Int
    let correct: Int
    let seconds: Int
    let missed: [String]
    let finishedAt: Date

    init(_ fields: inout FieldReader) {
        round = fields.id("round")
        tool = fields.choice("tool")
        kind = fields.text("kind", max: 20)
        fields.refuse("kind", "practice.kind", unless: tool.roundKinds.contains(kind))
        level = fields.integer("level", in: 0...99, default: 0)
        list = fields.optionalId("list")
        listName = fields.optionalText("listName", max: WordList.longestName)
        asked = fields.integer("asked", in: 1...Self.mostAsked, default: 1)
        correct = fields.integer("correct", in: 0...Self.mostAsked, default: 0)
        seconds = fields.integer("seconds", in: 0...86_400, default: 0)
        missed = fields.texts("missed", max: Self.mostMissed)
        finishedAt = fields.instant("finishedAt")
        fields.refuse("correct", "practice.moreThanAsked", unless: correct <= asked)
    }
}

/// Lists the rounds of a person.
struct ListRounds: Query {
    static let contract = Contract(
        "practice.rounds", "/api/v1/practice/rounds", access: .member(.practice),
        seen: Seen("practice.seen", "studentId"),
        summary: "The latest rounds of the caller, or of a student whom the caller may see, newest first.")
    typealias Result = Page<PracticeRound>

    let studentId: UUID?

    init(_ fields: inout FieldReader) { studentId = fields.optionalId("studentId") }
}

/// The command and the query of rounds.
struct RoundHandlers: Sendable {
    /// The longest time that a round waits on a device. Older ones come from a wrong clock.
    static let longestWait: TimeInterval = 366 * 86_400
    /// The most rounds that the query returns.
    static let listed = 200

    let access: PracticeAccess

    var queries: [QueryRegistration] {
        [
            .handle(ListRounds.self) { query, context in
                let membership = try context.membership
                let personId = query.studentId ?? membership.personId
                return try await context.school.read { sql in
                    _ = try access.name(of: personId, seenBy: membership, in: sql)
                    return Page(
                        items: try RoundRepository.rounds(of: personId, limit: Self.listed, in: sql), next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(RecordRound.self) { command, context in
                let membership = try context.membership
                if let known = try RoundRepository.round(command.round, in: context.sql) {
                    // Sending again returns the first answer. Another person's round is not found.
                    guard known.personId == membership.personId else { throw Problem.notFound }
                    return known
                }
                let now = context.now
                let round = PracticeRound(
                    id: command.round, personId: membership.personId, tool: command.tool, kind: command.kind,
                    level: command.level, listId: try list(command, membership, context.sql),
                    listName: command.listName, asked: command.asked, correct: command.correct,
                    seconds: command.seconds, missed: command.missed,
                    finishedAt: min(max(command.finishedAt, now.addingTimeInterval(-Self.longestWait)), now))
                try RoundRepository.insert(round, in: context.sql)
                context.record(
                    Change(
                        "practice.finished", topics: [PracticeTopic.results(of: round.personId)],
                        audience: try access.audience(of: round.personId, in: context.sql),
                        payload: ["student": round.personId.text, "tool": round.tool.rawValue]))
                return round
            }
        ]
    }

    /// The list of a round, unless it was deleted or is no longer the caller's to practice.
    private func list(
        _ command: RecordRound, _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> UUID? {
        guard let id = command.list else { return nil }
        do {
            return try access.list(id, seenBy: membership, in: sql).list.id
        } catch let problem as Problem where problem == .notFound { return nil }
    }
}
