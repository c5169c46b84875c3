import Foundation
import TestKit

/// The real server as a process of its own, which can be killed.
struct RealServer {
    let process: Process
    let port: Int

    /// Starts it and waits until it says where it listens.
    ///
    /// - Parameter openFiles: as many as the shell would let it have that starts it.
    static func start(_ data: URL, in folder: TemporaryFolder, openFiles: Int = 1024) throws -> RealServer {
        let process = Process()
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "pinktower")
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit -S -n \(openFiles) && exec \"$@\"", "sh", program.path, "serve", "--port", "0", "--data",
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

    /// Ends it as a power cut does.
    func kill() { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }
}
