import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Sets the school's choices about check-ins and requests for help.
struct SetWellness: Command {
    static let contract = Contract(
        "wellness.set", "/api/v1/wellness/settings", access: .member(.manageWellness),
        summary: "Sets who is told of requests for help, and whether students can check in.")
    typealias Result = WellnessSettings

    let settings: WellnessSettings
    let staffIds: [UUID]
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        staffIds = fields.ids("staffIds", max: 100)
        settings = WellnessSettings(
            isOn: fields.flag("isOn"), allowsParents: fields.flag("allowsParents"),
            advice: fields.optionalText("advice", max: WellnessSettings.textLength, multiline: true) ?? "",
            numbers: fields.optionalText("numbers", max: WellnessSettings.textLength, multiline: true) ?? "")
        version = fields.contentVersion()
    }
}

/// The command and the settings page.
struct SettingsHandlers: Sendable {
    static let path = "/settings/wellness"
    static let changed = "wellness.settingsChanged"

    let access: WellnessAccess

    var commands: [CommandRegistration] {
        [
            .handle(
                SetWellness.self,
                prepare: { command, context in
                    let staff = try await access.staff(
                        among: command.staffIds, in: context.membership.organization.id)
                    guard staff.isSuperset(of: command.staffIds) else {
                        throw Problem.invalid("staffIds", "wellness.staff")
                    }
                },
                run: { command, _, context in
                    let stored = try WellnessSettings.read(in: context.sql)
                    let named = try ContactRepository.contacts(in: context.sql)
                    try stored.version(naming: named).check(command.version)
                    try SettingsRepository.set(command.settings, in: context.sql)
                    try ContactRepository.set(command.staffIds, in: context.sql)
                    context.record(
                        Change(
                            Self.changed, topics: [WellnessTopic.settings, WellnessTopic.requests],
                            audience: [.school],
                            payload: ["organization": try context.membership.organization.id.text]))
                    context.feedback = Feedback(.toast, context.words("wellness.settings.saved"))
                    return command.settings
                })
        ]
    }

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.manageWellness), tab: "/settings") { request in
            let (words, membership) = (request.words, try request.context.membership)
            let orgId = membership.organization.id
            let assigned = try await access.roles.assigned(in: orgId)
            let staff = assigned.filter { $0.value.contains(where: \.isStaff) }.map(\.key)
            let (settings, named, people) = try await request.context.school.read { sql in
                (
                    try WellnessSettings.read(in: sql), try ContactRepository.contacts(in: sql),
                    try access.names(staff, of: orgId, in: sql).values
                        .sorted(by: Person.precedes)
                )
            }
            let fields = [
                PTField(
                    .toggle, name: "isOn", label: words("wellness.settings.isOn"),
                    value: settings.isOn ? "true" : "false", hint: words("wellness.settings.isOnTip")),
                PTField(
                    .multipleChoice(people.map { .init(value: $0.id.text, title: $0.name.display) }),
                    name: "staffIds", label: words("wellness.settings.staff"),
                    values: named.map(\.text), hint: words("wellness.settings.staffTip")),
                PTField(
                    .multiline, name: "advice", label: words("wellness.settings.advice"), value: settings.advice,
                    hint: words("wellness.settings.adviceTip"), maxLength: WellnessSettings.textLength),
                PTField(
                    .multiline, name: "numbers", label: words("wellness.settings.numbers"),
                    value: settings.numbers, hint: words("wellness.settings.numbersTip"),
                    maxLength: WellnessSettings.textLength),
                PTField(
                    .toggle, name: "allowsParents", label: words("wellness.settings.parents"),
                    value: settings.allowsParents ? "true" : "false", hint: words("wellness.settings.parentsTip")),
            ]
            var body: [Component] = [.text(PTText(words("wellness.settings.explained"), role: .note))]
            if settings.isOn, named.isDisjoint(with: staff) {
                body.append(
                    .banner(
                        PTBanner(
                            icon: .people, title: words("wellness.settings.nobody"),
                            message: words("wellness.settings.nobodyTip"))))
            }
            body += try await request.form(
                SetWellness.self, id: "wellness", of: settings.version(naming: named), savedBy: [Self.changed],
                orgId, fields: fields, submit: SubmitButton(title: words("wellness.settings.save")), style: .card)
            return .screen(
                Screen(title: words("wellness.title"), live: [WellnessTopic.settings], body: body))
        }
    }
}
