public import DesignSystem
public import Domain

public struct PageContext: Sendable {
    public init(
        language: Language, theme: ThemeName, appearance: Appearance, path: String, seq: Int64?,
        feedback: [PTFeedback], openSheet: String?, words: Words
    ) {}
}
public struct HTMLRenderer: Sendable {
    public func page(_ screen: Screen, chrome: PageChrome?, context: PageContext) -> [UInt8] { [] }
}
public struct Assets: Sendable {
}
