import DesignSystem
import DesignTokens
import Domain
import Foundation
import SwiftUI
import TestKit
import Testing

@testable import ScreenUI

/// What happens on a page when a person uses it.
@Suite("A page in the app")
@MainActor
struct ScreenTests {
    private func makeCall(_ key: String = "k1", confirmation: PTConfirmation? = nil, to: String? = nil)
        -> PTCommandCall
    {
        PTCommandCall(
            path: "/api/v1/plants/water", fields: ["plant": "fern"], confirmation: confirmation, key: key, to: to)
    }

    private func makePill(_ state: PTAttendancePill.State = .unset) -> PTAttendancePill {
        func label(_ title: String) -> PTAttendancePill.Label {
            .init(title: title, spoken: "Ines is \(title). Change")
        }
        return PTAttendancePill(
            state: state,
            labels: .init(present: label("present"), absent: label("absent"), unset: label("not marked")),
            call: PTCommandCall(path: "/api/v1/attendance/mark", fields: ["studentId": "s7"], key: "page-key"))
    }

    private func makeRow(_ number: Int, _ state: PTAttendancePill.State = .unset) -> PTListCell {
        PTListCell(
            id: "row-\(number)", title: "Student \(number)", trailing: [.attendance(makePill(state))],
            action: .present("/students/\(number)"),
            menu: [PTMenuItem(title: "Edit", icon: .edit, action: .open("/students/\(number)/edit"))],
            swipe: [
                PTMenuItem(
                    title: "Remove", icon: .trash, role: .destructive, action: .perform(makeCall("swipe-\(number)"))
                )
            ])
    }

    // MARK: - Rows

    @Test("a change of one row of thirty evaluates that row only")
    func counting() {
        func screen(_ state: PTAttendancePill.State) -> Screen {
            Screen(
                title: "Students",
                body: [.list(PTList(cells: (1...30).map { makeRow($0, $0 == 17 ? state : .unset) }))])
        }
        let stage = Stage(screen(.unset))
        #expect(stage.recorder.evaluations["ListRowView"] == 30)
        for update in 0..<60 {
            stage.recorder.resetEvaluations()
            stage.show(screen(update.isMultiple(of: 2) ? .present : .absent))
            #expect(stage.recorder.evaluations["ListRowView"] == 1)
            #expect(stage.recorder.evaluations["AttendancePillView"] == 1)
        }
        #expect(stage.texts.count { $0 == "not marked" } == 29)
    }

    @Test(
        "a row has the menu of a long press, and a swipe reveals its actions",
        .requirement("PT-3.13.b", "PT-3.13.c"))
    func row() async throws {
        let stage = Stage([.list(PTList(cells: [makeRow(4)]))])
        let items = stage.content(of: "contextMenu").flatMap { $0.all("Button") }
        try #require(items.first { $0.spoken == "Edit" }).press()
        let swipes = stage.root.all.flatMap(\.modifiers).filter { $0.name == "swipeActions" }
        #expect(swipes.allSatisfy { $0.value("isRow") == true }, "elsewhere a device ignores them")
        #expect(swipes.allSatisfy { $0.value("allowsFullSwipe") == false }, "no deletion by a slip of the finger")
        let revealed = swipes.flatMap(\.content).flatMap { $0.all("Button") }
        try #require(revealed.first { $0.spoken == "Remove" }).press()
        await stage.wait("the command runs") { stage.handler.events.count == 2 }
        #expect(stage.handler.events.first == .opened("/students/4/edit", isReplacing: false))
        #expect(stage.handler.calls == [makeCall("swipe-4")])
    }

    @Test(
        "attendance changes before the server answers, and returns to its state when the change is refused",
        .requirement("PT-3.14.c"))
    func attendance() async throws {
        let stage = Stage([.attendance(makePill())])
        stage.handler.isHeld = true
        try stage.press("Ines is not marked")
        await stage.wait("the command runs") { stage.handler.calls.count == 1 }
        #expect(stage.texts.contains("present"))
        #expect(stage.played.contains(.impact(weight: .light)))
        #expect(stage.spokenValue == "Waiting to be sent")
        let call = try #require(stage.handler.calls.first)
        #expect(call.fields == ["studentId": "s7", "status": "present"])
        #expect(call.key != "page-key", "each tap is a call of its own")

        stage.handler.outcome = .refused(message: "The class is archived.", fields: [:])
        stage.handler.answer()
        await stage.wait("the state of before") { stage.texts.contains("not marked") }
        #expect(stage.spokenValue == "Not saved")
        #expect(stage.texts.contains("The class is archived."))
    }

