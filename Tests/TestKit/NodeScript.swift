public import Foundation
import Testing

/// A script that Node.js runs on an island, for the parts of the island that need no browser.
///
/// The script gets the folder of the island, the name of a check and further arguments, and prints what is wrong.
public struct NodeScript: Sendable {
    /// The program of Node.js; `nil` if it is not installed.
    public static let program = ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the island's modules.
    public let island: URL
    private let script: URL
    private let arguments: [URL]

    /// Creates the script of a block's tests.
    /// - Parameters:
    ///   - name: the name of the script in the folder `Fixtures` of the block's tests.
    ///   - block: the block, whose island is in `Sources/Resources/island`.
    ///   - fixtures: the names of files in the same folder that the script reads.
    public init(_ name: String, of block: String, reading fixtures: [String] = []) {
        let folder = Self.root.appending(path: "Tests/\(block)Tests/Fixtures")
        island = Self.root.appending(path: "Modules/\(block)/Sources/Resources/island")
        script = folder.appending(path: name)
        arguments = fixtures.map { folder.appending(path: $0) }
    }

    /// Runs a check and returns what it prints; empty if the check passes.
    public func complaints(_ check: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.program))
        process.arguments = [script.path, island.path, check] + arguments.map(\.path)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : "\(check): \(output)"
    }
}
