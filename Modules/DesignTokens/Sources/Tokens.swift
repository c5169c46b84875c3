public import Foundation

/// The values of the product's design, read from `tokens.json`, the only place where colors, sizes and durations are
/// defined.
public struct Tokens: Sendable {
    /// The colors of each theme in light and dark mode.
    public let colors: [PTTheme: [PTMode: PTColors]]
    public let typography: PTTypography
    public let spacing: PTSpacing
    public let radius: PTRadius
    public let sizes: PTSizes
    public let motion: PTMotion
    /// The widths at which the layout changes, by name: `tight`, `narrow`, `wide`, `broad`.
    public let breakpoints: [String: String]
    /// Every pair of colors that the style sheet combines, with the contrast that it must have.
    public let pairs: [ContrastPair]

    /// Reads the design tokens of the product from this module's resources.
    public init() throws {
        guard let url = Bundle.module.url(forResource: "tokens", withExtension: "json", subdirectory: "Resources")
        else { throw TokenError(description: "the tokens.json of DesignTokens is missing from its bundle") }
        try self.init(json: Data(contentsOf: url))
    }

    /// Reads tokens from a file of the same format. Throws `TokenError` if a value is missing or unreadable.
    public init(json: Data) throws {
        let file = try JSONDecoder().decode(TokenFile.self, from: json)
        colors = try PTColors.all(in: file)
        typography = try PTTypography(file.type)
        spacing = try PTSpacing(file.space)
        radius = try PTRadius(file.radius)
        sizes = try PTSizes(file.size)
        motion = try PTMotion(file)
        breakpoints = file.breakpoint
        pairs = file.contrast.list
    }

    /// Returns the colors of one theme in light or dark mode.
    public func colors(_ theme: PTTheme, _ mode: PTMode) -> PTColors {
        // `init` filled both dictionaries for every case.
        colors[theme]?[mode] ?? PTColors(values: [:], shadows: [:], barBlur: "none")
    }
}

/// The color themes of the product, each with colors for light and dark mode.
public enum PTTheme: String, CaseIterable, Codable, Sendable, Hashable, CodingKeyRepresentable {
    case pinktower, wolfwhale
}

/// The mode of a theme: light or dark.
public enum PTMode: String, CaseIterable, Codable, Sendable, Hashable, CodingKeyRepresentable {
    case light, dark
}

/// The error for a token file with a missing or unreadable value.
public struct TokenError: Error, CustomStringConvertible, Hashable, Sendable {
    public let description: String
}

/// The format of `tokens.json`.
struct TokenFile: Decodable {
    struct Shade: Decodable {
        let light: String
        let dark: String

        subscript(mode: PTMode) -> String { mode == .light ? light : dark }
    }
    struct Palette: Decodable {
        let families: [String: [String: Shade]]
        let wolfwhaleOverrides: [String: [String: Shade]]
    }
    struct Effects: Decodable {
        let bar: Shade
        let barBlur: String
        let scrim: Shade
    }
    struct Theme: Decodable {
        let roles: [String: Shade]
        let effects: Effects
    }
    struct TypeScale: Decodable {
        struct Style: Decodable {
            let size: String
            let line: Double
            let weight: Int
            let tracking: String
        }
        let family: String
        let features: String
        let scale: [String: Style]
    }
    struct Motion: Decodable {
        struct Spring: Decodable {
            let response: Double
            let dampingFraction: Double
            let blendDuration: Double
        }
        let duration: String
        let curve: String
        let spring: Spring?
    }
    struct Transition: Decodable {
        let opacity: Double?
        let shiftY: String?
        let scale: Double?
        let rotate: String?
    }
    struct Contrast: Decodable { let list: [ContrastPair] }

    let palette: Palette
    let themes: [PTTheme: Theme]
    let illustration: [PTTheme: [String: Shade]]
    let type: TypeScale
    let space: [String: String]
    let radius: [String: String]
    let size: [String: String]
    let shadow: [String: Shade]
    let motion: [String: Motion]
    let transition: [String: Transition]
    let delay: [String: String]
    let breakpoint: [String: String]
    let contrast: Contrast
}

extension Dictionary where Key == String {
    /// The value of a name. Throws `TokenError` if it is missing.
    func required(_ name: String, of group: String) throws -> Value {
        guard let value = self[name] else { throw TokenError(description: "tokens.json has no \(group) '\(name)'") }
        return value
    }
}
