import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The materials as documents of the search. They never change and belong to every school.
enum MaterialSearch {
    /// Returns the source of the documents, with the names in the block's string catalog.
    static func source(_ catalog: StringCatalog) -> SearchSource {
        let english = Words(.english, [catalog])
        let others = Language.allCases.filter { $0 != .english }.map { Words($0, [catalog]) }
        let sorted = Material.all.sorted { $0.id.text < $1.id.text }
        return SearchSource(
            category: "materials", link: "material", title: "materials.title", icon: .cube, order: 75, kinds: [],
            touched: { _, _ in .some([]) },
            ids: { last, limit, _ in
                Array(sorted.map(\.id).filter { id in last.map { $0.text < id.text } ?? true }.prefix(limit))
            },
            documents: { ids, _, _ in
                sorted.filter { ids.contains($0.id) }.map { material in
                    // A document has no language, so it has the names in all of them.
                    SearchDocument(
                        id: material.id, title: english(material.titleKey),
                        subtitle: others.map { $0(material.titleKey) }.joined(separator: ", "), path: material.path,
                        tint: Tint(for: material.id), readers: [.school])
                }
            })
    }
}