    @Test(
        "each tap switches attendance between present and absent, with a key of its own",
        .requirement("PT-3.14.a"))
    func keys() async throws {
        let stage = Stage([.attendance(makePill())])
        for tap in 1...4 {
            try #require(stage.root.all("Button").first).press()
            await stage.wait("tap \(tap)") { stage.handler.calls.count == tap }
        }
        #expect(Set(stage.handler.calls.map(\.key)).count == 4)
        #expect(stage.handler.calls.map { $0.fields["status"] } == ["present", "absent", "present", "absent"])
    }

    // MARK: - Commands

    @Test("a command that asks runs after it was confirmed, and not after Cancel")
    func confirmation() async throws {
        let call = makeCall(
            confirmation: PTConfirmation(title: "Water it?", message: "It likes water.", confirm: "Water"))
        let stage = Stage([.button(PTButton(title: "Water", action: .perform(call)))])
        try stage.press("Water")
        #expect(stage.handler.events.isEmpty)
        #expect(stage.content(of: "confirmationDialog").map(\.spoken) == ["Water", "Cancel", "It likes water."])
        try #require(stage.content(of: "confirmationDialog").first { $0.spoken == "Cancel" }).press()
        stage.show()
        #expect(stage.content(of: "confirmationDialog").isEmpty)
        try stage.press("Water")
        try #require(stage.content(of: "confirmationDialog").first).press()
        await stage.wait("the command runs") { stage.handler.calls == [call] }
        #expect(stage.content(of: "confirmationDialog").isEmpty)
    }

    @Test("a button is disabled while its command runs, so that a double tap counts once")
    func doubleTap() async throws {
        let stage = Stage([.submit(SubmitButton(title: "Save", action: makeCall()))])
        stage.handler.isHeld = true
        try stage.press("Save")
        await stage.wait("the command runs") { stage.handler.calls.count == 1 }
        #expect(try !stage.find("Button", "Save").isEnabled)
        stage.handler.answer()
        try await stage.wait("the button is enabled") { try stage.find("Button", "Save").isEnabled }
    }

    @Test(
        "the feedback of a command is a toast or a burst, with the haptics of the device",
        arguments: [
            (
                PTFeedback.toast(PTToast("Saved", haptics: .lightTap())), "Saved",
                SensoryFeedback.impact(weight: .light)
            ),
            (PTFeedback.burst(PTCheckmarkBurst(title: "Room is ready")), "Room is ready", SensoryFeedback.success),
        ])
    func feedback(_ feedback: PTFeedback, _ text: String, _ haptics: SensoryFeedback) async throws {
        let stage = Stage([.button(PTButton(title: "Water", action: .perform(makeCall())))])
        stage.handler.outcome = .done(feedback)
        try stage.press("Water")
        await stage.wait("the feedback is shown") { stage.texts.contains(text) }
        #expect(stage.played.contains(haptics))
    }

    @Test("each kind of haptics plays the feedback of the device that has its meaning", .requirement("PT-3.16.a"))
    func haptics() {
        #expect(Haptics.success().feedback == .success)
        #expect(Haptics.warning().feedback == .warning)
        #expect(Haptics.lightTap().feedback == .impact(weight: .light))
        #expect(Haptics.impact(.soft).feedback == .impact(flexibility: .soft))
    }

    @Test("after success the page that the command names opens")
    func next() async throws {
        let stage = Stage([.button(PTButton(title: "Water", action: .perform(makeCall(to: "/plants"))))])
        try stage.press("Water")
        await stage.wait("the page opens") { stage.handler.events.count == 2 }
        #expect(stage.handler.events.last == .opened("/plants", isReplacing: false))
    }

