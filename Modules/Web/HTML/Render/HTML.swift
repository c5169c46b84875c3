/// A buffer for writing HTML.
///
/// Markup enters only as literals of this module (`StaticString`); all other values go through `text`, `attribute`,
/// `query` or `url`, which escape. There is no method that adds a `String` unescaped.
struct HTML: ~Copyable {
    /// Memory owned by this value: an array would check its bounds and uniqueness for every literal.
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        memory = .allocate(capacity: self.capacity)
    }

    deinit { memory.deallocate() }

    /// The bytes written so far.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let wider = max(capacity * 2, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: wider)
        moved.update(from: memory, count: count)
        memory.deallocate()
        memory = moved
        capacity = wider
    }

    /// Appends markup of this module.
    @inline(__always)
    mutating func raw(_ markup: StaticString) {
        let length = markup.utf8CodeUnitCount
        reserve(length)
        (memory + count).update(from: markup.utf8Start, count: length)
        count += length
    }

    @inline(__always)
    private mutating func byte(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    /// Appends escaped text, in an element or between an attribute's quotes.
    mutating func text(_ text: String) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { append(escaping: $0) }
        // A bridged string has no contiguous bytes; a native copy has.
        if isDone == nil { Array(text.utf8).withUnsafeBufferPointer { append(escaping: $0) } }
    }

    /// Appends the attribute ` name="value"`; `name` is markup up to the quote, such as ` title=`.
    mutating func attribute(_ name: StaticString, _ value: String) {
        raw(name)
        byte(UInt8(ascii: "\""))
        text(value)
        byte(UInt8(ascii: "\""))
    }

    /// Appends the attribute unless the value is `nil`.
    mutating func attribute(_ name: StaticString, _ value: String?) {
        if let value { attribute(name, value) }
    }

    /// Appends a number.
    mutating func number(_ number: Int) { text(String(number)) }

    /// Appends an address for `href`, `src` or `action`: a local path, a fragment or a web address. Any other, such as
    /// `javascript:`, becomes `#`.
    mutating func url(_ address: String) {
        if HTML.isAllowed(address) { text(address) } else { raw("#") }
    }

    /// Appends text percent-encoded for a query (RFC 3986 section 2.1).
    mutating func query(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                self.byte(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                self.byte(UInt8(ascii: "%"))
                self.byte(digits[Int(byte >> 4)])
                self.byte(digits[Int(byte & 15)])
            }
        }
    }

    static func isAllowed(_ address: String) -> Bool {
        let utf8 = address.utf8
        switch utf8.first {
        case UInt8(ascii: "/"):
            // Browsers read `//host` and `/\host` as another host.
            let second = utf8.dropFirst().first
            return second != UInt8(ascii: "/") && second != UInt8(ascii: "\\")
        case UInt8(ascii: "#"), UInt8(ascii: "?"): return true
        default:
            return ["https://", "http://", "mailto:", "tel:"].contains { address.hasPrefix($0) }
        }
    }

    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        // Most texts need no escaping: a branch-free pass checks, and one move copies.
        var special: UInt8 = 0
        for byte in text {
            special |= byte == UInt8(ascii: "&") ? 1 : 0
            special |= byte == UInt8(ascii: "<") ? 1 : 0
            special |= byte == UInt8(ascii: ">") ? 1 : 0
            special |= byte == UInt8(ascii: "\"") ? 1 : 0
            special |= byte == UInt8(ascii: "'") ? 1 : 0
        }
        guard special != 0 else {
            reserve(text.count)
            (memory + count).update(from: start, count: text.count)
            count += text.count
            return
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): raw("&amp;")
            case UInt8(ascii: "<"): raw("&lt;")
            case UInt8(ascii: ">"): raw("&gt;")
            case UInt8(ascii: "\""): raw("&quot;")
            case UInt8(ascii: "'"): raw("&#39;")
            default: self.byte(byte)
            }
        }
    }
}
