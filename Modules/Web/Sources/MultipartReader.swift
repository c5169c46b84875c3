import FeatureKit
import Foundation

/// Parses `multipart/form-data` (RFC 7578) in pieces. None of the packages in use does.
struct MultipartReader {
    /// The headers of a part.
    struct Head: Equatable {
        let name: String
        /// `nil` for a text field.
        let fileName: String?
        let contentType: String
    }

    enum Event: Equatable {
        case begin(Head)
        case content([UInt8])
        case end
    }

    private enum State {
        /// Before the first delimiter.
        case preamble
        /// After a delimiter, before two hyphens or a line break.
        case delimiter
        case head
        case content
        case finished
    }

    /// The largest head of a part, in bytes.
    private static let headLimit = 8192

    private let delimiter: [UInt8]
    private var state = State.preamble
    /// The bytes that are not parsed yet. Starts with a line break, since the first delimiter may come without one.
    private var rest = Array("\r\n".utf8)
    private var parts = 0

    init(boundary: String) { delimiter = Array("\r\n--\(boundary)".utf8) }

    static func boundary(of contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            let halves = parameter.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces).lowercased() == "boundary"
            else { continue }
            let value = halves[1].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
            return (1...70).contains(value.utf8.count) ? value : nil
        }
        return nil
    }

    /// Parses the next bytes. Throws `Problem` 400 for a malformed form, 413 for too many parts.
    mutating func take(_ bytes: some Sequence<UInt8>) throws -> [Event] {
        rest.append(contentsOf: bytes)
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Ends the parsing. Throws `Problem` 400 when the last delimiter is missing.
    func finish() throws {
        guard case .finished = state else { throw Problem(400, "badRequest") }
    }

    /// Parses one element; returns `false` when more bytes are needed.
    private mutating func step(_ events: inout [Event]) throws -> Bool {
        switch state {
        case .preamble:
            guard let place = Self.place(of: delimiter, in: rest) else {
                keepLast(delimiter.count - 1)
                return false
            }
            drop(place + delimiter.count)
            state = .delimiter
        case .delimiter:
            guard rest.count >= 2 else { return false }
            if rest.starts(with: Array("--".utf8)) {
                state = .finished
                return true
            }
            guard rest.starts(with: Array("\r\n".utf8)) else { throw Problem(400, "badRequest") }
            drop(2)
            state = .head
        case .head:
            guard let gap = Self.place(of: Array("\r\n\r\n".utf8), in: rest), gap <= Self.headLimit else {
                guard rest.count <= Self.headLimit else { throw Problem(400, "badRequest") }
                return false
            }
            guard parts < FormDecoding.fieldLimit else {
                throw Problem(413, "tooLarge", [.number(FormDecoding.fieldLimit)])
            }
            parts += 1
            events.append(.begin(try Self.head(rest[..<gap])))
            drop(gap + 4)
            state = .content
        case .content:
            guard let place = Self.place(of: delimiter, in: rest) else {
                // The last bytes may be the beginning of a delimiter.
                let count = rest.count - (delimiter.count - 1)
                if count > 0 {
                    events.append(.content(Array(rest[..<count])))
                    drop(count)
                }
                return false
            }
            if place > 0 { events.append(.content(Array(rest[..<place]))) }
            events.append(.end)
            drop(place + delimiter.count)
            state = .delimiter
        case .finished:
            // Bytes after the last delimiter are ignored (RFC 2046 section 5.1.1).
            rest = []
            return false
        }
        return true
    }

    private mutating func drop(_ count: Int) { rest.removeFirst(count) }

    private mutating func keepLast(_ count: Int) { rest.removeFirst(max(0, rest.count - count)) }

    private static func head(_ bytes: ArraySlice<UInt8>) throws -> Head {
        guard let head = String(validating: bytes, as: UTF8.self) else { throw Problem(400, "badRequest") }
        var name: String?
        var fileName: String?
        var type = "application/octet-stream"
        for line in head.split(separator: "\r\n") {
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else { continue }
            switch halves[0].lowercased() {
            case "content-disposition":
                name = parameter("name", of: halves[1])
                fileName = parameter("filename", of: halves[1])
            case "content-type": type = halves[1].trimmingCharacters(in: .whitespaces)
            default: break
            }
        }
        guard let name else { throw Problem(400, "badRequest") }
        return Head(name: name, fileName: fileName, contentType: type)
    }

    /// The value of a header parameter. Browsers percent-encode quotes in it.
    private static func parameter(_ name: String, of header: Substring) -> String? {
        for piece in header.split(separator: ";") {
            let halves = piece.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces).lowercased() == name else {
                continue
            }
            return halves[1].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
                .replacingOccurrences(of: "%22", with: "\"")
        }
        return nil
    }

    /// The first index of `needle`, which begins with a carriage return. Binary files have few of those, so searching
    /// for that byte first is fast.
    private static func place(of needle: [UInt8], in hay: [UInt8]) -> Int? {
        hay.withUnsafeBytes { hay in
            needle.withUnsafeBytes { needle in
                guard let hayStart = hay.baseAddress, let needleStart = needle.baseAddress else { return nil }
                var place = 0
                while place + needle.count <= hay.count {
                    guard
                        let found = memchr(
                            hayStart + place, Int32(needle[0]), hay.count - needle.count - place + 1)
                    else { return nil }
                    place = found - UnsafeMutableRawPointer(mutating: hayStart)
                    if memcmp(hayStart + place, needleStart, needle.count) == 0 { return place }
                    place += 1
                }
                return nil
            }
        }
    }
}
