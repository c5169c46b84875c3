import Domain
import FeatureKit
import Foundation

/// The guides' observations of the children of a room, and the lessons, tasks and habits that they planned.
extension DemoSchool {
    private static let observations = [
        "Poured water for the whole table without being asked, and wiped up the two drops that fell.",
        "Built the Pink Tower three times. The third time began with the smallest cube, to see what happens.",
        "Chose the sandpaper letters again: m, a, s. Traced each of them and then looked for them in the name tags.",
        "Needed a quiet place after the walk. Ten minutes with the shells, then back to work.",
        "Counted the beads of the short chain forwards, then backwards, and laughed about it.",
        "Asked what lives under the log by the gate. We look together on Friday.",
        "Waited for a turn with the metal insets and offered the tray to a friend first.",
        "Forty minutes with the moveable alphabet: wrote a list of everything in the fruit bowl.",
        "Tied both shoes alone for the first time and showed the others how.",
        "Laid out the map of the continents and named five of seven.",
        "Frustrated by the dressing frame with bows. Stayed with it, and closed the last one before lunch.",
        "Watched the snail for a quarter of an hour and drew its house.",
        "Set out the golden beads for 2,435 and checked it twice.",
        "Came in sad this morning. After the plants were watered all was well.",
        "Made up a rhythm with the bells and wrote it down in colors.",
        "Explained the binomial cube to a visitor, side by side, without a word too many.",
    ]
    private static let together = [
        "Carried the long stair back to its shelf with a friend, one at each end.",
        "Read the book about the moon with a friend, page by page.",
        "Set the snack table with a friend and counted the cups twice.",
    ]
    private static let lessons = [
        "Long chain of five", "Sandpaper letters: r, l", "Folding cloths", "Spindle box", "Land and water forms",
        "Bells: first pairs", "Moveable alphabet: rhymes",
    ]
    private static let tasks = [
        "Ask about the allergy", "Bring the leaf press", "Portfolio: choose three drawings",
    ]
    private static let habits = ["Coat on by myself", "Hands before snack", "Water the plant"]

    /// Adds the records of a room.
    /// - Parameters:
    ///   - children: the ids of the children of the room.
    ///   - guides: the guides, who take turns.
    func records(of children: [String], by guides: [Caller], _ diary: inout DemoDiary) async throws {
        for (position, child) in children.enumerated() {
            observations(of: position, children, by: guides, &diary)
            try await habits(of: child, position, by: guides[position % guides.count], &diary)
            work(of: child, position, by: guides[(position + 1) % guides.count], &diary)
        }
    }

    /// Adds three to five observations of each child over three weeks, in the mornings; some with a friend.
    private func observations(
        of position: Int, _ children: [String], by guides: [Caller], _ diary: inout DemoDiary
    ) {
        let days = Array(diary.lastSchoolDays(15))
        let today = diary.today
        let id = InputValue.text(children[position])
        for turn in 0..<(3 + position % 3) {
            let guide = guides[(position + turn) % guides.count]
            let text = Self.observations[(position * 3 + turn * 5) % Self.observations.count]
            diary.add(days[(position * 2 + turn * 4) % days.count], 9, (position * 13 + turn * 29) % 150) {
                try await run("observations.create", ["studentId": id, "content": .text(text)], as: guide)
            }
        }
        guard position % 4 == 1 else { return }
        let friend = children[(position + 3) % children.count]
        diary.add(days[days.count - 1 - position % 3], 11, 5 + position) {
            try await run(
                "observations.create",
                [
                    "studentId": id, "content": .text(Self.together[position % Self.together.count]),
                    "taggedStudentIds": .list([.text(friend)]),
                    "followUpOn": .text(today.adding(days: position % 8 == 1 ? 0 : 2).description),
                ], as: guides[0])
        }
    }

    private func habits(
        of child: String, _ position: Int, by guide: Caller, _ diary: inout DemoDiary
    ) async throws {
        for (step, habit) in Self.habits.prefix(1 + position % 2).enumerated() {
            let made = try await run(
                "habits.create", ["studentId": .text(child), "name": .text(habit)], as: guide)
            let habitId = InputValue.text(Self.text("id", of: made))
            for (index, day) in diary.lastSchoolDays(15).enumerated() where (position + index + step) % 6 != 0 {
                diary.add(day, 8, 45 + 20 * step + position) {
                    try await run(
                        "habits.toggleToday",
                        ["habitId": habitId, "day": .text(day.description), "wish": .text("done")], as: guide)
                }
            }
        }
    }

    /// Adds a lesson in each of the last two weeks and one ahead; some children also have a task.
    private func work(of child: String, _ position: Int, by guide: Caller, _ diary: inout DemoDiary) {
        func plan(_ kind: String, _ title: String, on planned: Day, for day: Day, completedOn done: Day? = nil) {
            var workId: InputValue?
            diary.add(planned, 15, 20 + position) {
                let made = try await run(
                    "work.create",
                    [
                        "studentId": .text(child), "kind": .text(kind), "title": .text(title),
                        "scheduledFor": .text(day.description),
                    ], as: guide)
                workId = .text(Self.text("id", of: made))
            }
            guard let done else { return }
            diary.add(done, 10, 4 * position) {
                guard let workId else { return }
                try await run("work.complete", ["workId": workId], as: guide)
            }
        }
        let days = Array(diary.lastSchoolDays(14))
        for week in 0..<2 {
            let day = days[week * 5 + 1 + position % 4]
            plan(
                "lesson", Self.lessons[(position + week * 2) % Self.lessons.count], on: days[week * 5], for: day,
                completedOn: day)
        }
        let today = diary.today
        plan(
            "lesson", Self.lessons[(position + 4) % Self.lessons.count], on: days[12],
            for: today.adding(days: position % 3))
        if position % 3 == 0 {
            plan(
                "task", Self.tasks[position / 3 % Self.tasks.count], on: days[11],
                for: today.adding(days: position % 2), completedOn: position % 5 == 4 ? days[13] : nil)
        }
    }
}
