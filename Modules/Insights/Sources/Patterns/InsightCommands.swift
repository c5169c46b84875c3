import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// Reads the insights about a child.
struct ReadInsights: Query {
    static let contract = Contract(
        "insights.read", "/api/v1/students/{studentId}/insights", access: .member(.shareWithFamilies),
        seen: Seen("student.seen", "studentId"),
        summary:
            "The patterns in a child's record of a period, and proposals that follow from them, with their sources."
    )

    struct Result: Codable, Sendable {
        let insights: [Sentence]
        let proposals: [Proposal]
    }

    let studentId: UUID
    let span: Span

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        span = fields.optionalChoice("span", of: Span.self) ?? .week
    }
}

/// Accepts a proposal.
struct AcceptProposal: Command {
    static let contract = Contract(
        "insights.accept", "/api/v1/students/{studentId}/proposals", access: .member(.shareWithFamilies),
        replay: .natural,
        summary: "Plans the lesson or task of a proposal. The proposal is not made again.")
    typealias Result = Done

    let studentId: UUID
    let proposal: String
    let span: Span

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        proposal = fields.text("proposal", max: 100)
        span = fields.optionalChoice("span", of: Span.self) ?? .week
    }
}

/// The query and the command of insights, for guides.
struct InsightHandlers: Sendable {
    let students: any StudentService
    let record: any ChildRecord
    let reader: ChildReader

    var queries: [QueryRegistration] {
        [
            .handle(ReadInsights.self) { query, context in
                try await insights(of: query.studentId, query.span, context).1
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(AcceptProposal.self) { command, context in
                let membership = try context.membership
                let student = try students.student(command.studentId, visibleTo: membership, in: context.sql)
                let taken = try ProposalRepository.accepted(of: student.id, in: context.sql)
                // Accepting twice plans one lesson.
                if taken.contains(command.proposal) { return Done() }
                let writer = try reader.writer(
                    for: student, from: command.span.first(until: context.today), through: context.today,
                    context.words.language, timeZone: membership.timeZone, in: context.sql)
                guard
                    let proposal = writer.proposals(without: taken).first(where: { $0.key == command.proposal })
                else { throw Problem(409, "insights.proposalGone") }
                let details = proposal.reason.text
                switch proposal.kind {
                case .lesson:
                    try record.plan(lesson: proposal.title, details: details, for: student.id, in: &context)
                case .task: try record.plan(task: proposal.title, details: details, for: student.id, in: &context)
                }
                try ProposalRepository.accept(proposal.key, of: student.id, at: context.now, in: context.sql)
                context.feedback = Feedback(
                    .toast, context.words("insights.accepted.\(proposal.kind.rawValue)", proposal.title))
                return Done()
            }
        ]
    }

    func insights(
        of studentId: UUID, _ span: Span, _ context: RequestContext
    ) async throws -> (Student, ReadInsights.Result) {
        let membership = try context.membership
        let (today, language) = (context.today, context.words.language)
        return try await context.school.read { sql in
            let student = try students.student(studentId, visibleTo: membership, in: sql)
            let writer = try reader.writer(
                for: student, from: span.first(until: today), through: today, language,
                timeZone: membership.timeZone, in: sql)
            return (
                student,
                ReadInsights.Result(
                    insights: writer.insights(),
                    proposals: writer.proposals(without: try ProposalRepository.accepted(of: studentId, in: sql)))
            )
        }
    }
}

/// Reads and writes accepted proposals.
enum ProposalRepository {
    static func accept(_ proposal: String, of studentId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO accepted_proposals (student_id, proposal, accepted_at)
            VALUES (\(studentId), \(proposal), \(instant))
            """)
    }

    static func accepted(of studentId: UUID, in sql: any SQLReading) throws -> Set<String> {
        Set(
            try sql.rows("SELECT proposal FROM accepted_proposals WHERE student_id = \(studentId)")
                .map { try $0.get("proposal") })
    }
}
