#if WITH_ASSESSMENT && WITH_ENROLLMENT
    import ArgumentParser
    import Domain
    import FeatureKit
    import Foundation
    import Persistence
    import ServerApp

    extension Measurements {
        /// Measures a quiz of 100 questions, the results of 5,000 attempts at a quiz of 40 questions, scoring them again,
        /// and an import of 1,000 questions.
        func quizzes() async throws {
            let data = folder.appending(path: "quizzes")
            let sample = try await SampleSchool.make(in: data, children: 1)
            let made = try await QuizSample.make(in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let session = try await Session.signIn(server, sample)
            let page = try uncached(server, "/quizzes/\(made.long)/preview", sample, session)
            Report.figure(
                "quizzes: page of 100 questions made anew, median", page.p50, "ms", bound: "<= 20 ms",
                holds: page.p50 <= 20)
            let results = try uncached(server, "/quizzes/\(made.taken)/results", sample, session)
            Report.line("  results of 5,000 attempts at 40 questions made anew, median: \(results.p50.shown) ms")
            let one = try uncached(server, "/quizzes/\(made.takenOnce)/results", sample, session)
            let statistics = results.p50 - one.p50
            Report.figure(
                "  of it the statistics: more time than for the same page of one attempt", statistics, "ms",
                bound: "<= 200 ms", holds: statistics <= 200)
            _ = try await session.post(
                "/api/v1/quizzes/\(made.taken)/questions/\(made.question)",
                #"{"kind":"shortAnswer","text":"Half of 0?","accepted":"0\nnothing"}"#)
            func timed(_ path: String, _ body: String) async throws -> Double {
                let began = ContinuousClock.now
                _ = try await session.post(path, body)
                return began.duration(to: .now) / .milliseconds(1)
            }
            let again = try await timed("/api/v1/quizzes/\(made.taken)/regrade", "{}")
            Report.figure(
                "  5,000 attempts scored again after a change of one key", again, "ms", bound: "<= 2000 ms",
                holds: again <= 2000)
            let encoded = try JSON.encode(["gift": QuizSample.gift(1000)])
            let text = String(decoding: encoded, as: UTF8.self)
            let imported = try await timed("/api/v1/quizzes/\(made.empty)/import/gift", text)
            Report.figure(
                "  import of 1,000 questions in GIFT", imported, "ms", bound: "<= 1000 ms", holds: imported <= 1000)
        }
    }

    /// Quizzes in the database of a school, by their ids.
    private struct QuizSample {
        let long: String
        let taken: String
        /// A quiz like the taken one, with one attempt.
        let takenOnce: String
        let empty: String
        /// The first question of the taken quiz.
        let question: String

        static func gift(_ count: Int) -> String {
            (0..<count).map { "::Question \($0)::Half of \($0)? {=\($0) ~none ~more ~less}" }.joined(
                separator: "\n\n")
        }

        static func make(in data: URL) async throws -> QuizSample {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let client = try await BenchClient.signIn(composition)
            let course =
                try await client.run(
                    "courses.create", ["name": .text("Algebra"), "subject": .text("Mathematics")])["id"] ?? ""
            func quiz(_ title: String) async throws -> String {
                try await client.run(
                    "assessment.create", ["courseId": .text(course), "title": .text(title)])["id"]?.lowercased()
                    ?? ""
            }
            let (long, empty) = (try await quiz("Long"), try await quiz("Empty"))
            let (taken, takenOnce) = (try await quiz("Taken"), try await quiz("Taken once"))
            _ = try await client.run("assessment.importGIFT", ["quizId": .text(long), "gift": .text(gift(100))])
            /// Adds 40 questions and publishes the quiz. Returns the id of the first question.
            func complete(_ quiz: String) async throws -> String {
                var question = ""
                for number in 0..<40 {
                    let added = try await client.run(
                        "assessment.addQuestion",
                        [
                            "quizId": .text(quiz), "kind": .text("shortAnswer"),
                            "text": .text("Half of \(number)?"),
                            "accepted": .text("\(number)"), "points": .text("1"),
                        ])
                    if number == 0 { question = added["id"]?.lowercased() ?? "" }
                }
                _ = try await client.run(
                    "assessment.publish", ["quizId": .text(quiz), "isPublished": .bool(true)])
                return question
            }
            let question = try await complete(taken)
            _ = try await complete(takenOnce)
            let id = try await composition.schools.all().first ?? UUID()
            let school = try await composition.schools.school(id)
            try await fill(school, UUID(uuidString: taken) ?? UUID(), attempts: 5000)
            try await fill(school, UUID(uuidString: takenOnce) ?? UUID(), attempts: 1)
            try await composition.close()
            return QuizSample(
                long: long, taken: taken, takenOnce: takenOnce, empty: empty, question: question)
        }

        /// Adds closed attempts with 40 answers each, of which about half are right.
        private static func fill(_ school: any Database, _ quizId: UUID, attempts: Int) async throws {
            let now = Date()
            try await school.write { sql in
                let bodies: [(id: UUID, body: String)] = try sql.rows(
                    "SELECT id, body FROM assessment_questions WHERE quiz_id = \(quizId) ORDER BY position"
                ).map { try ($0.get("id"), $0.get("body")) }
                let version = UUID()
                // conformance: allow write - prepares a measurement
                try sql.execute(
                    """
                    INSERT INTO assessment_versions (id, quiz_id, is_current, body, created_at)
                    VALUES (\(version), \(quizId), 1, \("[\(bodies.map(\.body).joined(separator: ","))]"), \(now))
                    """)
                for attempt in 0..<attempts {
                    let (attemptId, student) = (UUID(), UUID())
                    let points = bodies.indices.map { ($0 * 7 + attempt * 13) % 5 > 2 ? 0 : 100 }
                    // conformance: allow write - prepares a measurement
                    try sql.execute(
                        """
                        INSERT INTO assessment_attempts (id, quiz_id, student_id, number, version_id, seed, language,
                            started_at, closed_at, ending, score, maximum)
                        VALUES (\(attemptId), \(quizId), \(student), 1, \(version), 1, 'en', \(now), \(now), 'handedIn',
                            \(points.reduce(0, +)), 4000)
                        """)
                    let rows = bodies.enumerated().map { index, one -> [SQLValue] in
                        let text = points[index] > 0 ? "\(index)" : "nothing"
                        let body = #"{"optionIds":[],"texts":["\#(text)"]}"#
                        return [
                            attemptId.sqlValue, one.id.sqlValue, body.sqlValue, 1.sqlValue, 0.sqlValue, 0.sqlValue,
                            points[index].sqlValue, now.sqlValue,
                        ]
                    }
                    for portion in SQL.portions(of: rows) {
                        // conformance: allow write - prepares a measurement
                        try sql.execute(
                            """
                            INSERT INTO assessment_answers (attempt_id, question_id, body, is_answered, is_marked,
                                is_late, points, saved_at)
                            VALUES \(rows: portion)
                            """)
                    }
                }
            }
        }
    }
#endif
