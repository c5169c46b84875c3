#if WITH_QUEST
    import Domain
    import FeatureKit
    import Foundation
    import QuestModel
    import ServerApp

    extension Measurements {
        /// Measures a child with a thousand sessions in half a year: the parent's pages, and the engines alone.
        func quests() async throws {
            let data = folder.appending(path: "quest")
            let sample = try await SampleSchool.make(in: data, children: 1)
            let (player, routine) = try await sample.playQuests(1000, in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let session = try await Session.signIn(server, sample)
            Report.line("A child with 1,000 sessions of 4 tasks")
            for (name, path) in [
                ("dashboard", "/quest"), ("weeks", "/quest/players/\(player)/results"),
                ("a routine's results", "/quest/routines/\(routine)/results"), ("play", "/play"),
            ] {
                let median = try uncached(server, path, sample, session).p50
                Report.figure(
                    "  a child with 1,000 sessions, median: \(name)", median, "ms", bound: "<= 10 ms",
                    holds: median <= 10)
            }
            engines()
        }

        private func engines() {
            let count = 200_000
            // Every result is used, so that the compiler removes none.
            var rated = 0
            func time(_ work: (Int) -> Void) -> Double {
                let began = ContinuousClock.now
                for number in 0..<count { work(number) }
                return began.duration(to: .now) / .microseconds(1) / Double(count)
            }
            func score(_ number: Int) -> EstimationResult {
                TimeEstimationScorer.score(
                    estimated: Double(number % 3600 + 5), actual: Double(number * 7 % 1800 + 1))
            }
            let scoring = time { rated += score($0).rating == .spotOn ? 1 : 0 }
            var history = FeedbackHistory()
            let feedback = time { number in
                history.turn = number
                let result = score(number)
                history.lastMessageId =
                    FeedbackGenerator.message(for: result, isCalibrationPhase: number % 4 == 0, after: history).id
                history.last = result
            }
            Report.figure("  scoring a guess", scoring, "us", bound: "<= 2 us", holds: scoring <= 2 && rated > 0)
            Report.figure(
                "  scoring and feedback", feedback, "us", bound: "<= 4 us",
                holds: feedback <= 4 && history.lastMessageId != nil)
        }
    }

    extension SampleSchool {
        /// Plays a routine of four tasks `count` times over half a year; returns the ids of child and routine.
        fileprivate func playQuests(_ count: Int, in data: URL) async throws -> (player: String, routine: String) {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let client = try await BenchClient.signIn(composition)
            let player = try await client.run("routines.addPlayer", ["name": .text("Mia")])["id"] ?? ""
            let routine =
                try await client.run(
                    "routines.create",
                    [
                        "playerId": .text(player), "name": .text("Morning"),
                        "activeDays": .list([.text("1"), .text("2")]),
                    ])["id"] ?? ""
            let now = Date()
            // In parallel, since one at a time would wait for the disk each time.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<20 {
                    group.addTask {
                        for number in stride(from: lane, to: count, by: 20) {
                            let at = now.addingTimeInterval(-Double(number) / Double(count) * 180 * 86_400)
                                .ISO8601Format()
                            _ = try await client.run(
                                "quest.recordSession",
                                [
                                    "session": .text(composition.ids.id(at: now).text), "player": .text(player),
                                    "routine": .text(routine), "routineDisplayName": .text("Morning"),
                                    "startedAt": .text(at), "completedAt": .text(at),
                                    "estimations": .list(
                                        (0..<4).map { task in
                                            .object([
                                                "taskDisplayName": .text("Task \(task)"),
                                                "estimatedSeconds": .number(Double(60 + number % 90)),
                                                "actualSeconds": .number(Double(80 + task * 30)),
                                                "orderIndex": .number(Double(task)), "recordedAt": .text(at),
                                            ])
                                        }),
                                ])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await composition.close()
            return (player, routine)
        }
    }
#endif
