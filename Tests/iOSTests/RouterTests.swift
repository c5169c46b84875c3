import AppRouter
import Foundation
import Testing

/// Where addresses from outside of the app lead.
@Suite("The router of the app")
struct RouterTests {
    private let router: AppRouter

    init() throws { router = AppRouter(server: try #require(URL(string: "https://school.example"))) }

    @Test(
        "links of the app's own schemes lead through the server's page for links",
        arguments: [
            ("pinktower://grades", "/open?link=grades"), ("wolfwhale://course/7f", "/open?link=course%2F7f"),
            ("PINKTOWER:assignment:7f", "/open?link=assignment%3A7f"),
            ("pinktower://course%2F7f", "/open?link=course%2F7f"),
        ])
    func schemes(_ link: String, _ path: String) throws {
        #expect(router.destination(of: try #require(URL(string: link))) == .page(path: path))
    }

    @Test(
        "links of the person's server open their page, with the query and the place on the page",
        arguments: [
            ("https://school.example/students/7?tab=work", "/students/7?tab=work"),
            ("https://SCHOOL.example:443/join/MAPLE", "/join/MAPLE"), ("https://school.example", "/"),
            ("https://school.example/search?q=a%20%26%20b", "/search?q=a%20%26%20b"),
            ("https://school.example/messages/7?at=3#m3", "/messages/7?at=3#m3"),
        ])
    func universal(_ link: String, _ path: String) throws {
        #expect(router.destination(of: try #require(URL(string: link))) == .page(path: path))
    }

    @Test(
        "links of other servers leave the app, however similar they look",
        arguments: [
            "https://school.example.evil.example/a", "http://school.example/a", "https://school.example:8443/a",
            "https://me@school.example/a", "mailto:office@school.example",
        ])
    func others(_ link: String) throws {
        let url = try #require(URL(string: link))
        #expect(router.destination(of: url) == .outside(url))
    }

    @Test(
        "links that no app opens lead nowhere",
        arguments: ["javascript:alert(1)", "file:///etc/passwd", "pinktower://", "grades"])
    func nowhere(_ link: String) throws {
        #expect(router.destination(of: try #require(URL(string: link))) == .nowhere)
    }

    @Test(
        "notifications, widgets and Spotlight name a path or a thing of the server, never another server",
        arguments: [
            ("/messages/7?at=3", AppRouter.Destination.page(path: "/messages/7?at=3")),
            ("course:7f", AppRouter.Destination.page(path: "/open?link=course%3A7f")),
            ("//evil.example/a", AppRouter.Destination.nowhere),
            ("/\\evil.example", AppRouter.Destination.nowhere), ("", AppRouter.Destination.nowhere),
            ("../a", AppRouter.Destination.nowhere),
            ("https://evil.example", AppRouter.Destination.page(path: "/open?link=https%3A%2F%2Fevil%2Eexample")),
        ])
    func payloads(_ text: String, _ destination: AppRouter.Destination) {
        #expect(router.destination(ofPayload: text) == destination)
    }

    @Test(
        "the address of a server is typed with or without https, or comes from a code that leads to one of its pages",
        arguments: [
            ("school.example", "https://school.example"),
            (" https://School.Example/join/MAPLE ", "https://school.example"),
            ("https://school.example:8443", "https://school.example:8443"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://tower.local", "http://tower.local"),
        ])
    func server(_ text: String, _ server: String) {
        #expect(AppRouter.server(in: text)?.absoluteString == server)
    }

    @Test(
        "a text that names no server is refused, and so is one without encryption on the internet",
        arguments: [
            "", "school", "http://school.example", "ftp://school.example", "https://me@school.example", "a b.c",
        ])
    func noServer(_ text: String) {
        #expect(AppRouter.server(in: text) == nil)
    }

    @Test("an address of more than 2,000 bytes leads nowhere")
    func long() throws {
        let text = "pinktower://" + String(repeating: "a", count: 2000)
        #expect(router.destination(of: try #require(URL(string: text))) == .nowhere)
        #expect(router.destination(ofPayload: text) == .nowhere)
    }
}