    // MARK: - Sheets and bars

    @Test(
        "a sheet rests at nine tenths of the screen and at all of it, has a grabber, and closes with haptics",
        .requirement("PT-3.10.a", "PT-3.10.c", "PT-3.10.e"))
    func sheet() throws {
        var screen = Screen(title: "Plants", body: [.button(PTButton(title: "Details", action: .present("fern")))])
        screen.sheets = [PTBottomSheet(id: "fern", title: "Fern", body: [.text(PTText("It likes shade."))])]
        let stage = Stage(screen)
        #expect(stage.content(of: "sheet").isEmpty)
        try stage.press("Details")
        let shown = try #require(stage.content(of: "sheet").first)
        #expect(shown.texts.contains("It likes shade."))
        let modifiers = shown.all.flatMap(\.modifiers)
        let detents: Set<PresentationDetent>? = modifiers.first { $0.name == "presentationDetents" }?.value()
        #expect(detents == [.fraction(0.9), .large])
        let grabber: Visibility? = modifiers.first { $0.name == "presentationDragIndicator" }?.value()
        #expect(grabber == .visible)
        try #require(shown.all("Button").first { $0.spoken == "Close" }).press()
        stage.show()
        #expect(stage.content(of: "sheet").isEmpty)
        #expect(stage.played.contains(.impact(flexibility: .soft)))
        #expect(stage.handler.events.isEmpty)
    }

    @Test("the handler presents a page that is not a sheet of this page")
    func foreignSheet() throws {
        let stage = Stage([.button(PTButton(title: "Amara", action: .present("/students/7")))])
        try stage.press("Amara")
        #expect(stage.handler.events == [.presented("/students/7")])
    }

    @Test("the floating button fans out its actions, and closes after one of them")
    func fan() throws {
        var screen = Screen(title: "Plants")
        screen.floatingButton = PTFloatingActionButton(
            title: "Add",
            fan: [
                PTMenuItem(title: "Plant", icon: .leaf, action: .open("/plants/new")),
                PTMenuItem(title: "Pot", action: .open("/pots/new")),
            ])
        let stage = Stage(screen)
        #expect(stage.root.all("Button").map(\.spoken) == ["Add"])
        try stage.press("Add")
        #expect(stage.root.all("Button").map(\.spoken) == ["Plant", "Pot", "Add"])
        try stage.press("Pot")
        #expect(stage.handler.events == [.opened("/pots/new", isReplacing: false)])
        #expect(stage.root.all("Button").map(\.spoken) == ["Add"])
    }

    @Test("pulling down loads the page again")
    func refresh() async throws {
        let stage = Stage([])
        let modifier = try #require(stage.root.all.flatMap(\.modifiers).first { $0.name == "refreshable" })
        await modifier.work?()
        #expect(stage.handler.events == [.reloaded])
    }

