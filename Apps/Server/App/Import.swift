import Domain
public import Foundation

/// Reads files into a school of the data folder.
/// - Parameters:
///   - path: a folder of CSV files, a ZIP file, or one CSV file.
///   - school: the school's name or id; needed where the server has several.
///   - isConfirmed: whether the import goes on where the report asks.
/// - Returns: the lines to print.
public func importRoster(
    from path: URL, school: String?, dryRun: Bool, isConfirmed: Bool, _ settings: ServerSettings
) async throws -> [String] {
    try await inSchool(school, settings) { tasks, organization, composition in
        try await tasks.run(path, into: organization, dryRun: dryRun, isConfirmed: isConfirmed, in: composition)
    }
}

/// Takes an import back.
/// - Parameter id: `nil` is the latest that is not undone.
/// - Returns: the lines to print.
public func undoImport(
    _ id: String?, school: String?, dryRun: Bool, _ settings: ServerSettings
) async throws -> [String] {
    let importId = try id.map { text in
        guard let id = UUID(text: text) else {
            throw TaskRefused(description: "'\(text)' is no id of an import.")
        }
        return id
    }
    return try await inSchool(school, settings) { tasks, organization, composition in
        try await tasks.undo(importId, of: organization, dryRun: dryRun, in: composition)
    }
}

/// The imports on record, the latest first, as lines to print.
public func pastImports(school: String?, _ settings: ServerSettings) async throws -> [String] {
    try await inSchool(school, settings) { tasks, organization, composition in
        try await tasks.past(of: organization, in: composition)
    }
}

private func inSchool(
    _ school: String?, _ settings: ServerSettings,
    _ work: (any RosterTasks, Organization, ServerComposition) async throws -> [String]
) async throws -> [String] {
    try await within(settings) { composition in
        guard let tasks = composition.blocks.imports else { throw TaskRefused.without("Roster") }
        return try await work(tasks, composition.school(named: school), composition)
    }
}
