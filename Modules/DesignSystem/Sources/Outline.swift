import Domain

/// A screen as lines of plain text, for comparisons in tests and for reading in diffs.
///
/// Each line begins with a sign for its kind: `#` heading, `-` row, `[...]` control, `<...>` field, `!` state. The
/// target of an action follows an arrow.
public struct Outline: Hashable, Sendable, CustomStringConvertible {
    /// The lines of the outline, indented by two spaces for each level.
    public let lines: [String]

    /// The lines of the screen's plain-text outline, joined to one text.
    public var description: String { lines.joined(separator: "\n") }

    /// Makes the outline of a whole screen.
    public init(_ screen: Screen) {
        var writer = Writer()
        writer.screen(screen)
        lines = writer.lines
    }

    /// Makes the outline of components without a screen.
    public init(_ components: [Component]) {
        var writer = Writer()
        writer.components(components)
        lines = writer.lines
    }

    /// Whether any line of the outline contains a text.
    public func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}

private struct Writer {
    var lines: [String] = []
    var depth = 0

    private mutating func chips(_ label: String, _ chips: [PTChips.Chip]) {
        line(label + ": " + chips.map { $0.isSelected ? "*\($0.title)*" : $0.title }.joined(separator: " | "))
    }

    mutating func line(_ text: String) {
        lines.append(String(repeating: "  ", count: depth) + text)
    }

    mutating func indented(_ write: (inout Writer) -> Void) {
        depth += 1
        write(&self)
        depth -= 1
    }

    mutating func screen(_ screen: Screen) {
        line("# \(screen.title)" + detail(screen.subtitle))
        if let back = screen.back { line("[Back] -> \(back)") }
        if !screen.live.isEmpty { line("live: \(screen.live.joined(separator: " "))") }
        if let sidebar = screen.sidebar { self.sidebar(sidebar) }
        if let path = screen.listPath { line("beside the list of \(path)") }
        if let hero = screen.hero { line("(picture \(hero.rawValue))") }
        if let search = screen.search { component(.search(search)) }
        components(screen.body)
        if let placeholder = screen.placeholder { line("beside the list: \(placeholder.title)") }
        if let button = screen.floatingButton { floating(button) }
        for sheet in screen.sheets {
            line("sheet \(sheet.id): \(sheet.title)" + detail(sheet.subtitle))
            indented {
                $0.components(sheet.body)
                if let button = sheet.floatingButton { $0.floating(button) }
            }
        }
    }

    private mutating func agenda(_ agenda: PTAgenda) {
        line(
            agenda.label + ": "
                + agenda.days.map { $0.isSelected ? "*\($0.title) \($0.number)*" : "\($0.title) \($0.number)" }
                .joined(separator: " | "))
        if agenda.items.isEmpty { line(agenda.empty) }
        for item in agenda.items {
            line("- " + [item.time, item.title, item.detail, item.now].compactMap(\.self).joined(separator: ", "))
        }
    }

    private mutating func sidebar(_ sidebar: PTSidebar) {
        line("beside \(sidebar.label):")
        indented {
            for group in sidebar.groups {
                $0.line(group.title)
                $0.indented {
                    for entry in group.entries {
                        $0.line("- \(entry.isCurrent ? "*\(entry.title)*" : entry.title) -> \(entry.path)")
                    }
                }
            }
        }
    }

    mutating func components(_ components: [Component]) {
        for component in components { self.component(component) }
    }

