import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RecordsInterface

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

    /// Whoever has the file can try passphrases for years.
    static let shortest = 12
}

struct ExportSchool: Command {
    static let contract = Contract(
        "records.export", "/api/v1/records/exports", access: .member(.manageSchoolFiles), store: .directory,
        isCreation: true, replay: .natural, summary: "Makes a zip with all data of the active school as open files."
    )
    typealias Result = MadeFile

    init(_ fields: inout FieldReader) {}
}

struct RestoreSchool: Command {
    enum Way: String, CaseIterable, Sendable { case beside, replace }

    static let contract = Contract(
        "records.restore", "/api/v1/records/restore", access: .member(.manageSchoolFiles), store: .directory,
        replay: .natural, bodyLimit: SchoolFileHandlers.largestUpload + 64 * 1024,
        summary: "Brings a backup back: beside all schools as a new one, or in the place of the active school.")
    typealias Result = RestoredSchool

    let file: UploadedFile?
    let passphrase: String?
    let way: Way

    init(_ fields: inout FieldReader) {
        file = fields.files("file", max: 1).first
        passphrase = fields.optionalSecret("passphrase", max: 200)
        way = fields.choice("way", of: Way.self)
    }
}

/// A file that can be fetched for a day.
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

/// The handlers of a school as one file.
struct SchoolFileHandlers: Sendable {
    let keeper: SchoolKeeper
    let export: SchoolExport
    let prepared: PreparedFiles
    /// Bytes of a backup that may be uploaded; larger ones are restored on the server itself.
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
                    ) { try await keeper.backup(organization.id, to: $0, passphrase: command.passphrase) }
                },
                run: { _, file, context in try keep(file, "records.backedUp", &context) }),
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
                run: { _, file, context in try keep(file, "records.exported", &context) }),
            .handle(
                RestoreSchool.self,
                prepare: { command, context in try await restore(command, context) },
                run: { command, restored, context in
                    context.feedback = Feedback(
                        .burst,
                        ([
                            context.words(
                                command.way == .beside ? "records.restoredBeside" : "records.restored",
                                restored.name)
                        ] + restored.lines(context.words)).joined(separator: " "))
                    switch command.way {
                    case .beside: context.destination = "/organizations"
                    case .replace:
                        // Everybody signs in again, whoever restored it too.
                        context.session = .end
                        context.destination = "/sign-in"
                    }
                    return restored
                }),
        ]
    }

    private func keep(
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
        guard let upload = command.file else { throw KeepingRefusal.foreign }
        guard upload.size <= uploadLimit else { throw KeepingRefusal.tooLarge }
        let membership = try context.membership
        let account = try context.account
        return try await keeper.folder.with { work in
            let file = work.appending(path: "upload.pinktower")
            do {
                try upload.content.write(to: file)
            } catch {
                throw KeepingRefusal.noSpace
            }
            switch command.way {
            case .replace:
                let members = try await keeper.register.entry(of: membership.organization.id).places
                return try await keeper.restore(
                    file, passphrase: command.passphrase, as: .replacing,
                    linking: .only(Set(members.compactMap(\.accountId))), expected: membership.organization.id,
                    by: membership.personId)
            case .beside:
                return try await keeper.restore(
                    file, passphrase: command.passphrase,
                    as: .beside(name: context.words("records.besideName", membership.organization.name)),
                    linking: .only([account.id]))
            }
        }
    }
}
