import DesignTokens
import Foundation
import TestKit
import Testing

@Suite("Contrast of the tokens")
struct ContrastTests {
    @Test(
        "every listed pair has the contrast that it needs, in both themes, light and dark",
        .requirement("PT-3.44.b"))
    func everyPair() throws {
        let tokens = try Tokens()
        #expect(tokens.pairs.count >= 494)
        for pair in tokens.pairs {
            let ratio = try tokens.ratio(of: pair)
            #expect(
                ratio >= pair.need,
                "\(pair.text) on \(pair.on) (\(pair.theme), \(pair.mode)) has \(ratio), needs \(pair.need)")
        }
    }

    @Test(
        "body text is readable on every background of every theme", .requirement("PT-3.44.c"),
        arguments: PTTheme.allCases, PTMode.allCases)
    func bodyText(_ theme: PTTheme, _ mode: PTMode) throws {
        let colors = try Tokens().colors(theme, mode)
        for ground in [PTColors.Role.background, .surface, .surfaceAlt] {
            #expect(colors[.text].contrast(with: colors[ground]) >= 7)
            #expect(colors[.primary].contrast(with: colors[ground]) >= 4.5)
            #expect(colors[.outline].contrast(with: colors[ground]) >= 3)
        }
    }

    @Test("a changed value with too little contrast is found")
    func aChangedValue() throws {
        let json = try tokenFile().replacingOccurrences(of: "\"#595147\"", with: "\"#B8B0A6\"")
        let failing = try Tokens(json: Data(json.utf8)).failingPairs()
        #expect(failing.contains { $0.text == "textMuted" && $0.on == "background" && $0.mode == .light })
    }

    @Test("a pair with an unknown color is an error")
    func anUnknownName() throws {
        let json = try tokenFile().replacingOccurrences(of: "\"on\": \"sand.3\"", with: "\"on\": \"sand.9\"")
        #expect(throws: TokenError.self) { try Tokens(json: Data(json.utf8)).failingPairs() }
    }

    @Test("the ratio is computed as WCAG defines it")
    func knownRatios() {
        let black = PTColor(red: 0, green: 0, blue: 0)
        let white = PTColor(red: 1, green: 1, blue: 1)
        #expect(abs(black.contrast(with: white) - 21) < 0.001)
        #expect(abs(white.contrast(with: white) - 1) < 0.001)
        let gray = PTColor(red: 119 / 255.0, green: 119 / 255.0, blue: 119 / 255.0)
        #expect(abs(gray.contrast(with: white) - 4.48) < 0.01)
    }
}

/// The product's own token file as text.
func tokenFile() throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return try String(
        contentsOf: folder.appendingPathComponent("Modules/DesignTokens/Sources/Resources/tokens.json"),
        encoding: .utf8)
}
