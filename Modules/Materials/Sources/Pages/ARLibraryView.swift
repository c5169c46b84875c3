import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The library of materials, and the page of each of them (WW-1.09).
struct ARLibraryView: Sendable {
    static let path = "/materials"

    let qr: any QRCodeEncoder
    let publicURL: String

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.belong), tab: "/home", freshness: .untilChange) {
                .screen(library($0.words))
            },
            ScreenRoute("\(Self.path)/{material}", access: .member(.belong), tab: "/home", freshness: .untilChange)
            { request in
                guard let material = Material.named(request.parameters["material"] ?? "") else {
                    throw Problem.notFound
                }
                return .screen(try page(of: material, request.words))
            },
        ]
    }

    private func library(_ words: Words) -> Screen {
        let items = Material.all.map { material in
            PTCardGrid.Item(
                id: material.slug, picture: picture(of: material, alt: ""), title: words(material.titleKey),
                subtitle: words(material.tipKey), action: .open(material.path))
        }
        return Screen(
            title: words("materials.title"), back: "/home",
            body: [
                .text(PTText(words("materials.explained"), role: .note)),
                .cardGrid(PTCardGrid(items: items, label: words("materials.title"))),
            ])
    }

    private func picture(of material: Material, alt: String) -> PTImage {
        PTImage(
            url: ModelFiles.address(of: material, .svg), width: Drawing.size.width, height: Drawing.size.height,
            alt: alt)
    }

    private func page(of material: Material, _ words: Words) throws -> Screen {
        let title = words(material.titleKey)
        let model = material.model()
        let parts = PartTexts(model.parts.map(\.form), words)
        let link = publicURL + material.path
        let island = try PTIsland(
            "model",
            properties: Properties(
                model: ModelFiles.address(of: material, .glb), usdz: ModelFiles.address(of: material, .usdz),
                picture: ModelFiles.address(of: material, .svg), title: title, parts: words(material.partsKey),
                list: zip(model.parts, parts.all).map { part, texts in
                    .init(
                        name: part.name, title: texts.title, short: texts.short,
                        facts: texts.facts.map { [$0.term, $0.value] })
                },
                words: Dictionary(uniqueKeysWithValues: Self.keys.map { ($0, words("materials.viewer.\($0)")) })),
            fallback: words("materials.viewer.noScript"),
            body: [
                .image(picture(of: material, alt: words("materials.picture", title))),
                .definitionList(
                    PTDefinitionList(
                        items: parts.all.map { texts in
                            .init(
                                term: texts.title,
                                value: texts.facts.map { words("materials.fact", $0.term, $0.value) }
                                    .joined(separator: "\n"))
                        })),
                .codeCard(
                    PTCodeCard(
                        title: words("materials.room"), code: link.replacing(/^https?:\/\//, with: ""),
                        spoken: link, qr: QRMatrix(rows: try qr.modules(of: link)),
                        qrSpoken: words("materials.room.code", title), detail: words("materials.room.tip"),
                        link: link)),
            ], isWide: true)
        return Screen(
            title: title, back: Self.path,
            body: [.text(PTText(words(material.tipKey), role: .note)), .island(island)])
    }

    /// The ends of the catalog keys of the viewer's texts.
    private static let keys = [
        "stage", "keys", "turn", "closer", "farther", "reset", "form", "together", "apart", "size", "smaller",
        "larger", "real", "scaled", "cm", "squares", "none", "room", "roomPicture", "roomTap", "noViewer", "failed",
        "again",
    ]

    private struct Properties: Encodable {
        struct PartEntry: Encodable {
            let name: String
            let title: String
            let short: String
            let facts: [[String]]
        }
        let model: String
        let usdz: String
        let picture: String
        let title: String
        let parts: String
        let list: [PartEntry]
        let words: [String: String]
    }
}
