import CoursesInterface
import Domain
import FeatureKit
import Foundation

struct ReadLeaderboard: Query {
    static let contract = Contract(
        "leaderboard.read", "/api/v1/courses/{courseId}/leaderboard", access: .member(.viewLeaderboard),
        summary: "Reads who of a course that take part have the most points, where the school has a leaderboard.")
    typealias Result = Leaderboard

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

struct SetLeaderboard: Command {
    static let contract = Contract(
        "leaderboard.set", "/api/v1/leaderboard/policy", access: .member(.manageLeaderboard),
        summary: "Says whether the school has a leaderboard in its courses.")
    typealias Result = Done

    let isOn: Bool

    init(_ fields: inout FieldReader) { isOn = fields.flag("isOn") }
}

struct TakePartInLeaderboard: Command {
    static let contract = Contract(
        "leaderboard.takePart", "/api/v1/leaderboard/part", access: .member(.joinLeaderboard),
        summary: "Leaves the leaderboard, or, as takesPart=true, comes back to it; for oneself alone.")
    typealias Result = Done

    let takesPart: Bool

    init(_ fields: inout FieldReader) { takesPart = fields.flag("takesPart") }
}

extension Permission {
    /// To see the leaderboard of a course that one is in or leads. Families do not: it is among those who learn together.
    static let viewLeaderboard = Permission("leaderboard.view", [.superAdmin, .admin, .guide, .student])
    /// To be on the leaderboard or not; nobody decides it for a student.
    static let joinLeaderboard = Permission("leaderboard.join", [.student])
    /// To decide whether the school has a leaderboard.
    static let manageLeaderboard = Permission("leaderboard.manage", [.superAdmin, .admin])
}

/// Who of a course have the most points.
struct Leaderboard: Codable, Sendable, Hashable {
    struct Entry: Codable, Sendable, Hashable {
        let studentId: UUID
        let name: String
        let place: Int
        let points: Int
    }
    let courseId: UUID
    /// The first places; for a student who takes part their own too, wherever it is. Empty for one who left.
    let entries: [Entry]
    /// The caller's own points in the course; `nil` for those who are not in it.
    let own: Int?
    /// Whether the caller is among those who are compared.
    let takesPart: Bool
}

/// The handlers of the leaderboard.
struct LeaderboardHandlers: Sendable {
    static let topic = "leaderboard"

    let service: LeaderboardService

    var queries: [QueryRegistration] {
        [
            .handle(ReadLeaderboard.self) { query, context in
                let membership = try context.membership
                return try await context.school.read {
                    try service.leaderboard(of: query.courseId, for: membership, in: $0).board
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(SetLeaderboard.self) { command, context in
                try LeaderboardRepository.set(isOn: command.isOn, in: context.sql)
                context.record(
                    Change(
                        "leaderboard.policyChanged", topics: [Self.topic], audience: [.school],
                        payload: ["isOn": command.isOn ? "yes" : "no"]))
                context.feedback = Feedback(.toast, context.words("leaderboard.said.saved"))
                return Done()
            },
            .handle(TakePartInLeaderboard.self) { command, context in
                guard try LeaderboardRepository.isOn(in: context.sql) else { throw Problem.notFound }
                let id = try context.membership.personId
                let isChanged =
                    command.takesPart
                    ? try LeaderboardRepository.comeBack(id, in: context.sql)
                    : try LeaderboardRepository.leave(id, at: context.now, in: context.sql)
                guard isChanged else { return Done() }
                // Nobody else is told: others find it out only by not finding a name.
                context.record(
                    Change(
                        command.takesPart ? "leaderboard.joined" : "leaderboard.left", topics: [Self.topic],
                        audience: [.person(id)], payload: ["person": id.text]))
                context.feedback = Feedback(
                    .toast, context.words(command.takesPart ? "leaderboard.said.joined" : "leaderboard.said.left"))
                return Done()
            },
        ]
    }
}
