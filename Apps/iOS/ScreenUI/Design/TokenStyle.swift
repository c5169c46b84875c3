package import DesignTokens
package import Domain
package import SwiftUI

/// A color of the design tokens. It follows the theme of the environment, and light and dark mode.
package struct TokenStyle: ShapeStyle, Hashable {
    package enum Name: Hashable {
        case role(PTColors.Role)
        case shade(PTColors.Family, Int)
        case part(PTColors.Part)
        /// No color at all.
        case none
    }
    package let name: Name

    package func resolve(in environment: EnvironmentValues) -> Color {
        let design = environment.design
        let colors = design.tokens.colors(design.theme, environment.colorScheme == .dark ? .dark : .light)
        let color: PTColor? =
            switch name {
            case .role(let role): colors[role]
            case .shade(let family, let step): colors[family, step]
            case .part(let part): colors[part]
            case .none: nil
            }
        guard let color else { return .clear }
        return Color(.sRGB, red: color.red, green: color.green, blue: color.blue, opacity: color.alpha)
    }
}

extension ShapeStyle where Self == TokenStyle {
    /// The color of a role, such as `text`.
    package static func token(_ role: PTColors.Role) -> TokenStyle { TokenStyle(name: .role(role)) }

    /// A step of a tint's palette, from 1 (background) to 7 (text).
    package static func shade(_ tint: Tint, _ step: Int) -> TokenStyle {
        let family: PTColors.Family =
            switch tint {
            case .sand: .sand
            case .clay: .clay
            case .leaf: .leaf
            case .sky: .sky
            case .berry: .berry
            }
        return TokenStyle(name: .shade(family, step))
    }

    /// The color of a part of the illustrations.
    static func part(_ part: PTColors.Part) -> TokenStyle { TokenStyle(name: .part(part)) }
}
