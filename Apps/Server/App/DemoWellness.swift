import Domain
import FeatureKit
import Foundation

/// The check-ins of the sample school's student, and who is told of requests for help.
extension DemoSchool {
    private struct SampleCheckIn {
        let daysAgo: Int
        let mood: String
        var sleep: String?
        var energy: String?
        var note: String?
    }

    private static let checkIns = [
        SampleCheckIn(daysAgo: 41, mood: "good", sleep: "well"),
        SampleCheckIn(daysAgo: 36, mood: "middling", energy: "middling"),
        SampleCheckIn(
            daysAgo: 33, mood: "veryGood", sleep: "well", energy: "high", note: "We slept in the forest hut"),
        SampleCheckIn(daysAgo: 27, mood: "good", sleep: "middling"),
        SampleCheckIn(
            daysAgo: 22, mood: "poor", sleep: "badly", energy: "low", note: "Too much to hand in at once"),
        SampleCheckIn(daysAgo: 20, mood: "middling", sleep: "middling", energy: "low"),
        SampleCheckIn(daysAgo: 13, mood: "good", sleep: "well", energy: "middling"),
        SampleCheckIn(daysAgo: 8, mood: "poor", sleep: "middling"),
        SampleCheckIn(daysAgo: 5, mood: "good", energy: "high", note: "The star closes"),
        SampleCheckIn(daysAgo: 1, mood: "veryGood", sleep: "well", energy: "high"),
    ]

    /// Adds the settings, the student's check-ins, one of which is shared with Ana, and a request that was answered.
    func wellness(of sami: Caller?, heardBy ana: Caller, _ diary: inout DemoDiary) async throws {
        guard has("Wellness"), let sami, let anaId = ana.membership?.personId else { return }
        try await run(
            "wellness.set",
            [
                "isOn": .bool(true), "allowsParents": .bool(false), "staffIds": .list([.text(anaId.text)]),
                "advice": .text("Ana Ruiz is in the room beside the library every morning until nine."),
                // Numbers that the North American plan keeps for examples.
                "numbers": .text("The school: 514 555-0100\nThe school nurse: 514 555-0101"),
            ], as: ana)
        for one in Self.checkIns {
            diary.add(diary.today.adding(days: -one.daysAgo), 16, 45) {
                var input: [String: InputValue] = ["mood": .text(one.mood)]
                if let sleep = one.sleep { input["sleep"] = .text(sleep) }
                if let energy = one.energy { input["energy"] = .text(energy) }
                if let note = one.note { input["note"] = .text(note) }
                let made = try await run("wellness.checkIn", input, as: sami)
                guard one.mood == "poor" else { return }
                try await run(
                    "wellness.share",
                    ["adultId": .text(anaId.text), "checkInId": .text(Self.text("id", of: made))], as: sami)
            }
        }
        diary.add(diary.today.adding(days: -7), 12, 30) {
            let asked = try await run(
                "wellness.askForHelp", ["note": .text("I do not know how to begin the big assignment")], as: sami)
            let id = Self.text("id", of: asked)
            try await run("wellness.markSeen", ["helpId": .text(id)], as: ana)
            try await run(
                "wellness.close",
                [
                    "helpId": .text(id),
                    "answer": .text("Thank you for telling me. We begin it together tomorrow at nine."),
                ], as: ana)
        }
    }
}
