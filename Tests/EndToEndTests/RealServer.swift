import Foundation
import TestKit

/// The real server as a process of its own, which can be killed.
struct RealServer {
    let process: Process
    let port: Int

    /// Starts it and waits until it says where it listens.
    static func start(_ data: URL, in folder: TemporaryFolder) throws -> RealServer {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "pinktower")
        process.arguments = ["serve", "--port", "0", "--data", data.path]
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

    /// Ends it as a power cut does.
    func kill() { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }
}
