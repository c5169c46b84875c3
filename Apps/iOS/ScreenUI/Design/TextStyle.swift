package import DesignTokens
package import SwiftUI

extension View {
    /// Shows the text in a style of the tokens, at the size that the person chose.
    package func textStyle(_ style: PTTypography.Style, _ color: TokenStyle = .token(.text)) -> some View {
        modifier(TextStyle(style: style)).foregroundStyle(color)
    }
}

/// The text style of the system that is closest to one of the tokens, with the weight of the tokens.
///
/// The sizes are the system's, so that Dynamic Type applies.
struct TextStyle: ViewModifier {
    let style: PTTypography.Style
    @Environment(\.design) private var design

    func body(content: Content) -> some View {
        content.font(.system(system, weight: weight))
    }

    private var system: Font.TextStyle {
        switch style {
        case .display: .largeTitle
        case .title1: .title
        case .title2: .title2
        case .title3: .title3
        case .headline: .headline
        case .body: .body
        case .callout: .subheadline
        case .caption: .footnote
        }
    }

    private var weight: Font.Weight {
        switch design.tokens.typography[style].weight {
        case ..<450: .regular
        case ..<550: .medium
        case ..<650: .semibold
        default: .bold
        }
    }
}
