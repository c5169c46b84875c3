extension Rule {
    /// Literal colors, sizes and durations outside DesignTokens are violations.
    ///
    /// Widths and positions in style sheets are allowed, since layout needs values that are not tokens, such as a
    /// grid's minimum. A space that is layout (room below a fixed bar) is marked `/* geometry: ... */`.
    static let styleLiterals = Rule(
        "style-literals", "Colors, sizes and durations are values of DesignTokens."
    ) { tree in
        let inSwift = tree.inEachSource(where: \.saysHowThingsLook) { file in
            file.facts.literals.flatMap { literal in
                StyleScan.literals(in: literal.text).map {
                    Violation(file.path, literal.line(at: $0.index), "'\($0.text)' should come from DesignTokens")
                }
            } + swiftUINumbers(in: file)
        }
        let inSheets = tree.texts.filter { $0.path.hasPrefix("Modules/") && !$0.path.contains("/DesignTokens/") }
            .flatMap { file -> [Violation] in
                let found =
                    file.path.hasSuffix(".css")
                    ? StyleScan.values(inSheet: file.text)
                    : file.path.hasSuffix(".js") ? StyleScan.colors(inScript: file.text) : []
                return found.map {
                    Violation(file.path, $0.line, "'\($0.text)' should come from a token (var(--...))")
                }
            }
        return inSwift + inSheets
    }

    /// Feature style sheets that depend on the width of the screen are violations.
    ///
    /// They use the layout classes of `Modules/Web/HTML/Resources/css/layout.css`, or ask for the width of their own
    /// element with `@container`.
    static let screenWidths = Rule(
        "screen-widths", "Only the style sheets of the design system depend on the width of the screen."
    ) { tree in
        tree.texts.filter {
            $0.path.hasPrefix("Modules/") && $0.path.hasSuffix(".css") && !$0.path.hasPrefix("Modules/Web/")
        }.flatMap { file in
            StyleScan.widthQueries(inSheet: file.text).map {
                Violation(
                    file.path, $0, "the layout of wide screens is in layout.css of Web, as a class to use here")
            }
        }
    }

    private static let measures: Set<String> = [
        "size", "cornerRadius", "duration", "width", "height", "minWidth", "minHeight", "maxWidth", "maxHeight",
        "spacing", "red", "green", "blue", "white", "response", "lineWidth", "radius",
    ]

    /// Finds `.padding(12)`, `cornerRadius: 8` in the SwiftUI shell. Zero and one are the same in every theme.
    private static func swiftUINumbers(in file: SourceFile) -> [Violation] {
        guard file.path.hasPrefix("Apps/iOS") else { return [] }
        return file.facts.numbers.filter { number in
            let isMeasure = number.label.map(measures.contains) ?? (number.call == "padding")
            return isMeasure && !["0", "1"].contains(number.value)
        }.map { number in
            Violation(file.path, number.line, "'\(number.value)' of \(number.call) should come from DesignTokens")
        }
    }
}

extension SourceFile {
    fileprivate var saysHowThingsLook: Bool {
        switch layer {
        case .feature, .designSystem, .adapter("Web"), .interface, .client: true
        case .app: path.hasPrefix("Apps/iOS")
        default: false
        }
    }
}

