import DesignSystem
import Domain
import TestKit
import Testing

@testable import WebHTML

@Suite("Videos")
struct VideoTests {
    @Test(
        "a player has the browser's controls, a name, five speeds and a position to resume",
        .requirement("WW-4.01.a", "WW-4.01.c"))
    func player() throws {
        let html = try render(
            .video(PTVideo(url: "https://films.example/a.mp4", title: "Water", position: 83, keeper: "/keep")))
        let all = try tags(html)
        let video = try #require(all.first { $0.name == "video" })
        #expect(video.attributes["src"] == "https://films.example/a.mp4")
        #expect(video.attributes["aria-label"] == "Water")
        #expect(video.attributes["preload"] == "metadata")
        #expect(video.attributes.keys.contains("controls"))
        #expect(
            all.filter { $0.name == "option" && !$0.isEnd }.compactMap { $0.attributes["value"] }
                == ["0.5", "1", "1.25", "1.5", "2"])
        #expect(html.contains("data-start=\"83\"") && html.contains("data-keeper=\"/keep\""))
        #expect(html.contains("data-pip hidden") && html.contains("data-remote hidden"))
        let french = HTMLRenderer.fragment(
            [.video(PTVideo(url: "/a.mp4", title: "Eau"))], context: try makeContext(.french))
        #expect(String(decoding: french, as: UTF8.self).contains("1,25×"))
    }

    @Test("captions are tracks of the player, and none is on by default")
    func captions() throws {
        let tracks = [
            PTVideo.Track(url: "/media/1", label: "French & more", language: "fr"),
            PTVideo.Track(url: "javascript:alert(1)", label: "Film", language: "en"),
        ]
        let html = try render(.video(PTVideo(url: "/media/0", title: "Water", tracks: tracks)))
        let found = try tags(html).filter { $0.name == "track" }
        #expect(found.map { $0.attributes["src"] } == ["/media/1", "#"])
        #expect(found.map { $0.attributes["srclang"] } == ["fr", "en"])
        #expect(found.first?.attributes["label"] == "French &amp; more")
        #expect(found.allSatisfy { $0.attributes["kind"] == "captions" && $0.attributes["default"] == nil })
        // The tracks are children of the video.
        #expect(html.contains("src=\"/media/0\"><track") && html.contains("\"></video>"))
        #expect(!(try render(.video(PTVideo(url: "/media/0", title: "Water")))).contains("<track"))
    }

    @Test(
        "a page allows the site of its video and nothing more",
        arguments: [
            ("https://films.example/a.mp4", "https://films.example"),
            ("https://films.example:8443?x", "https://films.example:8443"),
            ("/courses/a.mp4", nil), ("http://films.example/a", nil), ("https://", nil),
            ("https://a;script-src/x", nil),
            ("https://a b/x", nil), ("https://*/x", nil), ("https://x'y/", nil),
        ] as [(String, String?)])
    func origins(_ url: String, _ expected: String?) throws {
        let screen = Screen(title: "Water", body: [.video(PTVideo(url: url, title: "Water"))])
        #expect(screen.mediaOrigins == (expected.map { [$0] } ?? []))
        #expect(try page(screen).contains("data-media=") == (expected != nil))
    }
}