    mutating func component(_ component: Component) {
        switch component {
        case .greeting(let greeting):
            line("## \(greeting.title)" + detail(greeting.eyebrow) + detail(greeting.detail))
            if let split = greeting.split { line("(bar: \(split.spoken))") }
            for action in greeting.actions { button(action) }
        case .sectionHeader(let header): self.header(header)
        case .section(let section):
            header(section.header)
            indented { $0.components(section.body) }
        case .text(let text): line(text.text)
        case .richText(let text): blocks(text.blocks)
        case .definitionList(let list):
            for item in list.items {
                line("\(item.term): \(item.value)")
                if let action = item.action { button(action) }
            }
        case .table(let table): self.table(table)
        case .progressGrid(let grid): progressGrid(grid)
        case .progressCards(let row): progressCards(row)
        case .agenda(let agenda): self.agenda(agenda)
        case .columns(let columns): for part in columns.parts { components(part) }
        case .rooms(let grid): for room in grid.rooms { line("- \(room.spoken)" + arrow(room.action)) }
        case .week(let week): self.week(week)
        case .disclosure(let disclosure):
            line("> \(disclosure.title)")
            indented { $0.components(disclosure.body) }
        case .divider(let divider): line("---" + (divider.title.map { " \($0)" } ?? ""))
        case .button(let one): button(one)
        case .buttons(let group): for one in group.buttons { button(one) }
        case .submit(let submit): line("[\(submit.title)]" + arrow(submit.action.map { .perform($0) }))
        case .links(let links): for link in links.links { line("[\(link.title)]" + arrow(link.action)) }
        case .actionBar(let bar):
            if let back = bar.back { button(back) }
            button(bar.next)
        case .avatar(let avatar): line("(\(avatar.initials))")
        case .list(let list):
            for cell in list.cells { self.cell(cell) }
            if let more = list.more { button(more) }
        case .cardGrid(let grid):
            for item in grid.items {
                var text = "- \(item.title)" + detail(item.subtitle)
                if let tag = item.tag { text += " {\(tag.text)}" }
                if item.isCurrent { text += " *" }
                line(text + arrow(item.action))
                menu(item.menu)
            }
        case .card(let card): components(card.body)
        case .file(let file):
            line("- \(file.name) (\(file.kind.rawValue))" + detail(file.detail) + arrow(file.action))
            menu(file.menu)
        case .image(let image): line("(picture: \(image.alt))")
        case .audio(let audio): line("(sound: \(audio.label)) -> \(audio.url)")
        case .video(let video):
            line(
                "(video: \(video.title)) -> \(video.url)"
                    + (video.position > 0 ? " from \(video.position) s" : "")
                    + (video.keeper == nil ? "" : ", kept"))
            for track in video.tracks { line("(captions \(track.language): \(track.label))") }
        case .note(let note):
            line("\"\(note.text)\"" + detail(note.byline) + note.tags.map { " {\($0.text)}" }.joined())
            for photo in note.photos { line("(photo: \(photo.alt))" + (photo.large.map { " -> \($0)" } ?? "")) }
            if let action = note.action { button(action) }
        case .codeCard(let card):
            line("code \(card.title): \(card.code)" + detail(card.detail))
            if card.qr != nil { line("(QR code)") }
            if let link = card.link { line(link) }
            for action in card.actions { button(action) }
        case .attendance(let one): line(pill(one))
        case .chart(let chart):
            line(
                "(chart \(chart.spoken): \(chart.points.map { "\($0.label) \($0.text)" }.joined(separator: ", ")))")
        case .ring(let ring): line("(ring \(ring.text): \(ring.spoken))")
        case .illustration(let picture): line("(picture \(picture.rawValue))")
        case .island(let island):
            line("(island \(island.name): \(island.properties))")
            components(island.body)
        case .talk(let talk): self.talk(talk)
        case .form(let form): self.form(form)
        case .search(let search): line("<search \(search.label)\(valued(search.value))> -> \(search.path)")
        case .segments(let control):
            line(
                control.label + ": "
                    + control.segments.map { $0.isSelected ? "*\($0.title)*" : $0.title }.joined(separator: " | "))
        case .chips(let chips):
            for menu in chips.menus { self.chips(menu.label, menu.choices) }
            if !chips.chips.isEmpty { self.chips(chips.label, chips.chips) }
        case .stepper(let stepper):
            line(
                stepper.label + ": "
                    + stepper.steps.enumerated().map { $0 == stepper.current ? "*\($1)*" : $1 }
                    .joined(separator: " > "))
        case .banner(let banner):
            line("! \(banner.tone.rawValue): \(banner.title)" + detail(banner.message))
            if let action = banner.action { button(action) }
        case .empty(let state):
            line("! empty: \(state.title)" + detail(state.message))
            if let action = state.action { button(action) }
            if let link = state.secondary { line("[\(link.title)]" + arrow(link.action)) }
        case .error(let state):
            line("! error: \(state.title)" + detail(state.message))
            if let retry = state.retry { button(retry) }
        case .skeleton(let skeleton): line("! \(skeleton.spoken)")
        case .toast(let toast):
            line("! toast: \(toast.text)")
            if let action = toast.action { button(action) }
        case .burst(let burst): line("! done: \(burst.title)" + detail(burst.message))
        }
    }

