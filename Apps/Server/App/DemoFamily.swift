import Domain
import FeatureKit
import Foundation

/// A parent of the sample school with two children. She reads what was shared with her, and plays quests with them at
/// home.
extension DemoSchool {
    /// The indexes of Rosa Ortiz and Mateo Rojas among the children of their rooms.
    static let (rosa, mateo) = (3, 12)

    /// Adds the family.
    /// - Parameters:
    ///   - younger: the children of Mateo's room.
    ///   - older: the children of Rosa's room.
    /// - Returns: the line about the parent's sign-in.
    func family(
        of ana: Caller, younger: [String], older: [String], _ diary: inout DemoDiary
    ) async throws -> [String] {
        let (name, email) = ("Luz Ortiz", "luz@demo.example")
        let invite = try await run("invites.create", ["role": .text("parent")], as: ana)
        let account = try await signUp(name, email)
        try await run("invites.redeem", ["code": .text(Self.text("code", of: invite))], as: account)
        let luz = try await caller(account)
        let (rosa, mateo) = (older[Self.rosa], younger[Self.mateo])
        for (number, child) in [("26-\(200 + Self.rosa)", rosa), ("26-\(100 + Self.mateo)", mateo)] {
            try await run("families.ask", ["child": .text(number)], as: luz)
            guard case .object(let wish)? = try await list("families.requests", as: ana).first,
                let id = wish["id"]
            else { throw Problem.notFound }
            try await run(
                "families.answer", ["requestId": id, "childId": .text(child), "agrees": .bool(true)], as: ana)
        }
        if has("Insights") { share(rosa: rosa, mateo: mateo, as: ana, &diary) }
        if has("Messaging") { write(to: luz, of: ana, &diary) }
        if has("Quest") { try await play(of: luz, &diary) }
        return ["  \(email)      \(name), parent of Rosa and Mateo"]
    }

    /// Adds what the family reads: an observation of each child, and two summaries about Mateo.
    private func share(rosa: String, mateo: String, as ana: Caller, _ diary: inout DemoDiary) {
        let days = Array(diary.lastSchoolDays(10))
        for (day, child, text) in [
            (
                days[4], rosa,
                "Rosa drew the star of eight points with the compass, and found out by herself why it closes."
            ),
            (
                days[7], mateo,
                "Mateo poured water for the whole table without being asked, and wiped up the two drops that fell."
            ),
        ] {
            diary.add(day, 15, 40) {
                let seen = try await run(
                    "observations.create", ["studentId": .text(child), "content": .text(text)], as: ana)
                try await release(
                    try await run(
                        "insights.draftObservation",
                        ["studentId": .text(child), "observationId": .text(Self.text("id", of: seen))], as: ana),
                    saying: text, as: ana)
            }
        }
        for (day, text) in [
            (
                days[3],
                """
                Mateo chose practical life most mornings: folding, pouring, and the table for snack, which he sets \
                for all without counting anybody twice. New this week are the first bells.
                """
            ),
            (
                days[8],
                """
                Mateo worked with the short bead chain this week: forwards, backwards, and with a laugh. He was \
                patient with the metal insets and offered the tray to a friend first. On Friday we look together at \
                what lives under the log by the gate.
                """
            ),
        ] {
            diary.add(day, 16, 20) {
                try await release(
                    try await run("insights.draftSummary", ["studentId": .text(mateo)], as: ana), saying: text,
                    as: ana)
            }
        }
    }

    private func release(_ draft: Data, saying text: String, as guide: Caller) async throws {
        try await run(
            "insights.release", ["textId": .text(Self.text("id", of: draft)), "text": .text(text)], as: guide)
    }

