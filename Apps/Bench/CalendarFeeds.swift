#if WITH_CALENDARFEED && WITH_COURSES && WITH_COURSEWORK
    import ArgumentParser
    import Domain
    import FeatureKit
    import Foundation
    import ServerApp

    extension Measurements {
        /// Measures the calendar feed of a guide with a year of plans and courses, made anew each time.
        func calendarFeed() async throws {
            let data = folder.appending(path: "calendar")
            let sample = try await SampleSchool.make(in: data, children: 30)
            try await sample.planYear(in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let session = try await Session.signIn(server, sample)
            let path = "/calendar/\(SampleSchool.feedSecret).ics"
            // The first reading notes all events.
            let began = ContinuousClock.now
            let size = try await session.get(path).count
            let first = began.duration(to: .now) / .milliseconds(1)
            var times: [Double] = []
            // One person's programs may read a feed a limited number of times in an hour.
            for _ in 0..<50 {
                let began = ContinuousClock.now
                _ = try await session.get(path)
                times.append(began.duration(to: .now) / .milliseconds(1))
            }
            let median = times.sorted()[times.count / 2]
            Report.line(
                "Calendar feed of a year: 1,200 plans of 30 children, 8 courses and their 400 assignments, \(size / 1024) KB; "
                    + "the first reading \(first.shown) ms")
            Report.figure(
                "  feed of a year made anew, median", median, "ms", bound: "<= 30 ms", holds: median <= 30)
        }
    }

    extension SampleSchool {
        static let feedSecret = String(repeating: "b", count: 43)

        /// Plans a lesson or a task for each child on forty days, and adds eight courses with two meetings a week.
        fileprivate func planYear(in data: URL) async throws {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let client = try await BenchClient.signIn(composition)
            let me = try await client.asMember().caller.membership?.personId.text ?? ""
            try await client.run(
                "classrooms.assignGuides",
                ["classroomId": .text(classroomId), "guideIds": .list([.text(me)])])
            let today = Day(Date(), in: .gmt)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (lane, studentId) in studentIds.enumerated() {
                    group.addTask {
                        for number in 0..<40 {
                            try await client.run(
                                "work.create",
                                [
                                    "studentId": .text(studentId),
                                    "kind": .text(number % 3 == 0 ? "task" : "lesson"),
                                    "title": .text("Golden beads, tray \(number)"),
                                    "scheduledFor": .text(today.adding(days: number * 8 - lane).description),
                                ])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let term = try await client.run(
                "courses.addTerm",
                [
                    "name": .text("Year"), "firstDay": .text(today.adding(days: -60).description),
                    "lastDay": .text(today.adding(days: 300).description),
                ])
            for number in 0..<8 {
                let course = try await client.run(
                    "courses.create",
                    [
                        "name": .text("Course \(number)"), "subject": .text("Mathematics"),
                        "termId": .text(term["id"] ?? ""),
                        "schedule": .text(
                            "Mon \(number + 8):00-\(number + 8):50\nThu \(number + 8):00-\(number + 8):50"),
                    ])
                for week in 0..<50 {
                    let made = try await client.run(
                        "coursework.add",
                        [
                            "courseId": .text(course["id"] ?? ""), "title": .text("Problem set \(week)"),
                            "dueDay": .text(today.adding(days: week * 7 - 30).description),
                            "kinds": .list([.text("text")]),
                        ])
                    try await client.run(
                        "coursework.publish", ["assignmentId": .text(made["id"] ?? ""), "isPublished": .bool(true)])
                }
            }
            try await client.run("calendarFeed.create", ["feedSecret": .text(Self.feedSecret)])
            try await composition.close()
        }
    }
#endif
