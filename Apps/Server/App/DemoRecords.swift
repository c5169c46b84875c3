import Domain
import FeatureKit
import Foundation

/// What the guides of the sample school saw of the children of one room, planned with them and promised themselves.
extension DemoSchool {
    private static let observations = [
        "Poured water for the whole table without being asked, and wiped up the two drops that fell.",
        "Built the Pink Tower three times. The third time she began with the smallest cube, to see what happens.",
        "Chose the sandpaper letters again: m, a, s. Traced each of them and then looked for them in the name tags.",
        "Needed a quiet place after the walk. Ten minutes with the shells, then back to work.",
        "Counted the beads of the short chain forwards, then backwards, and laughed about it.",
        "Asked what lives under the log by the gate. We look together on Friday.",
        "Waited for a turn with the metal insets and offered the tray to a friend first.",
    ]
    private static let together = [
        "Carried the long stair back to its shelf with a friend, one at each end.",
        "Read the book about the moon with a friend, page by page.",
        "Set the snack table with a friend and counted the cups twice.",
    ]
    private static let lessons = [
        "Long chain of five", "Sandpaper letters: r, l", "Folding cloths", "Spindle box", "Land and water forms",
    ]
    private static let tasks = [
        "Ask about the allergy", "Bring the leaf press", "Portfolio: choose three drawings",
    ]
    private static let habits = ["Coat on by myself", "Hands before snack", "Water the plant"]

    /// - Parameter children: of one room, by their ids.
    func records(of children: [String], as guide: Caller) async throws {
        let today = Day(house.clock.now, in: guide.membership?.timeZone ?? .gmt)
        for (position, child) in children.enumerated() {
            let id = InputValue.text(child)
            for step in 0..<(1 + position % 3) {
                try await run(
                    "observations.create",
                    [
                        "studentId": id,
                        "content": .text(Self.observations[(position + step * 3) % Self.observations.count]),
                    ], as: guide)
            }
            if position % 4 == 1 {
                let friend = children[(position + 3) % children.count]
                try await run(
                    "observations.create",
                    [
                        "studentId": id, "content": .text(Self.together[position % Self.together.count]),
                        "taggedStudentIds": .list([.text(friend)]),
                        "followUpOn": .text(today.adding(days: position % 8 == 1 ? 0 : 2).description),
                    ], as: guide)
            }
            for (step, habit) in Self.habits.prefix(1 + position % 2).enumerated() {
                let made = try await run("habits.create", ["studentId": id, "name": .text(habit)], as: guide)
                for back in 0..<4 where (position + back + step) % 5 != 0 {
                    try await run(
                        "habits.toggleToday",
                        [
                            "habitId": .text(Self.text("id", of: made)),
                            "day": .text(today.adding(days: -back).description),
                            "wish": .text("done"),
                        ], as: guide)
                }
            }
            let plans = [("lesson", Self.lessons), ("task", Self.tasks)]
            for (kind, titles) in plans where kind == "lesson" || position % 3 == 0 {
                let made = try await run(
                    "work.create",
                    [
                        "studentId": id, "kind": .text(kind),
                        "title": .text(titles[(position + position / 3) % titles.count]),
                        "scheduledFor": .text(today.adding(days: position % 3).description),
                    ], as: guide)
                if position % 5 == 4 {
                    try await run("work.complete", ["workId": .text(Self.text("id", of: made))], as: guide)
                }
            }
        }
    }
}
