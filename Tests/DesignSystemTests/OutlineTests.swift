import DesignSystem
import Domain
import TestKit
import Testing

@Suite("Outline")
struct OutlineTests {
    @Test("a form reads as its fields, its faults and where it goes; secrets stay out")
    func form() {
        #expect(
            Outline([.form(makeForm())]).description == """
                form person -> /api/v1/people
                  ! Not saved.
                  <First name: text* = Noor>
                  <Email: email = noor@>
                    ! This is no address.
                  <Password: password>
                  <Role: choice = guide>
                    (*) Guide
                    ( ) Parent
                  [Save and add another] -> POST /api/v1/people/more
                  [Save]
                  [Cancel] -> /people
                """)
    }

    @Test("a list reads as its rows with their controls and menus")
    func list() {
        let delete = PTCommandCall(
            path: "/api/v1/classrooms/delete",
            confirmation: PTConfirmation(title: "Delete Maple?", confirm: "Delete"),
            key: "key")
        let screen = Screen(
            title: "Classrooms", back: "/settings", live: ["classrooms"],
            body: [
                .list(
                    PTList(cells: [
                        PTListCell(
                            title: "Maple", subtitle: "14 students",
                            dot: .init(tone: .unread, spoken: "unread"),
                            trailing: [.badge(PTTag(text: "Yours")), .chevron], action: .open("/classrooms/1"),
                            menu: [
                                PTMenuItem(title: "Rename", action: .present("rename")),
                                PTMenuItem(title: "Delete", role: .destructive, action: .perform(delete)),
                            ])
                    ])),
                .empty(
                    PTEmptyState(
                        title: "No classrooms", message: "Create the first one.",
                        action: PTButton(title: "Create", action: .present("create")))),
            ],
            floatingButton: PTFloatingActionButton(title: "Add classroom", action: .present("create")))
        #expect(
            Outline(screen).description == """
                # Classrooms
                [Back] -> /settings
                live: classrooms
                - Maple · 14 students (unread) {Yours} -> /classrooms/1
                  menu [Rename] -> sheet rename
                  menu [Delete] -> POST /api/v1/classrooms/delete (asks: Delete Maple?)
                ! empty: No classrooms · Create the first one.
                [Create] -> sheet create
                (+) [Add classroom] -> sheet create
                """)
        #expect(Outline(screen).contains("14 students"))
    }
}
