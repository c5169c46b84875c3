import DesignTokens
import Foundation
import TestKit
import Testing

@Suite("Tokens")
struct TokensTests {
    let tokens: Tokens

    init() throws { tokens = try Tokens() }

    @Test(
        "the five families have seven steps, with other values in dark mode",
        .requirement("PT-1.25.a", "PT-3.01.a", "PT-3.01.b"))
    func families() {
        let light = tokens.colors(.pinktower, .light)
        let dark = tokens.colors(.pinktower, .dark)
        #expect(PTColors.Family.allCases.map(\.rawValue) == ["sand", "clay", "leaf", "sky", "berry"])
        for family in PTColors.Family.allCases {
            for step in 1...7 { #expect(light[family, step] != dark[family, step], "\(family) \(step)") }
        }
        for role in [PTColors.Role.surfaceAlt, .outlineSubtle, .successMuted, .warningMuted] {
            #expect(light[role] != dark[role], "\(role)")
        }
    }

    @Test(
        "type has a display size above the scale, and space and radius have their new steps",
        .requirement("PT-1.25.b", "PT-3.02.a", "PT-3.02.c"))
    func scales() {
        let sizes = PTTypography.Style.allCases.map { tokens.typography[$0].size.points }
        #expect(sizes == sizes.sorted(by: >))
        #expect(tokens.typography[.display].size.css.hasSuffix("rem"))
        #expect(tokens.typography[.caption].size.points >= 13)
        #expect(tokens.spacing.xxxl.points > tokens.spacing.xxl.points)
        #expect(tokens.radius.pill.points > tokens.radius.xl.points)
    }

    @Test(
        "motion has easeOutSoft of 280 ms, the medium spring and three transitions",
        .requirement("PT-1.25.c", "PT-3.03.a", "PT-3.03.b"))
    func motion() throws {
        #expect(tokens.motion.easeOutSoft.duration.milliseconds == 280)
        let spring = try #require(tokens.motion.springMedium.spring)
        #expect([spring.response, spring.dampingFraction, spring.blendDuration] == [0.6, 0.8, 0])
        #expect(tokens.motion.fadeUp.shiftY != nil)
        #expect(tokens.motion.scaleIn.scale != nil)
        #expect(tokens.motion.checkPop.rotate != nil)
    }

    @Test(
        "surfaces differ from the background in every theme", .requirement("WW-0.05.c"),
        arguments: PTTheme.allCases)
    func ground(_ theme: PTTheme) {
        for mode in PTMode.allCases {
            let colors = tokens.colors(theme, mode)
            #expect(colors[.background] != colors[.surface], "\(theme), \(mode)")
        }
    }

    @Test("WolfWhale is indigo with translucent bars over the same tokens", .requirement("WW-0.05.a", "WW-0.05.b"))
    func wolfwhale() {
        let colors = tokens.colors(.wolfwhale, .light)
        #expect(colors[.primary].blue > colors[.primary].red)
        #expect(colors.bar.alpha < 1)
        #expect(colors.barBlur.hasPrefix("blur("))
        #expect(tokens.colors(.pinktower, .light).barBlur == "none")
        #expect(colors[.clay, 5] == tokens.colors(.pinktower, .light)[.clay, 5])
        #expect(colors[.sand, 5] != tokens.colors(.pinktower, .light)[.sand, 5])
    }

    @Test("the smallest target is 44 points", .requirement("PT-3.45"))
    func hitArea() {
        #expect(tokens.sizes[.hit].points >= 44)
        #expect(tokens.sizes[.control].points >= 44)
        #expect(tokens.sizes[.row].points >= 44)
    }

    @Test("the style sheet's properties follow theme, appearance and device")
    func css() {
        let css = tokens.css
        #expect(css.hasPrefix(":root{"))
        #expect(css.contains("@media (prefers-color-scheme:dark){:root:not([data-appearance=light]){"))
        #expect(css.contains(":root[data-appearance=dark]{color-scheme:dark;"))
        #expect(css.contains(":root[data-theme=wolfwhale]{"))
        #expect(css.contains(":root[data-theme=wolfwhale][data-appearance=dark]{"))
        for name in [
            "--surface-alt:", "--clay-3:", "--type-title1:", "--track-title1:", "--space-xxxl:", "--radius-pill:",
        ] {
            #expect(css.contains(name), "\(name)")
        }
        #expect(css.contains("@keyframes pt-fade-up{from{opacity:0;translate:0 0.75rem;}}"))
    }

    @Test("every property that WolfWhale sets in light mode is also set in dark mode")
    func cascade() throws {
        func names(after selector: String) throws -> Set<String> {
            let start = try #require(tokens.css.range(of: selector + "{"))
            let block = tokens.css[start.upperBound...].prefix { $0 != "}" }
            return Set(block.split(separator: ";").compactMap { $0.split(separator: ":").first.map(String.init) })
        }
        let light = try names(after: ":root[data-theme=wolfwhale]")
        let dark = try names(after: ":root[data-theme=wolfwhale][data-appearance=dark]")
        #expect(light.subtracting(dark) == ["--font-features"])
        #expect(light.contains("--primary"))
    }

    @Test("a missing or unreadable value is an error that names it")
    func malformed() throws {
        let missing = try tokenFile().replacingOccurrences(of: "\"surfaceAlt\":", with: "\"surfaceOther\":")
        #expect {
            try Tokens(json: Data(missing.utf8))
        } throws: { error in
            "\(error)".contains("surfaceAlt")
        }
        let unreadable = try tokenFile().replacingOccurrences(of: "\"#FAF7F3\"", with: "\"#FAF7\"")
        #expect {
            try Tokens(json: Data(unreadable.utf8))
        } throws: { error in
            "\(error)".contains("#FAF7")
        }
    }
}
