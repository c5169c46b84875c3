import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@Suite("Links from elsewhere")
struct DeepLinkTests {
    private static let id = "01A205B5-EC31-7F67-82C9-9FB81B95D961"

    @Test(
        "one name and an id, however the link is written",
        arguments: [
            "wolfwhale://course/\(id)", "web+wolfwhale://course/\(id)", "WOLFWHALE://course/\(id)/", "course:\(id)",
            "course/\(id.lowercased())",
        ])
    func things(_ text: String) {
        let address = DeepLinkAddress(text)
        #expect(address?.name == "course")
        #expect(address?.id == UUID(uuidString: Self.id))
    }

    @Test("a place has no id", arguments: ["wolfwhale://grades", "grades", "web+wolfwhale://grades/"])
    func places(_ text: String) {
        #expect(DeepLinkAddress(text)?.name == "grades")
        #expect(DeepLinkAddress(text)?.id == nil)
    }

    @Test(
        "what is no link of ours is none",
        arguments: [
            "", "javascript://grades", "https://evil.example/course", "course/../../etc", "course:12",
            "Course Nr 1", "//evil", "\(String(repeating: "a", count: 300))", "grades?x=1", "wolfwhale://",
        ])
    func nothing(_ text: String) { #expect(DeepLinkAddress(text) == nil) }
}
