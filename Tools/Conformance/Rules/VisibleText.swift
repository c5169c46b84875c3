extension Rule {
    static let visibleText = Rule(
        "visible-text", "Texts for people come from a string catalog, not from literals."
    ) { tree in
        let components = tree.sources.filter { $0.layer == .designSystem }
            .reduce(into: Set<String>()) { $0.formUnion($1.facts.declared) }
        return tree.inEachSource { file in
            switch file.layer {
            case .feature: file.facts.calls.flatMap { literals(shownBy: $0, components, file) }
            case .adapter("Web"): file.facts.literals.flatMap { text(inMarkup: $0, file) }
            case .app where file.path.hasPrefix("Apps/iOS"):
                file.facts.calls.flatMap { literals(shownBySwiftUI: $0, file) }
            default: []
            }
        }
    }

    /// Argument labels of components whose text a person sees or hears.
    private static let textLabels: Set<String> = [
        "title", "subtitle", "label", "message", "hint", "text", "placeholder", "tip", "spoken", "caption",
        "heading", "header", "footer", "detail", "accessibilityLabel", "description", "eyebrow", "term", "error",
        "confirm", "qrSpoken",
    ]

    private static func literals(shownBy call: Call, _ components: Set<String>, _ file: SourceFile) -> [Violation] {
        let owner = call.name == "init" ? call.base?.split(separator: ".").last.map(String.init) : call.name
        // The type of `.init(title: ...)` is unknown, so its labels decide.
        let isComponent = owner.map(components.contains) ?? (call.base == "")
        let shown = call.arguments.enumerated().filter { index, argument in
            if call.name == "Feedback" { return index == 1 }
            guard isComponent else { return false }
            switch argument.label {
            // Unlabeled texts as in `PTDivider("Or")`; names of icons and fields look like code.
            case nil, "name":
                return (owner?.hasPrefix("PT") ?? false) && !argument.literals.allSatisfy(\.readsLikeCode)
            case let label?: return textLabels.contains(label)
            }
        }
        return shown.flatMap { $0.element.literals }.filter { $0.hasLetter && !$0.text.isEmpty }.map {
            Violation(
                file.path, $0.line, "\"\($0.text.shown)\" is shown to people: give it a key in the catalog")
        }
    }

    private static let swiftUITexts: Set<String> = [
        "Text", "Label", "Button", "Section", "Toggle", "TextField", "navigationTitle", "accessibilityLabel",
    ]

    private static func literals(shownBySwiftUI call: Call, _ file: SourceFile) -> [Violation] {
        guard swiftUITexts.contains(call.name), let first = call.arguments.first, first.label == nil else {
            return []
        }
        return first.literals.filter { $0.hasLetter && !CatalogKey.isWellFormed($0.text) }.map {
            Violation(
                file.path, $0.line, "\"\($0.text.shown)\" is shown to people: give it a key in the catalog")
        }
    }

    /// Texts between tags and in attributes that are shown or read out.
    private static func text(inMarkup literal: Literal, _ file: SourceFile) -> [Violation] {
        guard literal.text.contains("<") || literal.text.contains("=") else { return [] }
        let markup = literal.text.replacing("\\\"", with: "\"")
        let attributes = markup.matches(of: /\b(?:aria-label|title|alt|placeholder)="([^"]*)"/).map(\.output.1)
        let elements = markup.matches(of: />([^<>{}=;]*)<\//).map(\.output.1)
        return (attributes + elements).filter { $0.contains(/[A-Za-z]{2}/) }.map {
            Violation(
                file.path, literal.line, "\"\(String($0).shown)\" is shown to people: give it a key in the catalog")
        }
    }

    static let localeFormats = Rule(
        "locale-formats", "Dates and times follow the locale, without fixed patterns."
    ) { tree in
        tree.inEachSource(where: { file in
            switch file.layer {
            case .feature, .designSystem, .adapter("Web"): true
            case .app: file.path.hasPrefix("Apps/iOS")
            default: false
            }
        }) { file in
            file.facts.calls.filter { ["DateFormatter", "VerbatimFormatStyle"].contains($0.name) }.map {
                Violation(file.path, $0.line, "\($0.name) fixes a pattern: use the dates of Words")
            }
        }
    }
}

extension Literal {
    private static let code = Pattern(/[a-z][A-Za-z0-9._-]*/)

    /// Whether the text looks like code: `password`, `chevron.right`.
    fileprivate var readsLikeCode: Bool { text.wholeMatch(of: Self.code.regex) != nil }
}

extension String {
    /// The text, shortened to one line for a message.
    var shown: String {
        let line = replacing("\n", with: " ").replacing(String(Literal.gap), with: "…")
        return line.count > 50 ? "\(line.prefix(49))…" : line
    }
}
