import FeatureKit

extension InputValue {
    /// Returns a text that is equal for equal inputs, whatever the order of the members of objects.
    ///
    /// Members whose names begin with an underscore belong to the transport and are left out. Throws if a file cannot
    /// be read.
    func canonical() throws -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    private func write(to text: inout String) throws {
        func add(_ name: String) {
            text += "\(name.utf8.count):"
            text += name
        }
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += "\(value)"
        case .text(let value): add(value)
        case .list(let items):
            text += "["
            for (place, item) in items.enumerated() {
                if place > 0 { text += "," }
                try item.write(to: &text)
            }
            text += "]"
        case .file(let file):
            text += "file("
            add(file.name)
            text += " \(file.size) \(try InputValue.checksum(file.content)))"
        case .object(let members):
            text += "{"
            for (place, name) in members.keys.filter({ !$0.hasPrefix("_") }).sorted().enumerated() {
                if place > 0 { text += "," }
                add(name)
                text += "="
                try members[name]?.write(to: &text)
            }
            text += "}"
        }
    }
}

extension InputValue {
    /// The members whose values are text.
    var texts: [String: String] {
        guard case .object(let members) = self else { return [:] }
        return members.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The FNV-1a hash in 64 bits. Unlike `hashValue` it is the same in every process.
    private static func checksum(_ content: FileContent) throws -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        try content.forEachPortion { for byte in $0 { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 } }
        return sum
    }
}
