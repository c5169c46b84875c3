/// The list from which a page was chosen, such as the assignments of a course beside one of them.
///
/// On a wide screen it is beside the page. A phone shows the page alone; its Back button leads to the list.
public struct PTSideList: Codable, Hashable, Sendable {
    /// The title of the list.
    public var title: String
    /// The field that searches the list; `nil` for none.
    public var search: PTSearchField?
    /// The action that adds an entry to the list; `nil` for none.
    public var add: PTMenuItem?
    /// The lists, with the titles of their sections.
    public var body: [Component]

    /// Creates the list that is beside a page from the page that shows the list. Returns `nil` if that page has no
    /// list.
    ///
    /// The rows only lead to their pages: their menus, buttons and check boxes are left out. The row of the page is
    /// marked as current. A page with a search field of its own is beside a list without one.
    ///
    /// - Parameters:
    ///   - screen: the page that shows the list.
    ///   - page: the page beside the list.
    ///   - path: the path of the page beside the list.
    public init?(of screen: Screen, beside page: Screen, at path: String) {
        title = screen.title
        body = Self.lists(in: screen.body, beside: path)
        guard !body.isEmpty else { return nil }
        search = page.ownSearch == nil ? screen.ownSearch : nil
        if let button = screen.floatingButton, button.fan.isEmpty, Self.isPath(button.action) {
            add = PTMenuItem(title: button.title, icon: button.icon, action: button.action)
        }
    }

    private static func lists(in components: [Component], beside path: String) -> [Component] {
        components.flatMap { component -> [Component] in
            switch component {
            case .list(var list):
                list.columns = .one
                list.cells = list.cells.map { link($0, beside: path) }
                return [.list(list)]
            case .section(let section):
                let body = lists(in: section.body, beside: path)
                let header = section.header
                return body.isEmpty
                    ? [] : [.section(PTSection(title: header.title, detail: header.detail, body: body))]
            case .columns(let columns): return columns.parts.flatMap { lists(in: $0, beside: path) }
            default: return []
            }
        }
    }

    /// A row without controls. It has no id, since the page may show the same thing.
    private static func link(_ cell: PTListCell, beside path: String) -> PTListCell {
        let action = cell.action.flatMap { isPath($0) ? $0 : nil }
        var leading = cell.leading
        if case .check = leading { leading = nil }
        var isCurrent = false
        if case .open(let address) = action { isCurrent = address.prefix { $0 != "?" } == path }
        return PTListCell(
            leading: leading, title: cell.title, subtitle: cell.subtitle, dot: cell.dot,
            isEmphasized: cell.isEmphasized, isCurrent: isCurrent, isDone: cell.isDone,
            trailing: cell.trailing.filter {
                switch $0 {
                case .badge, .text: true
                default: false
                }
            }, action: action)
    }

    /// Whether an action only shows another page, also in a sheet over the present one.
    private static func isPath(_ action: PTAction) -> Bool {
        switch action {
        case .open: true
        case .present(let sheet): sheet.hasPrefix("/")
        default: false
        }
    }
}

extension Screen {
    /// The search field of the page; `nil` for none.
    fileprivate var ownSearch: PTSearchField? {
        for case .search(let field) in body where search == nil { return field }
        return search
    }
}
