import Domain
import FeatureKit
public import Foundation
import Persistence

#if WITH_ROSTER
    import RosterInterface
#endif

/// Why an import could not begin.
public struct ImportRefused: Error, CustomStringConvertible {
    public let description: String
}

/// Reads a OneRoster bundle into a school of the data folder and answers the lines to print.
/// - Parameter school: the school's name or id; needed where the server has several.
public func importRoster(
    from folder: URL, school: String?, dryRun: Bool, _ settings: ServerSettings
) async throws -> [String] {
    #if WITH_ROSTER
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension.lowercased() == "csv" }
            .map { RosterFile(name: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0))) }
        guard !files.isEmpty else { throw ImportRefused(description: "There are no CSV files in \(folder.path).") }
        let house = try await ServerHouse.build(settings)
        do {
            let lines = try await run(files, school, dryRun, house)
            try await house.close()
            return lines
        } catch {
            try await house.close()
            throw error
        }
    #else
        throw ImportRefused(description: "This server was built without the block Roster.")
    #endif
}

#if WITH_ROSTER
    private func run(
        _ files: [RosterFile], _ school: String?, _ dryRun: Bool, _ house: ServerHouse
    ) async throws -> [String] {
        guard let importing = house.blocks.importing else {
            throw ImportRefused(description: "The block Roster is switched off.")
        }
        let all = try await house.blocks.listOrganizations()
        let fitting = all.filter { one in
            guard let school else { return true }
            return one.id.text == school.lowercased() || NameFolding.fold(one.name) == NameFolding.fold(school)
        }
        guard let organization = fitting.first, fitting.count == 1 else {
            let names = all.map { "  \($0.id.text)  \($0.name)" }.joined(separator: "\n")
            throw ImportRefused(
                description: all.isEmpty
                    ? "There is no school yet: start the server and found one, or run `pinktower demo`."
                    : "Say which school is meant, by name or id, with --school:\n\(names)")
        }
        let words =
            house.words[Language(acceptLanguage: ProcessInfo.processInfo.environment["LANG"] ?? "")]
            ?? Words(.english, [])
        let report = try await importing.run(
            files, into: house.schools.school(organization.id), of: organization.id, by: nil, dryRun: dryRun,
            words: words)
        return report.lines(words)
    }
#endif
