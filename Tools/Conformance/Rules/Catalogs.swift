import Foundation

/// The format of a key, such as `attendance.present`.
enum CatalogKey {
    private static let form = Pattern(/[a-z][A-Za-z0-9]*(\.[A-Za-z0-9_-]+)+/)
    fileprivate static let start = Pattern(/[a-z][A-Za-z0-9]*\./)

    static func isWellFormed(_ key: String) -> Bool { key.wholeMatch(of: form.regex) != nil }

    static func area(_ key: String) -> Substring { key.prefix { $0 != "." } }
}

/// One string catalog (`.xcstrings`).
struct Catalog {
    let file: TextFile
    /// The folder in Modules or Apps that it belongs to.
    let module: String
    let keys: [String: Entry]

    struct Entry: Decodable {
        let localizations: [String: Localization]?
    }

    struct Localization: Decodable {
        let stringUnit: Unit?
        let variations: Variations?

        /// The forms by plural category; a text without plurals has only `other`.
        var forms: [String: Unit] {
            if let stringUnit { return ["other": stringUnit] }
            return variations?.plural?.compactMapValues(\.stringUnit) ?? [:]
        }
        var isPlural: Bool { stringUnit == nil && variations?.plural != nil }
    }

    struct Variations: Decodable { let plural: [String: Form]? }
    struct Form: Decodable { let stringUnit: Unit? }
    struct Unit: Decodable {
        let state: String?
        let value: String

        private static let placeholder = Pattern(/%(?:(\d+)\$)?(%|lld|@|d)/)

        /// The placeholders `%@`, `%lld` and their numbered forms, as `1:@`. `%%` prints a percent sign and is none.
        var gaps: Set<String> {
            var next = 0
            return Set(
                value.matches(of: Self.placeholder.regex).compactMap { match in
                    if match.output.2 == "%" { return nil }
                    if match.output.1 == nil { next += 1 }
                    let position = match.output.1.map(String.init) ?? String(next)
                    return "\(position):\(match.output.2 == "@" ? "@" : "d")"
                })
        }
    }

    private struct Document: Decodable {
        let sourceLanguage: String?
        let strings: [String: Entry]
    }

    init(_ file: TextFile) throws {
        let document = try JSONDecoder().decode(Document.self, from: Data(file.text.utf8))
        self.file = file
        module = file.path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        keys = document.strings
    }

    /// The position of a decoding error, such as ` (at strings.quest.title)`, if known.
    static func place(of error: any Error) -> String {
        let context: DecodingError.Context? =
            switch error as? DecodingError {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            default: nil
            }
        let path = (context?.codingPath ?? []).map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? "" : " (at \(path))"
    }

    /// The keys that appear in the file more than once. A decoder uses one of their texts without an error.
    var repeated: [Violation] {
        let start = #/    "([^"]+)" ?: \{/#
        var seen: Set<Substring> = []
        return file.lines.enumerated().compactMap { number, line in
            guard let key = line.prefixMatch(of: start)?.output.1, !seen.insert(key).inserted
            else {
                return nil
            }
            return Violation(file.path, number + 1, "'\(key)' appears twice: give one of the texts another key")
        }
    }

    func line(of key: String) -> Int {
        (file.lines.firstIndex { $0.contains("\"\(key)\"") } ?? 0) + 1
    }

    func violation(_ key: String, _ message: String) -> Violation {
        Violation(file.path, line(of: key), "'\(key)' \(message)")
    }
}

extension Rule {
    static let catalogs = Rule(
        "catalogs",
        "Every text exists in English and French with the same placeholders and plurals; no key is missing or unused."
    ) { tree in
        let files = tree.texts.filter { text in
            (text.path.hasPrefix("Modules/") || text.path.hasPrefix("Apps/")) && text.path.hasSuffix(".xcstrings")
        }
        var broken: [Violation] = []
        var catalogs: [Catalog] = []
        for file in files {
            do {
                catalogs.append(try Catalog(file))
            } catch {
                broken.append(Violation(file.path, 1, "is no string catalog\(Catalog.place(of: error))"))
            }
        }
        let use = CatalogUse(tree, catalogs)
        return broken + catalogs.flatMap(\.repeated) + catalogs.flatMap(incomplete) + doubles(in: catalogs)
            + use.unused + use.missing
    }

