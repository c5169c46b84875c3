import Domain
public import Foundation
public import ResidenceModel

/// The content of a gate's file, for a look from outside of the running gate.
public struct GateFile: Sendable, Hashable {
    public let pgId: UUID
    /// The last list of the gate; `nil` if none was loaded.
    public let list: GateList?
    /// The number of passages that wait to be sent.
    public let unsent: Int
    /// The passages that the server refused, the oldest first.
    public let notices: [SyncNotice]
}

extension ClientStorage {
    /// Reads the files of the gates that this device is or was, one for each residence.
    public func gateFiles() throws -> [GateFile] {
        guard let folder, FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().compactMap { name in
            guard name.hasPrefix("gate-"), name.hasSuffix(".sqlite"),
                let pgId = UUID(text: String(name.dropFirst(5).dropLast(7)))
            else { return nil }
            let database = try ClientDatabase(file: folder.appending(path: name))
            let stored = try StoredGate(reading: database)
            try database.close()
            return GateFile(
                pgId: pgId, list: stored.index?.list, unsent: stored.entries.count, notices: stored.notices)
        }
    }
}
