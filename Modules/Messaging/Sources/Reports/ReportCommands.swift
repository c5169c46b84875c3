import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface
import ScreenKit

/// Reports a message.
struct ReportMessage: Command {
    static let contract = Contract(
        "messages.report", "/api/v1/messages/{messageId}/report", access: .member(.exchangeMessages),
        summary: "Reports another person's message to the school's administrators.")
    typealias Result = Done

    let messageId: UUID
    let reason: String

    init(_ fields: inout FieldReader) {
        messageId = fields.id("messageId")
        reason = fields.text("reason", max: MessagingLimits.reasonLength, multiline: true)
    }
}

/// Lists the open reports.
struct ListReports: Query {
    static let contract = Contract(
        "messages.reports", "/api/v1/messages/reports", access: .member(.manageMessaging),
        summary: "The open reports about messages of others, the oldest first.")
    typealias Result = Page<Report>

    init(_ fields: inout FieldReader) {}
}

/// Settles a report.
struct SettleReport: Command {
    static let contract = Contract(
        "messages.settleReport", "/api/v1/messages/reports/{reportId}/settle", access: .member(.manageMessaging),
        summary: "Settles a report: deletes the message, or leaves it.")
    typealias Result = Done

    let reportId: UUID
    let removes: Bool

    init(_ fields: inout FieldReader) {
        reportId = fields.id("reportId")
        removes = fields.flag("removes")
    }
}

/// The endpoints and the page of reports.
struct ReportHandlers: Sendable {
    static let path = "/settings/messages/reports"
    static let topic = "messages.reports"

    let service: ConversationService

    var queries: [QueryRegistration] {
        [
            .handle(ListReports.self) { _, context in
                let own = try context.membership.personId
                let open = try await context.school.read { try ReportRepository.open(in: $0) }
                return Page(items: open.filter { $0.senderId != own }, next: nil)
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(ReportMessage.self) { command, context in
                let access = try service.access(of: context.membership, in: context.sql)
                let (message, stored) = try service.message(command.messageId, access, in: context.sql)
                guard message.senderId != access.caller.id else { throw Problem(409, "messages.ownReport") }
                guard !message.isDeleted else { throw Problem(409, "messages.isDeleted") }
                let files = try MessageFileRepository.files(of: [message.id], in: context.sql)[message.id] ?? []
                let report = Report(
                    id: context.newId(), messageId: message.id, conversationId: stored.id,
                    senderId: message.senderId, reporterId: access.caller.id, reason: command.reason,
                    text: ([message.text] + files.map(\.name)).filter { !$0.isEmpty }.joined(separator: "\n"),
                    reportedAt: context.now)
                if try ReportRepository.insert(report, in: context.sql) {
                    context.record(
                        Change(
                            "message.reported", topics: [Self.topic],
                            audience: Audience.roles([.superAdmin, .admin]),
                            payload: ["conversation": stored.id.text, "message": message.id.text]))
                }
                context.destination = ThreadScreen.path(stored.id)
                context.feedback = Feedback(.toast, context.words("messages.reported"))
                return Done()
            },
            .handle(SettleReport.self) { command, context in
                guard let report = try ReportRepository.openReport(command.reportId, in: context.sql) else {
                    throw Problem.notFound
                }
                guard try report.senderId != context.membership.personId else {
                    throw Problem(403, "messages.ownSettle")
                }
                let id = report.messageId
                try ReportRepository.settle(
                    id, by: context.membership.personId, at: context.now, in: context.sql)
                let payload = ["conversation": report.conversationId.text, "message": id.text]
                let message = try MessageRepository.message(id, in: context.sql)
                if command.removes, let message, !message.isDeleted {
                    try MessageRepository.delete(id, at: context.now, in: context.sql)
                    let classroomId = try ConversationRepository.classroom(
                        of: report.conversationId, in: context.sql)
                    context.record(
                        Change(
                            "message.deleted", topics: Topics.of(report.conversationId),
                            audience: try service.audience(
                                of: report.conversationId, channelOf: classroomId, in: context.sql),
                            payload: payload))
                }
                context.record(
                    Change(
                        "message.settled", topics: [Self.topic], audience: Audience.roles([.superAdmin, .admin]),
                        payload: payload))
                context.feedback = Feedback(
                    .toast, context.words(command.removes ? "messages.settled.removed" : "messages.settled.kept"))
                return Done()
            },
        ]
    }

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.manageMessaging), tab: "/settings", screen)
    }

    @Sendable
    private func screen(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let (reports, people) = try await request.context.school.read { sql in
            let reports = try ReportRepository.open(in: sql)
            let ids = reports.flatMap { [$0.senderId, $0.reporterId] }
            return (reports, try service.correspondents.people(ids, membership, in: sql))
        }
        func name(_ id: UUID) -> String { people[id]?.name.display ?? words("messages.formerMember") }
        let cards = reports.flatMap { report -> [Component] in
            let note = PTNote(
                text: report.text,
                avatar: people[report.senderId].map {
                    PTAvatar($0)
                },
                byline: [name(report.senderId), words.dateAndTime(report.reportedAt, in: membership.timeZone)]
                    .joined(separator: " · "))
            if report.senderId == membership.personId {
                // The sender of the message must not learn who reported it.
                return [.note(note), .text(PTText(words("messages.settle.own"), role: .note))]
            }
            let said =
                report.reason.isEmpty
                ? words("messages.reportedBy", name(report.reporterId))
                : words("messages.reportedBecause", name(report.reporterId), report.reason)
            let keep = PTButton(
                title: words("messages.settle.keep"), role: .quiet,
                action: .perform(request.call(SettleReport.self, ["reportId": report.id.text])))
            let remove = PTButton(
                title: words("messages.settle.remove"), icon: .trash, role: .destructive,
                action: .perform(
                    request.call(
                        SettleReport.self, ["reportId": report.id.text], fields: ["removes": "true"],
                        confirmation: PTConfirmation(
                            title: words("messages.settle.title"), message: words("messages.settle.message"),
                            confirm: words("messages.settle.remove")))))
            return [
                .note(note), .text(PTText(said, role: .note)),
                .buttons(PTButtonGroup(buttons: [keep, remove])),
            ]
        }
        return .screen(
            Screen(
                title: words("messages.reports"), back: PolicyHandlers.path, live: [Self.topic],
                body: cards.isEmpty
                    ? [
                        .empty(
                            PTEmptyState(
                                icon: .checks, title: words("messages.noReports"),
                                message: words("messages.noReportsTip")))
                    ] : cards))
    }
}