    private static let languages = ["en", "fr"]

    private static func incomplete(_ catalog: Catalog) -> [Violation] {
        catalog.keys.flatMap { key, entry -> [Violation] in
            guard CatalogKey.isWellFormed(key) else {
                return [catalog.violation(key, "is no key of the form area.name")]
            }
            let localizations = entry.localizations ?? [:]
            let absent = languages.filter { localizations[$0]?.forms.isEmpty ?? true }
            guard absent.isEmpty else {
                return [catalog.violation(key, "has no text in \(absent.joined(separator: ", "))")]
            }
            return disagreements(key, localizations, catalog)
        }
    }

    private static func disagreements(
        _ key: String, _ localizations: [String: Catalog.Localization], _ catalog: Catalog
    ) -> [Violation] {
        let texts = languages.compactMap { code in localizations[code].map { (code, $0) } }
        var found: [Violation] = []
        for (code, text) in texts {
            for (form, unit) in text.forms {
                let name = text.isPlural ? "\(code) (\(form))" : code
                if unit.value.allSatisfy(\.isWhitespace) {
                    found.append(catalog.violation(key, "is empty in \(name)"))
                } else if let state = unit.state, state != "translated" {
                    found.append(catalog.violation(key, "is marked '\(state)' in \(name)"))
                }
                // A form such as "One child" may omit the number, but must not add placeholders.
                if let other = text.forms["other"], !unit.gaps.isSubset(of: other.gaps) {
                    found.append(catalog.violation(key, "has gaps in \(name) that its form 'other' does not have"))
                }
            }
            if text.isPlural {
                let absent = ["one", "other"].filter { text.forms[$0] == nil }
                if !absent.isEmpty {
                    found.append(
                        catalog.violation(
                            key, "lacks the plural form \(absent.joined(separator: ", ")) in \(code)"))
                }
            }
        }
        if Set(texts.map(\.1.isPlural)).count > 1 {
            found.append(catalog.violation(key, "has plural forms in one language only"))
        }
        if Set(texts.compactMap { $0.1.forms["other"]?.gaps }).count > 1 {
            found.append(catalog.violation(key, "has different gaps (%@, %lld) in its languages"))
        }
        return found
    }

    private static func doubles(in catalogs: [Catalog]) -> [Violation] {
        var owners: [String: String] = [:]
        var found: [Violation] = []
        for catalog in catalogs {
            for key in catalog.keys.keys.sorted() {
                if let owner = owners[key] {
                    found.append(catalog.violation(key, "is a key of \(owner) already"))
                } else {
                    owners[key] = catalog.module
                }
            }
        }
        return found
    }
}

/// The keys that the sources use.
private struct CatalogUse {
    private let tree: SourceTree
    private let catalogs: [Catalog]
    /// Keys of the kernel and the adapters, which every block may use.
    private let common: Set<String>

    init(_ tree: SourceTree, _ catalogs: [Catalog]) {
        self.tree = tree
        self.catalogs = catalogs
        common = Set(catalogs.filter { !$0.isFeature }.flatMap(\.keys.keys))
    }

    // MARK: - Missing

    var missing: [Violation] {
        let own = Dictionary(catalogs.map { ($0.module, Set($0.keys.keys)) }) { $0.union($1) }
        return tree.inEachSource { file in
            // An app of a device has its own texts alone; the server looks up texts of all blocks.
            let isApp = file.layer == .clientApp
            let app = isApp ? file.path.split(separator: "/").dropFirst().first.map(String.init) : nil
            guard let module = file.moduleFolder ?? app, !(file.layer?.isTest ?? true) else { return [] }
            let known = common.union(own[module] ?? [])
            let areas = Set(known.map(CatalogKey.area))
            // A function with that name in the same file is not the text look-up.
            let calls = file.facts.calls.filter { $0.base != nil || !file.facts.functions.contains($0.name) }
            return calls.flatMap { references($0, areas: areas) }.filter { reference in
                !known.contains { reference.matches($0) }
            }.map { reference in
                Violation(
                    file.path, reference.line,
                    "there is no text '\(reference.key.shown)' in the catalog of \(module)")
            }
        }
    }

