package import DesignSystem
import Domain
import Foundation

/// What a person typed and chose in a form.
package struct FormValues: Hashable {
    private var texts: [String: String] = [:]
    private var lists: [String: Set<String>] = [:]
    private var chosenFiles: [String: [ChosenFile]] = [:]

    package init(_ fields: [PTField]) {
        for field in fields {
            if case .multipleChoice = field.kind {
                lists[field.name] = Set(field.values)
            } else {
                texts[field.name] = field.value
            }
        }
    }

    /// The text of a field.
    package subscript(text name: String) -> String {
        get { texts[name] ?? "" }
        set { texts[name] = newValue }
    }

    /// The state of a switch.
    subscript(isOn name: String) -> Bool {
        get { texts[name] == "true" }
        set { texts[name] = newValue ? "true" : "false" }
    }

    /// Whether a value of a field for several choices is chosen.
    subscript(choice choice: Choice) -> Bool {
        get { lists[choice.name]?.contains(choice.value) ?? false }
        set {
            if newValue {
                lists[choice.name, default: []].insert(choice.value)
            } else {
                lists[choice.name]?.remove(choice.value)
            }
        }
    }

    /// A value of a field for several choices.
    struct Choice: Hashable {
        let name: String
        let value: String
    }

    /// The chosen files of a field.
    subscript(files name: String) -> [ChosenFile] {
        get { chosenFiles[name] ?? [] }
        set { chosenFiles[name] = newValue }
    }

    /// Removes the chosen files, which the handler has taken.
    mutating func removeFiles() {
        if !chosenFiles.isEmpty { chosenFiles = [:] }
    }

    /// The calendar day of a field, at noon in the person's time zone; today while the field is empty.
    subscript(day name: String) -> Date {
        get { Day(texts[name] ?? "").map { $0.midday(in: .current) } ?? Date() }
        set { texts[name] = Day(newValue, in: .current).description }
    }

    /// The plain fields of the command.
    func fields(of form: PTForm) -> [String: String] {
        form.fields.reduce(into: [:]) { all, field in
            switch field.kind {
            case .multipleChoice, .file, .photos: break
            default: all[field.name] = texts[field.name]
            }
        }
    }

    /// The further input of the command.
    func extras(of form: PTForm) -> CommandExtras {
        var extras = CommandExtras(uploads: form.uploads, passkey: form.passkey)
        for field in form.fields {
            switch field.kind {
            case .multipleChoice(let options):
                let chosen = lists[field.name] ?? []
                extras.lists[field.name] = options.map(\.value).filter(chosen.contains)
            case .file, .photos: extras.files[field.name] = self[files: field.name]
            default: break
            }
        }
        return extras
    }
}