/// Finds colors, lengths and durations in text.
enum StyleScan {
    // `&#039;` is a character reference.
    private static let hexInText = Pattern(/(?:^|[^&\w])(#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}))(?!\w)/)
    private static let function = Pattern(/\b(?:rgba?|hsla?|oklch|oklab)\(/)
    private static let lengthInText = Pattern(/(?:^|[^\w.#%])(\d*\.?\d+(?:px|rem|em|ms))(?![\w-])/)
    private static let unitAfterGap = Pattern(/\x{FFFC}(px|rem|em)(?![\w-])/)
    private static let declaration = Pattern(/(?:^|[;{\s])([a-z-]+)\s*:([^;{}]*)/)
    private static let duration = Pattern(/(?:^|[^\w.-])(\d*\.?\d+m?s)(?!\w)/)
    private static let length = Pattern(/(?:^|[^\w.])(\d*\.?\d+(?:px|rem|pt))(?!\w)/)
    private static let hexInScript = Pattern(/["'`](#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3}))["'`]/)
    private static let functionInScript = Pattern(/["'`\s]((?:rgba?|hsla?)\()\s*\d/)
    private static let hexInSheet = Pattern(/#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})(?![\w-])/)

    /// The values that a Swift literal must not contain.
    static func literals(in text: String) -> [(text: String, index: String.Index)] {
        var found: [(String, String.Index)] = []
        if text.contains("#") {
            found += text.matches(of: hexInText.regex)
                .map { (String($0.output.1), $0.range.lowerBound) }
        }
        if text.contains("(") {
            found += text.matches(of: function.regex)
                .map { ("\($0.output)...)", $0.range.lowerBound) }
        }
        if text.contains(where: { $0.isASCII && $0.isNumber }) {
            found += text.matches(of: lengthInText.regex)
                .map { (String($0.output.1), $0.range.lowerBound) }
        }
        if text.contains(Literal.gap) {
            found += text.matches(of: unitAfterGap.regex).map {
                (String($0.output.1), $0.range.lowerBound)
            }
        }
        return found
    }

    private static func isSpace(_ property: Substring) -> Bool {
        ["padding", "margin"].contains(where: property.hasPrefix) || property.hasSuffix("gap")
    }

    /// The values that a style sheet must not contain: colors, and type, space, radius or motion that are not tokens.
    static func values(inSheet sheet: String) -> [(text: String, line: Int)] {
        let geometry = Set(
            sheet.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .filter { $0.element.contains("/* geometry: ") }.map(\.offset))
        let lines = withoutComments(sheet).split(separator: "\n", omittingEmptySubsequences: false)
        var found: [(String, Int)] = []
        // Turning motion off needs literal durations, so `prefers-reduced-motion` is left out.
        var depth = 0
        var calmDepth: Int?
        for (index, line) in lines.enumerated() {
            if line.contains("prefers-reduced-motion"), calmDepth == nil { calmDepth = depth }
            let isCalm = calmDepth != nil
            for color in colors(in: line) { found.append((color, index + 1)) }
            for match in line.matches(of: declaration.regex) where !isCalm {
                let property = match.output.1
                let value = match.output.2
                guard !property.hasPrefix("--") else { continue }
                if property.hasPrefix("transition") || property.hasPrefix("animation"),
                    let time = value.firstMatch(of: duration.regex),
                    time.output.1.contains(where: { "123456789".contains($0) })
                {
                    found.append((String(time.output.1), index + 1))
                }
                let isMeasured =
                    property == "font" || property == "font-size" || property.hasSuffix("radius")
                    || isSpace(property) && !geometry.contains(index)
                // A one-pixel line is the same in every theme.
                for size in value.matches(of: length.regex)
                where isMeasured && size.output.1 != "1px" {
                    found.append((String(size.output.1), index + 1))
                }
            }
            for character in line {
                if character == "{" { depth += 1 }
                if character == "}" {
                    depth -= 1
                    if let calm = calmDepth, depth <= calm { calmDepth = nil }
                }
            }
        }
        return found
    }

    /// The lines with a media query for the width of the screen.
    static func widthQueries(inSheet sheet: String) -> [Int] {
        let text = withoutComments(sheet)
        return text.matches(of: /@media[^{;]*?\bwidth\b/).map { match in
            text[..<match.range.lowerBound].count { $0 == "\n" } + 1
        }
    }

    static func colors(inScript script: String) -> [(text: String, line: Int)] {
        script.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            line.matches(of: hexInScript.regex)
                .map { (String($0.output.1), index + 1) }
                + line.matches(of: functionInScript.regex).map { ("\($0.output.1)...)", index + 1) }
        }
    }

    private static func colors(in line: Substring) -> [String] {
        let functions = line.matches(of: function.regex).map { "\($0.output)...)" }
        guard line.contains("#") else { return functions }
        // Only after a colon, since `#fade` elsewhere is a selector.
        return functions
            + line.matches(of: hexInSheet.regex).filter { match in
                line[..<match.range.lowerBound].last { "{};:".contains($0) } == ":"
            }.map { String($0.output) }
    }

    /// The sheet with comments blanked out and lines unchanged.
    private static func withoutComments(_ sheet: String) -> String {
        var result = ""
        var rest = sheet[...]
        while let start = rest.firstRange(of: "/*") {
            result += rest[..<start.lowerBound]
            let after = rest[start.upperBound...]
            let end = after.firstRange(of: "*/")?.upperBound ?? after.endIndex
            result += rest[start.lowerBound..<end].filter { $0 == "\n" }
            rest = rest[end...]
        }
        return result + rest
    }
}
