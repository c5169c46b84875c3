import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@Suite("Deep links")
struct DeepLinkTests {
    private static let id = "01A205B5-EC31-7F67-82C9-9FB81B95D961"

    @Test(
        "every spelling of a deep link gives the same name and id",
        arguments: [
            "wolfwhale://course/\(id)", "web+wolfwhale://course/\(id)", "WOLFWHALE://course/\(id)/", "course:\(id)",
            "course/\(id.lowercased())",
        ])
    func things(_ text: String) {
        let address = DeepLinkAddress(text)
        #expect(address?.name == "course")
        #expect(address?.id == UUID(uuidString: Self.id))
    }

    @Test(
        "a deep link to a page of its own has no id",
        arguments: ["wolfwhale://grades", "grades", "web+wolfwhale://grades/"])
    func places(_ text: String) {
        #expect(DeepLinkAddress(text)?.name == "grades")
        #expect(DeepLinkAddress(text)?.id == nil)
    }

    @Test(
        "a text that is not a deep link is refused",
        arguments: [
            "", "javascript://grades", "https://evil.example/course", "course/../../etc", "course:12",
            "Course Nr 1", "//evil", "\(String(repeating: "a", count: 300))", "grades?x=1", "wolfwhale://",
        ])
    func nothing(_ text: String) { #expect(DeepLinkAddress(text) == nil) }
}
