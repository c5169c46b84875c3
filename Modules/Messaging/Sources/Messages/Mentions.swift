import Domain
import Foundation

/// Who is called by name in a text: `@Ruth`, `@Ruth Adler`, in whatever case and with or without accents.
enum Mentions {
    /// Those of the people whom the text calls.
    static func find(in text: String, among people: [UUID: PersonName]) -> Set<UUID> {
        var found: Set<UUID> = []
        // No text calls more people than this, whatever it is made of.
        for index in text.indices.filter({ text[$0] == "@" }).prefix(40) {
            let before = text[..<index].last
            guard before.map({ !$0.isLetter && !$0.isNumber }) ?? true else { continue }
            let rest = NameFolding.fold(String(text[text.index(after: index)...].prefix(100)))
            let called = people.filter { _, name in calls(rest, name) }
            // A whole name says more than a first name that several have.
            let whole = called.filter { _, name in begins(rest, with: name.display) }
            found.formUnion((whole.isEmpty ? called : whole).keys)
        }
        return found
    }

    private static func calls(_ rest: String, _ name: PersonName) -> Bool {
        [name.display, name.given, name.preferred].compactMap { $0 }.contains { begins(rest, with: $0) }
    }

    /// Whether the folded text begins with the name and the name ends there.
    private static func begins(_ rest: String, with name: String) -> Bool {
        let name = NameFolding.fold(name)
        guard !name.isEmpty, rest.hasPrefix(name) else { return false }
        return rest.dropFirst(name.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    }
}
