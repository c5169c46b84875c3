#if WITH_ASSESSMENT && WITH_ENROLLMENT
    import ArgumentParser
    import AsyncHTTPClient
    import FeatureKit
    import Foundation
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1
    import ServerApp

    extension Measurements {
        /// Measures how long an answer takes while a school of 300 takes the same quiz: all start within ten seconds, and each
        /// gives an answer every three seconds, about 100 answers a second.
        func quizRush() async throws {
            let data = folder.appending(path: "rush")
            _ = try await SampleSchool.make(in: data, children: 1)
            let (quizId, tokens) = try await Self.rush(of: 300, in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let times = try await withThrowingTaskGroup(of: [Double].self) { group in
                for token in tokens {
                    group.addTask { try await QuizTaker(server: server, token: token, quizId: quizId).run() }
                }
                return try await group.reduce(into: [Double]()) { $0 += $1 }.sorted()
            }
            let (median, worst) = (times.percentile(50), times.percentile(99))
            Report.figure(
                "300 students take a quiz at once, an answer is stored, median", median, "ms", bound: "<= 5 ms",
                holds: median <= 5)
            Report.figure(
                "300 students take a quiz at once, an answer is stored, p99", worst, "ms", bound: "<= 40 ms",
                holds: worst <= 40)
        }

        /// Creates a published quiz of 40 questions and students of its course; returns their access tokens.
        private static func rush(of count: Int, in data: URL) async throws -> (quizId: String, tokens: [String]) {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let teacher = try await BenchClient.signIn(composition)
            let course =
                try await teacher.run(
                    "courses.create",
                    ["name": .text("Geography"), "subject": .text("Geography"), "admission": .text("open")])["id"]
                ?? ""
            let quiz =
                try await teacher.run(
                    "assessment.create", ["courseId": .text(course), "title": .text("Capitals")])[
                    "id"] ?? ""
            let gift = (0..<QuizTaker.questions).map { "::Capital \($0)::Which one? {=this ~that ~neither}" }
            try await teacher.run(
                "assessment.importGIFT",
                ["quizId": .text(quiz), "gift": .text(gift.joined(separator: "\n\n"))])
            try await teacher.run("assessment.publish", ["quizId": .text(quiz), "isPublished": .bool(true)])
            var tokens: [String] = []
            for number in 0..<count {
                let student = try await teacher.inviting("rush\(number)@demo.example", as: "student")
                try await student.run("enrollment.enroll", ["courseId": .text(course)])
                tokens.append(student.token)
            }
            try await composition.close()
            return (quiz, tokens)
        }
    }

    /// A student who takes a quiz over HTTP.
    private struct QuizTaker: Sendable {
        static let questions = 40

        let server: ServerProcess
        let token: String
        let quizId: String

        /// Starts within ten seconds, then answers each question; returns the milliseconds of each answer.
        func run() async throws -> [Double] {
            try await Task.sleep(for: .seconds(Double.random(in: 0..<10)))
            let started = try await post("/api/v1/quizzes/\(quizId)/start", "{}")
            guard case .object(let attempt)? = started["attempt"], case .text(let attemptId)? = attempt["id"],
                case .list(let questions)? = started["questions"], questions.count == Self.questions
            else { throw ValidationError("A quiz could not be started.") }
            var times: [Double] = []
            for question in questions {
                guard case .object(let question) = question, case .text(let id)? = question["id"],
                    case .list(let options)? = question["options"],
                    case .object(let option)? = options.randomElement(),
                    case .text(let optionId)? = option["id"]
                else { throw ValidationError("A question has no options.") }
                let began = ContinuousClock.now
                _ = try await post(
                    "/api/v1/quizzes/\(quizId)/attempts/\(attemptId)/answers",
                    #"{"questionId":"\#(id)","optionIds":["\#(optionId)"]}"#)
                times.append(began.duration(to: .now) / .milliseconds(1))
                try await Task.sleep(until: began + .seconds(3))
            }
            return times
        }

        private func post(_ path: String, _ body: String) async throws -> [String: InputValue] {
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)\(path)")
            request.method = .POST
            request.headers.add(contentsOf: [
                ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"),
            ])
            request.body = .bytes(ByteBuffer(string: body))
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            let answer = Data(buffer: try await response.body.collect(upTo: 1 << 20))
            guard response.status == .ok, case .object(let members) = try InputValue(json: answer) else {
                throw ValidationError("\(path) was answered with \(response.status.code).")
            }
            return members
        }
    }
#endif
