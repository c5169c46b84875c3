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

    private static func words(of text: String) -> [Substring] {
        NameFolding.fold(text).split { !$0.isLetter && !$0.isNumber }
    }
}
