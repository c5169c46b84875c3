public import Foundation
public import UIKit

/// A view with one or more lines of text.
///
/// Apple: Text. iOS 13.0.
public struct Text: RecordedPrimitive, Equatable {
    /// A part of the text, with the names of its styles.
    struct Run: Equatable {
        var text: AttributedString
        var styles: [String] = []
    }
    var runs: [Run]

    /// Apple: Text.init(verbatim:). iOS 13.0.
    nonisolated public init(verbatim content: String) { runs = [Run(text: AttributedString(content))] }
    /// Apple: Text.init(_:). iOS 15.0.
    nonisolated public init(_ attributedContent: AttributedString) { runs = [Run(text: attributedContent)] }

    /// Apple: +(_:_:). iOS 13.0.
    nonisolated public static func + (lhs: Text, rhs: Text) -> Text {
        var text = lhs
        text.runs += rhs.runs
        return text
    }
    /// Apple: bold(). iOS 13.0.
    nonisolated public func bold() -> Text { styled("bold") }
    /// Apple: italic(). iOS 13.0.
    nonisolated public func italic() -> Text { styled("italic") }
    /// Apple: monospaced(_:). iOS 16.4.
    nonisolated public func monospaced(_ isActive: Bool = true) -> Text { isActive ? styled("monospaced") : self }
    /// Apple: strikethrough(_:color:). iOS 13.0.
    nonisolated public func strikethrough(_ isActive: Bool = true) -> Text {
        isActive ? styled("strikethrough") : self
    }

    nonisolated private func styled(_ style: String) -> Text {
        var text = self
        for place in text.runs.indices { text.runs[place].styles.append(style) }
        return text
    }

    nonisolated var string: String { runs.map { String($0.text.characters) }.joined() }

    public func record(in context: RecordingContext) -> [RecordedView] {
        var node = RecordedView("Text", in: context)
        node.text = string
        node.values = runs.filter { !$0.styles.isEmpty }.map {
            RecordedValue($0.styles.sorted().joined(separator: " "), String($0.text.characters))
        }
        // A tap on a link calls the handler of the environment.
        for run in runs.map(\.text).flatMap({ text in text.runs.map { (text, $0) } }) {
            guard let url = run.1.link else { continue }
            var link = RecordedView("Link", in: context.step("link \(node.children.count)"))
            link.text = String(run.0[run.1.range].characters)
            link.action = { context.environment.openURL(url) }
            node.children.append(link)
        }
        return [node]
    }
}

/// A font that depends on the environment.
///
/// Apple: Font. iOS 13.0.
public struct Font: Hashable, Sendable {
    /// A dynamic text style.
    ///
    /// Apple: Font.TextStyle. iOS 13.0.
    public enum TextStyle: CaseIterable, Hashable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption, caption2
    }
    /// A weight of the system's fonts.
    ///
    /// Apple: Font.Weight. iOS 13.0.
    public struct Weight: Hashable, Sendable {
        let name: String
        /// Apple: Font.Weight.regular. iOS 13.0.
        public static let regular = Weight(name: "regular")
        /// Apple: Font.Weight.medium. iOS 13.0.
        public static let medium = Weight(name: "medium")
        /// Apple: Font.Weight.semibold. iOS 13.0.
        public static let semibold = Weight(name: "semibold")
        /// Apple: Font.Weight.bold. iOS 13.0.
        public static let bold = Weight(name: "bold")
    }
    /// A design of the system's fonts.
    ///
    /// Apple: Font.Design. iOS 13.0.
    public enum Design: Hashable, Sendable { case `default`, serif, rounded, monospaced }

    let style: TextStyle
    let design: Design?
    let weight: Weight?

    /// Apple: Font.system(_:design:weight:). iOS 16.0.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        Font(style: style, design: design, weight: weight)
    }
}

/// The alignment of the lines of a text.
///
/// Apple: TextAlignment. iOS 13.0.
public enum TextAlignment: Hashable, CaseIterable, Sendable { case leading, center, trailing }

extension View {
    /// Apple: font(_:). iOS 13.0.
    public func font(_ font: Font?) -> some View { modified("font", [RecordedValue("", font as Any)]) }
    /// Apple: bold(_:). iOS 16.0.
    public func bold(_ isActive: Bool = true) -> some View { modified("bold", [RecordedValue("", isActive)]) }
    /// Apple: monospacedDigit(). iOS 15.0.
    public func monospacedDigit() -> some View { modified("monospacedDigit") }
    /// Apple: multilineTextAlignment(_:). iOS 13.0.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        modified("multilineTextAlignment", [RecordedValue("", alignment)])
    }
    /// Apple: lineLimit(_:). iOS 13.0.
    public func lineLimit(_ number: Int?) -> some View { modified("lineLimit", [RecordedValue("", number as Any)]) }
    /// Apple: strikethrough(_:pattern:color:). iOS 16.0.
    public func strikethrough(_ isActive: Bool = true) -> some View {
        modified("strikethrough", [RecordedValue("", isActive)])
    }
    /// Apple: textSelection(_:). iOS 15.0.
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { modified("textSelection") }
}

/// A type that says whether people can select text.
///
/// Apple: TextSelectability. iOS 15.0.
public protocol TextSelectability {}

/// A type that lets people select text.
///
/// Apple: EnabledTextSelectability. iOS 15.0.
public struct EnabledTextSelectability: TextSelectability {}

extension TextSelectability where Self == EnabledTextSelectability {
    /// Apple: enabled. iOS 15.0.
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

/// A view that shows an image.
///
/// Apple: Image. iOS 13.0.
public struct Image: RecordedPrimitive, Equatable {
    /// The scale of a symbol beside text.
    ///
    /// Apple: Image.Scale. iOS 13.0.
    public enum Scale: Hashable, Sendable { case small, medium, large }

    let name: String
    var isResizable = false

    /// Apple: Image.init(uiImage:). iOS 13.0.
    nonisolated public init(uiImage: UIImage) {
        name = String(decoding: uiImage.recordedContent, as: UTF8.self)
    }

    /// Apple: Image.init(systemName:). iOS 13.0.
    nonisolated public init(systemName: String) { name = systemName }

    /// Apple: resizable(capInsets:resizingMode:). iOS 13.0.
    nonisolated public func resizable() -> Image {
        var image = self
        image.isResizable = true
        return image
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        var node = RecordedView("Image", in: context)
        node.text = name
        node.values = [RecordedValue("isResizable", isResizable)]
        return [node]
    }
}

extension View {
    /// Apple: imageScale(_:). iOS 13.0.
    public func imageScale(_ scale: Image.Scale) -> some View { modified("imageScale", [RecordedValue("", scale)]) }
}

/// A standard label with an icon and a title.
///
/// Apple: Label. iOS 14.0.
public struct Label<Title: View, Icon: View>: RecordedPrimitive {
    let title: Title
    let icon: Icon

    /// Apple: Label.init(title:icon:). iOS 14.0.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        [
            RecordedView(
                "Label", in: context, children: context.nodes(of: icon, "icon") + context.nodes(of: title, "title"))
        ]
    }
}
