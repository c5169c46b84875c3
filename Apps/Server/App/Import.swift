import Domain
import FeatureKit
public import Foundation
import Persistence

#if WITH_ROSTER
    import RosterInterface
#endif

/// Reads files into a school of the data folder and answers the lines to print.
/// - Parameters:
///   - path: a folder of CSV files, a ZIP file, or one CSV file.
///   - school: the school's name or id; needed where the server has several.
///   - isConfirmed: whether the import goes on where the report asks.
public func importRoster(
    from path: URL, school: String?, dryRun: Bool, isConfirmed: Bool, _ settings: ServerSettings
) async throws -> [String] {
    #if WITH_ROSTER
        let files = try rosterFiles(at: path)
        return try await inSchool(school, settings) { importing, organization, house, words in
            let report = try await importing.run(
                files, into: house.schools.school(organization.id), of: organization.id,
                in: TimeZone(identifier: organization.timeZone) ?? .gmt, by: nil, dryRun: dryRun,
                isConfirmed: isConfirmed, words: words)
            let asks = !dryRun && !isConfirmed && !report.questions.isEmpty && report.faultCount == 0
            return report.lines(words) + (asks ? [words("roster.confirm.how")] : [])
                + (report.importId.map { [words("roster.undo.how", $0.text)] } ?? [])
        }
    #else
        throw TaskRefused(description: "This server was built without the block Roster.")
    #endif
}

/// Takes an import back and answers the lines to print.
/// - Parameter id: `nil` is the latest that is not undone.
public func undoImport(
    _ id: String?, school: String?, dryRun: Bool, _ settings: ServerSettings
) async throws -> [String] {
    #if WITH_ROSTER
        let importId = try id.map { text in
            guard let id = UUID(text: text) else {
                throw TaskRefused(description: "'\(text)' is no id of an import.")
            }
            return id
        }
        return try await inSchool(school, settings) { importing, organization, house, words in
            try await importing.undo(
                importId, in: house.schools.school(organization.id), directory: house.directory,
                of: organization.id, by: nil, dryRun: dryRun, words: words
            ).lines(words)
        }
    #else
        throw TaskRefused(description: "This server was built without the block Roster.")
    #endif
}

/// The imports on record, the latest first, as lines to print.
public func pastImports(school: String?, _ settings: ServerSettings) async throws -> [String] {
    #if WITH_ROSTER
        return try await inSchool(school, settings) { importing, organization, house, words in
            let timeZone = TimeZone(identifier: organization.timeZone) ?? .gmt
            let all = try await importing.pastImports(
                in: house.schools.school(organization.id), of: organization.id)
            guard !all.isEmpty else { return [words("roster.past.empty")] }
            return all.map { one in
                let state = one.undoneAt == nil ? [] : [words("roster.past.undone")]
                let parts = [words.dateAndTime(one.at, in: timeZone), one.actor(words)]
                return "\(one.id.text)  \((parts + one.told(words) + state).joined(separator: " · "))"
            }
        }
    #else
        throw TaskRefused(description: "This server was built without the block Roster.")
    #endif
}

#if WITH_ROSTER
    /// A file too large to be taken is not read: it has its sentence in the report all the same.
    private func rosterFiles(at path: URL) throws -> [RosterFile] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder) else {
            throw TaskRefused(description: "There is nothing at \(path.path).")
        }
        let urls =
            isFolder.boolValue
            ? try FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension.lowercased() == "csv" } : [path]
        guard !urls.isEmpty else { throw TaskRefused(description: "There are no CSV files in \(path.path).") }
        return try urls.map { url in
            let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            guard size <= RosterFile.sizeLimit else {
                throw TaskRefused(
                    description: "\(url.lastPathComponent) is larger than \(RosterFile.sizeLimit >> 20) megabytes.")
            }
            return RosterFile(name: url.lastPathComponent, bytes: Array(try Data(contentsOf: url)))
        }
    }

    private func inSchool(
        _ school: String?, _ settings: ServerSettings,
        _ work: (any RosterImporting, Organization, ServerHouse, Words) async throws -> [String]
    ) async throws -> [String] {
        try await within(settings) { house in
            guard let importing = house.blocks.importing else {
                throw TaskRefused(description: "The block Roster is switched off.")
            }
            return try await work(importing, house.school(named: school), house, house.terminalWords)
        }
    }
#endif
