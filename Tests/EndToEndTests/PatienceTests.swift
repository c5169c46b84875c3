import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import ServerApp
import ServerProcess
import Synchronization
import TestKit
import Testing

@testable import Web

/// The time and the number of connections that clients may take from the server.
@Suite("Slow and idle clients")
struct PatienceTests {
    /// Long enough for a slow client on a busy machine, short enough for a test.
    private static func shorten(_ settings: inout ServerSettings) {
        settings.limits.head = .seconds(1)
        settings.limits.body = .seconds(1)
        settings.limits.keepAlive = .seconds(1)
        settings.limits.answer = .seconds(1)
        settings.limits.rest = .seconds(2)
        settings.limits.restProgress = .seconds(1)
        settings.limits.stop = .seconds(1)
    }

    private static let chunked = "Content-Type: multipart/form-data; boundary=cut\r\nTransfer-Encoding: chunked\r\n"

    private static func post(_ path: String, _ lines: String, as person: Tower.Person?) -> String {
        let bearer = person.map { "Authorization: Bearer \($0.access)\r\n" } ?? ""
        return "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(bearer)\(lines)\r\n"
    }

    /// A server with short time limits on the data of a server with normal ones.
    private static func withImpatientServer(
        _ change: @escaping (inout ServerSettings) -> Void = shorten,
        _ work: @escaping @Sendable (Tower, Tower.SampleSchool, _ port: Int) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let made = Mutex<Tower.SampleSchool?>(nil)
        try await Tower.with(in: folder) { tower in
            let sample = try await tower.sampleSchool()
            made.withLock { $0 = sample }
        }
        let sample = try #require(made.withLock { $0 })
        try await Tower.with(live: true, in: folder, change) { tower in
            try await work(tower, sample, try #require(tower.client.port))
        }
    }

    private static func isReady(_ port: Int) async throws -> Bool {
        let wire = try Wire(port: port)
        try wire.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return try await wire.answer().status == 200
    }

    // MARK: - Time limits

    @Test(
        "a head, a body, the next request and an unread answer have a time limit, after which the connection ends"
    )
    func closes() async throws {
        try await Self.withImpatientServer { tower, sample, port in
            let files = "/api/v1/courses/lessons/\(sample.lessonId)/files"
            let begun: [(what: String, bytes: String)] = [
                ("nothing at all", ""),
                ("half a line", "GET / HT"),
                ("half a head", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b"),
                ("an answer and then nothing", "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
                ("a body that stops", Self.post(files, Self.chunked, as: sample.founder) + "5\r\n--cut\r\n"),
                ("half the size of a chunk", Self.post(files, Self.chunked, as: sample.founder) + "5"),
                ("a refused body that stops", Self.post(files, Self.chunked, as: nil) + "5\r\n--cut\r\n"),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for one in begun {
                    group.addTask {
                        let wire = try Wire(port: port)
                        try wire.send(one.bytes)
                        // Throws if the connection stays open.
                        _ = try await wire.untilClosed()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.isReady(port))
        }
    }

    @Test("a body that trickles in is refused like one that has stopped, and a slow body is accepted")
    func slowBodies() async throws {
        try await Self.withImpatientServer { tower, sample, port in
            let files = "/api/v1/courses/lessons/\(sample.lessonId)/files"
            let start = "--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.bin\"\r\n\r\n"
            let dripping = try Wire(port: port)
            try dripping.send(Self.post(files, Self.chunked, as: sample.founder))
            // A few bytes per second do not count as progress.
            await #expect(throws: Wire.Broken.self) {
                try await dripping.onQueue {
                    for _ in 0..<600 {
                        try dripping.send("1\r\nx\r\n")
                        usleep(100_000)
                    }
                }
            }
            let slow = try Wire(port: port)
            let (portion, count) = (2048, 15)
            let tail = "\r\n--cut--\r\n"
            let length = start.utf8.count + portion * count + tail.utf8.count
            let head = Self.post(
                files, "Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: \(length)\r\n",
                as: sample.founder)
            // Twice its time limit in total.
            try await slow.onQueue {
                try slow.send(head + start)
                for _ in 0..<count {
                    usleep(150_000)
                    try slow.send([UInt8](repeating: 7, count: portion))
                }
                try slow.send(tail)
            }
            let answer = try await slow.answer()
            #expect(answer.status == 201)
        }
    }

    @Test("a command that runs longer than every time limit of clients is answered")
    func busyServer() async throws {
        try await Tower.with(live: true) { settings in
            settings.commitDelay = 1000
            settings.limits.body = .milliseconds(200)
            settings.limits.answer = .milliseconds(200)
            settings.limits.keepAlive = .milliseconds(200)
        } _: { tower in
            let wire = try Wire(port: try #require(tower.client.port))
            let answer = try await wire.post(
                "/api/v1/auth/sign-up", Tower.NewPerson(name: "Ana", email: "ana@maple.example"), bearer: nil)
            #expect(answer?.status == 201)
        }
    }

    @Test("event streams and slow downloads continue, and a download that nobody reads is closed")
    func slowReaders() async throws {
        try await Self.withImpatientServer { tower, sample, port in
            let stream = try await StreamTests.open(port, as: sample.founder.access)
            let bytes = [UInt8](repeating: 7, count: 12 << 20)
            let (start, tail) = (
                "--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.bin\"\r\n\r\n",
                "\r\n--cut--\r\n"
            )
            let files = "/api/v1/courses/lessons/\(sample.lessonId)/files"
            let upload = try Wire(port: port)
            let length = start.utf8.count + bytes.count + tail.utf8.count
            let head = Self.post(
                files, "Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: \(length)\r\n",
                as: sample.founder)
            try await upload.onQueue { try upload.send(Array((head + start).utf8) + bytes + Array(tail.utf8)) }
            let made = Answer(
                value: try JSONSerialization.jsonObject(with: Data(try await upload.answer().body.utf8)))
            let file = try #require(made.list("items").last as? [String: Any])
            let id = try #require(file["id"] as? String)
            func download() throws -> Wire {
                let wire = try Wire(port: port, receiveBuffer: 65_536)
                try wire.send(
                    "GET /courses/\(sample.courseId)/lessons/\(sample.lessonId)/files/\(id) HTTP/1.1\r\n"
                        + "Host: 127.0.0.1\r\nCookie: pt_access=\(sample.founder.access)\r\nConnection: close\r\n\r\n"
                )
                return wire
            }
            let (slow, sleeping) = (try download(), try download())
            let count = try await slow.onQueue {
                var count = 0
                // Some bytes every 0.4 seconds, for three limits of a second; then the rest.
                for _ in 0..<8 {
                    usleep(400_000)
                    count += try slow.receive(1 << 20) ?? 0
                }
                while let more = try slow.receive(1 << 20) { count += more }
                return count
            }
            #expect(count > bytes.count, "all of it came")
            let taken = try await sleeping.untilClosed().utf8.count
            #expect(taken < bytes.count, "nobody waits for who takes nothing")
            // An answer that the server wrote at once ends only when the client has read it.
            let whole = try Wire(port: port)
            try whole.send("GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            let size = try await whole.countToTheEnd()
            let sipping = try Wire(port: port, receiveBuffer: 16_384)
            try sipping.send("GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            let sipped = try await sipping.onQueue {
                var count = 0
                while count + 100 < size, let more = try sipping.receive(size / 25) {
                    count += more
                    usleep(100_000)
                }
                return count
            }
            #expect(sipped + 100 >= size, "it came in \(sipped) of \(size) bytes")
            let answer = try await Wire(port: port).post(
                "/api/v1/classrooms/\(sample.classroomId)/attendance",
                ["studentId": sample.studentId, "status": "present"], bearer: sample.founder.access)
            #expect(answer?.status == 200)
            #expect(try await !stream.lines(until: "data:").isEmpty)
        }
    }

    // MARK: - Connections

    @Test("the connections of one network end are limited, others are accepted, and a closed one frees its place")
    func connections() async throws {
        try await Tower.with(live: true) { settings in
            settings.limits.connectionsPerNetwork = 8
            settings.limits.keepAlive = .seconds(180)
            settings.limits.connections = 12
        } _: { tower in
            let port = try #require(tower.client.port)
            func status(from address: String) async throws -> Int? {
                do {
                    let wire = try Wire(port: port, from: address)
                    try wire.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    return try await wire.answer().status
                } catch is Wire.Broken {
                    return nil
                }
            }
            func hold(_ count: Int, from address: String) async throws -> [Wire] {
                var wires: [Wire] = []
                // A connection that has just ended on this side may still count on the other.
                try await eventually {
                    let wire = try Wire(port: port, from: address)
                    try wire.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    do {
                        let answer = try await wire.answer()
                        #expect(answer.status == 200)
                        wires.append(wire)
                    } catch is Wire.Broken {
                        // Refused.
                    }
                    return wires.count == count
                }
                #expect(wires.count == count)
                return wires
            }
            var own = try await hold(8, from: "127.0.0.2")
            #expect(try await status(from: "127.0.0.2") == nil)
            #expect(try await status(from: "127.0.0.3") == 200)
            let others = try await hold(4, from: "127.0.0.3")
            #expect(try await status(from: "127.0.0.4") == nil, "all are taken")
            own.removeLast(2)
            var answer: Int?
            try await eventually {
                answer = try await status(from: "127.0.0.2")
                return answer != nil
            }
            #expect(answer == 200)
            withExtendedLifetime((own, others)) {}
        }
    }

    @Test("ninety idle connections do not keep a server with 64 descriptors from being ready")
    func fewDescriptors() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(
            folder.url.appending(path: "data"), in: folder, openFiles: 64, isHard: true)
        defer { server.kill() }
        let idle = try (0..<90).map { _ in try Wire(port: server.port) }
        let wire = try Wire(port: server.port, from: "127.0.0.2")
        try wire.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(try await wire.answer().status == 200)
        _ = try await Wire(port: server.port, from: "127.0.0.3").run(
            "/auth/sign-up", Tower.NewPerson(name: "Ana", email: "ana@maple.example"))
        withExtendedLifetime(idle) {}
    }

    // MARK: - Stopping

    @Test("a server stops within its time limit whatever clients do, and completes accepted commands")
    func stops() async throws {
        let open = Mutex<[Wire]>([])
        let accepted = Mutex<Task<Int?, any Error>?>(nil)
        let began = Mutex(ContinuousClock.now)
        try await Self.withImpatientServer { settings in
            settings.limits.stop = .seconds(1)
            settings.limits.uncountedBody = 0
            settings.commitDelay = 1500
        } _: { tower, sample, port in
            let files = "/api/v1/courses/lessons/\(sample.lessonId)/files"
            let begun = [
                "", "GET / HT", Self.post(files, Self.chunked, as: sample.founder) + "5\r\n--cut\r\n",
                Self.post(files, Self.chunked, as: nil) + "5\r\n--cut\r\n",
                "GET /api/v1/live HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(sample.founder.access)\r\n\r\n",
            ]
            for bytes in begun {
                let wire = try Wire(port: port)
                try wire.send(bytes)
                open.withLock { $0.append(wire) }
            }
            // Its transaction takes longer than the limits of clients.
            let wire = try Wire(port: port)
            accepted.withLock {
                $0 = Task {
                    try await wire.post(
                        "/api/v1/classrooms", ["name": "Cedar room"], bearer: sample.founder.access)?.status
                }
            }
            // It counts while it runs; the unfinished upload has five bytes.
            let bodies = tower.composition.web.bodies
            try await eventually { bodies.all.memory > 5 }
            #expect(bodies.all.memory > 5)
            began.withLock { $0 = .now }
        }
        let took = began.withLock { $0 }.duration(to: .now)
        #expect(took < .seconds(20), "it took \(took)")
        #expect(try await accepted.withLock { $0 }?.value == 201)
        withExtendedLifetime(open.withLock { $0 }) {}
    }

    @Test("SIGTERM ends the real server within 20 seconds, whatever its clients do")
    func terminated() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let (path, token, _) = try await BodyTests.lesson(server.port)
        let upload = try Wire(port: server.port)
        try upload.send(
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\(Self.chunked)\r\n5\r\n--cut\r\n"
        )
        let silent = try Wire(port: server.port)
        try silent.send("GET / HTTP/1.1\r\nHost:")
        // The server has begun to read the upload when it answers a later request.
        #expect(try await Wire(port: server.port).post("/api/v1/auth/sign-in", ["email": "x"], bearer: nil) != nil)
        let start = ContinuousClock.now
        Foundation.kill(server.process.processIdentifier, SIGTERM)
        // `waitUntilExit` would keep a processor busy, since this thread's run loop has nothing to wait for.
        while server.process.isRunning, start.duration(to: .now) < .seconds(20) {
            try await Task.sleep(for: .milliseconds(20))
        }
        try #require(!server.process.isRunning)
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
        withExtendedLifetime((upload, silent)) {}
    }

    // MARK: - Malformed HTTP

    @Test(
        "malformed chunks are answered with 400, and a client that disconnects is not logged as an error")
    func brokenBodies() async throws {
        let log = LogRecorder()
        let logger = Logger(label: "test", factory: { _ in log })
        try await Tower.with(live: true, logger: logger) { tower in
            let sample = try await tower.sampleSchool()
            let port = try #require(tower.client.port)
            let paths = ["/api/v1/courses/lessons/\(sample.lessonId)/files", "/api/v1/students"]
            for path in paths {
                for type in ["application/json", "multipart/form-data; boundary=cut"] {
                    let head = Self.post(
                        path, "Content-Type: \(type)\r\nTransfer-Encoding: chunked\r\n", as: sample.founder)
                    for chunk in [
                        "xyz\r\n", "-1\r\n", "ffffffffffffffffff\r\n", "0x5\r\nabcde\r\n", "5\r\nabcdefgh\r\n",
                        "5;\u{1}\r\nabcde\r\n", "\r\n\r\n", "g\r\n", "5\r\nabcde0\r\n\r\n",
                    ] {
                        let wire = try Wire(port: port)
                        try wire.send(head + chunk)
                        let said = try await wire.linesUntilItBreaks().first
                        #expect(said == nil || said == "HTTP/1.1 400 Bad Request", "\(chunk.debugDescription)")
                    }
                    for cut in ["", "5\r\nab", "5\r\nabcde\r\n"] {
                        let wire = try Wire(port: port)
                        try wire.send(head + cut)
                        withExtendedLifetime(wire) {}
                    }
                }
            }
            let long = String(repeating: "a", count: 40_000)
            for text in [
                "GET / HTTP/9.9\r\n\r\n", "NONSENSE\r\n\r\n", "GET /\r\nx\u{0}y\r\n\r\n",
                "GET /\(long) HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nX: \(long)\r\n\r\n",
            ] {
                let wire = try Wire(port: port)
                try wire.send(text)
                let said = try await wire.linesUntilItBreaks().first
                #expect(said == nil || said == "HTTP/1.1 400 Bad Request", "\(text.prefix(40).debugDescription)")
            }
            #expect(try await Self.isReady(port))
        }
        #expect(log.events.withLock { $0.map(\.message) } == [])
    }
}