    mutating func blocks(_ blocks: [PTRichText.Block]) {
        for block in blocks {
            switch block {
            case .heading(let level, let text): line(String(repeating: "#", count: level + 1) + " " + words(text))
            case .paragraph(let text): line(words(text))
            case .codeBlock(let code): for one in code.split(separator: "\n") { line("` \(one)") }
            case .quote(let inner):
                line(">")
                indented { $0.blocks(inner) }
            case .list(let list):
                for (place, item) in list.items.enumerated() {
                    let sign = list.start.map { "\($0 + place)." } ?? "-"
                    line(sign + (item.isDone.map { $0 ? " [x]" : " [ ]" } ?? ""))
                    indented { $0.blocks(item.body) }
                }
            case .table(let table):
                for row in [table.head] + table.rows { line(row.map(words).joined(separator: " | ")) }
            case .rule: line("---")
            }
        }
    }

    func words(_ text: [PTRichText.Inline]) -> String {
        text.map { inline in
            switch inline {
            case .text(let text): text
            case .code(let code): "`\(code)`"
            case .emphasis(let inner): "_\(words(inner))_"
            case .strong(let inner): "*\(words(inner))*"
            case .strikethrough(let inner): "~\(words(inner))~"
            case .link(let address, let inner): "[\(words(inner))](\(address))"
            case .picture(let image): "(picture: \(image.alt))"
            case .formula(let formula): "(formula: \(formula.plainText))"
            case .lineBreak: " / "
            }
        }.joined()
    }

    mutating func header(_ header: PTSectionHeader) {
        line("## \(header.title)" + detail(header.detail))
        if let action = header.action { button(action) }
    }

    mutating func table(_ table: PTDataTable) {
        line("table \(table.label): " + table.columns.map(\.title).joined(separator: " | "))
        indented {
            for row in table.rows {
                let cells = row.cells.map { cell in
                    switch cell {
                    case .text(let text): text
                    case .tag(let tag): "{\(tag.text)}"
                    case .check(_, let spoken): spoken
                    case .empty: ""
                    }
                }
                $0.line(([row.header] + cells).joined(separator: " | ") + arrow(row.action))
            }
        }
    }

    mutating func talk(_ talk: PTTalk) {
        if let earlier = talk.earlier { button(earlier) }
        if let empty = talk.empty { line(empty) }
        for day in talk.days {
            line("-- \(day.title)")
            for bubble in day.bubbles {
                let name = bubble.isOwn ? "me" : bubble.author ?? "them"
                let state = [bubble.time, bubble.edited, bubble.receipt].compactMap { $0 }.joined(separator: " ")
                if let quote = bubble.quote { line("> \(quote.author): \(quote.text)") }
                line("\(name): \(bubble.text)" + detail(state.isEmpty ? nil : state) + arrow(bubble.more?.action))
                indented { writer in
                    for image in bubble.images { writer.line("(picture: \(image.alt))") }
                    for file in bubble.files { writer.line("(file: \(file.name))" + arrow(file.action)) }
                }
            }
        }
        if let later = talk.later { button(later) }
        if let receipt = talk.receipt { button(receipt) }
        if let composer = talk.composer {
            if let reply = composer.reply { line("answers \(reply.quote.author): \(reply.quote.text)") }
            line("<\(composer.label)\(valued(composer.value))> -> \(composer.action)" + detail(composer.error))
        }
        if let closed = talk.closed { line(closed) }
        line("beside:")
        indented { writer in for cell in talk.list.cells { writer.cell(cell) } }
    }

    mutating func progressGrid(_ grid: PTProgressGrid) {
        line("grid \(grid.label): " + ([grid.corner] + grid.columns.map(\.title)).joined(separator: " | "))
        indented { writer in
            for row in grid.rows {
                let levels = row.levels.map { grid.title(of: $0) }
                writer.line(([row.title] + levels).joined(separator: " | ") + arrow(row.action))
            }
            if let path = grid.path { writer.line("each -> \(path)") }
        }
    }

    mutating func progressCards(_ row: PTProgressCards) {
        line("cards \(row.label):")
        indented { writer in
            for card in row.cards {
                let tag = card.tag.map { " {\($0.text)}" } ?? ""
                writer.line("- \(card.title): \(card.ring.text), \(card.detail)\(tag)" + arrow(card.action))
                if let next = card.next { writer.line("  [\(next.title)]" + arrow(next.action)) }
            }
        }
    }

    mutating func week(_ week: PTWeek) {
        line("week \(week.label):")
        indented { writer in
            for day in week.days {
                writer.line("## \(day.title)" + detail(day.detail) + (day.isToday ? " *" : ""))
                for cell in day.cells { writer.cell(cell) }
                if let action = day.action { writer.button(action) }
            }
        }
    }

