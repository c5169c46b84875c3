import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@Suite("Screens as documents for native apps")
struct ScreenDocumentTests {
    private static let button = PTButton(title: "Open", action: .open("/next"))

    private static let screen = Screen(
        title: "Maple room", live: ["classroom:1"],
        body: [
            .section(
                PTSection(
                    title: "Today",
                    body: [
                        .list(
                            PTList(cells: [PTListCell(title: "Noor", subtitle: "present", action: .open("/noor"))])),
                        .button(button),
                    ])),
            .island(PTIsland("quest", fallback: "The game needs a newer app.")),
        ], sheets: [PTBottomSheet(id: "add", title: "Add", body: [.text(PTText("A name."))])])

    @Test("a document that is written and read is the same")
    func roundTrip() throws {
        let document = ScreenDocument(Self.screen, chrome: nil, seq: 7)
        #expect(try JSONDecoder().decode(ScreenDocument.self, from: JSONEncoder().encode(document)) == document)
        #expect(document.version == ScreenDocument.version)
        #expect(document.screen == Self.screen)
    }

    @Test("a reader that does not know a component gets its text, without controls and addresses")
    func fallback() {
        let document = ScreenDocument(Self.screen, chrome: nil, seq: nil, knowing: 0)
        #expect(document.version == 0)
        #expect(document.screen.title == "Maple room")
        #expect(
            document.screen.body == [
                .text(PTText("## Today\n- Noor · present")), .text(PTText("The game needs a newer app.")),
            ])
        #expect(document.screen.sheets.map(\.body) == [[.text(PTText("A name."))]])
    }

    @Test("a reader that knows more gets what this server knows")
    func newer() {
        let document = ScreenDocument(Self.screen, chrome: nil, seq: nil, knowing: 99)
        #expect(document.version == ScreenDocument.version)
        #expect(document.screen == Self.screen)
    }

    @Test("a document whose components are unknown is refused by its reader, which then shows the page as HTML")
    func unknown() throws {
        let text =
            #"{"version":2,"screen":{"title":"A","layout":"page","live":[],"sheets":[],"body":[{"hologram":{}}]}}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ScreenDocument.self, from: Data(text.utf8)) }
    }
}
