import Domain
import FeatureKit
import Foundation

/// Reads the audit log page by page.
struct ReadAuditTrail: Query {
    static let contract = Contract(
        "audit.list", "/api/v1/audit", access: .member(.viewAudit), seen: Seen("audit.seen"),
        summary: "Who saw or changed what and when, newest first.")
    typealias Result = Page<AuditLine>

    let question: AuditFilter
    let after: Int?
    let limit: Int

    init(_ fields: inout FieldReader) {
        question = AuditFilter(&fields)
        let place = fields.integer("after", in: 0...Int(Int32.max), default: 0)
        after = place == 0 ? nil : place
        limit = fields.integer("limit", in: 1...200, default: 50)
    }
}

/// Exports the audit log as CSV.
struct ExportAuditTrail: Query {
    static let contract = Contract(
        "audit.export", "/api/v1/audit/export", access: .member(.viewAudit),
        seen: Seen("audit.exported", isExport: true), fileName: "audit-trail.csv",
        summary: "The same as CSV, at most 100,000 lines; the export is an entry of the trail itself.")
    typealias Result = FileBody

    let question: AuditFilter

    init(_ fields: inout FieldReader) { question = AuditFilter(&fields) }
}

/// Verifies the hash chain of the change log.
struct CheckAuditChain: Query {
    static let contract = Contract(
        "audit.check", "/api/v1/audit/check", access: .member(.viewAudit),
        summary: "Walks the chain of hashes along the whole change log and names the first entry that does not fit."
    )
    typealias Result = ChainReport

    init(_ fields: inout FieldReader) {}
}

extension AuditFilter {
    init(_ fields: inout FieldReader) {
        self.init(
            actor: fields.optionalId("actor"), group: fields.optionalText("group", max: 40),
            subject: fields.optionalId("subject"), from: fields.optionalDay("from"),
            until: fields.optionalDay("until"))
    }
}

/// The handlers of the audit log.
struct AuditHandlers: Sendable {
    let trail: AuditTrail

    /// The most lines of an export.
    static let exportLimit = 100_000
    private static let portion = 2000

    var queries: [QueryRegistration] {
        [
            .handle(ReadAuditTrail.self) { query, context in
                let filter = try trail.filter(query.question, in: context.membership.timeZone)
                let words = context.words
                let (lines, next) = try await context.school.read { sql in
                    try trail.read(
                        filter, before: query.after.map(Int64.init), limit: query.limit, words: words, in: sql)
                }
                return Page(items: lines, next: next.map(String.init))
            },
            .handle(ExportAuditTrail.self) { query, context in try await export(query, context) },
            .handle(CheckAuditChain.self) { _, context in try await ChangeLog.verify(context.school) },
        ]
    }

    private func export(_ query: ExportAuditTrail, _ context: RequestContext) async throws -> FileBody {
        let filter = try trail.filter(query.question, in: context.membership.timeZone)
        let words = context.words
        var rows = [["entry", "time", "person", "kind", "what", "personId", "hash"]]
        var place: Int64?
        repeat {
            let before = place
            let (lines, next) = try await context.school.read { sql in
                try trail.read(filter, before: before, limit: Self.portion, words: words, in: sql)
            }
            rows += lines.map { line in
                [
                    String(line.seq), line.at.formatted(.iso8601), line.actor, line.kind, line.sentence,
                    line.actorId?.text ?? "", line.hash,
                ]
            }
            place = next
        } while place != nil && rows.count <= Self.exportLimit
        return FileBody(Self.csv(rows))
    }

    /// Rows as CSV with a byte order mark, so that spreadsheets read UTF-8.
    static func csv(_ rows: [[String]]) -> [UInt8] {
        Array("\u{FEFF}".utf8) + rows.flatMap { CSVField.line($0).utf8 }
    }
}