    mutating func cell(_ cell: PTListCell) {
        var text = "- \(cell.title)" + detail(cell.subtitle)
        if case .check(let check) = cell.leading { text = (check.isOn ? "[x] " : "[ ] ") + text.dropFirst(2) }
        if let details = cell.details { text += " > \(details)" }
        if let dot = cell.dot { text += " (\(dot.spoken))" }
        if cell.isCurrent { text += " *" }
        for trailing in cell.trailing {
            switch trailing {
            case .attendance(let one): text += " " + pill(one)
            case .button(let one), .iconButton(let one): text += " [\(one.title)]"
            case .badge(let tag): text += " {\(tag.text)}"
            case .text(let words): text += " \(words)"
            case .streak(let streak): text += " (\(streak.spoken))"
            case .chevron, .menu: break
            }
        }
        line(text + arrow(cell.action))
        menu(cell.menu)
    }

    mutating func menu(_ items: [PTMenuItem]) {
        guard !items.isEmpty else { return }
        indented { writer in
            for item in items { writer.line("menu [\(item.title)]" + arrow(item.action)) }
        }
    }

    mutating func form(_ form: PTForm) {
        line("form \(form.id) -> \(form.action)" + (form.passkey.map { " (passkey: \($0.kind.rawValue))" } ?? ""))
        indented {
            if let error = form.error { $0.line("! \(error)") }
            if let voice = form.voice { $0.line("(microphone) -> POST \(voice.action)") }
            for field in form.fields where field.kind != .hidden { $0.field(field) }
            if let alternate = form.alternate {
                $0.line("[\(alternate.title)]" + arrow(alternate.action.map { .perform($0) }))
            }
            $0.line("[\(form.submit.title)]" + (form.submit.isLoading ? " (running)" : ""))
            if let secondary = form.secondary { $0.button(secondary) }
        }
    }

    mutating func field(_ field: PTField) {
        let (kind, options): (String, [PTField.Option]) =
            switch field.kind {
            case .text: ("text", [])
            case .email: ("email", [])
            case .password: ("password", [])
            case .newPassword: ("new password", [])
            case .multiline: ("lines", [])
            case .number: ("number", [])
            case .date: ("date", [])
            case .code: ("code", [])
            case .select(let options): ("select", options)
            case .choice(let options): ("choice", options)
            case .multipleChoice(let options): ("choices", options)
            case .toggle: ("toggle", [])
            case .tint(let initials, _): ("tint of \(initials)", [])
            case .file: (field.isMultiple ? "files" : "file", [])
            case .photos(_, let max): ("at most \(max) photos", [])
            case .hidden: ("hidden", [])
            }
        let secret = field.kind == .password || field.kind == .newPassword
        line("<\(field.label): \(kind)\(field.isRequired ? "*" : "")\(valued(secret ? "" : field.value))>")
        indented {
            for option in options {
                let isChosen = field.value == option.value || field.values.contains(option.value)
                $0.line((isChosen ? "(*) " : "( ) ") + option.title)
            }
            if let error = field.error { $0.line("! \(error)") }
        }
    }

    mutating func floating(_ floating: PTFloatingActionButton) {
        line("(+) [\(floating.title)]" + (floating.fan.isEmpty ? arrow(floating.action) : ""))
        menu(floating.fan)
    }

    mutating func button(_ button: PTButton) {
        line("[\(button.title)]" + (button.isEnabled ? "" : " (off)") + arrow(button.action))
    }

    func pill(_ pill: PTAttendancePill) -> String {
        let sync = pill.sync == .none ? "" : " \(pill.sync.rawValue)"
        let asks = pill.call.confirmation.map { " (asks: \($0.title))" } ?? ""
        return "[\(pill.labels[pill.state].title)\(sync)]\(asks)"
    }
}

private func detail(_ text: String?) -> String { text.map { " · \($0)" } ?? "" }

private func valued(_ value: String) -> String { value.isEmpty ? "" : " = \(value)" }

private func arrow(_ action: PTAction?) -> String {
    switch action {
    case nil: ""
    case .open(let path): " -> \(path)"
    case .external(let path): " -> \(path) (leaves)"
    case .allowNotifications: " -> asks for notifications"
    case .present(let sheet): " -> sheet \(sheet)"
    case .perform(let call):
        " -> POST \(call.path)" + (call.confirmation.map { " (asks: \($0.title))" } ?? "")
    }
}
