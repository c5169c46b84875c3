import Domain

/// A page as native apps read it: the screen, the frame around it, and the place in the school's changes.
///
/// A server sends it as JSON with the media type `ScreenDocument.mediaType`. The reader names the version that it knows;
/// components that are newer arrive as text.
public struct ScreenDocument: Codable, Hashable, Sendable {
    /// The media type of a screen as JSON (RFC 6838 section 3.2), without the parameter `version`.
    public static let mediaType = "application/vnd.pinktower.screen+json"
    /// The version of the components and of their properties that this build knows.
    ///
    /// It grows with a new component (`Component.version`), and with each new case or required property of a component.
    public static let version = 1
    /// The media type with the version, for a request that reads a page.
    public static let accept = "\(mediaType);version=\(version)"

    /// The version in which the screen is written: the reader's own, or this build's if that is smaller.
    public var version: Int
    public var screen: Screen
    /// The tabs and the top bar; `nil` for a page without them.
    public var chrome: PageChrome?
    /// The number of the last change that the page includes, after which live events resume; `nil` without an event
    /// stream.
    public var seq: Int64?

    /// Creates the document of a screen for a reader that knows a version of the components.
    public init(_ screen: Screen, chrome: PageChrome?, seq: Int64?, knowing version: Int = ScreenDocument.version) {
        self.version = min(version, Self.version)
        self.screen = screen.readable(in: version)
        self.chrome = chrome
        self.seq = seq
    }
}

extension Component {
    /// The version of `ScreenDocument` in which the component is new.
    ///
    /// A new component gets the next version, and `ScreenDocument.version` grows to it.
    public var version: Int {
        switch self {
        case .greeting, .sectionHeader, .section, .text, .richText, .definitionList, .table, .progressGrid,
            .disclosure,
            .agenda, .columns, .divider:
            1
        case .button, .buttons, .submit, .links, .actionBar: 1
        case .avatar, .list, .cardGrid, .progressCards, .rooms, .week, .card, .file, .note, .audio, .video, .image,
            .codeCard, .attendance, .ring, .chart, .illustration, .island, .talk:
            1
        case .form, .search, .segments, .chips, .stepper: 1
        case .banner, .empty, .error, .skeleton, .toast, .burst: 1
        }
    }

    /// Returns the component for a reader that knows a version: itself, or its text if it is newer.
    public func readable(in version: Int) -> Component {
        guard self.version <= version else { return .text(PTText(text)) }
        switch self {
        case .section(var section):
            section.body = section.body.map { $0.readable(in: version) }
            return .section(section)
        case .disclosure(var disclosure):
            disclosure.body = disclosure.body.map { $0.readable(in: version) }
            return .disclosure(disclosure)
        case .columns(var columns):
            columns.parts = columns.parts.map { $0.map { $0.readable(in: version) } }
            return .columns(columns)
        case .card(var card):
            card.body = card.body.map { $0.readable(in: version) }
            return .card(card)
        case .island(var island):
            island.body = island.body.map { $0.readable(in: version) }
            return .island(island)
        case .greeting, .sectionHeader, .text, .richText, .definitionList, .table, .progressGrid, .agenda, .divider,
            .button, .buttons, .submit, .links, .actionBar, .avatar, .list, .cardGrid, .progressCards, .rooms,
            .week,
            .file, .note, .audio, .video, .image, .codeCard, .attendance, .ring, .chart, .illustration, .talk,
            .form,
            .search, .segments, .chips, .stepper, .banner, .empty, .error, .skeleton, .toast, .burst:
            return self
        }
    }

    /// What the component says, without controls, addresses and input fields.
    private var text: String {
        if case .island(let island) = self { return island.fallback }
        return Outline([self]).lines.map { $0.trimmingPrefix { $0 == " " } }
            .filter { line in !["[", "<", "("].contains { line.hasPrefix($0) } }
            .map { String($0.prefix(upTo: $0.firstRange(of: " -> ")?.lowerBound ?? $0.endIndex)) }
            .joined(separator: "\n")
    }
}

extension Screen {
    /// Returns the screen for a reader that knows a version: newer components are replaced by their text.
    public func readable(in version: Int) -> Screen {
        guard version < ScreenDocument.version else { return self }
        var screen = self
        screen.body = body.map { $0.readable(in: version) }
        for place in screen.sheets.indices {
            screen.sheets[place].body = screen.sheets[place].body.map { $0.readable(in: version) }
        }
        screen.list?.body = list?.body.map { $0.readable(in: version) } ?? []
        return screen
    }
}
