import Dispatch
import Foundation
import ServerProcess

#if canImport(Glibc)
    import Glibc
#endif

/// A plain TCP connection to a server on this machine, for streams and for processes that are killed.
///
/// Every read gives up after some minutes, so that a test that waits in vain ends. The server shares its process with
/// tests that keep all threads busy for longer than half a minute.
final class Wire: Sendable {
    struct Broken: Error, CustomStringConvertible { let description: String }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "wire")
    /// Used on the queue only.
    private nonisolated(unsafe) var rest = Data()

    /// Connects.
    /// - Parameters:
    ///   - from: the address on this machine that the connection comes from, for a network end of its own.
    ///   - receiveBuffer: the bytes that the kernel buffers for a reader that does not read; `nil` for its default.
    init(port: Int, from: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Broken(description: "no socket") }
        var timeout = timeval(tv_sec: 180, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        let own = Self.withAddress(from, 0) { bind(descriptor, $0, $1) }
        let connected = Self.withAddress("127.0.0.1", port) { connect(descriptor, $0, $1) }
        guard own == 0, connected == 0 else { throw Broken(description: "nobody listens on port \(port)") }
    }

    private static func withAddress(
        _ host: String, _ port: Int, _ work: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                work($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Broken(description: "the server is gone") }
            sent += count
        }
    }

    /// Reads more bytes; returns `false` at the end.
    private func readMore() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Broken(description: "nothing came for three minutes (\(errno))") }
        rest.append(contentsOf: buffer.prefix(count))
        return count > 0
    }

    private func line() throws -> String? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = Data(rest[rest.index(after: end)...])
                return line.hasSuffix("\r") ? String(line.dropLast()) : line
            }
            guard try readMore() else { return nil }
        }
    }

    /// Runs work that must not wait for other tests on a thread of its own.
    func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// The longest time for a read, even while heartbeats arrive.
    private static let timeout = Duration.seconds(180)

    private func checkTime(since start: ContinuousClock.Instant, for wish: String) throws {
        guard start.duration(to: .now) < Self.timeout else {
            throw Broken(description: "no \(wish) within three minutes")
        }
    }

    /// Reads lines up to and including one that contains `text`.
    func lines(until text: String) async throws -> [String] {
        try await onQueue { [self] in
            var lines: [String] = []
            let start = ContinuousClock.now
            while let line = try line() {
                try checkTime(since: start, for: text)
                lines.append(line)
                if line.contains(text) { return lines }
            }
            throw Broken(description: "the stream ended without \(text): \(lines)")
        }
    }

    /// Reads until the answer's last chunk, or the end of the connection.
    func linesToTheEnd() async throws -> [String] {
        try await onQueue { [self] in
            var lines: [String] = []
            let start = ContinuousClock.now
            while let line = try line(), line != "0" {
                try checkTime(since: start, for: "end")
                lines.append(line)
            }
            return lines
        }
    }

    /// Reads whole lines until the last chunk, or until the connection breaks.
    func linesUntilItBreaks() async throws -> [String] {
        try await onQueue { [self] in
            var lines: [String] = []
            do {
                while let line = try line(), line != "0" { lines.append(line) }
            } catch is Broken {
                // A reset means the same as the end: everything before it has arrived.
            }
            return lines
        }
    }

    /// Returns what the server sends before it closes the connection.
    func untilClosed() async throws -> String {
        try await onQueue { [self] in
            while true {
                var buffer = [UInt8](repeating: 0, count: 16_384)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EAGAIN { throw Broken(description: "open for three minutes") }
                // A reset is an end too.
                guard count > 0 else { return String(decoding: rest, as: UTF8.self) }
                rest.append(contentsOf: buffer.prefix(count))
            }
        }
    }

    /// Waits for the next bytes and returns their number, at most `most`; `nil` at the end. Call it on `onQueue`
    /// only.
    func receive(_ most: Int) throws -> Int? {
        var buffer = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Broken(description: "the connection broke (\(errno))") }
        return count == 0 ? nil : count
    }

    /// Reads to the end and returns the number of bytes.
    func countToTheEnd() async throws -> Int {
        try await onQueue { [self] in
            var count = 0
            while let more = try receive(1 << 20) { count += more }
            return count
        }
    }

    /// The status of an answer, its headers by lower-case name, and its body, which has a length.
    func answer() async throws -> (status: Int, headers: [String: String], body: String) {
        try await onQueue { [self] in
            guard let first = try line(), first.hasPrefix("HTTP/1.1 ") else {
                throw Broken(description: "the connection ended without an answer")
            }
            var headers: [String: String] = [:]
            while let header = try line(), !header.isEmpty {
                let halves = header.split(separator: ":", maxSplits: 1)
                headers[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces)
            }
            let length = headers["content-length"].flatMap { Int($0) } ?? 0
            while rest.count < length, try readMore() {}
            let body = String(decoding: rest.prefix(length), as: UTF8.self)
            rest = Data(rest.dropFirst(length))
            return (Int(first.split(separator: " ")[1]) ?? 0, headers, body)
        }
    }

    /// Sends a JSON command and reads its whole answer; `nil` if the connection ended before.
    func post(_ path: String, _ body: some Encodable & Sendable, bearer: String?) async throws -> (
        status: Int, body: Data
    )? {
        let content = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        return try await onQueue { [self] in
            do {
                try send(
                    "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        + (bearer.map { "Authorization: Bearer \($0)\r\n" } ?? "")
                        + "Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
            } catch { return nil }
            guard let first = try? line(), first.hasPrefix("HTTP/1.1 ") else { return nil }
            let status = Int(first.split(separator: " ")[1]) ?? 0
            var length = 0
            while let header = try? line(), !header.isEmpty {
                let halves = header.split(separator: ":", maxSplits: 1)
                if halves.first?.lowercased() == "content-length", halves.count == 2 {
                    length = Int(halves[1].trimmingCharacters(in: .whitespaces)) ?? 0
                }
            }
            while rest.count < length {
                guard let more = try? readMore(), more else { return nil }
            }
            let body = Data(rest.prefix(length))
            rest = Data(rest.dropFirst(length))
            return (status, body)
        }
    }

    /// Signs up Ana and founds a school on a new server, in a time zone in which it is day.
    func foundSchool() async throws -> (token: String, orgId: String) {
        let token = try await run("/auth/sign-up", Tower.NewPerson(name: "Ana", email: "ana@maple.example"))
            .text("accessToken")
        let orgId = try await run(
            "/organizations", ["name": "Maple", "timeZone": RealServer.daytime.identifier], as: token
        ).text("id")
        // Attendance can be marked on any day of the week.
        _ = try await run("/organization/weekdays", ["weekdays": (1...7).map(String.init)], as: token)
        return (token, orgId)
    }

    /// Runs a JSON command of the API and returns its answer; anything but a success fails the test.
    func run(_ path: String, _ body: some Encodable & Sendable, as bearer: String? = nil) async throws -> Answer {
        guard let answer = try await post("/api/v1\(path)", body, bearer: bearer) else {
            throw Broken(description: "\(path) was not answered")
        }
        guard (200..<300).contains(answer.status) else {
            throw Broken(description: "\(path): \(String(decoding: answer.body, as: UTF8.self))")
        }
        return Answer(value: try JSONSerialization.jsonObject(with: answer.body))
    }
}

/// Waits until a condition holds, at most a minute. The caller checks the result.
func eventually(_ isSo: () async throws -> Bool) async throws {
    let start = ContinuousClock.now
    while try await !isSo(), start.duration(to: .now) < .seconds(60) { try await Task.sleep(for: .milliseconds(5)) }
}
