/// A foreground and a background color, with the contrast that they must have.
public struct ContrastPair: Decodable, Hashable, Sendable {
    public let theme: PTTheme
    public let mode: PTMode
    /// The name of the foreground color: a role, a palette step (`sand.7`) or a part of the illustrations.
    public let text: String
    /// The name of the background color; `bar over 35 % text coverage` is a translucent bar above a page with text.
    public let on: String
    /// The lowest contrast ratio that is allowed: 7 for body text, 4.5 for other text, 3 for graphics and edges.
    public let need: Double
    /// The place in the style sheet that uses the pair.
    public let use: String
}

extension Tokens {
    /// Returns the contrast ratio of a pair. Throws `TokenError` for an unknown color.
    public func ratio(of pair: ContrastPair) throws -> Double {
        let colors = colors(pair.theme, pair.mode)
        guard let front = colors.color(named: pair.text) else {
            throw TokenError(description: "the contrast table names an unknown color '\(pair.text)'")
        }
        return front.contrast(with: try ground(pair.on, in: colors))
    }

    /// Returns the pairs of colors whose contrast is lower than they need. Throws `TokenError` for an unknown color.
    public func failingPairs() throws -> [ContrastPair] {
        try pairs.filter { try ratio(of: $0) < $0.need }
    }

    private func ground(_ name: String, in colors: PTColors) throws -> PTColor {
        // A translucent bar over a page of which text covers 35 %: the worst background that scrolls beneath it.
        if name == "bar over 35 % text coverage" {
            var text = colors[.text]
            text.alpha = 0.35
            return colors.bar.over(text.over(colors[.background]))
        }
        guard let color = colors.color(named: name) else {
            throw TokenError(description: "the contrast table names an unknown ground '\(name)'")
        }
        return color
    }
}
