import DesignSystem
import Domain

extension PageRenderer {
    mutating func list(_ list: PTList) {
        html.raw("<ul class=\"pt-list")
        switch list.cells.first?.leading {
        case nil: break
        case .check: html.raw(" pt-list--checks")
        default: html.raw(" pt-list--avatars")
        }
        if list.hasColumns { html.raw(" pt-list--columns") }
        html.raw("\" role=\"list\"")
        html.attribute(" aria-label=", list.label)
        html.raw(">")
        for index in list.cells.indices { cell(list.cells[index]) }
        html.raw("</ul>")
        if let more = list.more {
            html.raw("<div class=\"pt-list-more\">")
            button(more)
            html.raw("</div>")
        }
    }

    /// Writes the id of a cell. Inside a page in a sheet it differs, since the page below may show the same thing.
    ///
    /// If two lists of a page show the same thing, the cell of the second has no id.
    private mutating func cellId(_ id: String?) {
        guard let id else { return }
        let unique = "\(root == nil ? "" : "sheet-")cell-\(id)"
        guard cellIds.insert(unique).inserted else { return }
        html.attribute(" id=", unique)
    }

    mutating func cell(_ cell: PTListCell) {
        html.raw(cell.swipe.isEmpty ? "<li" : "<li class=\"pt-swipe\" data-swipe")
        cellId(cell.id)
        html.raw(cell.isDone ? "><div class=\"pt-list-cell pt-done\"" : "><div class=\"pt-list-cell\"")
        if cell.isCurrent { html.raw(" aria-current=\"true\"") }
        if !cell.menu.isEmpty { html.raw(" data-context") }
        html.raw(">")
        if let move = cell.move { handle(move) }
        // A check box is a control of its own, so it precedes the link of the row.
        var picture = cell.leading
        if case .check(let check) = cell.leading {
            self.check(check)
            picture = nil
        }
        if let action = cell.action {
            open(action, " class=\"pt-list-cell__main\"")
        } else {
            html.raw(
                cell.details == nil
                    ? "<div class=\"pt-list-cell__main\">"
                    : "<details class=\"pt-list-cell__main pt-fold\"><summary>")
        }
        if let picture { leading(picture) }
        html.raw(
            cell.isEmphasized
                ? "<span class=\"pt-list-cell__text\"><span class=\"pt-list-cell__title t-strong\" dir=\"auto\">"
                : "<span class=\"pt-list-cell__text\"><span class=\"pt-list-cell__title\" dir=\"auto\">")
        html.text(cell.title)
        if let dot = cell.dot {
            // An unread dot is drawn at the end of the row; here it is only spoken.
            if dot.tone == .unread { spoken(dot) } else { self.dot(dot) }
        }
        html.raw("</span>")
        if let subtitle = cell.subtitle {
            html.raw("<span class=\"pt-list-cell__subtitle\" dir=\"auto\">")
            html.text(subtitle)
            html.raw("</span>")
        }
        if let split = cell.split { self.split(split) }
        html.raw("</span>")
        if let action = cell.action {
            close(action)
        } else if let details = cell.details {
            icon(.chevronDown, "pt-icon pt-icon--small")
            html.raw("</summary><p dir=\"auto\">")
            html.text(details)
            html.raw("</p></details>")
        } else {
            html.raw("</div>")
        }
        trailing(of: cell)
        html.raw("</div>")
        if !cell.swipe.isEmpty { swipe(cell.swipe) }
        html.raw("</li>")
    }

    private mutating func trailing(of cell: PTListCell) {
        let isUnread = cell.dot?.tone == .unread
        guard !cell.trailing.isEmpty || !cell.menu.isEmpty || isUnread else { return }
        var showsMenu = false
        html.raw("<div class=\"pt-list-cell__trailing\">")
        for index in cell.trailing.indices {
            switch cell.trailing[index] {
            case .attendance(let pill): attendance(pill)
            case .chevron: icon(.chevronRight, "pt-icon pt-icon--small pt-chevron")
            case .button(let button): self.button(button)
            case .iconButton(let button): iconButton(button)
            case .badge(let tag): self.tag(tag)
            case .text(let text):
                html.raw("<span class=\"t-callout t-muted t-num\">")
                html.text(text)
                html.raw("</span>")
            case .streak(let streak):
                html.raw("<span class=\"pt-streak\" role=\"img\"")
                html.attribute(" aria-label=", streak.spoken)
                html.raw(">")
                for isDone in streak.days { html.raw(isDone ? "<i class=\"on\"></i>" : "<i></i>") }
                html.raw("</span>")
            case .menu:
                showsMenu = true
                menu(cell.menu, about: cell.title, isVisible: true)
            }
        }
        if isUnread { html.raw("<span class=\"pt-dot pt-dot--unread\"></span>") }
        if !showsMenu { menu(cell.menu, about: cell.title, isVisible: false) }
        html.raw("</div>")
    }

