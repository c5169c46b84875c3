public import DesignTokens
public import Domain
package import Foundation
public import SwiftUI

/// The look of the app: the design tokens, the theme that the person chose, and the texts in the person's language.
public struct Design: Hashable, Sendable {
    public let tokens: Tokens
    public let theme: PTTheme
    public let words: Words

    public init(tokens: Tokens, theme: PTTheme, words: Words) {
        self.tokens = tokens
        self.theme = theme
        self.words = words
    }

    /// Reads the design tokens and the texts of this module. Throws `TokenError`, or the fault of the catalog.
    ///
    /// - Parameter catalogs: The texts of further parts of the app.
    public init(theme: PTTheme, language: Language, catalogs: [StringCatalog] = []) throws {
        self.init(
            tokens: try Tokens(), theme: theme,
            words: Words(language, [try StringCatalog(in: Bundle.module)] + catalogs))
    }

    public static func == (left: Design, right: Design) -> Bool {
        left.theme == right.theme && left.words.language == right.words.language
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(theme)
        hasher.combine(words.language)
    }

    package func space(_ step: KeyPath<PTSpacing, PTLength>) -> CGFloat {
        CGFloat(tokens.spacing[keyPath: step].points)
    }

    func radius(_ step: KeyPath<PTRadius, PTLength>) -> CGFloat { CGFloat(tokens.radius[keyPath: step].points) }

    package func size(_ name: PTSizes.Name) -> CGFloat { CGFloat(tokens.sizes[name].points) }

    /// The rounded rectangle with a radius of the tokens.
    func rounded(_ step: KeyPath<PTRadius, PTLength>) -> RoundedRectangle {
        RoundedRectangle(cornerRadius: radius(step))
    }

    /// The time of a delay of the tokens, such as `search`.
    func delay(_ name: String) -> Duration { .milliseconds(tokens.motion.delays[name]?.milliseconds ?? 0) }
}

extension EnvironmentValues {
    /// The look of the app in this part of the interface.
    public var design: Design {
        get { self[DesignKey.self] }
        set { self[DesignKey.self] = newValue }
    }
}

private enum DesignKey: EnvironmentKey {
    // Singleton: the environment of SwiftUI needs a value where no view sets one. Both files are part of this module's
    // build, and a test reads them.
    static let defaultValue: Design = {
        do {
            return try Design(theme: .pinktower, language: .english)
        } catch {
            preconditionFailure("the app was built without its tokens or texts: \(error)")
        }
    }()
}
