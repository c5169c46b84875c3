import Foundation

/// Splits what a reader sends into codes. A code ends with any control character, such as Enter or Tab.
struct CodeParser {
    /// The most letters of a code. More are noise, such as from a reader with another speed.
    static let longest = 256
    /// The seconds without a letter after which an unfinished code is dropped.
    static let pause: TimeInterval = 1

    private var text: [UInt8] = []
    private var last: TimeInterval = 0
    private var isTooLong = false

    /// Takes in the next bytes and returns the codes that are complete.
    ///
    /// - Parameter uptime: The seconds on a clock that only counts.
    mutating func take(_ bytes: some Sequence<UInt8>, at uptime: TimeInterval) -> [String] {
        if uptime - last > Self.pause { drop() }
        last = uptime
        var codes: [String] = []
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F {
                if !text.isEmpty, !isTooLong { codes.append(String(decoding: text, as: UTF8.self)) }
                drop()
            } else if text.count < Self.longest {
                text.append(byte)
            } else {
                isTooLong = true
            }
        }
        return codes
    }

    private mutating func drop() {
        text = []
        isTooLong = false
    }
}

/// Reads the key presses of a reader that types, from the events of a Linux input device (linux/input.h).
///
/// An event tells the place of a key, so the keyboard layout of the system does not matter.
struct KeyEvents {
    /// The size of `struct input_event`: a time, a type, a code and a value.
    static let size = MemoryLayout<timeval>.size + 8
    private static let keyType: UInt16 = 1
    private static let press: Int32 = 1

    private var rest: [UInt8] = []

    /// Takes in the next bytes and returns the letters of the keys that were pressed.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        rest += bytes
        var letters: [UInt8] = []
        while rest.count >= Self.size {
            let event = rest.prefix(Self.size)
            rest.removeFirst(Self.size)
            if let letter = Self.letter(of: Array(event.suffix(8))) { letters.append(letter) }
        }
        return letters
    }

    private static func letter(of event: [UInt8]) -> UInt8? {
        let (type, code, value) = event.withUnsafeBytes {
            (
                $0.loadUnaligned(as: UInt16.self), $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self),
                $0.loadUnaligned(fromByteOffset: 4, as: Int32.self)
            )
        }
        return type == keyType && value == press ? letters[code] : nil
    }

    /// The letters of the keys by their codes (linux/input-event-codes.h). Other keys are ignored.
    private static let letters: [UInt16: UInt8] = {
        // The first key of each row of letters and digits on the keyboard and on its keypad.
        let rows: [(UInt16, String)] = [
            (2, "1234567890"), (16, "QWERTYUIOP"), (30, "ASDFGHJKL"), (44, "ZXCVBNM"), (71, "789"), (75, "456"),
            (79, "1230"), (53, "/"), (98, "/"),
            // Enter, the keypad's Enter, and Tab.
            (28, "\n"), (96, "\n"), (15, "\n"),
        ]
        return rows.reduce(into: [:]) { letters, row in
            for (place, letter) in row.1.utf8.enumerated() { letters[row.0 + UInt16(place)] = letter }
        }
    }()
}
