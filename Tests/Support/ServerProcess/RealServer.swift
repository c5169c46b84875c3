public import Foundation
public import TestKit

/// The real server as its own process, which can be killed.
public struct RealServer: Sendable {
    /// A server that did not start, or a proxy without a port.
    public struct Failure: Error, CustomStringConvertible { public let description: String }

    public let process: Process
    public let port: Int

    /// Starts the server and waits until it reports its address.
    /// - Parameters:
    ///   - openFiles: the limit of open files that the starting shell sets.
    ///   - isHard: whether the server cannot raise the limit.
    public static func start(
        _ data: URL, in folder: TemporaryFolder, openFiles: Int = 1024, isHard: Bool = false
    ) throws -> RealServer {
        let process = Process()
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "pinktower")
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit \(isHard ? "" : "-S ")-n \(openFiles) && exec \"$@\"", "sh", program.path, "serve",
            "--port", "0", "--data",
            data.path,
        ]
        process.currentDirectoryURL = folder.url
        process.environment = ["PINKTOWER_WEAK_PASSWORD_HASH": "true"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var said = Data()
        while !said.contains(0x0A) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(description: "the server ended before it was ready") }
            said += more
        }
        let line = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw Failure(description: "no port in: \(line)")
        }
        return RealServer(process: process, port: port)
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