    private func write(to luz: Caller, of ana: Caller, _ diary: inout DemoDiary) {
        guard let parent = luz.membership?.personId else { return }
        let days = Array(diary.lastSchoolDays(6))
        var conversationId: InputValue?
        for (day, hour, minute, caller, text) in [
            (days[0], 18, 5, luz, "Good evening! Is there anything we should bring for the forest walk?"),
            (days[1], 7, 50, ana, "Boots, a small bag, and something warm. The tea is from us."),
            (
                days[4], 19, 12, luz,
                "Rosa talks of nothing but stars with eight points. Does she need a compass of her own?"
            ),
            (days[5], 7, 58, ana, "She may borrow ours over the weekend. Would you bring it back on Monday?"),
            (days[5], 8, 20, luz, "Gladly, thank you."),
        ] {
            diary.add(day, hour, minute) {
                if conversationId == nil {
                    let made = try await run("messages.start", ["personIds": .list([.text(parent.text)])], as: ana)
                    conversationId = .text(Self.text("id", of: made))
                }
                guard let conversationId else { return }
                try await run(
                    "messages.send", ["conversationId": conversationId, "text": .text(text)], as: caller)
            }
        }
    }

    /// Adds the quests of eight weeks, in which the estimates improve.
    private func play(of luz: Caller, _ diary: inout DemoDiary) async throws {
        for (child, quests) in [("Rosa", Self.quests), ("Mateo", [Self.quests[0]])] {
            let player = Self.text("id", of: try await run("routines.addPlayer", ["name": .text(child)], as: luz))
            for quest in quests {
                let made = try await run(
                    "routines.create",
                    [
                        "playerId": .text(player), "name": .text(quest.name),
                        "activeDays": .list((1...7).map { .text(String($0)) }),
                    ], as: luz)
                let routine = Self.text("id", of: made)
                for task in quest.tasks {
                    try await run(
                        "routines.addTask",
                        [
                            "routineId": .text(routine), "name": .text(task.name),
                            "seconds": .number(Double(task.seconds % 60)),
                            "minutes": .number(Double(task.seconds / 60)),
                        ], as: luz)
                }
                for back in stride(from: 56, through: 2, by: -3) {
                    diary.add(diary.today.adding(days: -back), 20) {
                        try await played(quest, routine, by: player, daysAgo: back, as: luz)
                    }
                }
            }
        }
    }

    private typealias SampleQuest = (name: String, hoursAgo: Int, tasks: [(name: String, seconds: Int)])

    /// The quests, which are recorded at eight in the evening.
    private static let quests: [SampleQuest] = [
        ("Morning", 13, [("Get dressed", 300), ("Eat breakfast", 900), ("Brush teeth", 150)]),
        ("Going to bed", 1, [("Tidy the room", 480), ("Bath", 720), ("Pyjamas", 120)]),
    ]

    /// Records a quest. The first estimates are too short by half, the last ones by a tenth.
    private func played(
        _ quest: SampleQuest, _ routine: String, by player: String, daysAgo: Int, as luz: Caller
    ) async throws {
        let now = composition.clock.now
        let start = now.addingTimeInterval(-Double(quest.hoursAgo * 3600))
        let share = 0.95 - 0.45 * Double(daysAgo) / 56
        try await run(
            "quest.recordSession",
            [
                "session": .text(composition.ids.id(at: now).text), "player": .text(player),
                "routine": .text(routine),
                "routineDisplayName": .text(quest.name), "startedAt": .text(start.ISO8601Format()),
                "completedAt": .text(start.addingTimeInterval(1800).ISO8601Format()),
                "estimations": .list(
                    quest.tasks.enumerated().map { index, task in
                        let actual = Double(task.seconds + (daysAgo * 7 + index * 11) % 40)
                        return .object([
                            "taskDisplayName": .text(task.name),
                            "estimatedSeconds": .number((actual * share / 5).rounded() * 5),
                            "actualSeconds": .number(actual), "orderIndex": .number(Double(index)),
                            "recordedAt": .text(start.ISO8601Format()),
                        ])
                    }),
            ], as: luz)
    }
}
