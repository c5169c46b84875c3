#if WITH_COURSEWORK && WITH_ENROLLMENT
    import ArgumentParser
    import AsyncHTTPClient
    import Domain
    import FeatureKit
    import Foundation
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1
    import ServerApp

    extension Measurements {
        /// Measures assignments: what a student has to do, marking, uploads, a class that hands in, PDF pages and the ZIP of
        /// all work.
        func coursework(_ bare: ServerProcess) async throws {
            try await dueWork()
            let data = folder.appending(path: "coursework")
            let sample = try await SampleSchool.make(in: data, children: 1)
            let class150 = try await SampleClass.make(of: 150, in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let teacher = try await Session.signIn(server, sample)
            let sender = WorkSender(server: server, assignmentId: class150.assignmentId)
            try await upload(by: class150.tokens[0], sender, bare)
            try await handIns(of: class150.tokens.prefix(30), sender)
            try await pages(of: class150.tokens[0], sender, teacher)
            let path = "/assignments/\(class150.assignmentId)/marking/\(class150.studentIds[1])"
            let marking = try uncached(server, path, sample, teacher)
            Report.figure(
                "marking page made anew, one client, median", marking.p50, "ms", bound: "<= 20 ms",
                holds: marking.p50 <= 20)
            try await archive(of: class150.tokens.dropFirst(), sender, teacher)
        }

        /// Measures the page of a student's work: 8 courses with 400 assignments.
        private func dueWork() async throws {
            let data = folder.appending(path: "due")
            let sample = try await SampleSchool.make(in: data, children: 1)
            let token = try await SampleClass.busyStudent(courses: 8, assignments: 50, in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let student = Session(server: server, token: token)
            let size = try await student.get("/assignments").count
            let page = try uncached(server, "/assignments", sample, student)
            Report.line("Work of a student, \(size / 1024) KB, p99 \(page.p99) ms")
            Report.figure(
                "work of a student with 8 courses and 400 assignments made anew, median", page.p50, "ms",
                bound: "<= 8 ms", holds: page.p50 <= 8)
        }

        /// Measures an upload of 100 MB in turns with a bare route that writes the same stream to a file.
        private func upload(by token: String, _ sender: WorkSender, _ bare: ServerProcess) async throws {
            let size = 100 << 20
            // The first upload warms both up and is not counted.
            _ = try await sender.upload("warm.bin", 8 << 20, by: token)
            _ = try await WorkSender.put(8 << 20, to: bare)
            var ratios: [Double] = []
            var added: [Int] = []
            for turn in 0..<5 {
                let before = sender.server.resetPeak()
                let ours = try await sender.upload("film \(turn).bin", size, by: token).seconds
                added.append(sender.server.peakKilobytes - before)
                ratios.append(try await WorkSender.put(size, to: bare) / ours)
            }
            let ratio = ratios.sorted()[2] * 100
            let memory = Double(added.sorted()[2]) / 1024
            Report.figure(
                "upload of 100 MB against bare, median of 5", ratio, "%", bound: ">= 80 %", holds: ratio >= 80)
            Report.figure(
                "upload of 100 MB, memory that it adds, median of 5", memory, "MB", bound: "<= 8 MB",
                holds: memory <= 8)
        }

        /// Measures how long a hand-in takes while 30 students hand in a file of 1 MB each within ten seconds.
        private func handIns(of tokens: ArraySlice<String>, _ sender: WorkSender) async throws {
            let times = try await withThrowingTaskGroup(of: Double.self) { group in
                for (number, token) in tokens.enumerated() {
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(number * 330))
                        let id = try await sender.upload("essay.bin", 1 << 20, by: token).id
                        return try await sender.handIn([id], by: token).milliseconds
                    }
                }
                return try await group.reduce(into: [Double]()) { $0.append($1) }.sorted()
            }
            Report.figure(
                "30 students hand in within ten seconds, a hand-in is accepted, p99", times.percentile(99), "ms",
                bound: "<= 50 ms", holds: times.percentile(99) <= 50)
        }

        /// Measures the first page of five PDF files of 50 pages, and the same pages from the cache.
        private func pages(of token: String, _ sender: WorkSender, _ teacher: Session) async throws {
            var (first, again) = ([Double](), [Double]())
            for number in 0..<5 {
                let pdf = WorkSender.pdf(pages: 50, title: "Field report \(number)")
                let id = try await sender.upload("report \(number).pdf", pdf.count, by: token) { range in
                    Array(pdf[range])
                }.id
                let file = try await sender.handIn([id], by: token).fileIds[0]
                let path = "/assignments/\(sender.assignmentId)/files/\(file)/pages/1"
                for turn in 0..<3 {
                    let began = ContinuousClock.now
                    _ = try await teacher.get(path)
                    let time = began.duration(to: .now) / .milliseconds(1)
                    if turn == 0 { first.append(time) } else { again.append(time) }
                }
            }
            let (slow, quick) = (first.sorted()[2], again.sorted()[5])
            Report.figure(
                "the first page of a PDF of 50 pages, median of 5", slow, "ms", bound: "<= 400 ms",
                holds: slow <= 400)
            Report.figure("the same page again, median", quick, "ms", bound: "<= 10 ms", holds: quick <= 10)
        }

        /// Measures the memory of "Download all" while it sends the work of 150 students, 1 GB in all.
        private func archive(of tokens: ArraySlice<String>, _ sender: WorkSender, _ teacher: Session) async throws {
            for token in tokens {
                let id = try await sender.upload("essay.bin", 7 << 20, by: token).id
                _ = try await sender.handIn([id], by: token)
            }
            let before = sender.server.resetPeak()
            let began = ContinuousClock.now
            let bytes = try await teacher.drain("/assignments/\(sender.assignmentId)/all-files")
            let seconds = began.duration(to: .now) / .seconds(1)
            let memory = Double(sender.server.peakKilobytes - before) / 1024
            Report.line(
                "Download of all work: \(bytes >> 20) MB in \(seconds.shown) s, \((Double(bytes >> 20) / seconds).shown) MB/s"
            )
            Report.figure(
                "  download of all work, memory that it adds", memory, "MB", bound: "<= 16 MB", holds: memory <= 16)
        }
    }

    /// A course with many students who have accounts, and one assignment.
    private struct SampleClass {
        let assignmentId: String
        let studentIds: [String]
        /// The access tokens of the students.
        let tokens: [String]

        static func make(of count: Int, in data: URL) async throws -> SampleClass {
            let composition = try await composition(data)
            let teacher = try await BenchClient.signIn(composition)
            let courseId = try await course("Geography", of: teacher)
            let assignmentId = try await assignment("Field report", courseId, of: teacher)
            var (ids, tokens) = ([String](), [String]())
            for number in 0..<count {
                let student = try await teacher.inviting("student\(number)@demo.example", as: "student")
                try await student.run("enrollment.enroll", ["courseId": .text(courseId)])
                ids.append(student.caller.membership?.personId.text ?? "")
                tokens.append(student.token)
            }
            try await composition.close()
            return SampleClass(assignmentId: assignmentId, studentIds: ids, tokens: tokens)
        }

        /// Creates courses with assignments and one student of all of them; returns the student's access token.
        static func busyStudent(courses: Int, assignments: Int, in data: URL) async throws -> String {
            let composition = try await composition(data)
            let teacher = try await BenchClient.signIn(composition)
            let student = try await teacher.inviting("student@demo.example", as: "student")
            for number in 0..<courses {
                let courseId = try await course("Course \(number)", of: teacher)
                try await student.run("enrollment.enroll", ["courseId": .text(courseId)])
                for week in 0..<assignments {
                    _ = try await assignment("Problem set \(week)", courseId, due: week - 25, of: teacher)
                }
            }
            try await composition.close()
            return student.token
        }

        private static func composition(_ data: URL) async throws -> ServerComposition {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            return try await ServerComposition.build(settings)
        }

        private static func course(_ name: String, of teacher: BenchClient) async throws -> String {
            try await teacher.run(
                "courses.create",
                ["name": .text(name), "subject": .text("Geography"), "admission": .text("open")])["id"] ?? ""
        }

        private static func assignment(
            _ title: String, _ courseId: String, due days: Int = 7, of teacher: BenchClient
        ) async throws -> String {
            let made = try await teacher.run(
                "coursework.add",
                [
                    "courseId": .text(courseId), "title": .text(title), "points": .text("20"),
                    "dueDay": .text(Day(Date(), in: .gmt).adding(days: days).description),
                    "kinds": .list([.text("text"), .text("files")]), "attempts": .number(0),
                ])
            let id = made["id"] ?? ""
            try await teacher.run("coursework.publish", ["assignmentId": .text(id), "isPublished": .bool(true)])
            return id
        }
    }

    /// Sends files and work of students over HTTP.
    private struct WorkSender: Sendable {
        private static let portion = 64 << 10

        let server: ServerProcess
        let assignmentId: String

        /// Uploads a file in one part. Returns its id and the seconds that its bytes took.
        ///
        /// - Parameter content: The bytes of a range; without it they look random, so that nothing can compress them.
        func upload(
            _ name: String, _ size: Int, by token: String, content: (@Sendable (Range<Int>) -> [UInt8])? = nil
        ) async throws -> (id: String, seconds: Double) {
            let id = UUID().text
            let path = "/api/v1/assignments/\(assignmentId)/uploads"
            _ = try await Session(server: server, token: token).post(
                path, #"{"uploadId":"\#(id)","name":"\#(name)","size":\#(size)}"#)
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)\(path)/\(id)")
            request.method = .PATCH
            request.headers.add(contentsOf: [
                ("Authorization", "Bearer \(token)"), ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "0"),
                ("Content-Type", "application/offset+octet-stream"),
            ])
            request.body = Self.body(size, content)
            let began = ContinuousClock.now
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
            guard response.status == .noContent else {
                throw ValidationError("An upload was answered with \(response.status.code).")
            }
            return (id, began.duration(to: .now) / .seconds(1))
        }

        /// Hands in uploaded files.
        func handIn(
            _ uploads: [String], by token: String
        ) async throws -> (milliseconds: Double, fileIds: [String]) {
            var request = HTTPClientRequest(
                url: "http://127.0.0.1:\(server.port)/api/v1/assignments/\(assignmentId)/submissions")
            request.method = .POST
            request.headers.add(contentsOf: [
                ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"),
            ])
            let ids = uploads.map { "\"\($0)\"" }.joined(separator: ",")
            request.body = .bytes(ByteBuffer(string: #"{"uploads":[\#(ids)]}"#))
            let began = ContinuousClock.now
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
            let answer = Data(buffer: try await response.body.collect(upTo: 1 << 20))
            let time = began.duration(to: .now) / .milliseconds(1)
            guard response.status == .created, case .object(let members) = try InputValue(json: answer),
                case .list(let files)? = members["files"]
            else { throw ValidationError("A hand-in was answered with \(response.status.code).") }
            let fileIds = files.compactMap { file -> String? in
                guard case .object(let file) = file, case .text(let id)? = file["id"] else { return nil }
                return id
            }
            return (time, fileIds)
        }

        /// Sends bytes to the bare server's route that writes them to a file; returns the seconds.
        static func put(_ size: Int, to bare: ServerProcess) async throws -> Double {
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(bare.port)/sink")
            request.method = .PUT
            request.body = body(size, nil)
            let began = ContinuousClock.now
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
            guard response.status == .ok else { throw ValidationError("The bare server refused an upload.") }
            return began.duration(to: .now) / .seconds(1)
        }

        private static func body(
            _ size: Int, _ content: (@Sendable (Range<Int>) -> [UInt8])?
        ) -> HTTPClientRequest.Body {
            let noise = (0..<portion * 2).map { _ in UInt8.random(in: 0...255) }
            let portions = stride(from: 0, to: size, by: portion).lazy.map { start -> ByteBuffer in
                let length = min(portion, size - start)
                if let content { return ByteBuffer(bytes: content(start..<start + length)) }
                let shift = start / portion % portion
                return ByteBuffer(bytes: noise[shift..<shift + length])
            }
            let (stream, feed) = AsyncStream.makeStream(of: ByteBuffer.self)
            for portion in portions { feed.yield(portion) }
            feed.finish()
            return .stream(stream, length: .known(Int64(size)))
        }

        /// A PDF file of pages full of text.
        static func pdf(pages: Int, title: String) -> [UInt8] {
            var text = "%PDF-1.4\n"
            var places: [Int] = []
            func add(_ object: String) {
                places.append(text.utf8.count)
                text += "\(places.count) 0 obj\n\(object)\nendobj\n"
            }
            let kids = (0..<pages).map { "\(4 + $0 * 2) 0 R" }.joined(separator: " ")
            add("<< /Type /Catalog /Pages 2 0 R >>")
            add("<< /Type /Pages /Kids [\(kids)] /Count \(pages) >>")
            add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
            for page in 1...pages {
                let lines = (1...50).map { line in
                    "(\(title), page \(page), line \(line): the path turns north behind the second bridge and climbs.) Tj T*"
                }
                let content = "BT /F1 11 Tf 13 TL 50 780 Td\n\(lines.joined(separator: "\n"))\nET"
                add(
                    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents \(places.count + 2) 0 R "
                        + "/Resources << /Font << /F1 3 0 R >> >> >>")
                add("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
            }
            let table = text.utf8.count
            text += "xref\n0 \(places.count + 1)\n0000000000 65535 f \n"
            for place in places {
                let digits = String(place)
                text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
            }
            text += "trailer << /Size \(places.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
            return Array(text.utf8)
        }
    }
#endif
