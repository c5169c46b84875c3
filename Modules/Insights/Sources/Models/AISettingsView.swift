import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Stores the school's own key.
struct SaveModelKey: Command {
    static let contract = Contract(
        "ai.saveKey", "/api/v1/ai/key", access: .member(.manageModels), replay: .natural,
        summary: "Stores the school's own key for the model service, encrypted. It is used before the server's key."
    )
    typealias Result = Done

    let key: String

    init(_ fields: inout FieldReader) { key = fields.secret("key", min: 8, max: 400) }
}

/// Removes the school's own key.
struct ClearModelKey: Command {
    static let contract = Contract(
        "ai.clearKey", "/api/v1/ai/key/clear", access: .member(.manageModels), replay: .natural,
        summary: "Removes the school's own key for the model service.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// Sets the school's models and limit.
struct SaveModelSettings: Command {
    static let contract = Contract(
        "ai.save", "/api/v1/ai/settings", access: .member(.manageModels), replay: .natural,
        summary: "Sets the models of a school and their monthly limit in dollars.")
    typealias Result = Done

    let textModel: String?
    let speechModel: String?
    let monthlyLimit: Int

    init(_ fields: inout FieldReader) {
        textModel = fields.optionalText("textModel", max: 100)
        speechModel = fields.optionalText("speechModel", max: 100)
        monthlyLimit = fields.integer("monthlyLimit", in: 0...1000, default: ModelSettings.standardLimit)
    }
}

/// Settings > AI: whether an external model is used, with which key, and up to which cost (PT-2.14).
///
/// A stored key is never shown again.
struct AISettingsView: Sendable {
    static let path = "/settings/ai"

    let config: ConfigService

    var commands: [CommandRegistration] {
        [
            .handle(SaveModelKey.self) { command, context in
                let schoolId = try context.membership.organization.id
                var settings = try ModelRepository.settings(in: context.sql)
                let key = command.key.trimmingCharacters(in: .whitespacesAndNewlines)
                guard key.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }), key.count >= 8 else {
                    throw Problem.invalid("key", "ai.key")
                }
                settings.sealedKey = try config.sealed(key, of: schoolId)
                settings.keyEnd = String(key.suffix(4))
                try ModelRepository.save(settings, in: context.sql)
                context.record(Self.change("ai.keySaved"))
                context.feedback = Feedback(.toast, context.words("ai.keySaved"))
                return Done()
            },
            .handle(ClearModelKey.self) { _, context in
                var settings = try ModelRepository.settings(in: context.sql)
                guard settings.sealedKey != nil else { return Done() }
                settings.sealedKey = nil
                settings.keyEnd = nil
                try ModelRepository.save(settings, in: context.sql)
                context.record(Self.change("ai.keyCleared"))
                context.feedback = Feedback(.toast, context.words("ai.keyCleared"))
                return Done()
            },
            .handle(SaveModelSettings.self) { command, context in
                var settings = try ModelRepository.settings(in: context.sql)
                settings.textModel = command.textModel
                settings.speechModel = command.speechModel
                settings.monthlyLimit = command.monthlyLimit
                try ModelRepository.save(settings, in: context.sql)
                context.record(Self.change("ai.saved"))
                context.feedback = Feedback(.toast, context.words("ai.saved"))
                return Done()
            },
        ]
    }

    private static func change(_ kind: String) -> Change {
        Change(kind, topics: ["ai"], audience: Audience.roles([.superAdmin, .admin]))
    }

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .account, tab: "/settings") { .screen(try await screen($0)) }
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        var body: [Component] = []
        guard let membership = request.context.caller.membership else {
            body += explanation(nil, isConnected: false, words)
            return Screen(title: words("ai.segment"), body: body)
        }
        let month = ConfigService.month(request.context.today)
        let (settings, used) = try await request.context.school.read { sql in
            (try ModelRepository.settings(in: sql), try ModelRepository.used(in: month, sql))
        }
        let isConnected = try config.access(settings, of: membership.organization.id) != nil
        body += explanation(settings, isConnected: isConnected, words)
        if request.context.caller.may(.manageModels) { body += management(settings, used, request) }
        return Screen(title: words("ai.segment"), live: ["ai"], body: body)
    }

    private func explanation(_ settings: ModelSettings?, isConnected: Bool, _ words: Words) -> [Component] {
        let service =
            if settings?.sealedKey != nil {
                words("ai.service.school")
            } else if isConnected {
                words("ai.service.server")
            } else {
                words("ai.service.none")
            }
        return [
            .definitionList(
                PTDefinitionList(items: [
                    .init(term: words("ai.service"), value: service),
                    .init(
                        term: words("ai.data"), value: words(isConnected ? "ai.data.hidden" : "ai.data.stays")),
                ])),
            .text(PTText(words(isConnected ? "ai.explained.connected" : "ai.explained"), role: .note)),
        ]
    }

    private func management(_ settings: ModelSettings, _ used: Int, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        var key: [Component] = []
        if let end = settings.keyEnd {
            key.append(
                .definitionList(PTDefinitionList(items: [.init(term: words("ai.key"), value: "••••\(end)")])))
        }
        key.append(
            .form(
                request.form(
                    SaveModelKey.self, id: "key",
                    fields: [
                        PTField(
                            .password, name: "key",
                            label: words(settings.keyEnd == nil ? "ai.key.enter" : "ai.key.replace"),
                            hint: words("ai.key.hint"), isRequired: true, autocomplete: "off")
                    ],
                    submit: SubmitButton(title: words("ai.key.save")), to: Self.path, style: .card)))
        if settings.keyEnd != nil {
            key.append(
                .button(
                    PTButton(
                        title: words("ai.key.clear"), icon: .trash, role: .destructive,
                        action: .perform(
                            request.call(
                                ClearModelKey.self,
                                confirmation: PTConfirmation(
                                    title: words("ai.key.clearQuestion"), confirm: words("ai.key.clear")),
                                to: Self.path)))))
        }
        return [
            .section(PTSection(title: words("ai.key"), body: key)),
            .section(
                PTSection(
                    title: words("ai.models"),
                    body: [
                        .definitionList(
                            PTDefinitionList(items: [
                                .init(
                                    term: words("ai.used"),
                                    value: words(
                                        "ai.dollars", Self.dollars(used, words), String(settings.monthlyLimit)))
                            ])),
                        .form(
                            request.form(
                                SaveModelSettings.self, id: "models",
                                fields: [
                                    PTField(
                                        name: "textModel", label: words("ai.textModel"),
                                        value: settings.textModel ?? "",
                                        autocomplete: "off", maxLength: 100, placeholder: config.models.textModel),
                                    PTField(
                                        name: "speechModel", label: words("ai.speechModel"),
                                        value: settings.speechModel ?? "", autocomplete: "off", maxLength: 100,
                                        placeholder: config.models.speechModel),
                                    PTField(
                                        .number, name: "monthlyLimit", label: words("ai.limit"),
                                        value: String(settings.monthlyLimit), hint: words("ai.limit.hint")),
                                ],
                                submit: SubmitButton(title: words("ai.save")), to: Self.path, style: .card)),
                    ])),
        ]
    }

    /// The amount in dollars, rounded up to a cent, in the format of the language: `0.03`.
    static func dollars(_ microDollars: Int, _ words: Words) -> String {
        (Double((microDollars + 9999) / 10_000) / 100).formatted(
            .number.precision(.fractionLength(2)).locale(words.locale))
    }
}