    /// Writes the drag handle of a row, hidden without scripts.
    private mutating func handle(_ move: PTCommandCall) {
        html.raw("<form class=\"pt-drag\" method=\"post\" action=\"")
        html.url(move.path)
        html.raw("\" data-command data-instant aria-hidden=\"true\">")
        hidden("before", "")
        inputs(move.fields)
        commandInputs(key: move.key, to: move.to)
        icon(.grip)
        html.raw("</form>")
    }

    /// Writes the actions behind a swipe; all of them are in the menu too.
    private mutating func swipe(_ items: [PTMenuItem]) {
        html.raw("<div class=\"pt-swipe__actions\" hidden>")
        for item in items {
            open(
                item.action,
                item.role == .destructive
                    ? " class=\"pt-swipe__action pt-swipe__action--danger\"" : " class=\"pt-swipe__action\"")
            if let icon = item.icon { self.icon(icon, "pt-icon pt-icon--small") }
            html.text(item.title)
            close(item.action)
        }
        html.raw("</div>")
    }

    mutating func leading(_ leading: PTListCell.Leading) {
        switch leading {
        case .avatar(let avatar): self.avatar(avatar)
        case .icon(let icon, let tint):
            html.raw("<span class=\"pt-glyph")
            self.tint(tint)
            html.raw("\" aria-hidden=\"true\">")
            self.icon(icon)
            html.raw("</span>")
        case .file(let kind): fileIcon(kind)
        case .check(let check): self.check(check)
        }
    }

    mutating func note(_ note: PTNote) {
        html.raw("<article class=\"pt-card pt-note\"")
        html.attribute(" id=", note.id)
        html.raw("><p dir=\"auto\">")
        html.text(note.text)
        html.raw("</p>")
        if !note.photos.isEmpty {
            html.raw("<ul class=\"pt-photos__list\">")
            for photo in note.photos {
                html.raw("<li>")
                image(photo)
                html.raw("</li>")
            }
            html.raw("</ul>")
        }
        html.raw("<footer>")
        if var avatar = note.avatar {
            avatar.size = .small
            self.avatar(avatar)
        }
        html.raw("<span>")
        html.text(note.byline)
        html.raw("</span>")
        for tag in note.tags { self.tag(tag) }
        if let action = note.action { iconButton(action) }
        html.raw("</footer></article>")
    }

    private mutating func dot(_ dot: PTListCell.Dot) {
        switch dot.tone {
        case .good: html.raw("<span class=\"pt-dot pt-dot--leaf\"></span>")
        case .attention: html.raw("<span class=\"pt-dot pt-dot--clay\"></span>")
        case .unread: html.raw("<span class=\"pt-dot pt-dot--unread\"></span>")
        case .neutral: html.raw("<span class=\"pt-dot\"></span>")
        }
        spoken(dot)
    }

    private mutating func spoken(_ dot: PTListCell.Dot) {
        html.raw("<span class=\"pt-hidden\">, ")
        html.text(dot.spoken)
        html.raw("</span>")
    }

    mutating func tag(_ tag: PTTag) {
        switch tag.tone {
        case .neutral: html.raw("<span class=\"pt-tag\">")
        case .good: html.raw("<span class=\"pt-tag pt-tag--leaf\">")
        case .attention: html.raw("<span class=\"pt-tag pt-tag--clay\">")
        case .info: html.raw("<span class=\"pt-tag pt-tag--sky\">")
        case .danger: html.raw("<span class=\"pt-tag pt-tag--danger\">")
        case .warning: html.raw("<span class=\"pt-tag pt-tag--warning\">")
        case .accent: html.raw("<span class=\"pt-tag pt-tag--berry\">")
        }
        if let icon = tag.icon { self.icon(icon, "pt-icon pt-icon--tiny") }
        html.text(tag.text)
        html.raw("</span>")
    }

    // MARK: - Sections and cards

