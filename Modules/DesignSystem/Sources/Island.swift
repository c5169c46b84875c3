import Foundation

/// A part of a page that a feature draws with its own script: the custom element `pt-<name>`.
///
/// The feature provides its script and style sheet (`FeaturePages.islands`).
public struct PTIsland: Codable, Hashable, Sendable {
    /// The name of the custom element without `pt-`, of lower-case letters.
    public var name: String
    /// The data that the custom element shows, as JSON. When the page is refreshed, the element receives the new data.
    public var properties: String
    /// The text that is shown if the custom element's script does not run.
    public var fallback: String
    /// The components that are shown if the custom element's script does not run, in place of the text. The script
    /// replaces them.
    public var body: [Component]
    /// Whether the custom element gets the whole width of a wide screen, as a table does.
    public var isWide: Bool

    /// Creates an island, a custom element with its own script, without data; `fallback` is shown if the script does
    /// not run.
    public init(_ name: String, fallback: String) {
        self.name = name
        properties = "{}"
        isWide = false
        body = []
        self.fallback = fallback
    }

    /// Creates an island, a custom element with its own script, with data as JSON. Throws what the encoder throws.
    public init(
        _ name: String, properties: some Encodable, fallback: String, body: [Component] = [], isWide: Bool = false
    ) throws {
        self.name = name
        self.isWide = isWide
        self.body = body
        let encoder = JSONEncoder()
        // Sorted, so that equal properties are equal text and a refreshed page changes nothing.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.properties = String(decoding: try encoder.encode(properties), as: UTF8.self)
        self.fallback = fallback
    }
}
