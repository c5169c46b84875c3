#if WITH_ENROLLMENT
    import ArgumentParser
    import Domain
    import FeatureKit
    import Foundation
    import ServerApp

    extension Measurements {
        /// Measures the catalog of two thousand courses: unfiltered, filtered and searched.
        func catalog() async throws {
            let data = folder.appending(path: "catalog")
            let sample = try await SampleSchool.make(in: data, children: 1)
            try await sample.offerCourses(2000, by: 40, in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let session = try await Session.signIn(server, sample)
            let page = "/courses/catalogue"
            let began = ContinuousClock.now
            let size = try await session.get(page).count
            let first = began.duration(to: .now) / .milliseconds(1)
            Report.line(
                "Catalog of 2,000 courses of 40 guides, \(size) bytes; the first look after a start \(first.shown) ms"
            )
            let narrowed: [(name: String, path: String)] = [
                ("all", page), ("of one subject", "\(page)?subject=Biology"), ("searched", "\(page)?q=tilings"),
                ("searched by two words", "\(page)?q=compass%20granada"),
                (
                    "of one subject and level, searched",
                    "\(page)?subject=Biology&gradeLevel=Grade%207&q=field%20book"
                ),
                ("searched in vain", "\(page)?q=zeppelin"),
            ]
            for (name, path) in narrowed {
                let result = try uncached(server, path, sample, session)
                Report.figure(
                    "  catalog made anew, median: \(name) (p99 \(result.p99.shown) ms)", result.p50, "ms",
                    bound: "<= 10 ms", holds: result.p50 <= 10)
            }
        }
    }

    extension SampleSchool {
        private static let subjects = [
            "Mathematics", "Biology", "Languages", "History", "Geography", "Music", "Drawing", "Chemistry",
            "Physics",
            "Philosophy", "Gardening", "Theatre",
        ]
        private static let themes = [
            "Compass and straightedge, from the circle to the tilings of Granada",
            "An afternoon a week in the forest with a field book",
            "Playing, speaking and listening in small groups",
            "Letters, journals and maps of those who traveled", "Voices and drums of the whole valley",
            "Salts, acids and what the kitchen knows of them",
        ]

        /// Creates courses of every subject and level, each led by one of the guides.
        fileprivate func offerCourses(_ count: Int, by guides: Int, in data: URL) async throws {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let founder = try await BenchClient.signIn(composition)
            var people: [BenchClient] = []
            for number in 0..<guides { people.append(try await founder.inviting("guide\(number)@demo.example")) }
            let days = ["Mon", "Tue", "Wed", "Thu", "Fri"]
            // In parallel, since one at a time would wait for the disk each time.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (lane, guide) in people.enumerated() {
                    group.addTask {
                        for number in stride(from: lane, to: count, by: guides) {
                            let subject = Self.subjects[number % Self.subjects.count]
                            let theme = Self.themes[number / 5 % Self.themes.count]
                            try await guide.run(
                                "courses.create",
                                [
                                    "name": .text("\(subject) \(number)"), "subject": .text(subject),
                                    "gradeLevel": .text("Grade \(number / 7 % 12 + 1)"),
                                    "details": .text("\(theme). Bring something to write; part \(number)."),
                                    "schedule": .text(
                                        "\(days[number % 5]) 9:00-10:15\n\(days[(number + 2) % 5]) 13:00-14:00"),
                                    "capacity": .number(24),
                                    "admission": .text(number % 3 == 0 ? "approval" : "open"),
                                ])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await composition.close()
        }
    }
#endif
