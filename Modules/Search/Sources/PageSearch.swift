import Domain
import Foundation
import ScreenKit

/// Finds the pages and tools of the navigation by their names.
enum PageSearch {
    /// Returns the entries whose titles have a word for each word of the query, beginning with it. Each page is found once.
    ///
    /// - Parameter title: the title of an entry in the person's language.
    static func entries(
        named query: String, among entries: [NavigationEntry], title: (NavigationEntry) -> String
    ) -> [NavigationEntry] {
        let wanted = words(of: query)
        guard !wanted.isEmpty else { return [] }
        var paths: Set<String> = [SearchScreen.path]
        return entries.filter { entry in
            // Other entries are about one thing, such as a child.
            guard !entry.isCommand, !entry.path.contains("{") else { return false }
            let own = words(of: title(entry))
            return wanted.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
                && paths.insert(entry.path).inserted
        }
    }

    /// The page that an entry belongs to by its address, such as the settings; `nil` for an entry of its own.
    static func parent(of entry: NavigationEntry, among entries: [NavigationEntry]) -> NavigationEntry? {
        entries.filter { !$0.isCommand && $0.path.count > 1 && entry.path.hasPrefix($0.path + "/") }
            .max { $0.path.count < $1.path.count }
    }

    private static func words(of text: String) -> [Substring] {
        NameFolding.fold(text).split { !$0.isLetter && !$0.isNumber }
    }
}
