import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import Integrations
import OrganizationInterface
import Persistence
import Roster
import RosterInterface

extension Wirings {
    static let roster: BlockWiring? = BlockWiring("Roster", needs: ["Organization", "Classroom"]) { services in
        let ports = services.ports
        services.offer(RosterImport.self) {
            let allFeatures = services.allFeatures
            let courses = try services.find((any CourseImporting).self)
            let places = try services.find((any CoursePlaceImporting).self)
            return try RosterImport(
                people: services.require(), classrooms: services.require(), families: services.require(),
                roles: services.require(), courses: courses.map { RosterImport.Courses($0, places: places) },
                kinds: allFeatures.records, unpacker: Unzip(), packer: Zip(), hasher: ports.hasher,
                clock: ports.clock, ids: ports.ids)
        }
        services.offer((any RosterTasks).self) {
            RosterTaskRunner(importing: try services.require(RosterImport.self))
        }
    } build: { services in
        try RosterFeature.make(services.require())
    }
}

/// Runs the tasks of the command line about imports.
private struct RosterTaskRunner: RosterTasks {
    let importing: any RosterImporting

    func run(
        _ path: URL, into school: Organization, dryRun: Bool, isConfirmed: Bool, in composition: ServerComposition
    ) async throws -> [String] {
        let words = composition.terminalWords
        let report = try await importing.run(
            rosterFiles(at: path), into: composition.schools.school(school.id), of: school.id,
            in: school.resolvedTimeZone, by: nil, dryRun: dryRun, isConfirmed: isConfirmed,
            words: words)
        let asks = !dryRun && !isConfirmed && !report.questions.isEmpty && report.faultCount == 0
        return report.lines(words) + (asks ? [words("roster.confirm.how")] : [])
            + (report.importId.map { [words("roster.undo.how", $0.text)] } ?? [])
    }

    func undo(_ id: UUID?, of school: Organization, dryRun: Bool, in composition: ServerComposition) async throws
        -> [String]
    {
        let words = composition.terminalWords
        return try await importing.undo(
            id, in: composition.schools.school(school.id), directory: composition.directory, of: school.id, by: nil,
            dryRun: dryRun, words: words
        ).lines(words)
    }

    func past(of school: Organization, in composition: ServerComposition) async throws -> [String] {
        let words = composition.terminalWords
        let timeZone = school.resolvedTimeZone
        let all = try await importing.pastImports(in: composition.schools.school(school.id), of: school.id)
        guard !all.isEmpty else { return [words("roster.past.empty")] }
        return all.map { one in
            let state = one.undoneAt == nil ? [] : [words("roster.past.undone")]
            let parts = [words.dateAndTime(one.at, in: timeZone), one.actor(words)]
            return "\(one.id.text)  \((parts + one.descriptions(in: words) + state).joined(separator: " · "))"
        }
    }
}

/// Reads the files to import. Files above the size limit are refused before reading.
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
