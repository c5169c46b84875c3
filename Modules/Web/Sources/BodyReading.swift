import FeatureKit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A command's body, decoded from whichever of the three kinds it came as.
struct CommandBody: Sendable {
    /// The fields, the transport's own (`_key`, `_from`, `_to`) among them.
    let input: InputValue
    let isForm: Bool
    /// A form's plain text fields by their name, to show them again.
    let typed: [String: String]

    func field(_ name: String) -> String? { typed[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Reads at most `limit` bytes; throws `Problem` 413, 415 or 400.
    static func read(_ request: Request, limit: Int) async throws -> CommandBody {
        let type = request.headers[.contentType] ?? ""
        let kind =
            type == "application/json"
            ? type
            : type.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? ""
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Problem(413, "tooLarge", [.number(limit / 1024)])
        }
        switch kind {
        case "application/json":
            return try CommandBody(
                input: buffer.readableBytes == 0 ? .object([:]) : InputValue(json: Data(buffer.readableBytesView)),
                isForm: false, typed: [:])
        case "application/x-www-form-urlencoded":
            let pairs = try FormDecoding.pairs(urlEncoded: buffer.readableBytesView)
            return CommandBody(pairs: pairs)
        case "multipart/form-data":
            guard let boundary = MultipartReader.boundary(of: type) else { throw Problem(400, "badRequest") }
            return CommandBody(
                pairs: try MultipartReader.parts(of: Array(buffer.readableBytesView), boundary: boundary))
        case "" where buffer.readableBytes == 0:
            return CommandBody(input: .object([:]), isForm: false, typed: [:])
        default:
            throw Problem(415, "unsupportedMediaType")
        }
    }

    private init(input: InputValue, isForm: Bool, typed: [String: String]) {
        self.input = input
        self.isForm = isForm
        self.typed = typed
    }

    private init(pairs: [(name: String, value: InputValue)]) {
        var typed: [String: String] = [:]
        for case (let name, .text(let text)) in pairs {
            typed[name] = typed[name].map { "\($0)\u{1F}\(text)" } ?? text
        }
        self.init(input: InputValue(form: pairs), isForm: true, typed: typed)
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

    /// Percent-decoded UTF-8; broken sequences are a bad request, never silently replaced.
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

/// `multipart/form-data` (RFC 7578) of a body that is in memory. None of the packages at hand reads it.
enum MultipartReader {
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

    static func parts(of body: [UInt8], boundary: String) throws -> [(name: String, value: InputValue)] {
        let delimiter = Array("--\(boundary)".utf8)
        let cuts = positions(of: delimiter, in: body)
        guard let last = cuts.last, body[(last + delimiter.count)...].starts(with: Array("--".utf8)) else {
            throw Problem(400, "badRequest")
        }
        var parts: [(name: String, value: InputValue)] = []
        for (start, end) in zip(cuts, cuts.dropFirst()) {
            guard parts.count < FormDecoding.fieldLimit else {
                throw Problem(413, "tooLarge", [.number(FormDecoding.fieldLimit)])
            }
            // A part stands between "\r\n" after its delimiter and "\r\n" before the next.
            let from = start + delimiter.count + 2
            guard from <= end - 2 else { throw Problem(400, "badRequest") }
            let part = try part(body[from..<(end - 2)])
            // What a browser sends for a field where no file was chosen.
            if case .file(let file) = part.value, file.name.isEmpty, file.bytes.isEmpty { continue }
            parts.append(part)
        }
        return parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) throws -> (name: String, value: InputValue) {
        guard let gap = positions(of: Array("\r\n\r\n".utf8), in: Array(bytes.prefix(8192))).first,
            let head = String(validating: bytes.prefix(gap), as: UTF8.self)
        else { throw Problem(400, "badRequest") }
        let content = Array(bytes.dropFirst(gap + 4))
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
        if let fileName { return (name, .file(UploadedFile(name: fileName, contentType: type, bytes: content))) }
        guard let text = String(validating: content, as: UTF8.self) else { throw Problem(400, "badRequest") }
        return (name, .text(text))
    }

    /// A quoted parameter; browsers write quotes and line ends in it percent-encoded.
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

    private static func positions(of needle: [UInt8], in hay: [UInt8]) -> [Int] {
        guard let first = needle.first, hay.count >= needle.count else { return [] }
        var found: [Int] = []
        var index = 0
        while let next = hay[index...].firstIndex(of: first) {
            guard next + needle.count <= hay.count else { break }
            if hay[next..<(next + needle.count)].elementsEqual(needle) {
                found.append(next)
                index = next + needle.count
            } else {
                index = next + 1
            }
        }
        return found
    }
}
