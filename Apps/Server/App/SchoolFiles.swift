import Domain
import FeatureKit
public import Foundation
import Persistence

#if WITH_RECORDS
    import OrganizationInterface
    import Records
#endif

/// What the owner of a server asks about a school as a file, on the command line. All of it works while the
/// server runs.
public enum SchoolFileTask: Sendable {
    case backup(school: String?, to: URL, passphrase: String?)
    case restore(URL, passphrase: String?, beside: String?, replace: Bool)
    case move(school: String?, to: URL)
    case export(school: String?, to: URL)
    case delete(school: String?, atOnce: Bool)
    case callBack(school: String?)
}

/// Does it and answers the lines to print.
public func run(_ task: SchoolFileTask, _ settings: ServerSettings) async throws -> [String] {
    #if WITH_RECORDS
        try await within(settings) { house in
            guard let keeper = house.blocks.keeper, let export = house.blocks.export else {
                throw TaskRefused(description: "The block Records is switched off.")
            }
            return try await SchoolFileRun(house: house, keeper: keeper, export: export).lines(task, settings)
        }
    #else
        throw TaskRefused(description: "This server was built without the block Records.")
    #endif
}

#if WITH_RECORDS
    private struct SchoolFileRun {
        let house: ServerHouse
        let keeper: SchoolKeeper
        let export: SchoolExport

        func lines(_ task: SchoolFileTask, _ settings: ServerSettings) async throws -> [String] {
            switch task {
            case .backup(let name, let file, let passphrase):
                let school = try await house.school(named: name)
                try await keeper.backup(school.id, to: file, passphrase: passphrase)
                return ["\(school.name) is in \(file.path)."]
            case .restore(let file, let passphrase, let beside, let replace):
                let place: SchoolKeeper.Place =
                    beside.map { .beside(name: $0) } ?? (replace ? .replacing : .asItWas)
                let school = try await keeper.restore(file, passphrase: passphrase, as: place, linking: .everybody)
                return ["\(school.name) is restored (\(school.id.text))."]
            case .move(let name, let folder): return try await move(name, to: folder, settings)
            case .export(let name, let file):
                let school = try await house.school(named: name)
                try await export.write(
                    school.id, house.schools.school(school.id), named: school.name, to: file,
                    words: house.terminalWords)
                return ["All data of \(school.name) is in \(file.path)."]
            case .delete(let name, let atOnce):
                let school = try await house.school(named: name)
                if atOnce {
                    // Stopped in between, it is closed and can be deleted again.
                    _ = try await keeper.close(school.id)
                    guard try await house.blocks.removeSchool(school.id) else {
                        return [
                            "\(school.name) is deleted.",
                            "Text of it may stand in free space of the server's directory until the server has tidied it at night.",
                        ]
                    }
                    return ["\(school.name) is deleted."]
                }
                let end = try await keeper.close(school.id).deletesAt
                return [
                    "\(school.name) is closed and will be deleted on \(Day(end, in: .gmt)).",
                    "Until then `pinktower delete --call-back` opens it again.",
                ]
            case .callBack(let name):
                let school = try await house.school(named: name)
                try await keeper.callBack(school.id)
                return ["\(school.name) is open again."]
            }
        }

        private func move(_ name: String?, to folder: URL, _ settings: ServerSettings) async throws -> [String] {
            let school = try await house.school(named: name)
            var there = settings
            there.dataFolder = folder
            let end = try await within(there) { other in
                guard let target = other.blocks.keeper else {
                    throw TaskRefused(description: "The block Records is switched off.")
                }
                return try await keeper.move(school.id, to: target) { _ = try await other.blocks.removeSchool($0) }
            }
            return [
                "\(school.name) is in \(folder.path).",
                "Here it is closed and will be deleted on \(Day(end, in: .gmt)).",
                "People whose account is new there ask for a new password on the sign-in page.",
            ]
        }
    }
#endif
