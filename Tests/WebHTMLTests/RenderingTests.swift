import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@testable import WebHTML

@Suite("Rendering")
struct RenderingTests {
    @Test("a page has its language, theme, landmarks, skip link and one heading")
    func frame() throws {
        let words = try SharedAssets.words(.french)
        let context = try makeContext(.french, theme: .wolfwhale, appearance: .dark)
        let html = try page(
            Screen(title: "Élèves", live: ["students", "attendance"]), chrome: Gallery.chrome(words: words), context
        )
        #expect(
            html.hasPrefix("<!doctype html>\n<html lang=\"fr\" data-theme=\"wolfwhale\" data-appearance=\"dark\">"))
        #expect(html.contains("<a class=\"pt-skip\" href=\"#main\">Aller au contenu</a>"))
        #expect(html.contains("data-live=\"students attendance\" data-seq=\"41\""))
        let all = try tags(html)
        for landmark in ["main", "nav", "header"] { #expect(all.count { $0.name == landmark && !$0.isEnd } == 1) }
        #expect(all.count { $0.name == "h1" && !$0.isEnd } == 1)
        #expect(html.contains("aria-label=\"Notifications, 2 nouvelles\""))
        #expect(html.contains("aria-label=\"Compte d’Ana Ruiz\""))
    }

    @Test("a root page links to the start page, another one back")
    func back() throws {
        let words = try SharedAssets.words()
        let root = try page(Screen(title: "Students"), chrome: Gallery.chrome(words: words))
        #expect(root.contains("pt-topbar__brand"))
        #expect(!root.contains("data-back"))
        let deep = try page(Screen(title: "Amara", back: "/students"), chrome: Gallery.chrome(words: words))
        #expect(deep.contains("<a class=\"pt-icon-button\" data-back href=\"/students\" aria-label=\"Back\">"))
    }

    @Test("a deeper page hides bar links that the tabs offer too, a root page does not")
    func spareLinks() throws {
        let words = try SharedAssets.words()
        func classes(of path: String, back: String?) throws -> String? {
            var chrome = Gallery.chrome(words: words)
            chrome.searchPath = path
            let html = try page(Screen(title: "Amara", back: back), chrome: chrome)
            return try tags(html).first { $0.attributes["aria-label"] == "Search" }?.attributes["class"]
        }
        let tab = try #require(Gallery.chrome(words: words).navigation.first?.path)
        #expect(try classes(of: tab, back: "/students") == "pt-icon-button pt-topbar__spare")
        #expect(try classes(of: tab, back: nil) == "pt-icon-button")
        #expect(try classes(of: "/nowhere-else", back: "/students") == "pt-icon-button")
    }

    @Test("the search field of the search page is in the bar, and that of any other page is in the page")
    func searchInBar() throws {
        let words = try SharedAssets.words()
        func places(_ path: String) throws -> (search: String.Index, bar: String.Index, title: String?) {
            var chrome = Gallery.chrome(words: words)
            chrome.searchPath = "/search"
            let screen = Screen(
                title: "Search", search: PTSearchField(path: path, placeholder: "Names", label: "Search"))
            let all = try tags(page(screen, chrome: chrome))
            #expect(all.count { $0.attributes["role"] == "search" } == 1)
            return (
                try #require(all.first { $0.attributes["role"] == "search" }).end,
                try #require(all.first { $0.name == "header" && $0.isEnd }).end,
                all.first { $0.name == "h1" }?.attributes["class"]
            )
        }
        let own = try places("/search")
        #expect(own.search < own.bar && own.title == "pt-hidden")
        let other = try places("/messages/new")
        #expect(other.search > other.bar && other.title == "pt-topbar__title")
    }

