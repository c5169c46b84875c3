import FeatureKit
import Foundation

/// A command's body, decoded from JSON or from either form encoding.
struct CommandBody: Sendable {
    /// The fields, including those of the transport (`_key`, `_from`, `_to`, `_feedback`).
    let input: InputValue
    let isForm: Bool
    /// The text fields of a form by name, to fill in the form again.
    let typed: [String: String]

    func field(_ name: String) -> String? { typed[name].flatMap { $0.isEmpty ? nil : $0 } }

    init(json input: InputValue) {
        self.init(input: input, isForm: false, typed: [:])
    }

    init(pairs: [(name: String, value: InputValue)]) {
        var typed: [String: String] = [:]
        for case (let name, .text(let text)) in pairs {
            typed[name] = typed[name].map { "\($0)\u{1F}\(text)" } ?? text
        }
        self.init(input: InputValue(form: pairs), isForm: true, typed: typed)
    }

    private init(input: InputValue, isForm: Bool, typed: [String: String]) {
        self.input = input
        self.isForm = isForm
        self.typed = typed
    }
}

/// `application/x-www-form-urlencoded` (WHATWG URL, section 5).
enum FormDecoding {
    static let fieldLimit = 5000

    static func pairs(urlEncoded bytes: some Sequence<UInt8>) throws -> [(name: String, value: InputValue)] {
        var pairs: [(name: String, value: InputValue)] = []
        for piece in Array(bytes).split(separator: UInt8(ascii: "&")) {
            guard pairs.count < fieldLimit else { throw Problem(413, "tooLarge", [.number(fieldLimit)]) }
            let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try text(halves[0])
            pairs.append((name, .text(halves.count == 2 ? try text(halves[1]) : "")))
        }
        return pairs
    }

    /// Decodes percent-encoded UTF-8. Throws `Problem` 400 for malformed sequences.
    static func text(_ bytes: some Collection<UInt8>) throws -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hex), let low = iterator.next().flatMap(hex) else {
                    throw Problem(400, "badRequest")
                }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw Problem(400, "badRequest") }
        return text
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
