import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Reads the leaderboard of a course.
struct ReadLeaderboard: Query {
    static let contract = Contract(
        "leaderboard.read", "/api/v1/courses/{courseId}/leaderboard", access: .member(.viewLeaderboard),
        summary: "The students of a course with the most points, except those who left the leaderboard.")
    typealias Result = Leaderboard

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Turns the school's leaderboard on or off.
struct SetLeaderboard: Command {
    static let contract = Contract(
        "leaderboard.set", "/api/v1/leaderboard/policy", access: .member(.manageLeaderboard),
        summary: "Sets whether the school has a leaderboard in its courses.")
    typealias Result = Done

    let isOn: Bool

    init(_ fields: inout FieldReader) { isOn = fields.flag("isOn") }
}

/// Leaves the leaderboard, or joins it again.
struct TakePartInLeaderboard: Command {
    static let contract = Contract(
        "leaderboard.takePart", "/api/v1/leaderboard/part", access: .member(.joinLeaderboard),
        summary: "Leaves the leaderboard, or joins it again with takesPart=true. Only for oneself.")
    typealias Result = Done

    let takesPart: Bool

    init(_ fields: inout FieldReader) { takesPart = fields.flag("takesPart") }
}

extension Permission {
    /// Seeing the leaderboard of a course that one attends or leads. Families may not.
    static let viewLeaderboard = Permission("leaderboard.view", [.superAdmin, .admin, .guide, .student])
    /// Joining or leaving the leaderboard. Only the student decides.
    static let joinLeaderboard = Permission("leaderboard.join", [.student])
    /// Deciding whether the school has a leaderboard.
    static let manageLeaderboard = Permission("leaderboard.manage", [.superAdmin, .admin])
}

/// The students of a course by points.
struct Leaderboard: Codable, Sendable, Hashable {
    struct Entry: Codable, Sendable, Hashable {
        let studentId: UUID
        let name: String
        let place: Int
        let points: Int
    }
    let courseId: UUID
    /// The first places, and the caller's own place if they take part. Empty for a student who left.
    let entries: [Entry]
    /// The caller's points in the course; `nil` for people who are not its students.
    let own: Int?
    /// Whether the caller is on the leaderboard.
    let takesPart: Bool
}

/// The endpoints of the leaderboard.
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
                    ? try LeaderboardRepository.rejoin(id, in: context.sql)
                    : try LeaderboardRepository.leave(id, at: context.now, in: context.sql)
                guard isChanged else { return Done() }
                // Only the student is notified. Others notice only that the name is missing.
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