    mutating func sectionHeader(_ header: PTSectionHeader, id: Int?) {
        html.raw("<div class=\"pt-section-header\"><h2")
        if let id {
            html.raw(" id=\"s")
            html.number(id)
            html.raw("\"")
        }
        html.raw(">")
        html.text(header.title)
        if let detail = header.detail {
            html.raw(" <small>")
            html.text(detail)
            html.raw("</small>")
        }
        html.raw("</h2>")
        if var action = header.action {
            if action.role == .primary { action.role = .quiet }
            button(action)
        }
        html.raw("</div>")
    }

    mutating func section(_ section: PTSection) {
        let id = nextID()
        html.raw(
            section.isInRail
                ? "<section class=\"pt-section pt-only-narrow\" aria-labelledby=\"s"
                : "<section class=\"pt-section\" aria-labelledby=\"s")
        html.number(id)
        html.raw("\">")
        sectionHeader(section.header, id: id)
        components(section.body)
        html.raw("</section>")
    }

    mutating func card(_ card: PTCard) {
        html.raw("<div class=\"pt-card pt-card--roomy pt-stack\"")
        if let label = card.label {
            html.raw(" role=\"group\"")
            html.attribute(" aria-label=", label)
        }
        html.raw(">")
        components(card.body)
        html.raw("</div>")
    }

    mutating func cardGrid(_ grid: PTCardGrid) {
        html.raw(
            grid.isSmall
                ? "<ul class=\"pt-grid pt-grid--small\" role=\"list\"" : "<ul class=\"pt-grid\" role=\"list\"")
        html.attribute(" aria-label=", grid.label)
        html.raw(">")
        for item in grid.items {
            html.raw(item.isInRail ? "<li class=\"pt-tile pt-only-narrow\"" : "<li class=\"pt-tile\"")
            cellId(item.id)
            if item.isCurrent { html.raw(" aria-current=\"true\"") }
            if !item.menu.isEmpty { html.raw(" data-context") }
            html.raw(">")
            if let action = item.action {
                open(action, " class=\"pt-tile__main\"")
            } else {
                html.raw("<div class=\"pt-tile__main\">")
            }
            if let picture = item.picture {
                html.raw("<span class=\"pt-tile__picture\">")
                bare(picture)
                html.raw("</span>")
            }
            if let leading = item.leading { self.leading(leading) }
            html.raw("<span class=\"pt-list-cell__text\"><span class=\"pt-list-cell__title\" dir=\"auto\">")
            html.text(item.title)
            html.raw("</span>")
            if let subtitle = item.subtitle {
                html.raw("<span class=\"pt-list-cell__subtitle\" dir=\"auto\">")
                html.text(subtitle)
                html.raw("</span>")
            }
            html.raw("</span>")
            if let tag = item.tag { self.tag(tag) }
            if let action = item.action { close(action) } else { html.raw("</div>") }
            menu(item.menu, about: item.title, isVisible: true)
            html.raw("</li>")
        }
        html.raw("</ul>")
    }

    // MARK: - Files

    mutating func fileIcon(_ kind: PTFileKind) {
        html.raw("<span class=\"pt-file__kind")
        let (tint, icon): (Tint, PTIcon) =
            switch kind {
            case .pdf: (.berry, .file)
            case .image: (.sky, .photo)
            case .text: (.sand, .summary)
            case .sound: (.clay, .wave)
            case .movie: (.clay, .play)
            case .sheet: (.leaf, .grid)
            case .slides: (.clay, .cards)
            case .archive: (.sand, .clip)
            case .other: (.sand, .file)
            }
        self.tint(tint)
        html.raw("\" aria-hidden=\"true\">")
        self.icon(icon)
        html.raw("</span>")
    }

    mutating func file(_ file: PTFileTile) {
        html.raw("<div class=\"pt-file\"")
        if !file.menu.isEmpty { html.raw(" data-context") }
        html.raw(">")
        if let action = file.action {
            open(action, " class=\"pt-file__main\"")
        } else {
            html.raw("<div class=\"pt-file__main\">")
        }
        fileIcon(file.kind)
        html.raw("<span class=\"pt-grow\"><span class=\"pt-file__name\" dir=\"auto\">")
        html.text(file.name)
        html.raw("</span>")
        if let detail = file.detail {
            html.raw("<span class=\"pt-file__meta\">")
            html.text(detail)
            html.raw("</span>")
        }
        html.raw("</span>")
        if let action = file.action { close(action) } else { html.raw("</div>") }
        menu(file.menu, about: file.name, isVisible: true)
        html.raw("</div>")
    }
}