    @Test("the search of a page opens its results with the chosen filters, and nothing before a letter was typed")
    func search() async throws {
        var screen = Screen(title: "Students")
        screen.search = PTSearchField(
            path: "/students", placeholder: "Search students", label: "Search", keeping: ["room": "maple"])
        let stage = Stage(screen)
        let first = try #require(
            stage.root.all.flatMap(\.modifiers).last { $0.name == "task" && ($0.value("id") as String?) == nil })
        await first.work?()
        #expect(stage.handler.events.isEmpty)
        try #require(stage.content(of: "searchable").first).enter("Ana & co")
        stage.show()
        let task = try #require(
            stage.root.all.flatMap(\.modifiers).first {
                $0.name == "task" && ($0.value("id") as String?) == "Ana & co"
            })
        await task.work?()
        #expect(stage.handler.events == [.opened("/students?room=maple&q=Ana%20%26%20co", isReplacing: true)])
    }

    // MARK: - Forms

    private func makeForm(_ fields: [PTField]) -> PTForm {
        PTForm(
            id: "f", action: "/api/v1/plants", fields: fields, submit: SubmitButton(title: "Save"), key: "form-key")
    }

    @Test("a form sends what was typed and chosen, with its hidden fields and its key")
    func form() async throws {
        let stage = Stage([
            .form(
                makeForm([
                    PTField(name: "name", label: "Name", maxLength: 6),
                    PTField(.toggle, name: "isTall", label: "Tall"),
                    PTField(
                        .multipleChoice([.init(value: "sun", title: "Sun"), .init(value: "shade", title: "Shade")]),
                        name: "light", label: "Light"),
                    PTField(.file(accept: ["image/*"]), name: "photo", label: "Photo"),
                    .hidden("version", "3"),
                ]))
        ])
        stage.handler.files = [ChosenFile(id: "f1", name: "fern.jpg")]
        try stage.find("TextField", "Name").enter("Fern of the North")
        try stage.find("Toggle", "Tall").enter(true)
        try stage.find("Toggle", "Shade").enter(true)
        stage.show()
        try stage.press("Photo")
        await stage.wait("a file is chosen") { stage.texts.contains("fern.jpg") }
        try stage.press("Save")
        await stage.wait("the form is sent") { stage.handler.calls.count == 1 }
        guard case .ran(let call, let extras) = stage.handler.events.last else {
            Issue.record("no command was run")
            return
        }
        #expect(call.path == "/api/v1/plants")
        #expect(call.key == "form-key")
        #expect(call.fields == ["name": "Fern o", "isTall": "true", "version": "3"])
        #expect(extras.lists == ["light": ["shade"]])
        #expect(extras.files == ["photo": [ChosenFile(id: "f1", name: "fern.jpg")]])
    }

    @Test("an option with an icon shows it beside its title")
    func optionIcon() {
        let stage = Stage([
            .form(
                makeForm([
                    PTField(
                        .choice([.init(value: "4", title: "Happy", icon: .faceHappy)]), name: "mood", label: "Mood")
                ]))
        ])
        #expect(stage.root.all("Image").contains { $0.text == PTIcon.faceHappy.symbol })
    }

    @Test(
        "progress cards of a grid continue in the next row, and others scroll sideways", arguments: [true, false])
    func progressCards(_ isGrid: Bool) {
        var cards = PTProgressCards(
            cards: [
                PTProgressCards.Card(
                    id: "p1", title: "Botany", detail: "Lessons: 12 of 18",
                    ring: PTProgressRing(value: 0.67, text: "67 %", tint: .leaf, spoken: "67 %"),
                    action: .open("/courses/7"))
            ], label: "Progress")
        cards.isGrid = isGrid
        let stage = Stage([.progressCards(cards)])
        #expect(stage.texts.contains("Botany"))
        #expect(stage.root.all("LazyVGrid").isEmpty != isGrid)
        #expect(stage.root.all("ScrollView").isEmpty == isGrid)
    }

    @Test("an error names its field, and what was typed stays")
    func errors() async throws {
        let stage = Stage([
            .form(
                makeForm([
                    PTField(name: "name", label: "Name", isRequired: true),
                    PTField(.multiline, name: "note", label: "Note"),
                ]))
        ])
        try stage.press("Save")
        #expect(stage.texts.contains("Name: please fill in this field."))
        #expect(stage.handler.events.isEmpty, "nothing is sent")
        try stage.find("TextField", "Name").enter("Fern")
        try stage.find("TextField", "Note").enter("It likes shade.")
        stage.show()
        stage.handler.outcome = .refused(
            message: "Two entries need attention", fields: ["name": "This name is taken."])
        try stage.press("Save")
        await stage.wait("the error is shown") { stage.texts.contains("This name is taken.") }
        #expect(stage.texts.contains("Two entries need attention"))
        #expect(try stage.find("TextField", "Note").input?.value as? String == "It likes shade.")
    }

    @Test("what was typed stays when the page is loaded again, until the form is sent")
    func reloadedForm() async throws {
        func screen(_ key: String) -> Screen {
            let form = PTForm(
                id: "f", action: "/api/v1/plants", fields: [PTField(name: "name", label: "Name")],
                submit: SubmitButton(title: "Save"), key: key)
            return Screen(title: "Plants", body: [.form(form)])
        }
        let stage = Stage(screen("key-1"))
        try stage.find("TextField", "Name").enter("Fern")
        stage.show(screen("key-2"))
        #expect(try stage.find("TextField", "Name").input?.value as? String == "Fern")
        try stage.press("Save")
        try await stage.wait("the form is sent") { try stage.find("Button", "Save").isEnabled }
        #expect(stage.handler.calls.map(\.key) == ["key-2"])
        stage.show(screen("key-3"))
        #expect(try stage.find("TextField", "Name").input?.value as? String == "")
    }

    @Test("a disclosure opens with a tap and stays open when the page is loaded again")
    func disclosure() throws {
        func screen(_ title: String) -> Screen {
            Screen(title: title, body: [.disclosure(PTDisclosure(title: "More", body: [.text(PTText("inside"))]))])
        }
        let stage = Stage(screen("One"))
        #expect(!stage.texts.contains("inside"))
        try stage.find("DisclosureGroup", "More").enter(true)
        stage.show(screen("Two"))
        #expect(stage.texts.contains("inside"))
    }

    @Test("links of a text open pages of the product, or leave it")
    func links() throws {
        let stage = Stage([
            .richText(
                PTRichText([
                    .paragraph([
                        .link(address: "/plants", text: [.text("ours")]), .text(" and "),
                        .link(address: "https://plants.example/a", text: [.strong([.text("theirs")])]),
                    ])
                ]))
        ])
        for link in stage.root.all("Link") { link.press() }
        #expect(
            stage.handler.events == [.opened("/plants", isReplacing: false), .left("https://plants.example/a")])
    }

    @Test(
        "a message that was refused stays in its field and is sent again with its key, and the next one has another"
    )
    func composer() async throws {
        let composer = PTComposer(
            action: "/api/v1/messages/send", command: "messages.send", typing: "/typing", key: "m1",
            label: "Message",
            send: "Send",
            attach: .init(title: "Attach", max: 2, side: 1600, tooMany: "At most two", remove: "Remove"),
            sending: "Sending", failed: "Not sent", retry: "Retry", types: "{name} is typing")
        let stage = Stage([
            .talk(
                PTTalk(
                    id: "c1", label: "Conversation", list: PTList(cells: []), listLabel: "All", days: [],
                    composer: composer))
        ])
        #expect(try !stage.find("Button", "Send").isEnabled)
        try stage.find("TextField", "Message").enter("Hello")
        stage.show()
        stage.handler.outcome = .refused(message: "Too late.", fields: [:])
        try stage.press("Send")
        await stage.wait("the error is shown") { stage.texts.contains("Too late.") }
        #expect(try stage.find("TextField", "Message").input?.value as? String == "Hello")
        stage.handler.outcome = .waiting
        try stage.press("Send")
        try await stage.wait("the message waits") {
            try stage.find("TextField", "Message").input?.value as? String == ""
        }
        #expect(stage.texts.contains("Saved on this device. It is sent when there is a connection."))
        try stage.find("TextField", "Message").enter("Hello")
        stage.show()
        try stage.press("Send")
        await stage.wait("the next message is sent") { stage.handler.calls.count == 3 }
        let calls = stage.handler.calls
        #expect(calls.allSatisfy { $0.isQueued && $0.fields == ["text": "Hello"] })
        #expect(calls[0].key == calls[1].key)
        #expect(calls[2].key != calls[1].key)
    }

    @Test("the bar of a wizard has both of its buttons")
    func actionBar() throws {
        let stage = Stage([
            .actionBar(
                PTActionBar(
                    back: PTButton(title: "Previous", role: .quiet, action: .open("/step/1")),
                    next: PTButton(title: "Next", action: .open("/step/3"))))
        ])
        #expect(stage.root.all("Button").map(\.spoken) == ["Previous", "Next"])
        try stage.press("Next")
        #expect(stage.handler.events == [.opened("/step/3", isReplacing: false)])
    }

    @Test("an island without a web view shows its fallback")
    func island() throws {
        let stage = Stage([.island(PTIsland("canvas", fallback: "Open this in a browser."))])
        #expect(stage.texts.contains("Open this in a browser."))
    }
}