    private struct Reference {
        let key: String
        let line: Int

        func matches(_ other: String) -> Bool { key.fits(other) }
    }

    /// The keys that a call looks up.
    private func references(_ call: Call, areas: Set<Substring>) -> [Reference] {
        var found: [Reference] = []
        func note(_ argument: CallArgument?, prefix: String = "") {
            for literal in argument?.literals ?? [] {
                found.append(Reference(key: prefix + literal.text, line: literal.line))
            }
        }
        let isWords = call.name == "words" || call.name == "text" && call.base?.hasSuffix("words") == true
        if isWords, call.arguments.first?.label == nil { note(call.arguments.first) }
        let second = call.arguments.dropFirst().first { $0.label == nil }
        switch call.name {
        case "Problem" where second != nil: note(second, prefix: "problem.")
        case "Fault" where second != nil: note(second, prefix: "fault.")
        case "invalid" where call.base == "" || call.base == "Problem": note(second, prefix: "fault.")
        case "NavigationEntry": note(second)
        default: break
        }
        for argument in call.arguments {
            guard let label = argument.label, label == "key" || label.hasSuffix("Key") else { continue }
            // Dictionaries have keys too, so only literals that begin with an area of this catalog count.
            let keys = argument.literals.filter {
                CatalogKey.isWellFormed($0.text) && areas.contains(CatalogKey.area($0.text))
            }
            found += keys.map { Reference(key: $0.text, line: $0.line) }
        }
        return found
    }

    // MARK: - Unused

    var unused: [Violation] {
        catalogs.flatMap { catalog -> [Violation] in
            let sources = tree.sources.filter { file in
                // Any module may use the kernel's texts.
                file.path.hasPrefix("Modules/") && (!catalog.isFeature || file.moduleFolder == catalog.module)
                    || file.path.hasPrefix("Apps/")
            }
            let literals = sources.flatMap(\.facts.literals)
            let plain = Set(literals.lazy.filter { !$0.isInterpolated }.map(\.text))
            let patterns = Set(literals.lazy.filter { $0.isInterpolated && $0.text.namesAnArea }.map(\.text))
            // Prefixes for words from data: `.word("state", prefix: "curriculum.state.")`.
            let prefixes = plain.filter { $0.hasSuffix(".") && $0.namesAnArea }
            // `area.x` is looked up by the name of an endpoint, such as `x.list`.
            let endpoints = sources.flatMap(\.facts.calls).filter { $0.name == "Contract" }
                .compactMap { $0.arguments.first?.literals.first?.text }
            let areas = Set(endpoints.map { "area.\(CatalogKey.area($0))" })
            let scripts = tree.texts.filter {
                $0.path.hasPrefix("Modules/\(catalog.module)/") && $0.path.hasSuffix(".js")
            }
            return catalog.keys.keys.filter { key in
                // `problem.x` and `fault.x` are looked up by the code `x`.
                let code = ["problem.", "fault."].first(where: key.hasPrefix).map {
                    String(key.dropFirst($0.count))
                }
                return !plain.contains(key) && !areas.contains(key) && !(code.map(plain.contains) ?? false)
                    && !patterns.contains { $0.fits(key) } && !prefixes.contains(where: key.hasPrefix)
                    && !scripts.contains { $0.text.contains("\"\(key)\"") || $0.text.contains("'\(key)'") }
            }.map { catalog.violation($0, "is used nowhere in \(catalog.module)") }
        }
    }
}

extension Catalog {
    var isFeature: Bool {
        if case .feature = Layer(path: file.path) { true } else { false }
    }
}

extension String {
    /// Whether an interpolated key begins with an area, as `grade.<gap>` does.
    fileprivate var namesAnArea: Bool { prefixMatch(of: CatalogKey.start.regex) != nil }

    /// Whether `key` matches this text with its gaps filled.
    fileprivate func fits(_ key: String) -> Bool {
        let parts = split(separator: Literal.gap, omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return self == key }
        guard key.hasPrefix(first), key.hasSuffix(last), key.count > first.count + last.count else { return false }
        var rest = key.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
