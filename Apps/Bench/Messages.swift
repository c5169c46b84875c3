#if WITH_MESSAGING
    import ArgumentParser
    import Domain
    import FeatureKit
    import Foundation
    import Persistence
    import ServerApp

    extension Measurements {
        /// Measures messages: until one is on disk, until another page has it, and short and long threads.
        func messages() async throws {
            let data = folder.appending(path: "messages")
            let sample = try await SampleSchool.make(in: data, children: 1)
            let talk = try await sample.startTalking(guides: 160, in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let session = try await Session.signIn(server, sample)
            let guides = talk.guides.map {
                Correspondence(Session(server: server, token: $0.token), $0.conversationId)
            }
            Report.line("Messages of \(guides.count) guides, each with the founder")
            try await deliver(guides, to: session)
            try await announce(in: sample, by: session, to: Array(guides.prefix(Talk.inClass)))
            try await hold(guides.map(\.session), server)
            try opening(talk, server, sample, session)
            try accept(guides, server)
        }

        /// Sends with eight clients for a second. A person may send thirty a minute, so each sends a few.
        private func accept(_ guides: [Correspondence], _ server: ServerProcess) throws {
            let result = try Wrk.run(
                server, "/", clients: 8, seconds: 1, script: Correspondence.script(guides, in: folder))
            guard result.errors == 0 else {
                throw ValidationError("\(result.errors) messages were refused; thirty in a minute are a person's.")
            }
            Report.line("  8 senders over HTTP: \(Int(result.perSecond))/s, p99 \(result.p99) ms")
            Report.figure(
                "  a message is on disk, median", result.p50, "ms", bound: "<= 5 ms", holds: result.p50 <= 5)
        }

        /// Measures the time from the sender's request until the founder's page has the event, while five hundred
        /// others listen.
        private func deliver(_ guides: [Correspondence], to founder: Session) async throws {
            let others = try await OpenPages.open(500, of: guides.map(\.session))
            let page = try await OpenPages.open(1, of: [founder])
            var pieces = page.pieces.makeAsyncIterator()
            var times: [Double] = []
            for turn in 0..<300 {
                let began = ContinuousClock.now
                async let sent = guides[turn % guides.count].say("Pears from the garden, \(turn).")
                while let piece = await pieces.next(), !piece.contains(Self.sentEvent) {}
                times.append(began.duration(to: .now) / .milliseconds(1))
                _ = try await sent
            }
            try await page.close()
            try await others.close()
            let (median, worst) = (times.sorted().percentile(50), times.sorted().percentile(99))
            Report.figure(
                "  to another page, 500 open streams, median", median, "ms", bound: "<= 10 ms", holds: median <= 10)
            Report.figure(
                "  to another page, 500 open streams, p99", worst, "ms", bound: "<= 50 ms", holds: worst <= 50)
        }

        /// Measures the time until the last of five hundred pages has the event of a channel's message.
        private func announce(
            in sample: SampleSchool, by founder: Session, to guides: [Correspondence]
        ) async throws {
            let channel = try await founder.post("/api/v1/classrooms/\(sample.classroomId)/channel", "{}")
            let room = Correspondence(founder, channel["id"] ?? "")
            let pages = try await OpenPages.open(500, of: guides.map(\.session))
            var pieces = pages.pieces.makeAsyncIterator()
            var times: [Double] = []
            for turn in 0..<25 {
                let began = ContinuousClock.now
                async let sent = room.say("The forest walk begins at nine, \(turn).")
                var heard = 0
                while heard < 500, let piece = await pieces.next() {
                    heard += piece.components(separatedBy: Self.sentEvent).count - 1
                }
                times.append(began.duration(to: .now) / .milliseconds(1))
                _ = try await sent
            }
            try await pages.close()
            Report.line(
                "  in a channel, until the last of 500 pages has it: median \(times.sorted().percentile(50).shown) ms, longest \((times.max() ?? 0).shown) ms"
            )
        }

        private func hold(_ sessions: [Session], _ server: ServerProcess) async throws {
            let before = Double(server.residentKilobytes) / 1024
            let pages = try await OpenPages.open(1000, of: sessions)
            let memory = Double(server.residentKilobytes) / 1024
            try await pages.close()
            Report.line("  memory before a thousand pages listen: \(before.shown) MB")
            Report.figure(
                "  memory with 1,000 open streams", memory, "MB", bound: "<= 200 MB", holds: memory <= 200)
        }

        private func opening(
            _ talk: Talk, _ server: ServerProcess, _ sample: SampleSchool, _ session: Session
        ) throws {
            // In turns, so that both meet the same load.
            var (short, long): ([Double], [Double]) = ([], [])
            for _ in 0..<5 {
                short.append(try uncached(server, "/messages/\(talk.short)", sample, session).p50)
                long.append(try uncached(server, "/messages/\(talk.long)", sample, session).p50)
            }
            let (few, many) = (short.sorted()[2], long.sorted()[2])
            Report.line("  opening a conversation: of 100 messages \(few.shown) ms, of 100,000 \(many.shown) ms")
            Report.figure(
                "  a long one against a short one", (many / few - 1) * 100, "% more", bound: "<= 20 %",
                holds: many <= few * 1.2)
        }

        private static let sentEvent = #""kind":"message.sent""#
    }

    /// A person's side of a conversation.
    private struct Correspondence: Sendable {
        let session: Session
        let conversationId: String

        init(_ session: Session, _ conversationId: String) {
            (self.session, self.conversationId) = (session, conversationId)
        }

        /// A wrk script in which the senders write in turn.
        static func script(_ senders: [Correspondence], in folder: URL) throws -> URL {
            let url = folder.appending(path: "messages.lua")
            let list = senders.map { "{\"\($0.session.token)\", \"\($0.conversationId)\"}" }.joined(separator: ",")
            try """
            local senders = {\(list)}
            local turn = 0
            request = function()
              turn = turn + 1
              local sender = senders[turn % #senders + 1]
              return wrk.format("POST", "/api/v1/conversations/" .. sender[2] .. "/messages", {
                ["Authorization"] = "Bearer " .. sender[1], ["Content-Type"] = "application/json" },
                '{"text":"Maple leaves for the table, ' .. turn .. '."}')
            end
            """.write(to: url, atomically: true, encoding: .utf8)
            return url
        }

        @discardableResult
        func say(_ text: String) async throws -> [String: String] {
            try await session.post("/api/v1/conversations/\(conversationId)/messages", #"{"text":"\#(text)"}"#)
        }
    }

    /// A school with conversations.
    private struct Talk {
        /// The number of guides in the class: with the founder the most that a class may have.
        static let inClass = 99

        /// Each guide's access token and conversation with the founder.
        let guides: [(token: String, conversationId: String)]
        /// The conversations with 100 and with 100,000 messages.
        let short: String
        let long: String
    }

    extension SampleSchool {
        /// Creates guides of the classroom who each have a conversation with the founder, and two filled conversations.
        fileprivate func startTalking(guides count: Int, in data: URL) async throws -> Talk {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let founder = try await BenchClient.signIn(composition)
            let founderId = founder.caller.membership?.personId.text ?? ""
            var guides: [(token: String, conversationId: String)] = []
            var people: [InputValue] = [.text(founderId)]
            for number in 0..<count + 2 {
                let guide = try await founder.inviting("guide\(number)@demo.example")
                let made = try await guide.run("messages.start", ["personIds": .list([.text(founderId)])])
                guides.append((guide.token, made["id"] ?? ""))
                people.append(.text(guide.caller.membership?.personId.text ?? ""))
            }
            try await founder.run(
                "classrooms.assignGuides",
                ["classroomId": .text(classroomId), "guideIds": .list(Array(people.prefix(1 + Talk.inClass)))])
            let (short, long) = (guides.removeLast().conversationId, guides.removeLast().conversationId)
            try await founder.write(100, into: short)
            try await founder.write(100_000, into: long)
            try await composition.close()
            return Talk(guides: guides, short: short, long: long)
        }
    }

    extension BenchClient {
        /// Fills a conversation with two years of messages, directly in the database. Through commands a hundred
        /// thousand would take minutes, with the same result on disk.
        fileprivate func write(_ count: Int, into conversation: String) async throws {
            guard let membership = caller.membership, let id = UUID(text: conversation) else {
                throw ValidationError("The sample has no conversation.")
            }
            let school = try await composition.schools.school(membership.organization.id)
            let (now, span) = (Date(), 2 * 365 * 86_400.0)
            let rows: [[SQLValue]] = (1...count).map { seq in
                let at = now.addingTimeInterval((Double(seq) / Double(count) - 1) * span)
                let text = "Message \(seq): traced the letter m six times, then found it in the name tag."
                return [
                    id.sqlValue, seq.sqlValue, composition.ids.id(at: at).sqlValue, membership.personId.sqlValue,
                    text.sqlValue, NameFolding.fold(text).sqlValue, at.sqlValue,
                ]
            }
            try await school.write { sql in
                for portion in SQL.portions(of: rows) {
                    try sql.execute(
                        """
                        INSERT INTO messages (conversation_id, seq, id, sender_id, text, search_text, sent_at)
                        VALUES \(rows: portion)
                        """)
                }
                try sql.execute("UPDATE conversations SET last_seq = \(count) WHERE id = \(id)")
                try sql.execute(
                    "UPDATE conversation_members SET last_read = \(count) WHERE conversation_id = \(id)")
            }
        }
    }
#endif

extension [Double] {
    /// The percentile of sorted numbers.
    func percentile(_ share: Int) -> Double { isEmpty ? 0 : self[Swift.min(count - 1, count * share / 100)] }
}
