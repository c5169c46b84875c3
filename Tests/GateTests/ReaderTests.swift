import Foundation
import TestKit
import Testing

@testable import GateApp

@Suite("The readers of a gate")
struct ReaderTests {
    @Test("codes end with any control character, and halves join within a second")
    func codes() {
        var parser = CodeParser()
        #expect(parser.take(Array("04A2".utf8), at: 1) == [])
        #expect(parser.take(Array("B9C1\r\n".utf8), at: 1.9) == ["04A2B9C1"])
        // A serial reader that frames its codes with STX and ETX.
        #expect(parser.take(Array("\u{2}0009876543\u{3}\u{2}AB12\t".utf8), at: 2) == ["0009876543", "AB12"])
        #expect(parser.take(Array("04A2".utf8), at: 3) == [])
        #expect(parser.take(Array("B9C1\n".utf8), at: 4.5) == ["B9C1"], "a half that is too old is dropped")
    }

    @Test("noise without an end takes no memory and gives no code")
    func noise() {
        var parser = CodeParser()
        for _ in 0..<1000 { #expect(parser.take(repeatElement(0x41, count: 4096), at: 1) == []) }
        #expect(parser.take(Array("\n04A2B9C1\n".utf8), at: 1) == ["04A2B9C1"])
        let bytes: [UInt8] = [0xFF, 0xC3, 0x28, 0x0A]
        #expect(parser.take(bytes, at: 1).count == 1, "bytes that are no text do no harm")
    }

    /// The bytes of `struct input_event`.
    private func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> [UInt8] {
        [UInt8](repeating: 7, count: MemoryLayout<timeval>.size) + withUnsafeBytes(of: type) { Array($0) }
            + withUnsafeBytes(of: code) { Array($0) } + withUnsafeBytes(of: value) { Array($0) }
    }

    @Test("key presses of a reader that types become letters by the places of the keys, also in pieces")
    func keys() {
        var keys = KeyEvents()
        // 0, 4, A, Enter: presses, releases and the reports in between.
        let bytes = [11, 5, 30, 28].flatMap { code in
            event(4, 4, 458_792) + event(1, code, 1) + event(0, 0, 0) + event(1, code, 0) + event(0, 0, 0)
        }
        var letters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 7) {
            letters += keys.take(bytes[start..<min(start + 7, bytes.count)])
        }
        #expect(String(decoding: letters, as: UTF8.self) == "04A\n")
        // A key that is held (value 2) and one that is no letter type nothing.
        #expect(keys.take(event(1, 30, 2) + event(1, 42, 1)) == [])
        #expect(keys.take([79, 80, 81, 82, 71, 96].flatMap { event(1, $0, 1) }) == Array("12307\n".utf8))
    }

    @Test("a serial reader is read, and looked for again after it was unplugged", .timeLimit(.minutes(1)))
    func serial() async throws {
        let folder = try TemporaryFolder()
        let link = folder.url.appending(path: "reader")
        let manager = FileManager.default
        var terminal = PseudoTerminal()
        try manager.createSymbolicLink(atPath: link.path, withDestinationPath: try #require(terminal?.path))
        var events = Reader.device(link.path, baud: 9600).events().makeAsyncIterator()
        #expect(await events.next() == .ready)
        terminal?.send("04:A2:B9:C1\r")
        #expect(await events.next() == .code("04:A2:B9:C1"))
        try manager.removeItem(at: link)
        terminal = nil
        #expect(await events.next() == .missing)
        let other = try #require(PseudoTerminal())
        try manager.createSymbolicLink(atPath: link.path, withDestinationPath: other.path)
        #expect(await events.next() == .ready)
        other.send("04FF00E7\n")
        #expect(await events.next() == .code("04FF00E7"))
    }

    @Test("the address of a server is taken from what a warden reads or scans")
    func addresses() throws {
        #expect(GateFolder.address("school.example")?.absoluteString == "https://school.example")
        #expect(GateFolder.address(" http://10.0.0.2:8080/ ")?.absoluteString == "http://10.0.0.2:8080")
        #expect(
            GateFolder.address("https://school.example/gate/pair/ABCD2345")?.absoluteString
                == "https://school.example")
        for text in ["", "ftp://school.example", "https://", "a b"] { #expect(GateFolder.address(text) == nil) }
    }

    @Test("one process at a time uses a gate's folder")
    func lock() throws {
        let folder = try TemporaryFolder()
        let gate = try GateFolder(folder.url.appending(path: "gate"))
        var first = try gate.lock()
        #expect(first != nil)
        #expect(try gate.lock() == nil)
        first = nil
        #expect(try gate.lock() != nil)
        let mode = try FileManager.default.attributesOfItem(atPath: gate.url.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }
}
