import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

/// Uploads files and previews their import.
struct PreviewRoster: Command {
    static let contract = Contract(
        "roster.preview", "/api/v1/roster/preview", access: .member(.importPeople), replay: .natural,
        bodyLimit: RosterHandlers.bodyLimit,
        summary:
            "Compares a OneRoster 1.2 CSV bundle or a plain list with the school, changes nothing, and keeps the files for a day."
    )
    typealias Result = RosterReport

    let files: [UploadedFile]

    init(_ fields: inout FieldReader) { files = fields.files("files", max: RosterHandlers.fileLimit) }
}

/// Chooses the meanings of a plain list's unknown columns and previews the import again.
struct ChooseColumns: Command {
    static let contract = Contract(
        "roster.columns", "/api/v1/roster/columns", access: .member(.importPeople),
        replay: .natural,
        summary:
            "Compares a plain list that a preview stored with the school once more, with what its unknown columns are, by their places: a field of the school, or `ignore`. Changes nothing."
    )
    typealias Result = RosterReport

    let uploadId: UUID
    let choices: ColumnChoices

    init(_ fields: inout FieldReader) {
        uploadId = fields.id("uploadId")
        var choices = ColumnChoices()
        for place in 0..<ColumnChoices.limit {
            if let name = fields.optionalText(Self.field(place), max: 30) { choices.choose(name, at: place) }
        }
        self.choices = choices
    }

    static func field(_ place: Int) -> String { "column\(place)" }
}

/// Imports uploaded files or those of a preview.
struct ImportRoster: Command {
    static let contract = Contract(
        "roster.import", "/api/v1/roster/import", access: .member(.importPeople), replay: .natural,
        bodyLimit: RosterHandlers.bodyLimit,
        summary:
            "Brings the school up to a OneRoster 1.2 CSV bundle or a plain list: files, or those that a preview stored."
    )
    typealias Result = RosterReport

    let uploadId: UUID?
    /// The `plan` of a preview. If the changes differ by now, nothing is written.
    let plan: String?
    /// The chosen meanings of unknown columns.
    let choices: ColumnChoices
    /// Whether the questions of the preview are confirmed.
    let isConfirmed: Bool
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        choices = ColumnChoices(fields.optionalText("columns", max: 1000))
        isConfirmed = fields.flag("confirmed")
        uploadId = fields.optionalId("uploadId")
        plan = fields.optionalText("plan", max: 64)
        files = fields.optionalFiles("files", max: RosterHandlers.fileLimit)
        fields.refuse("files", "roster.filesOrUpload", unless: (uploadId == nil) != files.isEmpty)
    }
}

/// The handlers of preview, import and export.
struct RosterHandlers: Sendable {
    let roster: RosterImport
    private let turns = ImportTurns()

    init(roster: RosterImport) { self.roster = roster }

    /// The seven files of a bundle, its manifest, and a few that schools export with them.
    static let fileLimit = 12
    static let bodyLimit = 30 * 1024 * 1024

