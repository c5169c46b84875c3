import Foundation

/// Reads and writes JSON as the API spells it.
enum APIJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(fractions))
        }
        return try encoder.encode(value)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            for style in [seconds, fractions] {
                do { return try style.parse(text) } catch { continue }
            }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not an instant such as 2026-11-21T20:15:00Z")
        }
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw APIError.malformed(String(describing: error))
        }
    }

    private static let seconds = Date.ISO8601FormatStyle()
    private static let fractions = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// A page of a list.
struct APIPage<Item: Codable & Sendable>: Codable, Sendable {
    let items: [Item]
    /// The text to send as `after` for the next page; `nil` on the last one.
    let next: String?
}

/// An answer without content.
struct APIDone: Codable, Sendable {}
