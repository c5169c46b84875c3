import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@Suite("Outlines of screens")
struct OutlineTests {
    @Test("the outline of a form shows its fields, faults and target, and no secrets")
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

    @Test("the outline of a list shows its rows with their controls and menus")
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

    @Test("the outline of a grid has a line for each child, with the names of the levels")
    func progressGrid() throws {
        let grid = makeGrid()
        #expect(
            Outline([.progressGrid(grid)]).description == """
                grid Progress: Child | Pink Tower | Brown Stair
                  Ana | Mastered | Presented -> /students/a
                  Ben | Practicing | Not started
                  each -> /students/{row}/materials/{column}?classroom=7
                """)
        #expect(try JSONDecoder().decode(PTProgressGrid.self, from: JSONEncoder().encode(grid)) == grid)
        var bare = grid
        bare.titles = ["Not started"]
        #expect(bare.title(of: .done) == "", "a shade without a word is no crash")
    }

    @Test("the outline of progress cards has a line for each card, with its next step")
    func progressCards() throws {
        let cards = PTProgressCards(
            cards: [
                .init(
                    id: "a", title: "Biology", detail: "9 of 20 lessons",
                    ring: PTProgressRing(value: 0.45, text: "45 %", spoken: "45 %"), tag: PTTag(text: "A-"),
                    action: .open("/courses/a"), next: PTButton(title: "Leaves", action: .open("/lessons/1"))),
                .init(
                    id: "b", title: "French", detail: "20 of 20 lessons",
                    ring: PTProgressRing(value: 1, text: "100 %", spoken: "100 %"), action: .open("/courses/b")),
            ], label: "Courses")
        #expect(
            Outline([.progressCards(cards)]).description == """
                cards Courses:
                  - Biology: 45 %, 9 of 20 lessons {A-} -> /courses/a
                    [Leaves] -> /lessons/1
                  - French: 100 %, 20 of 20 lessons -> /courses/b
                """)
        #expect(try JSONDecoder().decode(PTProgressCards.self, from: JSONEncoder().encode(cards)) == cards)
    }
}

private func makeGrid() -> PTProgressGrid {
    PTProgressGrid(
        label: "Progress", corner: "Child",
        columns: [.init(id: "tower", title: "Pink Tower"), .init(id: "stair", title: "Brown Stair")],
        rows: [
            .init(id: "a", title: "Ana", action: .open("/students/a"), levels: [.done, .begun]),
            .init(id: "b", title: "Ben", levels: [.going, .none]),
        ],
        titles: ["Not started", "Presented", "Practicing", "Mastered"],
        path: "/students/{row}/materials/{column}?classroom=7")
}
