import Foundation

/// A part of a page that a feature draws and moves by itself: a custom element of the name `pt-<name>`, whose module and
/// style sheet the feature ships (`Feature.islands`).
public struct PTIsland: Codable, Hashable, Sendable {
    /// Lower-case letters.
    public var name: String
    /// All that it shows, as JSON; a new page hands it new ones.
    public var properties: String
    /// What stands in its place where its module does not run.
    public var fallback: String

    /// One that shows the same always.
    public init(_ name: String, fallback: String) {
        self.name = name
        properties = "{}"
        self.fallback = fallback
    }

    /// Throws what the encoder throws.
    public init(_ name: String, properties: some Encodable, fallback: String) throws {
        self.name = name
        let encoder = JSONEncoder()
        // The same properties are the same text, so that a page read again changes nothing.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.properties = String(decoding: try encoder.encode(properties), as: UTF8.self)
        self.fallback = fallback
    }
}
