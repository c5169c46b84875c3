import Domain
public import Foundation

/// Imports files into a school of the data folder.
/// - Parameters:
///   - path: a folder of CSV files, a ZIP file, or one CSV file.
///   - school: the name or id of the school; needed if there are several.
///   - isConfirmed: whether to import although the report has questions.
/// - Returns: the lines to print.
public func importRoster(
    from path: URL, school: String?, dryRun: Bool, isConfirmed: Bool, _ settings: ServerSettings
) async throws -> [String] {
    try await inSchool(school, settings) { tasks, organization, composition in
        try await tasks.run(path, into: organization, dryRun: dryRun, isConfirmed: isConfirmed, in: composition)
    }
}

/// Undoes an import.
/// - Parameter id: the id of the import; `nil` for the latest that is not undone.
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

/// Returns the recorded imports, latest first, as lines to print.
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
