import AuthInterface
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import Persistence
import Records
import RecordsInterface

extension Wirings {
    static let records: BlockWiring? = BlockWiring("Records", needs: ["Auth", "Organization"]) { services in
        let ports = services.ports
        let allFeatures = services.allFeatures
        services.offer((any ConsentNoting).self) { ConsentLog() }
        services.offer(SchoolBackups.self) {
            try SchoolBackups(
                register: services.require(), accounts: services.require(), making: services.require(),
                sessions: services.require(), files: ports.files, archives: ports.archives,
                kinds: allFeatures.records, blobs: ports.blobs, folder: WorkFolder(ports.workFolder),
                clock: ports.clock, ids: ports.ids,
                replaced: { [hub = ports.hub, schools = ports.schools] schoolId in
                    hub.restart(schoolId)
                    try await SealBook(directory: ports.directory, clock: ports.clock)
                        .storeSeal(of: schoolId, schools.school(schoolId))
                })
        }
        services.offer(PreparedFiles.self) {
            PreparedFiles(folder: WorkFolder(ports.workFolder), directory: ports.directory)
        }
        services.offer(AccountErasure.self) {
            let records = try PersonRecords(
                kinds: allFeatures.records, people: services.require(), register: services.require(),
                accountMemberships: services.require(),
                accounts: services.require(), archives: ports.archives)
            return AccountErasure(
                records: records, directory: ports.directory, schools: ports.schools,
                completion: ErasureCompletion(
                    records: records, directory: ports.directory,
                    sweep: FileSweep(kinds: allFeatures.records, blobs: ports.blobs),
                    stores: ports.stores + allFeatures.stores, clock: ports.clock,
                    report: { [report = ports.report] in report("An erasure is not finished: \(type(of: $0))") }),
                clock: ports.clock)
        }
        services.offer((any AccountErasing).self) { try services.require(AccountErasure.self) }
        services.offer((any SchoolFileTasks).self) {
            SchoolFileRunner(
                backups: try services.require(),
                export: SchoolExport(
                    kinds: allFeatures.records, archives: ports.archives, folder: WorkFolder(ports.workFolder),
                    directory: ports.directory, blobs: ports.blobs))
        }
    } build: { services in
        try RecordsFeature.make(
            erasure: services.require(), prepared: services.require(), agreements: services.require(),
            backups: services.require(), roles: services.require(), directory: services.ports.directory,
            uploadLimit: services.ports.restoreLimit)
    }
}

/// Runs the tasks of the command line about the files of schools.
private struct SchoolFileRunner: SchoolFileTasks {
    let backups: SchoolBackups
    let export: SchoolExport

    func run(_ task: SchoolFileTask, in composition: ServerComposition, _ settings: ServerSettings) async throws
        -> [String]
    {
        switch task {
        case .backup(let name, let file, let passphrase):
            let school = try await composition.school(named: name)
            try await backups.backup(school.id, to: file, passphrase: passphrase)
            return ["\(school.name) is in \(file.path)."]
        case .restore(let file, let passphrase, let beside, let replace):
            let place: SchoolBackups.Destination =
                beside.map { .beside(name: $0) } ?? (replace ? .replacing : .asItWas)
            let school = try await backups.restore(file, passphrase: passphrase, as: place, linking: .allAccounts)
            return ["\(school.name) is restored (\(school.id.text))."] + school.lines(composition.terminalWords)
        case .move(let name, let folder): return try await move(name, to: folder, in: composition, settings)
        case .export(let name, let file):
            let school = try await composition.school(named: name)
            try await export.write(
                school.id, composition.schools.school(school.id), named: school.name, to: file,
                words: composition.terminalWords)
            return ["All data of \(school.name) is in \(file.path)."]
        case .delete(let name, let atOnce):
            let school = try await composition.school(named: name)
            if atOnce {
                // If this is interrupted, the school is closed and can be deleted again.
                _ = try await backups.close(school.id)
                guard try await composition.blocks.schools?.remove(school.id) ?? true else {
                    return [
                        "\(school.name) is deleted.",
                        "Text of it may stand in free space of the server's directory until the server has tidied it at night.",
                    ]
                }
                return ["\(school.name) is deleted."]
            }
            let end = try await backups.close(school.id).deletesAt
            return [
                "\(school.name) is closed and will be deleted on \(Day(end, in: .gmt)).",
                "Until then `pinktower delete --call-back` opens it again.",
            ]
        case .callBack(let name):
            let school = try await composition.school(named: name)
            try await backups.callBack(school.id)
            return ["\(school.name) is open again."]
        }
    }

    private func move(
        _ name: String?, to folder: URL, in composition: ServerComposition, _ settings: ServerSettings
    ) async throws -> [String] {
        let school = try await composition.school(named: name)
        var there = settings
        there.dataFolder = folder
        let end = try await within(there) { other in
            guard let target = other.blocks.schoolFiles as? SchoolFileRunner else {
                throw TaskRefused(description: "The block Records is switched off there.")
            }
            return try await backups.move(school.id, to: target.backups) {
                _ = try await other.blocks.schools?.remove($0)
            }
        }
        return [
            "\(school.name) is in \(folder.path).",
            "Here it is closed and will be deleted on \(Day(end, in: .gmt)).",
            "People whose account is new there ask for a new password on the sign-in page.",
        ]
    }
}
