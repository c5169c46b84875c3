import Domain
import Foundation

/// Finds mentions in a text: `@Ruth`, `@Ruth Adler`, ignoring case and accents.
enum Mentions {
    /// Returns the people whom the text mentions.
    static func find(in text: String, among people: [UUID: PersonName]) -> Set<UUID> {
        var found: Set<UUID> = []
        // Limits the work for a text of many at signs.
        for index in text.indices.filter({ text[$0] == "@" }).prefix(40) {
            let before = text[..<index].last
            guard before.map({ !$0.isLetter && !$0.isNumber }) ?? true else { continue }
            let rest = NameFolding.fold(String(text[text.index(after: index)...].prefix(100)))
            let called = people.filter { _, name in calls(rest, name) }
            // A full name takes precedence over a first name that several people have.
            let whole = called.filter { _, name in begins(rest, with: name.display) }
            found.formUnion((whole.isEmpty ? called : whole).keys)
        }
        return found
    }

    private static func calls(_ rest: String, _ name: PersonName) -> Bool {
        [name.display, name.given, name.preferred].compactMap { $0 }.contains { begins(rest, with: $0) }
    }

    /// Whether the folded text begins with the name as a whole word.
    private static func begins(_ rest: String, with name: String) -> Bool {
        let name = NameFolding.fold(name)
        guard !name.isEmpty, rest.hasPrefix(name) else { return false }
        return rest.dropFirst(name.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    }
}
