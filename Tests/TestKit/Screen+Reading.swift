public import DesignSystem
import Foundation

/// Parts of a screen that the outline does not show.
extension Screen {
    /// All components of the page and its sheets, each before its inner components.
    public var components: [Component] { body.flatMap(\.withInner) + sheets.flatMap(\.body).flatMap(\.withInner) }

    /// The rows of all lists.
    public var cells: [PTListCell] {
        components.flatMap { component -> [PTListCell] in
            if case .list(let list) = component { list.cells } else { [] }
        }
    }

    public var forms: [PTForm] {
        components.compactMap { component in
            if case .form(let form) = component { form } else { nil }
        }
    }

    /// Returns the endpoints that the forms, buttons, boxes and menus of the page call.
    public func endpoints() throws -> Set<String> {
        var found: Set<String> = []
        func look(in value: Any) {
            switch value {
            case let text as String: if text.hasPrefix("/api/") { found.insert(text) }
            case let list as [Any]: for one in list { look(in: one) }
            case let object as [String: Any]: for one in object.values { look(in: one) }
            default: break
            }
        }
        look(in: try JSONSerialization.jsonObject(with: JSONEncoder().encode(self)))
        return found
    }
}

extension Component {
    /// The component and its inner components.
    fileprivate var withInner: [Component] {
        let inner: [Component] =
            switch self {
            case .section(let section): section.body
            case .disclosure(let disclosure): disclosure.body
            case .card(let card): card.body
            case .columns(let columns): columns.parts.flatMap { $0 }
            default: []
            }
        return [self] + inner.flatMap(\.withInner)
    }
}
