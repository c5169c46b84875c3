import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RecordsInterface

/// Prepares a backup of the active school.
struct BackUpSchool: Command {
    static let contract = Contract(
        "records.backUp", "/api/v1/records/backups", access: .member(.manageSchoolFiles), store: .directory,
        isCreation: true, replay: .natural,
        summary: "Makes a backup of the active school, sealed to a passphrase where one is given."
    )
    typealias Result = MadeFile

    let passphrase: String?

    init(_ fields: inout FieldReader) {
        let typed = fields.optionalSecret("passphrase", max: 200)
        passphrase = typed
        fields.refuse(
            "passphrase", "records.passphrase", unless: typed.map { $0.count >= Self.shortest } ?? true)
    }

    /// The fewest characters of a passphrase. An attacker with the file can try passphrases for years.
    static let shortest = 12
}

/// Prepares a ZIP file with the active school's data as CSV files.
struct ExportSchool: Command {
    static let contract = Contract(
        "records.export", "/api/v1/records/exports", access: .member(.manageSchoolFiles), store: .directory,
        isCreation: true, replay: .natural, summary: "Makes a zip with all data of the active school as open files."
    )
    typealias Result = MadeFile

    init(_ fields: inout FieldReader) {}
}

/// Restores an uploaded backup.
struct RestoreSchool: Command {
    enum Mode: String, CaseIterable, Sendable { case beside, replace }

    static let contract = Contract(
        "records.restore", "/api/v1/records/restore", access: .member(.manageSchoolFiles), store: .directory,
        replay: .natural, bodyLimit: SchoolFileHandlers.largestUpload + 64 * 1024,
        summary: "Brings a backup back: beside all schools as a new one, or in the place of the active school.")
    typealias Result = RestoredSchool

    let file: UploadedFile?
    let passphrase: String?
    let mode: Mode

    init(_ fields: inout FieldReader) {
        file = fields.files("file", max: 1).first
        passphrase = fields.optionalSecret("passphrase", max: 200)
        mode = fields.choice("way", of: Mode.self)
    }
}

/// A prepared file and its download path.
struct MadeFile: Codable, Sendable, Hashable {
    let id: UUID
    let name: String
    let bytes: Int
    let path: String

    init(_ file: PreparedFile) {
        id = file.id
        name = file.name
        bytes = file.bytes
        path = PreparedFiles.path.replacingOccurrences(of: "{fileId}", with: file.id.text)
    }
}

/// The handlers of backup, export and restore.
struct SchoolFileHandlers: Sendable {
    let backups: SchoolBackups
    let export: SchoolExport
    let prepared: PreparedFiles
    /// The largest upload in bytes. Larger backups are restored on the server itself.
    let uploadLimit: Int

    static let largestUpload = 64 << 20

    var commands: [CommandRegistration] {
        [
            .handle(
                BackUpSchool.self,
                prepare: { command, context in
                    let organization = try context.membership.organization
                    return try await prepared.prepare(
                        command.passphrase == nil ? .backup : .sealedBackup, named: organization.name, in: context
                    ) { try await backups.backup(organization.id, to: $0, passphrase: command.passphrase) }
                },
                run: { _, file, context in try store(file, "records.backedUp", &context) }),
            .handle(
                ExportSchool.self,
                prepare: { _, context in
                    let organization = try context.membership.organization
                    return try await prepared.prepare(.export, named: organization.name, in: context) {
                        try await export.write(
                            organization.id, context.school, named: organization.name, to: $0,
                            words: context.words)
                    }
                },
                run: { _, file, context in try store(file, "records.exported", &context) }),
            .handle(
                RestoreSchool.self,
                prepare: { command, context in try await restore(command, context) },
                run: { command, restored, context in
                    context.feedback = Feedback(
                        .burst,
                        ([
                            context.words(
                                command.mode == .beside ? "records.restoredBeside" : "records.restored",
                                restored.name)
                        ] + restored.lines(context.words)).joined(separator: " "))
                    switch command.mode {
                    case .beside: context.destination = "/organizations"
                    case .replace:
                        // All members are signed out, including the caller.
                        context.session = .end
                        context.destination = "/sign-in"
                    }
                    return restored
                }),
        ]
    }

    private func store(
        _ file: PreparedFile, _ kind: String, _ context: inout CommandContext
    ) throws -> MadeFile {
        try prepared.insert(file, in: context.sql)
        context.record(
            Change(
                kind, topics: ["school-file"], audience: Audience.roles([.superAdmin]),
                payload: ["file": file.id.text]))
        context.feedback = Feedback(.toast, context.words("records.fileReady"))
        context.destination = SchoolFileScreen.path
        return MadeFile(file)
    }

    private func restore(_ command: RestoreSchool, _ context: RequestContext) async throws -> RestoredSchool {
        guard let upload = command.file else { throw BackupRefusal.foreign }
        guard upload.size <= uploadLimit else { throw BackupRefusal.tooLarge }
        let membership = try context.membership
        let account = try context.account
        return try await backups.folder.with { work in
            let file = work.appending(path: "upload.pinktower")
            do {
                try upload.content.write(to: file)
            } catch {
                throw BackupRefusal.noSpace
            }
            switch command.mode {
            case .replace:
                let members = try await backups.register.entry(of: membership.organization.id).places
                return try await backups.restore(
                    file, passphrase: command.passphrase, as: .replacing,
                    linking: .only(Set(members.compactMap(\.accountId))), expected: membership.organization.id,
                    by: membership.personId)
            case .beside:
                return try await backups.restore(
                    file, passphrase: command.passphrase,
                    as: .beside(name: context.words("records.besideName", membership.organization.name)),
                    linking: .only([account.id]))
            }
        }
    }
}
