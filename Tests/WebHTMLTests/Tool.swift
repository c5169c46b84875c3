import DesignSystem
import Foundation

/// External programs that tests run.
enum Tool {
    static func path(of name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func run(_ name: String, _ arguments: [String], in folder: URL) throws -> (
        status: Int32, bytes: Int, output: String
    ) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path(of: name) ?? name)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, data.count, String(decoding: data, as: UTF8.self))
    }
}

enum DesignIcons {
    static let all = PTIcon.allCases.map(\.rawValue)
}
