public import Foundation
public import TestKit

/// The real server as its own process, which can be killed.
public struct RealServer: Sendable {
    /// A server that did not start, or a proxy without a port.
    public struct Failure: Error, CustomStringConvertible { public let description: String }

    /// A time zone in which it is now between 06:00 and 20:00, for schools of servers with the real clock.
    ///
    /// Before 05:30 a residence still has the evening of the day before, when its residents of today had not moved in.
    public static let daytime: TimeZone = {
        let isDay = (6..<18).contains(
            Calendar(identifier: .iso8601).dateComponents(in: .gmt, from: Date()).hour ?? 12)
        return isDay ? .gmt : TimeZone(identifier: "Pacific/Auckland") ?? .gmt
    }()

    public let process: Process
    public let port: Int

    /// Starts the server and waits until it reports its address.
    /// - Parameters:
    ///   - openFiles: the limit of open files that the starting shell sets.
    ///   - isHard: whether the server cannot raise the limit.
    ///   - environment: the settings besides those of every test.
    public static func start(
        _ data: URL, in folder: TemporaryFolder, openFiles: Int = 1024, isHard: Bool = false,
        environment: [String: String] = [:]
    ) throws -> RealServer {
        // A server with a public address reports that one, and not its port.
        let chosen = environment["PINKTOWER_PUBLIC_URL"] == nil ? 0 : try freePort()
        let process = Process()
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "pinktower")
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit \(isHard ? "" : "-S ")-n \(openFiles) && exec \"$@\"", "sh", program.path, "serve",
            "--port", "\(chosen)", "--data",
            data.path,
        ]
        process.currentDirectoryURL = folder.url
        process.environment = ["PINKTOWER_WEAK_PASSWORD_HASH": "true"].merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var said = Data()
        while !said.contains(0x0A) {
            var ready = pollfd(
                fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 60_000) != 0 else {
                Foundation.kill(process.processIdentifier, SIGKILL)
                throw Failure(description: "the server was not ready within a minute")
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(description: "the server ended before it was ready") }
            said += more
        }
        guard chosen == 0 else { return RealServer(process: process, port: chosen) }
        let line = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw Failure(description: "no port in: \(line)")
        }
        return RealServer(process: process, port: port)
    }

    /// Returns a port of the loopback address on which nothing listens.
    private static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Failure(description: "no socket") }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure(description: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// The address of the server.
    public var url: URL { get throws { try Self.url(port) } }

    static func url(_ port: Int) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw Failure(description: "no address") }
        return url
    }

    /// A line of `/proc/<id>/status` in KB: `VmRSS` is the memory, `VmHWM` the largest since `resetPeak`.
    public func kilobytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard
            let number = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap({ Int($0) })
        else { throw Failure(description: "no \(name) in: \(status)") }
        return number
    }

    /// Resets `VmHWM` to the current memory (proc(5), `clear_refs`).
    public func resetPeak() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/\(process.processIdentifier)/clear_refs"))
    }

    /// Ends the process like a power failure.
    public func kill() { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }
}
