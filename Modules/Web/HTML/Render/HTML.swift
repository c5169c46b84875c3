/// Bytes of HTML under construction.
///
/// Markup enters only as literals of this module (`StaticString`); everything that came from outside
/// goes through `text`, `value` or `url`, which escape. There is no way to add a string as it is.
struct HTML {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Markup written in this module.
    @inline(__always)
    mutating func raw(_ markup: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
    }

    /// Text, in an element or between the quotes of an attribute, escaped.
    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { append(escaping: $0) }
    }

    /// The whole attribute ` name="value"`; `name` is markup that ends before the quote, as ` title=`.
    mutating func attribute(_ name: StaticString, _ value: String) {
        raw(name)
        bytes.append(UInt8(ascii: "\""))
        text(value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// The same where there is a value.
    mutating func attribute(_ name: StaticString, _ value: String?) {
        if let value { attribute(name, value) }
    }

    /// A number.
    mutating func number(_ number: Int) { text(String(number)) }

    /// An address for `href`, `src` or `action`: a path of ours, a place in the page, or a web address;
    /// anything else, such as `javascript:`, becomes `#`.
    mutating func url(_ address: String) {
        if HTML.isAllowed(address) { text(address) } else { raw("#") }
    }

    /// Text as a part of an address's query, percent-encoded (RFC 3986 section 2.1).
    mutating func query(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
    }

    static func isAllowed(_ address: String) -> Bool {
        let utf8 = address.utf8
        switch utf8.first {
        case UInt8(ascii: "/"):
            // `//host` and `/\host` would leave for another host.
            let second = utf8.dropFirst().first
            return second != UInt8(ascii: "/") && second != UInt8(ascii: "\\")
        case UInt8(ascii: "#"), UInt8(ascii: "?"): return true
        default:
            return ["https://", "http://", "mailto:"].contains { address.hasPrefix($0) }
        }
    }

    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let entity: StaticString
            switch text[index] {
            case UInt8(ascii: "&"): entity = "&amp;"
            case UInt8(ascii: "<"): entity = "&lt;"
            case UInt8(ascii: ">"): entity = "&gt;"
            case UInt8(ascii: "\""): entity = "&quot;"
            case UInt8(ascii: "'"): entity = "&#39;"
            default: continue
            }
            if start < index { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index])) }
            raw(entity)
            start = index + 1
        }
        if start < text.count { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...])) }
    }
}
