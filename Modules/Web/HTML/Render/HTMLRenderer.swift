public import DesignSystem
public import Domain

/// The context of a page: its reader, address and feedback.
public struct PageContext: Sendable {
    public var language: Language
    public var theme: ThemeName
    public var appearance: Appearance
    /// The path and query of the page, as the browser requested them.
    public var path: String
    /// The number of the last change that the page includes, after which live events resume; `nil` without an event
    /// stream.
    public var seq: Int64?
    /// The feedback of the command that ran before this page.
    public var feedback: [PTFeedback]
    /// The id of the sheet that is open at first (`?sheet=`); `nil` for none.
    public var openSheet: String?
    /// The texts in the reader's language; must include `WebHTML.catalog`.
    public var words: Words
    public var assets: Assets
    /// An opaque tag of the account, so that its cached pages are not shown to another account.
    public var account: String?
    /// An opaque tag of the school, so that a draft returns only in the school in which it was written.
    public var school: String?

    public init(
        words: Words, assets: Assets, path: String, theme: ThemeName = .pinktower,
        appearance: Appearance = .automatic, seq: Int64? = nil, feedback: [PTFeedback] = [],
        openSheet: String? = nil, account: String? = nil, school: String? = nil
    ) {
        language = words.language
        self.theme = theme
        self.appearance = appearance
        self.path = path
        self.seq = seq
        self.feedback = feedback
        self.openSheet = openSheet
        self.words = words
        self.assets = assets
        self.account = account
        self.school = school
    }
}

/// Renders a `Screen` as HTML that works without scripts; the page scripts enhance it.
public enum HTMLRenderer {
    /// Renders a whole page as UTF-8 bytes of HTML.
    public static func page(_ screen: Screen, chrome: PageChrome?, context: PageContext) -> [UInt8] {
        var renderer = PageRenderer(context: context, capacity: 48 << 10)
        renderer.page(screen, chrome)
        return renderer.html.bytes
    }

    /// Renders components without a page as UTF-8 bytes of HTML, for tests and tools.
    public static func fragment(_ components: [Component], context: PageContext) -> [UInt8] {
        var renderer = PageRenderer(context: context, capacity: 8 << 10)
        renderer.components(components)
        return renderer.html.bytes
    }
}

/// Writes a page. The markup of components is in extensions, grouped by kind.
struct PageRenderer: ~Copyable {
    var html: HTML
    let context: PageContext
    /// The address of the icon sprite, ending with `#i-`.
    let icons: String
    /// The accessible name of a row's menu, before and after the row's title.
    let menuName: (before: String, after: String)
    /// The current path and query without `sheet`, ending so that `sheet=` can follow.
    let sheetBase: String
    /// The current path and query without `sheet`.
    let plainPath: String
    /// The page that a refused form returns to: that of its sheet, or the current one.
    var from: String
    /// The page that a form in a sheet leads to when it names none.
    var after: String?
    /// Inside a page in a sheet: the path below which links and forms stay in the sheet.
    var root: String?
    var serial = 0
    /// The ids of the cells that were written.
    var cellIds: Set<String> = []
    /// Whether the page has controls that celebrate when the server has confirmed them.
    var hasTaps = false
    /// Forms to be written after the current one, since forms cannot be nested.
    var deferred: [(id: String, call: PTCommandCall)] = []

    init(context: PageContext, capacity: Int) {
        html = HTML(capacity: capacity)
        self.context = context
        icons = context.assets.icons + "#i-"
        // The placeholder is filled once instead of per row.
        let gap = "\u{1}"
        let pieces = context.words("web.menu.about", gap).split(
            separator: gap, maxSplits: 1, omittingEmptySubsequences: false)
        menuName = (pieces.first.map { String($0) } ?? "", pieces.count > 1 ? String(pieces[1]) : "")
        (plainPath, sheetBase) = PageRenderer.bases(of: context.path)
        from = context.path
    }

    /// A text of this module's catalog.
    func word(_ key: String, _ arguments: any WordsArgument...) -> String { context.words.text(key, arguments) }

    /// A number that is unique on this page, for ids.
    mutating func nextID() -> Int {
        serial += 1
        return serial
    }

    private static func bases(of path: String) -> (plain: String, sheet: String) {
        guard let mark = path.firstIndex(of: "?") else { return (path, path + "?sheet=") }
        let others = path[path.index(after: mark)...].split(separator: "&").filter { !$0.hasPrefix("sheet=") }
            .joined(separator: "&")
        let bare = path[..<mark]
        return others.isEmpty ? (String(bare), bare + "?sheet=") : ("\(bare)?\(others)", "\(bare)?\(others)&sheet=")
    }

    /// The address of a local path, as seen from the control: inside a sheet it may open in the sheet. The address of
    /// the page below closes the sheet and keeps that page's query, such as what was searched for.
    func placed(_ path: String) -> String {
        guard let root else { return path }
        if path == plainPath.prefix(while: { $0 != "?" }) { return plainPath }
        guard path != plainPath,
            path == root || path.hasPrefix(root + "/") || path.hasPrefix(root + "?")
        else { return path }
        return sheetBase + PageRenderer.encoded(path)
    }

    static func encoded(_ text: String) -> String {
        var html = HTML(capacity: 32)
        html.query(text)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    mutating func components(_ components: [Component]) {
        for component in components { self.component(component) }
    }

    mutating func component(_ component: Component) {
        switch component {
        case .greeting(let greeting): self.greeting(greeting)
        case .sectionHeader(let header): sectionHeader(header, id: nil)
        case .section(let section): self.section(section)
        case .text(let text): self.text(text)
        case .richText(let text): richText(text)
        case .definitionList(let list): definitionList(list)
        case .table(let table): self.table(table)
        case .progressGrid(let grid): progressGrid(grid)
        case .progressCards(let row): progressCards(row)
        case .agenda(let agenda): self.agenda(agenda)
        case .columns(let columns): self.columns(columns)
        case .rooms(let grid): rooms(grid)
        case .week(let week): self.week(week)
        case .disclosure(let disclosure): self.disclosure(disclosure)
        case .divider(let divider): self.divider(divider)
        case .button(let button): self.button(button)
        case .buttons(let group): buttons(group)
        case .submit(let submit): self.submit(submit)
        case .links(let links): self.links(links)
        case .actionBar(let bar): actionBar(bar)
        case .avatar(let avatar): self.avatar(avatar)
        case .list(let list): self.list(list)
        case .cardGrid(let grid): cardGrid(grid)
        case .card(let card): self.card(card)
        case .file(let file): self.file(file)
        case .note(let note): self.note(note)
        case .audio(let audio): self.audio(audio)
        case .video(let video): self.video(video)
        case .image(let image): self.image(image)
        case .codeCard(let card): codeCard(card)
        case .attendance(let pill): attendance(pill)
        case .ring(let ring): self.ring(ring)
        case .chart(let chart): self.chart(chart)
        case .illustration(let picture): illustration(picture)
        case .island(let island): self.island(island)
        case .talk(let talk): self.talk(talk)
        case .form(let form): self.form(form)
        case .search(let search): self.search(search)
        case .segments(let control): segments(control)
        case .chips(let chips): self.chips(chips)
        case .stepper(let stepper): self.stepper(stepper)
        case .banner(let banner): self.banner(banner)
        case .empty(let state): empty(state)
        case .error(let state): error(state)
        case .skeleton(let skeleton): self.skeleton(skeleton)
        case .toast(let toast): self.toast(toast)
        case .burst(let burst): self.burst(burst)
        }
    }
}
