import DesignTokens
import Dispatch
import Domain
public import FeatureKit

/// Creates PDF files with cairo and Pango.
///
/// They contain every script that the machine has a font for, embed the glyphs that they use, and are tagged for screen
/// readers (ISO 32000-1, 14.8).
public struct PangoPrinter: DocumentPrinting {
    /// An error of cairo, the library that draws the documents.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let looks: [ThemeName: PrintLook]
    /// Pango caches fonts per thread, so all printing uses one.
    private let queue = DispatchQueue(label: "integrations.printing")

    /// Creates a printer of PDF files. Throws if the design tokens cannot be read.
    public init() throws {
        let tokens = try Tokens()
        looks = ThemeName.allCases.reduce(into: [:]) { $0[$1] = PrintLook(tokens, $1) }
    }

    public func pdf(of document: PrintedDocument) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [looks] in
                continuation.resume(
                    with: Result {
                        guard let look = looks[document.theme] else {
                            throw Failure(description: "There are no colors for the theme.")
                        }
                        return try PrintedSheets(document, look).bytes()
                    })
            }
        }
    }
}

/// The sizes and colors of paper, derived from the design tokens of the screen.
struct PrintLook: Sendable {
    /// The factor from screen to paper, which is read from nearer: 16 points become 10.6.
    private static let scale = 0.66
    /// The font family. Pango substitutes other fonts for scripts that it lacks.
    let family = "Noto Sans"
    let typography: PTTypography
    let colors: PTColors
    /// Distances in points: between parts of a line, lines, and blocks, around the page, and the width of lines.
    let snug, gap, block, margin, hairline: Double

    init(_ tokens: Tokens, _ theme: ThemeName) {
        typography = tokens.typography
        colors = tokens.colors(theme == .wolfwhale ? .wolfwhale : .pinktower, .light)
        snug = tokens.spacing.xs.points * Self.scale
        gap = tokens.spacing.sm.points * Self.scale
        block = tokens.spacing.lg.points * Self.scale
        margin = tokens.spacing.xxxl.points
        hairline = tokens.sizes[.hairline].points * Self.scale
    }

    func size(_ style: PTTypography.Style) -> Double { typography[style].size.points * Self.scale }
    func weight(_ style: PTTypography.Style) -> Int { typography[style].weight }
}
