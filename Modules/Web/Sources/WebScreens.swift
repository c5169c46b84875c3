import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import WebHTML

/// The adapter's own pages: the readable API description and the gallery of components.
enum WebScreens {
    static func all(_ document: OpenAPIDocument) -> [ScreenRoute] {
        [
            ScreenRoute("/api", access: .anyone) { .screen(api(document, $0.words)) },
            ScreenRoute("/gallery", access: .anyone) { request in
                let look = Pages.look(of: request.query, else: request.context.display)
                return .screen(
                    Gallery.screen(
                        words: request.words, path: "/gallery", theme: look.theme, appearance: look.appearance))
            },
        ]
    }

    private static func api(_ document: OpenAPIDocument, _ words: Words) -> Screen {
        let groups = Dictionary(grouping: document.operations) { operation in
            operation.contract.name.split(separator: ".").first.map(String.init) ?? ""
        }
        return Screen(
            title: words("web.api.title"), subtitle: words("web.api.subtitle"), layout: .focused,
            body: [
                .links(
                    PTLinks(links: [.init(title: words("web.api.document"), action: .external("/openapi.json"))]))
            ]
                + groups.sorted { $0.key < $1.key }.map { area, operations in
                    .section(
                        PTSection(
                            title: area.capitalized,
                            body: [
                                .table(
                                    PTDataTable(
                                        label: area,
                                        columns: [
                                            "web.api.path", "web.api.fields", "web.api.who", "web.api.summary",
                                        ].map {
                                            PTDataTable.Column(title: words($0))
                                        },
                                        rows: operations.map { row($0, words) }))
                            ]))
                })
    }

    private static func row(_ operation: OpenAPIDocument.Operation, _ words: Words) -> PTDataTable.Row {
        let fields = operation.input.map { $0.isRequired ? $0.name : "\($0.name)?" }.joined(separator: ", ")
        let who =
            switch operation.contract.access {
            case .anyone: words("web.api.anyone")
            case .account: words("web.api.account")
            case .member(let permission): permission.roles.map(\.rawValue).sorted().joined(separator: ", ")
            }
        return PTDataTable.Row(
            header: "\(operation.method) \(operation.contract.path)",
            cells: [.text(fields), .text(who), .text(operation.contract.summary)])
    }
}
