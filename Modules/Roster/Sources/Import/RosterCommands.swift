import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

struct PreviewRoster: Command {
    static let contract = Contract(
        "roster.preview", "/api/v1/roster/preview", access: .member(.importPeople), replay: .natural,
        bodyLimit: RosterHandlers.bodyLimit,
        summary:
            "Compares a OneRoster 1.2 CSV bundle with the school, changes nothing, and keeps the bundle for a day."
    )
    typealias Result = RosterReport

    let files: [RosterFile]

    init(_ fields: inout FieldReader) {
        files = fields.files("files", max: RosterHandlers.fileLimit).map {
            RosterFile(name: $0.name, bytes: $0.bytes)
        }
    }
}

struct ImportRoster: Command {
    static let contract = Contract(
        "roster.import", "/api/v1/roster/import", access: .member(.importPeople), replay: .natural,
        bodyLimit: RosterHandlers.bodyLimit,
        summary: "Brings the school up to a OneRoster 1.2 CSV bundle: files, or the one that a preview kept.")
    typealias Result = RosterReport

    let uploadId: UUID?
    let files: [RosterFile]

    init(_ fields: inout FieldReader) {
        uploadId = fields.optionalId("uploadId")
        files = fields.optionalFiles("files", max: RosterHandlers.fileLimit).map {
            RosterFile(name: $0.name, bytes: $0.bytes)
        }
        fields.refuse("files", "roster.filesOrUpload", unless: (uploadId == nil) != files.isEmpty)
    }
}

/// The handlers of the import.
struct RosterHandlers: Sendable {
    let roster: RosterImport

    /// The seven files of a bundle, its manifest, and a few that a school exports with them.
    static let fileLimit = 12
    static let bodyLimit = 30 * 1024 * 1024

    var commands: [CommandRegistration] {
        [
            .handle(
                PreviewRoster.self,
                prepare: { command, context in
                    let (orgId, now) = (try context.membership.organization.id, context.now)
                    let bundle = RosterBundle.parse(command.files)
                    return try await context.school.read { try roster.plan(bundle, of: orgId, at: now, in: $0) }
                },
                run: { command, plan, context in
                    let id = context.newId()
                    try RosterUploadRepository.replace(
                        id, files: command.files, of: context.membership.personId, at: context.now, in: context.sql)
                    context.destination = "/settings/import?upload=\(id.text)"
                    return plan.report(context.words, uploadId: id)
                }),
            .handle(
                ImportRoster.self,
                prepare: { command, context in
                    let bundle = RosterBundle.parse(try await files(of: command, context))
                    guard bundle.findings.isClean else {
                        throw Problem.invalid(bundle.findings.faults.map(\.fault))
                    }
                    return bundle
                },
                run: { _, bundle, context in
                    let membership = try context.membership
                    let plan = try roster.plan(
                        bundle, of: membership.organization.id, at: context.now, in: context.sql)
                    try roster.apply(plan, at: context.now, in: context.sql)
                    try RosterUploadRepository.remove(of: membership.personId, in: context.sql)
                    if let change = plan.change { context.record(change) }
                    context.feedback = Feedback(
                        plan.isEmpty ? .toast : .burst,
                        context.words(plan.isEmpty ? "roster.nothing" : "roster.done"))
                    context.destination = "/settings/import"
                    return plan.report(context.words, isApplied: true)
                },
                finish: { _, _, context in
                    try await roster.giveWaitingRoles(of: context.membership.organization.id, in: context.school)
                }),
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ExportRoster.self) { _, context in
                let files = try await export(context).bundle
                return FileBody(ZIPFile.make(files.map { ($0.name, $0.bytes) }))
            },
            .handle(ExportPeople.self) { _, context in FileBody(try await export(context).plain) },
        ]
    }

    private func export(_ context: RequestContext) async throws -> RosterExport {
        let organization = try context.membership.organization
        let holdings = try await context.school.read { try roster.holdings(of: organization.id, in: $0) }
        return RosterExport(organization: organization, today: context.today, holdings: holdings)
    }

    private func files(of command: ImportRoster, _ context: RequestContext) async throws -> [RosterFile] {
        guard let uploadId = command.uploadId else { return command.files }
        let (personId, now) = (try context.membership.personId, context.now)
        let kept = try await context.school.read {
            try RosterUploadRepository.files(uploadId, of: personId, at: now, in: $0)
        }
        guard !kept.isEmpty else { throw Problem(410, "roster.uploadGone") }
        return kept
    }
}