    @Test("only a page with controls that are tapped brings the small burst along")
    func spark() throws {
        let call = PTCommandCall(path: "/api/v1/x", key: "k")
        let check = PTCheck(isOn: false, spoken: "Done", call: call)
        let cell = PTListCell(leading: .check(check), title: "Coat")
        #expect(
            try page(Screen(title: "A", body: [.list(PTList(cells: [cell]))])).contains(
                "<template id=\"pt-spark\">"))
        #expect(try !page(Screen(title: "A")).contains("pt-spark"))
    }

    @Test("a form that is not to celebrate asks for a toast")
    func quietForm() throws {
        var form = PTForm(
            id: "f", action: "/api/v1/x", fields: [], submit: SubmitButton(title: "Save"), key: "k")
        #expect(try !render(.form(form)).contains("_feedback"))
        form.celebrates = false
        #expect(try render(.form(form)).contains("name=\"_feedback\" value=\"toast\""))
    }

    @Test("a bar has an escaped legend of its colors, pale for unfilled parts")
    func legend() throws {
        let html = try render(
            .greeting(
                PTGreeting(
                    title: "Average",
                    split: PTSplitBar(
                        parts: [
                            .init(count: 40, tint: .sky, filled: 75, title: "<Essays>", detail: "40 % & more"),
                            .init(count: 60, tint: .leaf, filled: 0, title: "Quizzes"),
                        ], total: 100, spoken: "Essays 40 %"))))
        let bars = try tags(html).filter { $0.name == "rect" }.map {
            "\($0.attributes["class"] ?? "") \($0.attributes["x"] ?? "") \($0.attributes["width"] ?? "")"
        }
        #expect(
            bars == [
                "fill-sky-soft 0.00% 39.40%", "fill-sky-5 0.00% 29.55%", "fill-leaf-soft 40.00% 60.00%",
            ])
        #expect(html.contains("pt-swatch--sky\"></i>&lt;Essays&gt;<small>40 % &amp; more</small></li>"))
        #expect(html.contains("pt-swatch--leaf\"></i>Quizzes</li>"))
        let bare = PTSplitBar(parts: [.init(count: 10, tint: .leaf)], total: 14, spoken: "10 present")
        #expect(try !render(.greeting(PTGreeting(title: "Ten", split: bare))).contains("pt-legend"))
    }

    @Test("a filter menu shows its choice, and is highlighted when it filters")
    func filterMenus() throws {
        func menu(_ chosen: Int) throws -> String {
            let choices = ["All", "Seen"].enumerated().map { index, title in
                PTChips.Chip(title: title, isSelected: index == chosen, action: .open("/\(title)"))
            }
            return try render(
                .chips(PTChips(label: "Filters", menus: [.init(label: "Kinds", choices: choices)], chips: [])))
        }
        #expect(try menu(0).contains("<summary class=\"pt-chip\" aria-label=\"Kinds: All\">All"))
        #expect(
            try menu(1).contains("<summary class=\"pt-chip\" aria-label=\"Kinds: Seen\" aria-current=\"true\">Seen")
        )
        #expect(try menu(1).contains("href=\"/Seen\" class=\"pt-menu__item\" aria-current=\"true\""))
    }

    @Test("a form with a text keeps a draft for its school; other forms do not")
    func drafts() throws {
        func form(_ kind: PTField.Kind, style: PTForm.Style = .plain) throws -> String {
            try render(
                .form(
                    PTForm(
                        id: "one", action: "/api/v1/one", fields: [PTField(kind, name: "a", label: "A")],
                        submit: SubmitButton(title: "Save"), key: "key", style: style)))
        }
        #expect(try form(.multiline).contains(" data-draft=\"\""))
        #expect(try form(.multiline, style: .capture).contains(" data-draft="))
        #expect(try !form(.text).contains("data-draft"))
        #expect(try !form(.multiline, style: .instant).contains("data-draft"))
    }

    @Test("many filters share one scrolling row, few do not")
    func manyChips() throws {
        func chips(_ count: Int) throws -> String {
            try render(
                .chips(
                    PTChips(
                        label: "Kinds", chips: (1...count).map { .init(title: "\($0)", action: .open("/\($0)")) })))
        }
        #expect(try chips(9).contains("pt-chips--scroll"))
        #expect(try !chips(8).contains("pt-chips--scroll"))
    }

    @Test("a focused page has no tabs, and shows its hero if it has one", .requirement("PT-3.08.b"))
    func focused() throws {
        let html = try page(
            Screen(title: "Sign in", layout: .focused, hero: .tower),
            chrome: Gallery.chrome(words: try SharedAssets.words()))
        #expect(!html.contains("pt-nav__list"))
        #expect(html.contains("pt-signin__hero"))
    }

    @Test(
        "the pill is a form for the next state with the texts of the others",
        .requirement("PT-3.14.a", "PT-3.44.a"))
    func pill() throws {
        let pill = PTAttendancePill(
            state: .present,
            labels: .init(
                present: .init(title: "Present", spoken: "Ines is present. Change"),
                absent: .init(title: "Absent", spoken: "Ines is absent. Change"),
                unset: .init(title: "Mark", spoken: "Mark Ines present")),
            call: PTCommandCall(
                path: "/api/v1/attendance/mark", fields: ["studentId": "7", "day": "2026-11-21"], key: "key-7"))
        let html = try render(.attendance(pill))
        #expect(html.contains("method=\"post\" action=\"/api/v1/attendance/mark\" data-tap"))
        #expect(html.contains("<input type=\"hidden\" name=\"_key\" value=\"key-7\">"))
        #expect(html.contains("<input type=\"hidden\" name=\"_from\" value=\"/students?filter=all\">"))
        #expect(
            html.contains(
                "name=\"status\" value=\"absent\" data-state=\"present\" aria-label=\"Ines is present. Change\""))
        #expect(html.contains("data-spoken-absent=\"Ines is absent. Change\""))
        var fixed = pill
        fixed.isEnabled = false
        #expect(!(try render(.attendance(fixed))).contains("<form"))
    }

    @Test("a progress card links to its page, and the line below continues", .requirement("WW-12.02"))
    func progressCards() throws {
        let html = try render(
            .progressCards(
                PTProgressCards(
                    cards: [
                        .init(
                            id: "a", title: "Bio <logy>", detail: "9 of 20 lessons",
                            ring: PTProgressRing(value: 0.45, text: "45 %", spoken: "45 % of the lessons"),
                            tag: PTTag(text: "A-", tone: .good),
                            chart: PTChart(
                                points: [.init(label: "1", value: 1, text: "1")], lowest: 0, highest: 1,
                                spoken: "handed in"),
                            action: .open("/courses/a"),
                            next: PTButton(title: "Leaves", action: .open("/lessons/1")))
                    ], label: "Courses")))
        let all = try tags(html)
        #expect(
            all.filter { $0.name == "a" && !$0.isEnd }.map { $0.attributes["href"] } == [
                "/courses/a", "/lessons/1",
            ])
        #expect(all.count { $0.attributes["role"] == "img" } == 2, "the ring and the bars are told in words")
        #expect(html.contains("Bio &lt;logy&gt;"))
    }

    @Test("the first and the last bar of a chart are on the sides of their labels, however few bars there are")
    func chartEnds() throws {
        for count in [2, 5, 40] {
            let points = (1...count).map { PTChart.Point(label: "\($0)", value: 1, text: "\($0)") }
            let html = try render(
                .chart(PTChart(points: points, lowest: 0, highest: 1, style: .bars, spoken: "rounds")))
            let bars = try tags(html).filter { $0.name == "rect" && $0.attributes["rx"] != nil }
            let (first, last) = (try #require(bars.first), try #require(bars.last))
            func number(_ bar: WebHTMLTests.Tag, _ name: String) throws -> Double {
                let text = try #require(bar.attributes[name])
                return try #require(Double(text.dropLast()))
            }
            let (left, width) = (try number(first, "x"), try number(last, "width"))
            let right = try number(last, "x") + width
            #expect(bars.count == count && abs(left + right - 100) < 0.1, "\(count) bars")
            #expect(left <= 25 && right >= 75)
            #expect(width < 9, "few bars stay narrow")
        }
    }

    @Test(
        "a grid is a real table whose fields name child, lesson and level, and link to the record",
        .requirement("BY-1.17.b"))
    func progressGrid() throws {
        var grid = PTProgressGrid(
            label: "Progress", corner: "Child",
            columns: [.init(id: "tower", title: "Pink Tower"), .init(id: "st&ir", title: "Brown <Stair>")],
            rows: [
                .init(id: "a", title: "Ana", action: .open("/students/a"), levels: [.done, .begun]),
                .init(id: "b", title: "Ben", levels: [.going, .none]),
            ],
            titles: ["Not started", "Presented", "Practicing", "Mastered"],
            path: "/students/{row}/materials/{column}?classroom=7&band=older")
        let html = try render(.progressGrid(grid))
        let all = try tags(html)
        #expect(all.count { $0.name == "th" && $0.attributes["scope"] == "col" } == 3)
        #expect(all.count { $0.name == "th" && $0.attributes["scope"] == "row" } == 2)
        #expect(all.contains { $0.attributes["role"] == "region" && $0.attributes["aria-label"] == "Progress" })
        let fields = all.filter { $0.name == "a" && $0.attributes["data-level"] != nil }
        #expect(fields.map { $0.attributes["data-level"] } == ["3", "1", "2", "0"])
        #expect(
            fields.map { $0.attributes["aria-label"] } == [
                "Ana, Pink Tower, Mastered", "Ana, Brown &lt;Stair&gt;, Presented", "Ben, Pink Tower, Practicing",
                "Ben, Brown &lt;Stair&gt;, Not started",
            ])
        #expect(
            fields.first?.attributes["href"] == "/students/a/materials/tower?classroom=7&amp;band=older")
        #expect(fields.last?.attributes["href"] == "/students/b/materials/st%26ir?classroom=7&amp;band=older")
        #expect(Set(fields.compactMap { $0.attributes["id"] }).count == 4, "focus finds its field again")
        grid.path = nil
        let fixed = try render(.progressGrid(grid))
        #expect(!fixed.contains("data-grid"))
        #expect(fixed.contains("<span class=\"pt-hidden\">Mastered</span>"))
        grid.path = "javascript:{row}"
        #expect(!(try render(.progressGrid(grid))).contains("javascript"))
    }

    @Test(
        "entries beyond the tabs are in the bar's leading menu, which exists only for them",
        .requirement("PT-3.07"))
    func hamburger() throws {
        var chrome = Gallery.chrome(words: try SharedAssets.words())
        chrome.more = [
            PTNavigationEntry(title: "Courses", icon: .book, path: "/courses"),
            PTNavigationEntry(title: "Residence", icon: .bed, path: "/residence"),
        ]
        let html = try page(Screen(title: "Students"), chrome: chrome)
        let bar = try #require(html.firstMatch(of: /<header.*?<h1/)).output
        #expect(bar.contains("aria-label=\"More pages\""))
        #expect(bar.contains("href=\"/courses\"") && bar.contains("href=\"/residence\""))
        chrome.more = []
        #expect(try !page(Screen(title: "Students"), chrome: chrome).contains("More pages"))
    }

    @Test("several faults are summarized above the fields, a single one is at its field")
    func faults() throws {
        func form(_ faults: Int) -> PTForm {
            PTForm(
                id: "f", action: "/api/v1/x",
                fields: (1...3).map {
                    PTField(name: "n\($0)", label: "Field \($0)", error: $0 <= faults ? "Fault \($0)" : nil)
                }, submit: SubmitButton(title: "Save"), key: "k")
        }
        let many = try render(.form(form(2)))
        #expect(many.contains("2 fields need attention"))
        #expect(many.contains("<a href=\"#form-f-n2\">Field 2</a>"))
        let one = try render(.form(form(1)))
        #expect(!one.contains("role=\"alert\""))
        #expect(one.contains("aria-describedby=\"form-f-n1-error \" aria-invalid=\"true\""))
        #expect(one.contains("id=\"form-f-n1-error\""))
    }

    @Test("a form sends its key, the page it came from and the page to go to", .requirement("WW-19.01.a"))
    func formInputs() throws {
        let html = try render(
            .form(
                PTForm(
                    id: "f", action: "/api/v1/x", fields: [.hidden("id", "9")],
                    submit: SubmitButton(title: "Saving", isLoading: true), key: "k-1", to: "/done")))
        #expect(html.contains("name=\"id\" value=\"9\""))
        #expect(html.contains("name=\"_key\" value=\"k-1\""))
        #expect(html.contains("name=\"_from\" value=\"/students?filter=all\""))
        #expect(html.contains("name=\"_to\" value=\"/done\""))
        #expect(html.contains("aria-busy=\"true\" disabled"))
    }

    @Test("a second command in a form has its own address and its own target")
    func alternate() throws {
        let html = try render(
            .form(
                PTForm(
                    id: "f", action: "/api/v1/finish", fields: [PTField(name: "first", label: "First")],
                    submit: SubmitButton(title: "Finish"),
                    alternate: SubmitButton(
                        title: "Add another",
                        action: PTCommandCall(path: "/api/v1/add", key: "unused", to: "/again")),
                    key: "k", to: "/home", style: .wizard)))
        #expect(html.contains("formaction=\"/api/v1/add\" name=\"_to\" value=\"/again\""))
        #expect(html.contains("name=\"_to\" value=\"/home\""))
        #expect(!html.contains("type=\"hidden\" name=\"_to\""))
        let add = try #require(html.range(of: "Add another"))
        let finish = try #require(html.range(of: "Finish"))
        #expect(add.lowerBound < finish.lowerBound, "the return key presses the first button")
    }

    @Test("a sheet opens without scripts, and its forms return to it and close it", .requirement("PT-3.10.f"))
    func sheet() throws {
        let screen = Screen(
            title: "Students",
            body: [.button(PTButton(title: "Add", action: .present("add student")))],
            sheets: [
                PTBottomSheet(
                    id: "add student", title: "Add a student",
                    body: [
                        .form(
                            PTForm(
                                id: "f", action: "/api/v1/x", fields: [], submit: SubmitButton(title: "Add"),
                                key: "k"))
                    ])
            ])
        let closed = try page(screen)
        #expect(closed.contains("href=\"/students?filter=all&amp;sheet=add%20student\" data-sheet=\"add student\""))
        #expect(!closed.contains("data-stretches open>"))
        #expect(closed.contains("name=\"_from\" value=\"/students?filter=all&amp;sheet=add%20student\""))
        #expect(closed.contains("name=\"_to\" value=\"/students?filter=all\""))
        let open = try page(
            screen, makeContext(path: "/students?filter=all&sheet=add%20student", openSheet: "add student"))
        #expect(open.contains("data-stretches open>"))
        #expect(open.contains("data-close href=\"/students?filter=all\""))
        #expect(open.contains("data-path=\"/students?filter=all\""))
    }

    @Test(
        "ids differ between a page and the page in a sheet over it",
        .requirement("PT-3.10.f"))
    func sheetIds() throws {
        let list = Component.list(
            PTList(cells: [PTListCell(id: "task-1", title: "Water the plant")], label: "Tasks"))
        let child = Screen(title: "Ana", body: [list])
        let html = try page(
            Screen(title: "My Day", body: [list], sheets: [PTBottomSheet(child, at: "/students/1")]),
            makeContext(path: "/day?sheet=/students/1", openSheet: "/students/1"))
        let ids = try tags(html).compactMap { $0.attributes["id"] }
        #expect(ids.filter { $0.hasSuffix("task-1") } == ["cell-task-1", "sheet-cell-task-1"])
        #expect(Set(ids).count == ids.count)
    }

    @Test("two lists that show the same thing have its id once")
    func sharedIds() throws {
        let list = Component.list(PTList(cells: [PTListCell(id: "room-1", title: "Maple room")], label: "Rooms"))
        let html = try page(Screen(title: "Home", body: [list, list]), makeContext(path: "/home"))
        #expect(
            try tags(html).compactMap { $0.attributes["id"] }.filter { $0.hasSuffix("room-1") } == ["cell-room-1"])
    }

    @Test("a form of a page in a sheet that leads to the page below closes the sheet")
    func sheetToPageBelow() throws {
        let form = PTForm(
            id: "f", action: "/api/v1/x", fields: [], submit: SubmitButton(title: "Send"), key: "k", to: "/leave")
        let request = Screen(title: "New request", back: "/leave", body: [.form(form)])
        func html(below path: String) throws -> String {
            try page(
                Screen(title: "Below", sheets: [PTBottomSheet(request, at: "/leave/new")]),
                makeContext(path: "\(path)?sheet=/leave/new", openSheet: "/leave/new"))
        }
        #expect(try html(below: "/leave").contains("name=\"_to\" value=\"/leave\""))
        #expect(try html(below: "/day").contains("name=\"_to\" value=\"/day?sheet="))
    }

    @Test("a command asks its own question")
    func confirmation() throws {
        let call = PTCommandCall(
            path: "/api/v1/x",
            confirmation: PTConfirmation(title: "Delete Maple?", message: "Students stay.", confirm: "Delete"),
            key: "k", haptics: .success())
        let html = try render(.button(PTButton(title: "Delete", role: .destructive, action: .perform(call))))
        #expect(
            html.contains(
                "data-confirm=\"Delete Maple?\" data-confirm-message=\"Students stay.\" data-confirm-yes=\"Delete\""
            ))
        #expect(html.contains("data-confirm-destructive data-haptics=\"success\""))
    }

    @Test(
        "an empty state has exactly one primary action",
        .requirement("WW-16.01.b", "WW-16.01.c", "PT-3.11.a", "PT-3.11.b", "PT-3.11.c"))
    func empty() throws {
        let html = try render(
            .empty(
                PTEmptyState(
                    title: "No students", message: "Add the first.",
                    action: PTButton(title: "Add", action: .open("/add")),
                    secondary: .init(title: "I have a code", action: .open("/code")))))
        let card = try #require(html.firstMatch(of: /<div class="pt-empty">.*<\/div>/)).output
        #expect(card.contains(">No students</h2><p>Add the first.</p>"))
        #expect(html.components(separatedBy: "pt-button--primary").count == 2)
        #expect(html.contains("I have a code"))
        #expect(html.contains("pt-empty__art"))
    }

    @Test(
        "an error has a picture, a message and a retry; a first load shows skeletons",
        .requirement("WW-16.03.a", "WW-16.05.a"))
    func errorAndSkeleton() throws {
        let html = try render(
            .error(
                ErrorStateView(
                    title: "Not loaded", message: "No answer.",
                    retry: PTButton(title: "Try again", action: .open("/x")))))
        #expect(html.contains("role=\"alert\""))
        #expect(html.contains("Not loaded</h2><p>No answer.</p>"))
        #expect(html.contains("Try again"))
        #expect(html.contains("pt-empty__art"), "without an icon of its own it has the fallen cubes")
        let offline = try render(.error(ErrorStateView(icon: .cloudOff, title: "Not loaded")))
        #expect(offline.contains("#i-cloud-off") && !offline.contains("pt-empty__art"))
        let skeleton = try render(.skeleton(SkeletonView(count: 3, spoken: "Loading")))
        #expect(skeleton.contains("aria-busy=\"true\" aria-label=\"Loading\""))
        #expect(skeleton.components(separatedBy: "pt-skeleton--avatar").count == 4)
    }

    @Test(
        "toast and burst appear after their command, with haptics",
        .requirement("PT-3.12.a", "PT-3.12.b"))
    func feedback() throws {
        let context = try makeContext(feedback: [
            .burst(PTCheckmarkBurst(title: "Maple room created")), .toast(PTToast("Saved", haptics: .lightTap())),
        ])
        let html = try page(Screen(title: "Home"), context)
        #expect(html.contains("<div class=\"pt-celebration\" role=\"status\" data-haptics=\"success\">"))
        #expect(html.contains("data-haptics=\"lightTap\""))
        for part in ["pt-burst__shape", "pt-burst__check", "pt-burst__specks"] {
            #expect(html.contains("class=\"\(part)\""), "\(part)")
        }
        let css = try Resource.text("css/states.css")
        #expect(css.contains(#/\.pt-burst__shape \{[^}]*animation: pt-check-pop /#))
        #expect(css.contains(#/\.pt-burst__specks \{[^}]*animation: pt-specks /#))
    }

    @Test(
        "a picture has its space, size and description before it loads; a tap enlarges it",
        .requirement("WW-18.01.a"))
    func image() throws {
        let photo = PTImage(url: "/p/1", width: 320, height: 240, alt: "Photo 1 of 2", large: "/p/2")
        let note = try render(.note(PTNote(text: "Tower", byline: "Ana", photos: [photo])))
        #expect(note.contains("<a data-photo class=\"pt-image\" href=\"/p/2\" aria-label=\"Photo 1 of 2\"><svg"))
        #expect(
            note.contains(
                "<img src=\"/p/1\" width=\"320\" height=\"240\" alt=\"Photo 1 of 2\" loading=\"lazy\" decoding=\"async\">"
            ))
        let circle = PTImage(url: "/p/1", width: 96, height: 96, alt: "", shape: .circle)
        let person = try render(.note(PTNote(text: "Tower", byline: "Ana", photos: [circle])))
        #expect(person.contains("<span class=\"pt-image pt-image--circle\">") && !person.contains("data-photo"))
        // The initials are behind the picture.
        let avatar = try render(.avatar(PTAvatar(initials: "AR", tint: .leaf, imageURL: "/p/3")))
        #expect(avatar.contains(">AR<img src=\"/p/3\""))
    }

    @Test("a photo field is a file field with the size to scale to")
    func photos() throws {
        let field = PTField(.photos(side: 1600, max: 6), name: "photos", label: "Add photos", error: "No photo")
        let html = try render(
            .form(
                PTForm(id: "f", action: "/a", fields: [field], submit: SubmitButton(title: "Save"), key: "key")))
        #expect(html.contains("enctype=\"multipart/form-data\""))
        #expect(
            html.contains("type=\"file\" accept=\"image/jpeg,image/png,image/webp\" multiple data-photos=\"1600\""))
        #expect(
            html.contains("data-max=\"6\"") && html.contains("aria-invalid=\"true\"") && html.contains("No photo"))
    }

    @Test("a file shows the icon of its kind", .requirement("WW-3.07.b"))
    func fileIcons() throws {
        for (name, icon) in [("a.pdf", "file"), ("a.jpg", "photo"), ("a.txt", "summary"), ("a.xyz", "file")] {
            let html = try render(.file(PTFileTile(name: name)))
            #expect(html.matches(of: /#i-([a-z-]+)/).map { String($0.1) } == [icon], "\(name)")
        }
    }

    @Test("the floating button has a plus, or the icon of its action", .requirement("PT-3.09.b"))
    func floatingIcon() throws {
        func icon(_ button: PTFloatingActionButton) throws -> String? {
            let html = try page(Screen(title: "Home", floatingButton: button))
            let part = try #require(html.range(of: "pt-fab--label\"")).upperBound
            return html[part...].firstMatch(of: /#i-([a-z-]+)/).map { String($0.1) }
        }
        #expect(try icon(PTFloatingActionButton(title: "Add", action: .open("/new"))) == "plus")
        #expect(try icon(PTFloatingActionButton(icon: .mic, title: "Record", action: .open("/new"))) == "mic")
    }

    @Test("the floating button fans out its actions", .requirement("PT-3.44.a"))
    func floating() throws {
        let fan = PTFloatingActionButton(
            title: "Add", fan: [PTMenuItem(title: "Lesson", icon: .book, action: .open("/l"))])
        let html = try page(Screen(title: "Home", floatingButton: fan))
        #expect(html.contains("<summary class=\"pt-fab\" aria-label=\"Add\">"))
        #expect(html.contains("pt-app--fab"))
        #expect(html.contains("<b>Lesson</b>"))
    }

    @Test("a row shows avatar, title, subtitle and trailing elements", .requirement("PT-3.13.a"))
    func rowParts() throws {
        let cell = PTListCell(
            leading: .avatar(PTAvatar(initials: "AR", tint: .leaf)), title: "Ana Ruiz", subtitle: "Here at 8:45",
            trailing: [.badge(PTTag(text: "New", tone: .good))])
        let html = try render(.list(PTList(cells: [cell])))
        let places = ["pt-avatar", ">AR<", ">Ana Ruiz<", ">Here at 8:45<", ">New<"].map {
            html.range(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil }, "\(html)")
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(html)")
    }

    @Test(
        "a row has a menu for the keyboard and a swipe for touch", .requirement("PT-3.13.b", "PT-3.13.c"))
    func row() throws {
        let items = [
            PTMenuItem(title: "Rename", action: .open("/r")),
            PTMenuItem(title: "Delete", role: .destructive, action: .open("/d")),
        ]
        let cell = PTListCell(title: "Maple", action: .open("/m"), menu: items, swipe: items)
        let html = try render(.list(PTList(cells: [cell])))
        #expect(html.contains("data-context"))
        #expect(html.contains("<summary class=\"pt-icon-button\" aria-label=\"More actions for Maple\">"))
        #expect(html.contains("<div class=\"pt-swipe__actions\" hidden>"))
        #expect(html.contains("pt-menu__apart"))
        #expect(html.contains("dir=\"auto\">Maple"))
    }

    @Test("a QR code is one path of runs inside its quiet zone")
    func qr() throws {
        let card = PTCodeCard(
            title: "Invite", code: "AB", qr: QRMatrix(rows: [[true, true, false], [false, false, true]]),
            qrSpoken: "Code")
        let html = try render(.codeCard(card))
        #expect(html.contains("viewBox=\"0 0 10 10\""))
        #expect(html.contains("d=\"M4 4h2v1h-2zM6 5h1v1h-1z\""))
        #expect(html.contains("aria-label=\"A B\""))
    }

    @Test("toggle, date, code and search are native fields with the right keyboard")
    func kinds() throws {
        let form = PTForm(
            id: "f", action: "/x",
            fields: [
                PTField(.toggle, name: "on", label: "On", value: "true"), PTField(.date, name: "day", label: "Day"),
                PTField(.code, name: "code", label: "Code"), PTField(.newPassword, name: "p", label: "Password"),
                PTField(.file(accept: ["image/*"]), name: "photo", label: "Photo", isMultiple: true),
            ], submit: SubmitButton(title: "Save"), key: "k")
        let html = try render(
            .form(form), .search(PTSearchField(path: "/s", placeholder: "Search", label: "Search")))
        #expect(html.contains("role=\"switch\" value=\"true\""))
        #expect(html.contains("type=\"date\""))
        #expect(html.contains("data-scan"))
        #expect(html.contains("autocomplete=\"new-password\""))
        #expect(html.contains("enctype=\"multipart/form-data\""))
        #expect(html.contains("accept=\"image/*\" multiple"))
        #expect(html.contains("data-search"))
    }

    @Test("equal screens give equal bytes")
    func deterministic() throws {
        #expect(try galleryPage() == galleryPage())
    }
}
