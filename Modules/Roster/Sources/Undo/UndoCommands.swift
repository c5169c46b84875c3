import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

/// Lists the recorded imports.
struct PastImports: Query {
    static let contract = Contract(
        "roster.imports", "/api/v1/roster/imports", access: .member(.importPeople),
        summary: "The imports that are on record, the latest first.")
    typealias Result = Page<PastImport>

    init(_ fields: inout FieldReader) {}
}

/// Previews the undo of an import.
struct PreviewUndo: Query {
    static let contract = Contract(
        "roster.undoPreview", "/api/v1/roster/imports/{importId}/undo", access: .member(.importPeople),
        summary: "What taking an import back would do, and what stays because it was changed since.")
    typealias Result = RosterUndo

    let importId: UUID

    init(_ fields: inout FieldReader) { importId = fields.id("importId") }
}

/// Undoes an import.
struct UndoImport: Command {
    static let contract = Contract(
        "roster.undo", "/api/v1/roster/imports/{importId}/undo", access: .member(.importPeople), replay: .natural,
        summary: "Takes back what an import did, except for what was changed since.")
    typealias Result = RosterUndo

    let importId: UUID

    init(_ fields: inout FieldReader) { importId = fields.id("importId") }
}

/// The handlers of past imports and their undo.
struct UndoHandlers: Sendable {
    let roster: RosterImport

    var queries: [QueryRegistration] {
        [
            .handle(PastImports.self) { _, context in
                let orgId = try context.membership.organization.id
                return Page(items: try await roster.pastImports(in: context.school, of: orgId), next: nil)
            },
            .handle(PreviewUndo.self) { query, context in
                try await preview(query.importId, context).report(query.importId, context.words)
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                UndoImport.self,
                prepare: { command, context in try await directoryState(command.importId, context) },
                run: { command, outside, context in
                    let orgId = try context.membership.organization.id
                    let plan = try roster.undoPlan(command.importId, outside, of: orgId, in: context.sql)
                    try roster.apply(plan, to: command.importId, at: context.now, in: context.sql)
                    if let change = plan.change(command.importId) { context.record(change) }
                    context.feedback = Feedback(
                        .toast, context.words(plan.steps.isEmpty ? "roster.undo.nothing" : "roster.undo.done"))
                    context.destination =
                        plan.skipped.isEmpty ? PastImportScreens.path : PastImportScreens.path(of: command.importId)
                    return plan.report(command.importId, context.words, isApplied: true)
                },
                finish: { _, _, context in
                    try await roster.settleRoles(of: context.membership.organization.id, in: context.school)
                })
        ]
    }

    /// Plans the undo without applying it.
    func preview(_ importId: UUID, _ context: RequestContext) async throws -> UndoPlan {
        let (orgId, outside) = (try context.membership.organization.id, try await directoryState(importId, context))
        return try await context.school.read { try roster.undoPlan(importId, outside, of: orgId, in: $0) }
    }

    private func directoryState(_ importId: UUID, _ context: RequestContext) async throws
        -> RosterImport.DirectoryState
    {
        let membership = try context.membership
        return try await roster.directoryState(
            importId, in: context.school, directory: context.directory, of: membership.organization.id,
            actor: membership.personId)
    }
}
