import DesignSystem
public import FeatureKit
import Foundation
import ScreenKit
public import Testing

extension TestEnvironment {
    /// Opens a form twice and checks that the second save is refused, shows both texts and can then be repeated, and
    /// that a request without a version is accepted.
    /// - Parameters:
    ///   - id: the id of the form in its page.
    ///   - path: the path of the page.
    ///   - name: the text field that is changed.
    ///   - code: the code of the refusal.
    public func expectVersions(
        of id: String, at path: String, changing name: String, as caller: Caller, code: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let opened = try await form(id, at: path, as: caller)
        let version = opened.fields.first { $0.name == "version" }?.value
        #expect(version?.isEmpty == false, "the form sends no version", sourceLocation: sourceLocation)
        try await submit(opened, [name: "Hers"], as: caller)
        let refused = try await problem { try await submit(opened, [name: "His"], as: caller) }
        #expect(refused == Problem(409, code), sourceLocation: sourceLocation)
        guard let refused else { return }
        let again = Outline(
            try await page(
                path, as: caller,
                refused: RefusedForm(command: opened.action, typed: [name: "His"], problem: refused))
        ).description
        #expect(
            again.contains("Saved in the meantime") && again.contains("Hers") && again.contains("His"), "\(again)",
            sourceLocation: sourceLocation)
        try await submit(try await form(id, at: path, as: caller), [name: "Both"], as: caller)
        try await submit(opened, [name: "Without a version", "version": nil], as: caller)
        let stored = try await form(id, at: path, as: caller).fields.first { $0.name == name }?.value
        #expect(stored == "Without a version", sourceLocation: sourceLocation)
    }

    private func form(_ id: String, at path: String, as caller: Caller) async throws -> PTForm {
        let page = try await page(path, as: caller)
        guard let form = page.forms.first(where: { $0.id == id }) else {
            throw Unknown(description: "\(path) has no form \(id), but \(page.forms.map(\.id))")
        }
        return form
    }

    /// Sends a form as a browser does, with some values changed.
    private func submit(_ form: PTForm, _ changes: [String: String?], as caller: Caller) async throws {
        let parts = form.action.split(separator: "/")
        let match = features.flatMap(\.endpoints.commands).map(\.contract).compactMap { contract in
            Self.parameters(of: contract.path.split(separator: "/"), in: parts).map { (contract.name, $0) }
        }.min { $0.1.count < $1.1.count }
        guard let (command, parameters) = match else {
            throw Unknown(description: "no command has the path \(form.action)")
        }
        var input = parameters
        for field in form.fields {
            switch field.kind {
            case .file, .photos: break
            case .multipleChoice:
                if !field.values.isEmpty { input[field.name] = .list(field.values.map(InputValue.text)) }
            case .toggle: if field.value == "true" { input[field.name] = .text("true") }
            default: input[field.name] = .text(field.value)
            }
        }
        for (name, value) in changes { input[name] = value.map(InputValue.text) }
        _ = try await execute(command, .object(input), as: caller, isForm: true)
    }

    /// The parameters of a path that a template matches, such as `["courseId": …]`.
    private static func parameters(of template: [Substring], in path: [Substring]) -> [String: InputValue]? {
        guard template.count == path.count else { return nil }
        var found: [String: InputValue] = [:]
        for (name, part) in zip(template, path) where name != part {
            guard name.hasPrefix("{") else { return nil }
            found[String(name.dropFirst().dropLast())] = .text(String(part))
        }
        return found
    }
}
