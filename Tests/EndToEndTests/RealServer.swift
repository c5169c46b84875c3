import Foundation
import TestKit

/// The real server in a process of its own, which tests can kill.
struct RealServer {
    let process: Process
    let port: Int

    /// Starts the server and waits until it prints its port.
    ///
    /// - Parameters:
    /// - openFiles: the shell's limit of open files.
    /// - isHard: whether the process cannot raise the limit.
    static func start(
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
            guard !more.isEmpty else { throw Wire.Broken(description: "the server ended before it was ready") }
            said += more
        }
        let line = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw Wire.Broken(description: "no port in: \(line)")
        }
        return RealServer(process: process, port: port)
    }

    /// A line of `/proc/<id>/status` in KB: `VmRSS` is the memory, `VmHWM` its peak since `resetPeak`.
    func kilobytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard
            let number = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap({ Int($0) })
        else { throw Wire.Broken(description: "no \(name) in: \(status)") }
        return number
    }

    /// Resets the peak memory `VmHWM` (proc(5), `clear_refs`).
    func resetPeak() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/\(process.processIdentifier)/clear_refs"))
    }

    /// Kills the process, like a power cut.
    func kill() { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }
}
