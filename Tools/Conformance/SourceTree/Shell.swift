public import Foundation

/// Runs other programs.
public enum Shell {
    public struct Result: Sendable {
        public let status: Int32
        public let output: String
        public let errors: String
    }

    /// The error for a program that failed in a way that the caller does not handle, with its exit status and output.
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

    /// Runs `command`, found on the path, and collects its output.
    ///
    /// - Parameter without: environment variables to hide from the program.
    public static func run(
        _ command: [String], in folder: URL, with: [String: String] = [:], without: Set<String> = []
    ) throws -> Result {
        // Output goes to files: a pipe ends only when every program that inherited it has ended, which may include
        // programs that other threads start.
        let texts = FileManager.default.temporaryDirectory.appending(path: "tower-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: texts, withIntermediateDirectories: true)
        // A leftover in the temporary folder is harmless.
        defer { try? FileManager.default.removeItem(at: texts) }
        func file(_ name: String) throws -> (url: URL, handle: FileHandle) {
            let url = texts.appending(path: name)
            try Data().write(to: url)
            return (url, try FileHandle(forWritingTo: url))
        }
        let (output, errors) = (try file("output"), try file("errors"))
        let process = make(command, in: folder, with: with, without: without)
        process.standardOutput = output.handle
        process.standardError = errors.handle
        try process.run()
        process.waitUntilExit()
        try output.handle.close()
        try errors.handle.close()
        return Result(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: output.url), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors.url), as: UTF8.self))
    }

    /// Runs `command` with the caller's output and returns its exit status.
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
