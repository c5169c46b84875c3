import DesignSystem
import TestKit
import Testing

@testable import WebHTML

@Suite("Rich text")
struct RichTextTests {
    private func html(_ picture: PTImage) throws -> String {
        try render(.richText(PTRichText([.paragraph([.text("See "), .picture(picture)])])))
    }

    @Test("a picture in a text has a description and a size, and loads lazily")
    func picture() throws {
        let html = try html(PTImage(url: "/media/1", width: 2400, height: 1800, alt: "A \"wave\""))
        let image = try #require(try tags(html).first { $0.name == "img" })
        #expect(image.attributes["src"] == "/media/1")
        #expect(image.attributes["alt"] == "A &quot;wave&quot;")
        #expect(image.attributes["width"] == "2400" && image.attributes["height"] == "1800")
        #expect(image.attributes["loading"] == "lazy")
    }

    @Test(
        "a picture of another site is not loaded: its description is shown",
        arguments: [
            "https://maple.example/a.png", "//maple.example/a.png", "/\\maple.example", "data:image/png,x", "a.png",
            "#",
        ])
    func foreign(_ url: String) throws {
        let html = try html(PTImage(url: url, width: 24, height: 16, alt: "A wave"))
        #expect(!html.contains("<img") && html.contains("See A wave</p>"))
    }

    @Test("a picture's description counts as text")
    func words() {
        let text = PTRichText([
            .paragraph([.text("See "), .picture(PTImage(url: "/a", width: 24, height: 16, alt: "a wave"))])
        ])
        #expect(text.plainText == "See a wave")
        #expect(Outline([.richText(text)]).lines == ["See (picture: a wave)"])
    }
}
