import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@Suite("Components")
struct ComponentTests {
    @Test("a screen survives encoding and decoding")
    func roundTrip() throws {
        let screen = Screen(
            title: "Maple room", subtitle: "14 students", back: "/classrooms", live: ["students"], hero: .cubes,
            body: [
                .section(PTSection(title: "Today", body: [.text(PTText("Calm"))])),
                .form(makeForm()),
            ],
            floatingButton: PTFloatingActionButton(
                title: "Add", fan: [PTMenuItem(title: "Lesson", action: .open("/l"))]),
            sheets: [PTBottomSheet(id: "add", title: "Add", body: [.divider(PTDivider("or"))])],
            search: PTSearchField(path: "/students", placeholder: "Search", label: "Search students"))
        let data = try JSONEncoder().encode(screen)
        #expect(try JSONDecoder().decode(Screen.self, from: data) == screen)
    }

    @Test("a running form and its errors are part of the screen", .requirement("WW-0.01.c"))
    func state() throws {
        let error = ErrorStateView(title: "Not loaded", message: "No answer.")
        let form = PTForm(
            id: "f", action: "/api/v1/x", fields: [], submit: SubmitButton(title: "Saving", isLoading: true),
            key: "k")
        let screen = Screen(title: "Maple room", body: [.error(error), .form(form)])
        let read = try JSONDecoder().decode(Screen.self, from: JSONEncoder().encode(screen))
        #expect(read.body == [.error(error), .form(form)])
        var idle = form
        idle.submit.isLoading = false
        #expect(read != Screen(title: "Maple room", body: [.error(error), .form(idle)]))
        #expect(Outline(read).contains("! error: Not loaded · No answer."))
        #expect(Outline(read).contains("[Saving] (running)"))
    }

    @Test("a person always has the same tint and shape")
    func avatarFollowsTheId() throws {
        let id = try #require(UUID(uuidString: "0192F3C0-AAAA-7000-8000-0000000000A7"))
        let first = PTAvatar(initials: "AM", id: id)
        #expect(first == PTAvatar(initials: "AM", id: id))
        #expect(first.tint == Tint(for: id))
        #expect(PTAvatar(initials: "AM", tint: .berry, id: id).tint == .berry)
        let shapes = Set((0..<40).map { _ in PTAvatar.Shape(for: UUID()) })
        #expect(shapes.count > 1)
    }

    @Test(
        "one tap marks a student present, the next one absent, and the next one present again",
        .requirement("PT-3.14.a"),
        arguments: [
            (PTAttendancePill.State.unset, PTAttendancePill.State.present), (.present, .absent),
            (.absent, .present),
        ])
    func nextState(_ state: PTAttendancePill.State, _ next: PTAttendancePill.State) {
        let label = PTAttendancePill.Label(title: "Title", spoken: "Spoken")
        let pill = PTAttendancePill(
            state: state, labels: .init(present: label, absent: label, unset: label),
            call: PTCommandCall(path: "/api/v1/attendance/mark", key: "key"))
        #expect(pill.next == next)
    }

    @Test("the haptics have the names that the ledger gives them", .requirement("PT-3.12.b", "PT-3.16.a"))
    func haptics() {
        #expect(Haptics.success().kind == .success)
        #expect(Haptics.warning().kind == .warning)
        #expect(Haptics.lightTap().kind == .lightTap)
        #expect(Haptics.impact(.soft).kind == .softImpact)
        #expect(PTCheckmarkBurst(title: "Saved").haptics == .success(), "the burst is felt as success")
    }

    @Test(
        "the kind of a file follows from the extension of its name", .requirement("WW-3.07.a"),
        arguments: [
            ("Plan.PDF", PTFileKind.pdf), ("me.jpg", .image), ("notes.txt", .text), ("a.b.mp3", .sound),
            ("grades.csv", .sheet), ("archive.tar.gz", .archive), ("README", .other), (".hidden", .other),
            ("odd.xyz", .other), ("", .other),
        ])
    func fileKind(_ name: String, _ kind: PTFileKind) {
        #expect(PTFileKind(fileName: name) == kind)
    }

    @Test("the faulty fields of a form are those with an error")
    func faultyFields() {
        #expect(makeForm().faulty.map(\.name) == ["email"])
    }
}

func makeForm() -> PTForm {
    PTForm(
        id: "person", action: "/api/v1/people",
        fields: [
            PTField(name: "first", label: "First name", value: "Noor", isRequired: true),
            PTField(.email, name: "email", label: "Email", value: "noor@", error: "This is no address."),
            PTField(.password, name: "password", label: "Password", value: "secret"),
            PTField(
                .choice([.init(value: "guide", title: "Guide"), .init(value: "parent", title: "Parent")]),
                name: "role",
                label: "Role", value: "guide"),
            .hidden("classroomId", "42"),
        ],
        submit: SubmitButton(title: "Save"),
        alternate: SubmitButton(
            title: "Save and add another", action: PTCommandCall(path: "/api/v1/people/more", key: "k")),
        secondary: PTButton(title: "Cancel", role: .quiet, action: .open("/people")), key: "key-of-the-form",
        to: "/people", error: "Not saved.")
}
