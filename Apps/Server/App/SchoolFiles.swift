public import Foundation

/// A command-line task about the database file of one school, such as a backup. All of them work while the server runs.
public enum SchoolFileTask: Sendable {
    case backup(school: String?, to: URL, passphrase: String?)
    case restore(URL, passphrase: String?, beside: String?, replace: Bool)
    case move(school: String?, to: URL)
    case export(school: String?, to: URL)
    case delete(school: String?, atOnce: Bool)
    case callBack(school: String?)
}

/// Runs a command-line task about the database file of one school.
/// - Returns: the lines to print.
public func run(_ task: SchoolFileTask, _ settings: ServerSettings) async throws -> [String] {
    try await within(settings) { composition in
        guard let tasks = composition.blocks.schoolFiles else { throw TaskRefused.without("Records") }
        return try await tasks.run(task, in: composition, settings)
    }
}
