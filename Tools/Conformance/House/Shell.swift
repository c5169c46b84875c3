public import Foundation

/// Runs another program.
public enum Shell {
    public struct Result: Sendable {
        public let status: Int32
        public let output: String
        public let errors: String
    }

    /// A program that ended with an error where none was expected.
    public struct Failure: Error, CustomStringConvertible {
        public let command: String
        public let result: Result

        public init(command: String, result: Result) {
            self.command = command
            self.result = result
        }

        public var description: String {
            "'\(command)' ended with status \(result.status):\n\(result.errors)\(result.output)"
        }
    }

    /// Runs `command` (found on the path) and collects what it prints.
    ///
    /// - Parameter without: environment variables that the program must not see.
    public static func run(
        _ command: [String], in folder: URL, with: [String: String] = [:], without: Set<String> = []
    ) throws -> Result {
        let output = Pipe()
        // Errors go to a file: two pipes read one after the other can block the writer.
        let errorFile = FileManager.default.temporaryDirectory.appending(path: "tower-\(UUID().uuidString).err")
        try Data().write(to: errorFile)
        // A leftover in the temporary folder is harmless.
        defer { try? FileManager.default.removeItem(at: errorFile) }
        let errors = try FileHandle(forWritingTo: errorFile)
        let process = make(command, in: folder, with: with, without: without)
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try errors.close()
        return Result(
            status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
    }

    /// Runs `command` with the caller's own output and answers its exit status.
    public static func show(
        _ command: [String], in folder: URL, with: [String: String] = [:], without: Set<String> = []
    ) throws -> Int32 {
        let process = make(command, in: folder, with: with, without: without)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static func make(
        _ command: [String], in folder: URL, with: [String: String], without: Set<String>
    ) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.filter { !without.contains($0.key) }
            .merging(with) { _, new in new }
        return process
    }
}
