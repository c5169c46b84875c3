import FeatureKit
import Foundation
import Integrations
import TestKit
import Testing

@Suite("QR codes")
struct LibQRCodeTests {
    let encoder: any QRCodeEncoder = LibQRCode()

    /// 7 x 7 modules: a dark frame, a light one, a dark square of 3 x 3 (ISO/IEC 18004 section 6.3.3).
    static let finder = [
        "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
    ]

    @Test(
        "a code has the size and the patterns of its version",
        arguments: [(1, 21), (14, 21), (15, 25), (26, 25), (27, 29), (2331, 177)])
    func patterns(_ length: Int, _ width: Int) throws {
        let modules = try encoder.modules(of: String(repeating: "x", count: length))
        #expect(modules.count == width)
        #expect(modules.allSatisfy { $0.count == width })
        for (top, left) in [(0, 0), (0, width - 7), (width - 7, 0)] {
            let found = (0..<7).map { row in
                String((0..<7).map { modules[top + row][left + $0] ? "#" : "." })
            }
            #expect(found == Self.finder)
        }
        // The timing patterns alternate, and one module is always dark.
        for step in 8..<(width - 8) {
            #expect(modules[6][step] == (step % 2 == 0))
            #expect(modules[step][6] == (step % 2 == 0))
        }
        #expect(modules[width - 8][8])
    }

    @Test("equal texts give equal codes and other texts others, in any script")
    func texts() throws {
        let invite = "https://school.example/invite/AB12-CD34"
        #expect(try encoder.modules(of: invite) == encoder.modules(of: invite))
        #expect(try encoder.modules(of: invite) != encoder.modules(of: "\(invite)x"))
        #expect(try encoder.modules(of: "שלום a\u{0}b").count >= 21)
    }

    @Test("a text that is empty or does not fit is refused")
    func tooLong() {
        #expect(throws: LibQRCode.Failure.tooLong(bytes: 2332)) {
            try encoder.modules(of: String(repeating: "x", count: 2332))
        }
        #expect(throws: LibQRCode.Failure.tooLong(bytes: 4000)) {
            try encoder.modules(of: String(repeating: "é", count: 2000))
        }
        #expect(throws: LibQRCode.Failure.empty) { try encoder.modules(of: "") }
    }

    @Test("codes can be created concurrently")
    func concurrent() async throws {
        let expected = try encoder.modules(of: "text 7")
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask { (try? encoder.modules(of: "text \(number)")) == expected }
            }
            let same = await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            #expect(same == 1)
        }
    }
}
