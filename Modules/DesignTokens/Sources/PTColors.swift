import Foundation

/// The colors of one theme in light or dark mode: semantic roles, the five palette families, the illustrations.
public struct PTColors: Sendable, Hashable {
    /// The purpose of a color. Pages name roles, never values.
    public enum Role: String, CaseIterable, Sendable, Hashable {
        case background, surface, surfaceAlt, outlineSubtle, outline, text, textMuted
        case primary, onPrimary, primaryMuted, success, successMuted, warning, warningMuted
        case danger, dangerMuted, info, infoMuted, focus
    }
    /// A family of seven steps, with the same purposes in light and dark mode.
    public enum Family: String, CaseIterable, Sendable, Hashable { case sand, clay, leaf, sky, berry }
    /// The parts of the illustrations that have a color of their own.
    public enum Part: String, CaseIterable, Sendable, Hashable {
        case cubeTop, cubeSide, cubeShade, cloud, toyEdge, qrDark, qrLight
    }
    /// The kinds of elements that have a shadow: raised ones and overlays.
    public enum Shadow: String, CaseIterable, Sendable, Hashable { case raised, overlay }

    let values: [String: PTColor]
    let shadows: [Shadow: String]
    /// The CSS filter behind a translucent bar; `none` if bars are opaque.
    public let barBlur: String

    /// Returns the color of a semantic role.
    public subscript(role: Role) -> PTColor { self.named(role.rawValue) }

    /// Returns the color of a palette's step from 1 (background) to 7 (text).
    public subscript(family: Family, step: Int) -> PTColor { named("\(family.rawValue).\(step)") }

    /// Returns the color of a part of the illustrations.
    public subscript(part: Part) -> PTColor { named(part.rawValue) }

    /// The background of the top bar and the tabs, which may be translucent.
    public var bar: PTColor { named("bar") }

    /// The translucent color between an open sheet and the page below.
    public var scrim: PTColor { named("scrim") }

    /// Returns the shadow of a kind of element, as a CSS value.
    public func shadow(_ shadow: Shadow) -> String { shadows[shadow] ?? "none" }

    /// The color with a name of the contrast table, such as `textMuted` or `sand.7`.
    public func color(named name: String) -> PTColor? { values[name] }

    private func named(_ name: String) -> PTColor { values[name] ?? PTColor(red: 0, green: 0, blue: 0) }

    static func all(in file: TokenFile) throws -> [PTTheme: [PTMode: PTColors]] {
        var all: [PTTheme: [PTMode: PTColors]] = [:]
        for theme in PTTheme.allCases {
            for mode in PTMode.allCases { all[theme, default: [:]][mode] = try PTColors(file, theme, mode) }
        }
        return all
    }

    private init(_ file: TokenFile, _ theme: PTTheme, _ mode: PTMode) throws {
        guard let own = file.themes[theme], let drawing = file.illustration[theme] else {
            throw TokenError(description: "tokens.json has no theme '\(theme.rawValue)'")
        }
        var values: [String: PTColor] = [:]
        for role in Role.allCases {
            values[role.rawValue] = try PTColor(
                css: own.roles.required(role.rawValue, of: "\(theme.rawValue) role")[mode])
        }
        for family in Family.allCases {
            let overrides = theme == .wolfwhale ? file.palette.wolfwhaleOverrides[family.rawValue] : nil
            let steps = try file.palette.families.required(family.rawValue, of: "palette family")
            for step in 1...7 {
                let shade = try overrides?["\(step)"] ?? steps.required("\(step)", of: "\(family.rawValue) step")
                values["\(family.rawValue).\(step)"] = try PTColor(css: shade[mode])
            }
        }
        let base = file.illustration[.pinktower] ?? [:]
        for part in Part.allCases {
            let shade = try drawing[part.rawValue] ?? base.required(part.rawValue, of: "illustration part")
            values[part.rawValue] = try PTColor(css: shade[mode])
        }
        values["bar"] = try PTColor(css: own.effects.bar[mode])
        values["scrim"] = try PTColor(css: own.effects.scrim[mode])
        var shadows: [Shadow: String] = [:]
        for shadow in Shadow.allCases {
            shadows[shadow] = try file.shadow.required(shadow.rawValue, of: "shadow")[mode]
        }
        self.init(values: values, shadows: shadows, barBlur: own.effects.barBlur)
    }

    init(values: [String: PTColor], shadows: [Shadow: String], barBlur: String) {
        self.values = values
        self.shadows = shadows
        self.barBlur = barBlur
    }
}

/// A color in sRGB, with components from 0 to 1.
public struct PTColor: Sendable, Hashable {
    public var red: Double
    public var green: Double
    public var blue: Double
    public var alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Reads `#RRGGBB` or `rgba(r, g, b, a)`. Throws `TokenError` for any other text.
    public init(css: String) throws {
        if css.hasPrefix("#"), css.utf8.count == 7, let number = UInt32(css.dropFirst(), radix: 16) {
            self.init(
                red: Double(number >> 16 & 255) / 255, green: Double(number >> 8 & 255) / 255,
                blue: Double(number & 255) / 255)
        } else if css.hasPrefix("rgba("), css.hasSuffix(")") {
            let parts = css.dropFirst(5).dropLast().split(separator: ",").map { part in
                Double(part.drop { $0 == " " })
            }
            guard parts.count == 4, let red = parts[0], let green = parts[1], let blue = parts[2],
                let alpha = parts[3]
            else { throw TokenError(description: "'\(css)' is not a color") }
            self.init(red: red / 255, green: green / 255, blue: blue / 255, alpha: alpha)
        } else {
            throw TokenError(description: "'\(css)' is not a color such as #FAF7F3 or rgba(0, 0, 0, 0.5)")
        }
    }

    /// The color as a CSS value.
    public var css: String {
        let parts = [red, green, blue].map { Int(($0 * 255).rounded()) }
        guard alpha >= 1 else { return "rgba(\(parts[0]),\(parts[1]),\(parts[2]),\(alpha))" }
        return "#"
            + parts.map { part in
                let digits = String(part, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }

    /// The opaque color that results from this color over an opaque background.
    public func over(_ ground: PTColor) -> PTColor {
        func mix(_ above: Double, _ below: Double) -> Double { above * alpha + below * (1 - alpha) }
        return PTColor(
            red: mix(red, ground.red), green: mix(green, ground.green), blue: mix(blue, ground.blue))
    }

    /// The relative luminance, from 0 to 1 (WCAG 2.2, "relative luminance").
    public var luminance: Double {
        func linear(_ part: Double) -> Double {
            part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio with another color, from 1 to 21 (WCAG 2.2, "contrast ratio").
    public func contrast(with other: PTColor) -> Double {
        let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }
}
