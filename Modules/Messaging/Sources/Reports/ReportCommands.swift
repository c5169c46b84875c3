import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface
import ScreenKit

struct ReportMessage: Command {
    static let contract = Contract(
        "messages.report", "/api/v1/messages/{messageId}/report", access: .member(.exchangeMessages),
        summary: "Asks the school's administration to look at a message of somebody else.")
    typealias Result = Done

    let messageId: UUID
    let reason: String

    init(_ fields: inout FieldReader) {
        messageId = fields.id("messageId")
        reason = fields.text("reason", max: MessagingLimits.reasonLength, multiline: true)
    }
}

struct ListReports: Query {
    static let contract = Contract(
        "messages.reports", "/api/v1/messages/reports", access: .member(.manageMessaging),
        summary: "The reported messages of others that nobody has settled, the oldest first.")
    typealias Result = Page<Report>

    init(_ fields: inout FieldReader) {}
}

struct SettleReport: Command {
    static let contract = Contract(
        "messages.settleReport", "/api/v1/messages/reports/{reportId}/settle", access: .member(.manageMessaging),
        summary: "Settles a report: takes the message away, or leaves it.")
    typealias Result = Done

    let reportId: UUID
    let removes: Bool

    init(_ fields: inout FieldReader) {
        reportId = fields.id("reportId")
        removes = fields.flag("removes")
    }
}

/// Reports of messages, and what the school does about them.
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
                let standing = try service.standing(context.membership, in: context.sql)
                let (message, kept) = try service.message(command.messageId, standing, in: context.sql)
                guard message.senderId != standing.caller.id else { throw Problem(409, "messages.ownReport") }
                guard !message.isDeleted else { throw Problem(409, "messages.isDeleted") }
                let files = try MessageFileRepository.files(of: [message.id], in: context.sql)[message.id] ?? []
                let report = Report(
                    id: context.newId(), messageId: message.id, conversationId: kept.id,
                    senderId: message.senderId, reporterId: standing.caller.id, reason: command.reason,
                    text: ([message.text] + files.map(\.name)).filter { !$0.isEmpty }.joined(separator: "\n"),
                    reportedAt: context.now)
                if try ReportRepository.insert(report, in: context.sql) {
                    context.record(
                        Change(
                            "message.reported", topics: [Self.topic],
                            audience: Audience.roles([.superAdmin, .admin]),
                            payload: ["conversation": kept.id.text, "message": message.id.text]))
                }
                context.destination = ThreadScreen.path(kept.id)
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
                // Who reported it is not told to the one whom it is about.
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