    var commands: [CommandRegistration] {
        [
            .handle(
                PreviewRoster.self,
                prepare: { command, context in
                    let (orgId, now, today) = (try context.membership.organization.id, context.now, context.today)
                    let turn = await turns.take()
                    let files = try Self.read(command.files)
                    let source = roster.read(files, context.words)
                    let plan = try await context.school.read {
                        try roster.plan(source, of: orgId, at: now, today: today, in: $0)
                    }
                    return (
                        turn: turn, files: roster.withoutSensitiveData(files), plan: plan, source: source
                    )
                },
                run: { _, prepared, context in
                    let (files, plan) = (prepared.files, prepared.plan)
                    let id = context.newId()
                    try RosterUploadRepository.replace(
                        id, files: files, of: context.membership.personId, at: context.now, in: context.sql)
                    context.destination = RosterScreen.path(of: id)
                    return roster.report(plan, of: prepared.source, context.words, uploadId: id)
                }),
            .handle(
                ChooseColumns.self,
                prepare: { command, context in
                    let turn = await turns.take()
                    let files = try await storedFiles(command.uploadId, context)
                    return (turn: turn, source: roster.read(files, context.words, command.choices))
                },
                run: { command, prepared, context in
                    let plan = try roster.plan(
                        prepared.source, of: context.membership.organization.id, at: context.now,
                        today: context.today, in: context.sql)
                    context.destination = RosterScreen.path(of: command.uploadId, command.choices)
                    return roster.report(plan, of: prepared.source, context.words, uploadId: command.uploadId)
                }),
            .handle(
                ImportRoster.self,
                prepare: { command, context in
                    let turn = await turns.take()
                    let source = roster.read(
                        try await files(of: command, context), context.words, command.choices)
                    guard source.findings.isClean else {
                        throw Problem.invalid(source.findings.faults.first.map(\.fault))
                    }
                    return (turn: turn, source: source)
                },
                run: { command, prepared, context in
                    let source = prepared.source
                    let membership = try context.membership
                    let plan = try roster.plan(
                        source, of: membership.organization.id, at: context.now, today: context.today,
                        in: context.sql)
                    guard plan.findings.isClean else {
                        throw Problem.invalid(plan.findings.faults.first.map(\.fault))
                    }
                    if let seen = command.plan, seen != roster.fingerprint(plan) {
                        return outdated(plan, command, &context)
                    }
                    guard command.isConfirmed || plan.findings.questions.count == 0 else {
                        throw Problem.invalid([Fault("confirmed", "roster.confirm")])
                    }
                    let importId = try roster.apply(
                        plan, by: membership.personId, on: context.today, at: context.now, in: context.sql)
                    try RosterUploadRepository.remove(of: membership.personId, in: context.sql)
                    if let change = plan.change { context.record(change) }
                    context.feedback = Feedback(
                        plan.isEmpty ? .toast : .burst,
                        context.words(plan.isEmpty ? "roster.nothing" : "roster.done"))
                    context.destination = importId == nil ? RosterScreen.path : PastImportScreens.path
                    var report = plan.report(context.words, isApplied: true)
                    report.importId = importId
                    return report
                },
                finish: { _, _, context in
                    try await roster.settleRoles(of: context.membership.organization.id, in: context.school)
                }),
        ]
    }

    /// Shows the plan again instead of importing: the school has changed since the preview.
    private func outdated(
        _ plan: RosterPlan, _ command: ImportRoster, _ context: inout CommandContext
    ) -> RosterReport {
        context.feedback = Feedback(.toast, context.words("roster.outdated"))
        context.destination = command.uploadId.map { RosterScreen.path(of: $0, command.choices, isOutdated: true) }
        var report = plan.report(context.words, uploadId: command.uploadId)
        (report.plan, report.isOutdated) = (roster.fingerprint(plan), true)
        return report
    }

    var queries: [QueryRegistration] {
        [
            .handle(ExportRoster.self) { _, context in
                let files = try await export(context).bundle
                return FileBody(
                    Array(try roster.packer.zip(files.map { ArchivePart($0.name, .bytes(Data($0.bytes))) })))
            },
            .handle(ExportPeople.self) { _, context in FileBody(try await export(context).plain) },
        ]
    }

    private func export(_ context: RequestContext) async throws -> RosterExport {
        let organization = try context.membership.organization
        let holdings = try await context.school.read { try roster.holdings(of: organization.id, in: $0) }
        return RosterExport(organization: organization, today: context.today, holdings: holdings)
    }

    private static func read(_ files: [UploadedFile]) throws -> [RosterFile] {
        try files.map { RosterFile(name: $0.name, bytes: try $0.content.bytes()) }
    }

    private func files(of command: ImportRoster, _ context: RequestContext) async throws -> [RosterFile] {
        guard let uploadId = command.uploadId else { return try Self.read(command.files) }
        return try await storedFiles(uploadId, context)
    }

    private func storedFiles(_ uploadId: UUID, _ context: RequestContext) async throws -> [RosterFile] {
        let (personId, now) = (try context.membership.personId, context.now)
        let files = try await context.school.read {
            try RosterUploadRepository.files(uploadId, of: personId, at: now, in: $0)
        }
        guard !files.isEmpty else { throw Problem(410, "roster.uploadGone") }
        return files
    }
}
