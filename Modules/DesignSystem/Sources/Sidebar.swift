/// A grouped list of pages, such as the sections of Settings.
///
/// On a wide screen it is beside each of its pages. On a phone only its first page shows it.
public struct PTSidebar: Codable, Hashable, Sendable {
    /// Some of the pages of the list, under a title.
    public struct Group: Codable, Hashable, Sendable {
        public var title: String
        public var entries: [PTNavigationEntry]

        public init(title: String, entries: [PTNavigationEntry]) {
            self.title = title
            self.entries = entries
        }
    }
    /// The name of the list of pages for screen readers.
    public var label: String
    /// The path of the page on which a phone shows the list of pages.
    public var path: String
    /// The groups of pages, from top to bottom. No group is empty.
    public var groups: [Group]
    /// Whether the page beside the list is the list's first page.
    public var isFirst: Bool

    /// Creates the list of pages that is beside one page. The entry with the longest path that contains the page is
    /// marked as current.
    ///
    /// - Parameter page: the path of the page beside the list.
    public init(label: String, path: String, groups: [Group], beside page: String) {
        self.label = label
        self.path = path
        isFirst = page == path
        let current = groups.flatMap(\.entries).map(\.path)
            .filter { $0 == page || ($0 != path && page.hasPrefix($0 + "/")) }
            .max { $0.count < $1.count }
        self.groups = groups.filter { !$0.entries.isEmpty }.map { group in
            Group(
                title: group.title,
                entries: group.entries.map {
                    var entry = $0
                    entry.isCurrent = entry.path == current
                    return entry
                })
        }
    }
}
