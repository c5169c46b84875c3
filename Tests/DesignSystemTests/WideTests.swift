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
