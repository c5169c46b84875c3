#if WITH_GRADING && WITH_ENROLLMENT
    import ArgumentParser
    import Domain
    import FeatureKit
    import Foundation
    import Grading
    import GradingInterface
    import ServerApp

    extension Measurements {
        /// Measures a large gradebook: its page, saving a score with its totals, and averages by the engine alone.
        func grades() async throws {
            let data = folder.appending(path: "grades")
            let sample = try await SampleSchool.make(in: data, children: 150)
            let book = try await sample.fillGradebook(items: 60, in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let session = try await Session.signIn(server, sample)
            let path = "/courses/\(book.courseId)/gradebook"
            let size = try await session.get(path).count
            let page = try uncached(server, path, sample, session)
            Report.line(
                "Gradebook of \(sample.studentIds.count) students and \(book.itemIds.count) items, all marked: \(size) bytes, p99 \(page.p99) ms"
            )
            Report.figure(
                "  the page made anew, one client, median", page.p50, "ms", bound: "<= 60 ms", holds: page.p50 <= 60
            )
            try mark(book, server, sample, session)
            try averages()
        }

        /// Saves each cell once, since a score names the version that it replaces.
        private func mark(
            _ book: SampleGradebook, _ server: ServerProcess, _ sample: SampleSchool, _ session: Session
        ) throws {
            let script = try book.script(of: sample, in: folder, token: session.token)
            let result = try Wrk.run(server, "/", clients: 1, seconds: 2, script: script)
            guard result.errors == 0 else { throw ValidationError("\(result.errors) marks were refused.") }
            Report.line("  marks over HTTP, one client: \(Int(result.perSecond))/s, p99 \(result.p99) ms")
            Report.figure(
                "  a mark is on disk and its student's total answered, median", result.p50, "ms", bound: "<= 5 ms",
                holds: result.p50 <= 5)
        }

        /// Computes 30,000 course grades and 5,000 averages from 300,000 scores, in memory.
        private func averages() throws {
            let (engine, weights) = (GradeCalculationService(), GradeWeights.standard)
            let students = (0..<5000).map { student in (0..<6).map { Self.marks(of: student, in: $0) } }
            var times: [Double] = []
            for _ in 0..<5 {
                let began = ContinuousClock.now
                // Every result is used, so that the compiler removes none.
                var sum = Hundredths.zero
                for courses in students {
                    let grades = courses.compactMap {
                        engine.calculateCourseGrade(grades: $0, weights: weights)
                    }.map { (letter: $0.letter, credits: 100) }
                    sum += engine.calculateGPA(courseGrades: grades)?.unweighted ?? .zero
                }
                times.append(began.duration(to: .now) / .milliseconds(1))
                guard sum > .zero else { throw ValidationError("The engine found no grades.") }
            }
            let median = times.sorted().percentile(50)
            Report.figure(
                "  averages of 5,000 students, 6 courses of 10 marks each, the engine in memory, one core, median of 5",
                median, "ms", bound: "<= 200 ms", holds: median <= 200)
        }

        /// Ten scores, two of each category, in half points.
        private static func marks(of student: Int, in course: Int) -> [GradeEntry] {
            let categories = GradeCategory.allCases
            return (0..<10).map { mark in
                let halves = (student * 31 + course * 17 + mark * 7) % 41
                return GradeEntry(
                    category: categories[mark % categories.count], points: Hundredths(count: halves * 50),
                    maximum: 20)
            }
        }
    }

    /// A course in which every student has a score for every item.
    private struct SampleGradebook {
        let courseId: String
        let itemIds: [String]

        /// A wrk script that sets the scores of the cells one after the other.
        func script(of sample: SampleSchool, in folder: URL, token: String) throws -> URL {
            let url = folder.appending(path: "marks.lua")
            func list(_ ids: [String]) -> String { ids.map { "\"\($0)\"" }.joined(separator: ",") }
            try """
            local items = {\(list(itemIds))}
            local students = {\(list(sample.studentIds))}
            local turn = -1
            request = function()
              turn = turn + 1
              local item = items[math.floor(turn / #students) % #items + 1]
              local round = math.floor(turn / #students / #items)
              local path = "/api/v1/courses/\(courseId)/gradebook/items/" .. item .. "/marks/" ..
                students[turn % #students + 1]
              return wrk.format("POST", path, {
                ["Authorization"] = "Bearer \(token)", ["Content-Type"] = "application/json" },
                '{"text":"' .. (turn % 19) .. '.25","version":' .. (round + 1) .. '}')
            end
            """.write(to: url, atomically: true, encoding: .utf8)
            return url
        }
    }

    extension SampleSchool {
        /// Creates a course of all students with `count` items, 90 % of them released, and a score in every cell.
        fileprivate func fillGradebook(items count: Int, in data: URL) async throws -> SampleGradebook {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let client = try await BenchClient.signIn(composition)
            let made = try await client.run(
                "courses.create", ["name": .text("Algebra"), "subject": .text("Mathematics")])
            let courseId = made["id"] ?? ""
            for student in studentIds {
                try await client.run("enrollment.add", ["courseId": .text(courseId), "studentId": .text(student)])
            }
            let categories = GradeCategory.allCases
            let today = Day(composition.clock.now, in: .gmt)
            var itemIds: [String] = []
            for number in 0..<count {
                let item =
                    try await client.run(
                        "grades.addItem",
                        [
                            "courseId": .text(courseId), "title": .text("Exercise \(number + 1)"),
                            "category": .text(categories[number % categories.count].rawValue),
                            "maximum": .text("20"),
                            "dueDay": .text(today.adding(days: number - count).description),
                        ])["id"] ?? ""
                let place: [String: InputValue] = ["courseId": .text(courseId), "itemId": .text(item)]
                let column = studentIds.indices.map { row in
                    switch (row * 5 + number) % 23 {
                    case 4: "m"
                    case 9: "ex"
                    case 14: "\((row * 7 + number * 3) % 20) l"
                    default: "\((row * 7 + number * 3) % 20).5"
                    }
                }
                try await client.run(
                    "grades.paste", place.merging(["text": .text(column.joined(separator: "\n"))]) { $1 })
                if number % 10 != 9 {
                    try await client.run("grades.release", place.merging(["isReleased": .bool(true)]) { $1 })
                }
                itemIds.append(item)
            }
            try await composition.close()
            return SampleGradebook(courseId: courseId, itemIds: itemIds)
        }
    }
#endif
