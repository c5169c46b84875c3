import DesignSystem
import Domain
import FeatureKit
import Foundation
import RecordsInterface
import ScreenKit

/// The public data inventory: what this server stores about people, generated from the record kinds of all blocks.
struct InventoryScreen: Sendable {
    static let path = "/privacy/data"
    let inventory: any DataInventory

    var routes: [ScreenRoute] { [ScreenRoute(Self.path, access: .anyone) { .screen(screen($0)) }] }

    private func screen(_ request: ScreenRequest) -> Screen {
        let words = request.words
        let personal = inventory.entries(words).filter { !$0.personal.isEmpty }
        return Screen(
            title: words("records.inventory.title"),
            layout: request.context.caller.account == nil ? .focused : .page, back: "/privacy",
            body: [.text(PTText(words("records.inventory.subtitle"), role: .note))]
                + personal.map { entry in
                    .section(
                        PTSection(
                            title: entry.title,
                            body: [
                                .definitionList(
                                    PTDefinitionList(items: [
                                        .init(
                                            term: words("records.inventory.personal"),
                                            value: entry.personal.joined(separator: ", ")),
                                        .init(term: words("records.inventory.kept"), value: entry.kept),
                                        .init(term: words("records.inventory.erased"), value: entry.erasure),
                                    ]))
                            ]))
                })
    }
}
