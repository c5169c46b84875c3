import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The page that adds, changes and removes the contacts of a child.
struct ContactScreen {
    let student: Student
    let contacts: [ParentContact]
    let guardians: [Guardian]
    let request: ScreenRequest

    private var words: Words { request.words }
    private var here: String { "/students/\(student.id.text)/contacts" }

    func body() async throws -> [Component] {
        var body: [Component] = [
            .section(
                PTSection(
                    title: words("contact.new"),
                    body: [
                        .form(
                            request.form(
                                CreateContact.self, ["studentId": student.id.text], id: "new-contact",
                                fields: fields(nil),
                                submit: SubmitButton(title: words("contact.add"), role: .tonal, icon: .plus),
                                to: here, style: .card))
                    ]))
        ]
        for contact in contacts {
            body.append(.disclosure(PTDisclosure(title: contact.fullName, body: try await editing(contact))))
        }
        return body + readers
    }

    /// The section with the family members who can read what guides share about the child.
    private var readers: [Component] {
        let mayInvite = request.context.caller.may(.inviteFamilies)
        let known = Set(guardians.compactMap { $0.email?.lowercased() })
        let others = contacts.filter { $0.email.map { !known.contains($0.lowercased()) } ?? false }
        var body: [Component] = [.text(PTText(words("guardian.explained"), role: .note))]
        if !guardians.isEmpty {
            body.append(.list(PTList(cells: guardians.map { cell($0, mayInvite) }, label: words("guardian.title"))))
        }
        if mayInvite {
            body += others.map { contact in
                .button(
                    PTButton(
                        title: words("guardian.invite", contact.fullName), icon: .send, role: .tonal,
                        action: .perform(
                            request.call(InviteGuardian.self, ["contactId": contact.id.text], to: here))))
            }
            if guardians.isEmpty && others.isEmpty {
                body.append(.text(PTText(words("guardian.needsAddress"), role: .note)))
            }
        }
        return [.section(PTSection(title: words("guardian.title"), body: body))]
    }

    private func cell(_ guardian: Guardian, _ mayInvite: Bool) -> PTListCell {
        PTListCell(
            id: guardian.id.text, title: guardian.name,
            subtitle: words(guardian.hasAccount ? "guardian.reads" : "guardian.waits"),
            trailing: mayInvite
                ? [
                    .iconButton(
                        PTButton(
                            title: words("guardian.remove", guardian.name), icon: .trash, role: .quiet,
                            action: .perform(
                                request.call(
                                    RemoveGuardian.self,
                                    ["studentId": student.id.text, "personId": guardian.id.text],
                                    confirmation: PTConfirmation(
                                        title: words("guardian.removeQuestion", guardian.name),
                                        message: words("guardian.removeExplained", student.displayName),
                                        confirm: words("guardian.removeConfirm")), to: here))))
                ] : [])
    }

    private func editing(_ contact: ParentContact) async throws -> [Component] {
        try await request.form(
            UpdateContact.self, ["contactId": contact.id.text], id: "contact-\(contact.id.text)",
            of: contact.version, savedBy: ["contact.updated"], contact.studentId, fields: fields(contact),
            submit: SubmitButton(title: words("classrooms.save"), role: .tonal), to: here, style: .card) + [
                .button(
                    PTButton(
                        title: words("contact.delete"), icon: .trash, role: .destructive,
                        action: .perform(
                            request.call(
                                DeleteContact.self, ["contactId": contact.id.text],
                                confirmation: PTConfirmation(
                                    title: words("contact.deleteQuestion", contact.fullName),
                                    confirm: words("contact.delete")), to: here))))
            ]
    }

    private func fields(_ contact: ParentContact?) -> [PTField] {
        [
            PTField(
                name: "fullName", label: words("contact.name"), value: contact?.fullName ?? "", isRequired: true,
                autocomplete: "off", maxLength: 200),
            PTField(
                name: "phone", label: words("contact.phone"), value: contact?.phone ?? "", autocomplete: "off",
                maxLength: 40, width: .half),
            PTField(
                .email, name: "email", label: words("contact.email"), value: contact?.email ?? "",
                autocomplete: "off", maxLength: 200, width: .half),
        ]
    }

    /// Returns the buttons that call a contact or write to them.
    static func actions(_ contact: ParentContact, _ words: Words) -> [PTListCell.Trailing] {
        var actions: [PTListCell.Trailing] = []
        if let phone = contact.phone {
            let digits = phone.filter { $0.isNumber || $0 == "+" }
            actions.append(
                .iconButton(
                    PTButton(
                        title: words("contact.call", contact.fullName), icon: .phone, role: .quiet,
                        action: .external("tel:\(digits)"))))
        }
        if let email = contact.email {
            actions.append(
                .iconButton(
                    PTButton(
                        title: words("contact.write", contact.fullName), icon: .mail, role: .quiet,
                        action: .external("mailto:\(email)"))))
        }
        return actions
    }
}
