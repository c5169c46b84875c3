import DesignSystem
import Domain
import Testing

@Suite("Pages on wide screens")
struct WideTests {
    private func sidebar(beside page: String) -> PTSidebar {
        func entry(_ title: String, _ path: String) -> PTNavigationEntry {
            PTNavigationEntry(title: title, icon: .settings, path: path)
        }
        return PTSidebar(
            label: "Settings", path: "/settings",
            groups: [
                .init(title: "You", entries: [entry("Account", "/settings")]),
                .init(title: "Device", entries: []),
                .init(
                    title: "School",
                    entries: [
                        entry("School", "/settings/organization"), entry("Days off", "/settings/organization/days"),
                    ]),
            ], beside: page)
    }

    @Test(
        "a list of pages marks the entry of its page, also for the pages below an entry",
        arguments: [
            ("/settings", "Account"), ("/settings/organization", "School"),
            ("/settings/organization/days", "Days off"), ("/settings/organization/days/new", "Days off"),
            ("/settings/organizations", nil), ("/settings/join", nil),
        ])
    func current(page: String, title: String?) {
        let sidebar = sidebar(beside: page)
        #expect(sidebar.groups.flatMap(\.entries).filter(\.isCurrent).map(\.title) == [title].compactMap(\.self))
        #expect(sidebar.isFirst == (page == "/settings"))
    }

    @Test("groups without entries are left out")
    func empty() {
        #expect(sidebar(beside: "/settings").groups.map(\.title) == ["You", "School"])
    }

    @Test("the width of a page follows from its components")
    func width() {
        func table(_ columns: Int) -> Component {
            .table(PTDataTable(label: "Scores", columns: (1...columns).map { .init(title: "\($0)") }, rows: []))
        }
        func width(_ body: Component...) -> Screen.Width { Screen(title: "Page", body: body).width }
        let text = Component.text(PTText("Text"))
        #expect(width(text) == .standard)
        #expect(width(text, .definitionList(PTDefinitionList(items: []))) == .reading)
        #expect(width(table(3)) == .standard)
        #expect(width(table(12)) == .full)
        #expect(width(.columns(PTColumns([text]))) == .full)
        let facts = Component.definitionList(PTDefinitionList(items: []))
        #expect(width(.section(PTSection(title: "Scores", body: [table(12)])), facts) == .full)
        #expect(width(.columns(PTColumns([text], limit: 2)), facts) == .standard)
        func list(_ count: Int) -> Component {
            .list(PTList(cells: (0..<count).map { PTListCell(title: "\($0)") }, columns: .two))
        }
        #expect(width(list(3), facts) == .reading)
        #expect(width(.section(PTSection(title: "People", body: [list(4)])), facts) == .standard)
        #expect(width(.week(PTWeek(days: [], label: "Menu")), facts) == .full)
    }

    @Test("the list beside a page has only links to its pages, and marks the one that is open")
    func sideList() throws {
        func cell(_ title: String, _ path: String) -> PTListCell {
            PTListCell(
                id: title, title: title,
                trailing: [.badge(PTTag(text: "Late")), .menu, .chevron], action: .open(path),
                menu: [PTMenuItem(title: "Hide", action: .perform(PTCommandCall(path: "/api/hide", key: "key")))],
                move: PTCommandCall(path: "/api/move", key: "key"))
        }
        let page = Screen(
            title: "Assignments",
            body: [
                .text(PTText("Tip")),
                .search(PTSearchField(path: "/courses/1/assignments", placeholder: "Search", label: "Search")),
                .section(
                    PTSection(
                        title: "Current", action: PTButton(title: "Add", action: .present("new")),
                        body: [.list(PTList(cells: [cell("Essay", "/assignments/7?course=1")], columns: .two))])),
                .columns(PTColumns([.list(PTList(cells: [cell("Quiz", "/assignments/8")]))])),
                .section(PTSection(title: "Form", body: [.text(PTText("Text"))])),
            ],
            floatingButton: PTFloatingActionButton(title: "Add", action: .open("/courses/1/assignments/new")))
        let list = try #require(PTSideList(of: page, beside: Screen(title: "Essay"), at: "/assignments/7"))
        #expect(PTSideList(of: page, beside: page, at: "/")?.search == nil, "the page has it")
        #expect(list.search?.path == "/courses/1/assignments")
        #expect(list.add?.action == .open("/courses/1/assignments/new"))
        #expect(
            list.body == [
                .section(
                    PTSection(
                        title: "Current",
                        body: [
                            .list(
                                PTList(cells: [
                                    PTListCell(
                                        title: "Essay", isCurrent: true, trailing: [.badge(PTTag(text: "Late"))],
                                        action: .open("/assignments/7?course=1"))
                                ]))
                        ])),
                .list(
                    PTList(cells: [
                        PTListCell(
                            title: "Quiz", trailing: [.badge(PTTag(text: "Late"))], action: .open("/assignments/8"))
                    ])),
            ])
        #expect(PTSideList(of: Screen(title: "Form", body: [.text(PTText("Text"))]), beside: page, at: "/") == nil)
    }

    @Test("only phones show the cards of pages that are in the rail")
    func rail() {
        func item(_ isInRail: Bool) -> PTCardGrid.Item { PTCardGrid.Item(title: "Card", isInRail: isInRail) }
        func section(_ items: PTCardGrid.Item...) -> PTSection {
            PTSection(title: "Tools", body: [.cardGrid(PTCardGrid(items: items))])
        }
        #expect(section(item(true), item(true)).isInRail)
        #expect(!section(item(true), item(false)).isInRail)
        #expect(!PTSection(title: "Tools", body: []).isInRail)
    }

    @Test("a section and a card begin a part of the columns, and what follows belongs to it")
    func parts() {
        let text = Component.text(PTText("Text"))
        let (section, card) = (
            Component.section(PTSection(title: "People", body: [])), Component.card(PTCard(body: [text]))
        )
        #expect(PTColumns([text, section, text, card, card]).parts == [[text], [section, text], [card], [card]])
        #expect(PTColumns([]).parts.isEmpty)
    }

    @Test("the outline of columns and of an agenda reads in the order of importance")
    func outline() {
        let agenda = PTAgenda(
            label: "Week of 9 Nov",
            days: [
                .init(
                    title: "Mon", number: "9", spoken: "Monday 9 November, 0 entries", path: "/home?day=2026-11-09"),
                .init(
                    title: "Tue", number: "10", spoken: "Tuesday 10 November, 1 entry", path: "/home",
                    isSelected: true,
                    isBusy: true),
            ],
            items: [.init(time: "9:00", title: "Algebra", detail: "Room 3", tint: .sky, now: "Now")],
            empty: "Nothing")
        #expect(
            Outline([.columns(PTColumns([.agenda(agenda), .text(PTText("Later"))]))]).description == """
                Week of 9 Nov: Mon 9 | *Tue 10*
                - 9:00, Algebra, Room 3, Now
                Later
                """)
    }
}
