public import DesignSystem
import Domain
public import FeatureKit
public import Foundation

extension ScreenRequest {
    /// The number of log entries that are searched for the person who saved.
    private static let searchedEntries = 500

    /// Returns a section with the text that another person saved while this form was open, their name and the time.
    ///
    /// Show it above the form, which still has the reader's own text. Empty unless the form was refused with `code`.
    /// - Parameters:
    ///   - code: the code of the refusal, such as `observation.changed`.
    ///   - kinds: the kinds of changes that save the text, such as `observation.updated`.
    ///   - id: the entity that the text belongs to, as these changes name it in their payload.
    ///   - text: the text that is stored now.
    public func savedMeanwhile(
        _ code: String, _ kinds: [String], of id: UUID, _ text: String
    ) async throws -> [Component] {
        try await savedMeanwhile(code, kinds, of: id, [.card(PTCard(body: [.text(PTText(text))]))])
    }

    /// Returns a section with the values that another person saved while this form was open, their name and the time.
    ///
    /// Show it above the form, which still has the reader's own values. Empty unless the form was refused with `code`.
    /// - Parameters:
    ///   - code: the code of the refusal, such as `courses.changed`.
    ///   - kinds: the kinds of changes that save the values, such as `courses.updated`.
    ///   - id: the entity that the values belong to, as these changes name it in their payload.
    ///   - fields: the fields of the form with the values that are stored now. Those that the reader would not change
    ///     are left out.
    public func savedMeanwhile(
        _ code: String, _ kinds: [String], of id: UUID, _ fields: [PTField]
    ) async throws -> [Component] {
        let typed = refused?.typed ?? [:]
        let items = fields.filter { $0.differs(from: typed[$0.name]) }.map {
            PTDefinitionList.Item(term: $0.label, value: $0.spoken(words))
        }
        return try await savedMeanwhile(code, kinds, of: id, [.definitionList(PTDefinitionList(items: items))])
    }

    /// Returns a form that is refused if another person has saved its content since it was opened.
    ///
    /// The refusal has the code `ContentVersion.changed`; what the other person saved then stands above the form.
    /// - Parameters:
    ///   - version: the version of the content that the form is opened with.
    ///   - kinds: the kinds of changes that save the content, such as `courses.termSaved`.
    ///   - contentId: the entity that the content belongs to, as these changes name it in their payload.
    public func form<C: Command>(
        _ type: C.Type, _ parameters: [String: String] = [:], id: String, of version: ContentVersion,
        savedBy kinds: [String], _ contentId: UUID, fields: [PTField], submit: SubmitButton, to: String? = nil,
        style: PTForm.Style = .plain
    ) async throws -> [Component] {
        let fields = fields + [.version(version)]
        let form = form(type, parameters, id: id, fields: fields, submit: submit, to: to, style: style)
        guard refused?.command == form.action else { return [.form(form)] }
        return try await savedMeanwhile(ContentVersion.changed, kinds, of: contentId, fields) + [.form(form)]
    }

    private func savedMeanwhile(
        _ code: String, _ kinds: [String], of id: UUID, _ stored: [Component]
    ) async throws -> [Component] {
        guard refused?.problem.code == code else { return [] }
        let people = names.first { $0.sort == "person" }
        let (last, name) = try await context.school.read { sql in
            let last = try ChangeLog.latest(kinds: kinds, limit: Self.searchedEntries, in: sql)
                .first { $0.change.payload.values.contains(id.text) }
            return (last, try last?.actorId.flatMap { try people?.find([$0], sql)[$0] })
        }
        let time = try last.map { words.dateAndTime($0.at, in: try context.membership.timeZone) }
        let title =
            if let name, let time { words("form.savedBy", name, time) } else { words("form.savedMeanwhile") }
        return [.section(PTSection(title: title, body: stored))]
    }
}

extension PTField {
    /// Creates the hidden field with the version of the content that a form is opened with.
    public static func version(_ version: ContentVersion) -> PTField { .hidden("version", version.text) }

    /// Whether the field is shown and its value is not the one that was typed.
    fileprivate func differs(from typed: String?) -> Bool {
        switch kind {
        case .hidden, .file, .photos, .password, .newPassword: false
        case .toggle: (typed != nil) != (value == "true")
        case .multipleChoice: Set((typed ?? "").split(separator: "\u{1F}").map(String.init)) != Set(values)
        default: (typed ?? "") != value
        }
    }

    /// The value as a reader sees it in the form; a dash if it is empty.
    fileprivate func spoken(_ words: Words) -> String {
        let text =
            switch kind {
            case .toggle: words(value == "true" ? "form.on" : "form.off")
            case .tint: Tint(rawValue: value).flatMap { tintTitles[$0] } ?? value
            case .select(let options), .choice(let options):
                options.first { $0.value == value }?.title ?? value
            case .multipleChoice(let options):
                options.filter { values.contains($0.value) }.map(\.title).joined(separator: ", ")
            default: value
            }
        return text.isEmpty ? "–" : text
    }
}
