import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Sets the school's messaging policy.
struct SetMessagingPolicy: Command {
    static let contract = Contract(
        "messages.setPolicy", "/api/v1/messages/policy", access: .member(.manageMessaging),
        summary: "Sets whether students exchange messages, and whether families use class channels.")
    typealias Result = MessagingPolicy

    let policy: MessagingPolicy

    init(_ fields: inout FieldReader) {
        policy = MessagingPolicy(students: fields.flag("students"), channels: fields.choice("channels"))
    }
}

extension Permission {
    /// Setting the school's messaging policy.
    static let manageMessaging = Permission("messages.manage", [.superAdmin, .admin])
}

/// The command and the settings page of the messaging policy.
struct PolicyHandlers: Sendable {
    static let path = "/settings/messages"

    var commands: [CommandRegistration] {
        [
            .handle(SetMessagingPolicy.self) { command, context in
                try PolicyRepository.set(command.policy, in: context.sql)
                // The audience of each channel depends on the policy.
                context.record(
                    Change(
                        "messages.policyChanged", topics: [Topics.all, "messages.policy"], audience: [.school],
                        payload: [
                            "students": command.policy.students ? "yes" : "no",
                            "channels": command.policy.channels.rawValue,
                        ], reshapesAudience: true))
                context.feedback = Feedback(.toast, context.words("messages.policySaved"))
                return command.policy
            }
        ]
    }

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.manageMessaging), tab: "/settings") { request in
            let words = request.words
            let (policy, reported) = try await request.context.school.read {
                (try PolicyRepository.policy(in: $0), try ReportRepository.openCount(in: $0))
            }
            return .screen(
                Screen(
                    title: words("messages.settings"), live: ["messages.policy", ReportHandlers.topic],
                    body: [
                        .links(
                            PTLinks(links: [
                                .init(
                                    title: words("messages.reportCount", reported),
                                    action: .open(ReportHandlers.path))
                            ])),
                        .form(
                            request.form(
                                SetMessagingPolicy.self, id: "policy",
                                fields: [
                                    PTField(
                                        .choice(
                                            MessagingPolicy.Channels.allCases.map {
                                                .init(
                                                    value: $0.rawValue,
                                                    title: words("messages.channels.\($0.rawValue)"),
                                                    detail: words("messages.channels.\($0.rawValue).tip"))
                                            }), name: "channels", label: words("messages.channels"),
                                        value: policy.channels.rawValue),
                                    PTField(
                                        .toggle, name: "students", label: words("messages.studentsWrite"),
                                        value: policy.students ? "true" : "false",
                                        hint: words("messages.studentsWrite.tip")),
                                ], submit: SubmitButton(title: words("messages.savePolicy")), style: .card)),
                    ]))
        }
    }
}
