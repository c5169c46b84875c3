extension Screen {
    /// The width of a page's content on a wide screen.
    public enum Width: Sendable, Hashable, CaseIterable {
        /// The width of one column of text and fields.
        case reading
        /// The width of pages with lists and cards.
        case standard
        /// The whole width of the screen, for tables and grids of many columns.
        case full
    }

    /// The number of a table's columns for which the standard width has room.
    private static let standardColumns = 6

    /// The width of the page's content, which follows from its components. On a phone all pages have the same width.
    public var width: Width {
        func has(_ matches: (Component) -> Bool) -> Bool { body.contains(where: matches) }
        func isWide(_ component: Component) -> Bool {
            switch component {
            case .progressGrid, .rooms, .week: true
            case .columns(let columns): columns.limit > 2
            case .island(let island): island.isWide
            case .table(let table): table.columns.count > Self.standardColumns
            case .section(let section): section.body.contains(where: isWide)
            default: false
            }
        }
        if has(isWide) { return .full }
        func isInColumns(_ component: Component) -> Bool {
            switch component {
            case .columns: true
            case .list(let list): list.hasColumns
            case .section(let section): section.body.contains(where: isInColumns)
            default: false
            }
        }
        let hasColumns = has(isInColumns)
        return !hasColumns
            && has {
                switch $0 {
                case .segments, .form, .definitionList, .richText, .video: true
                default: false
                }
            } ? .reading : .standard
    }
}
