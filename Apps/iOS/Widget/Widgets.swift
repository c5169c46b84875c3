import Domain
import Foundation
import ScreenUI
public import SwiftUI
import WidgetKit

/// The texts of the widgets in the language that the person chose for the device.
enum WidgetTexts {
    static func words(_ language: Language) throws -> Words {
        Words(language, [try StringCatalog(in: Bundle.module)])
    }

    /// The texts for this device.
    static var ofDevice: Words {
        do {
            return try words(Language(acceptLanguage: Locale.preferredLanguages.joined(separator: ",")))
        } catch {
            preconditionFailure("the widgets were built without their texts: \(error)")
        }
    }

    /// The folder that the app shares with this program.
    static var container: WidgetContainer? {
        WidgetContainer(group: Bundle.main.object(forInfoDictionaryKey: WidgetContainer.groupKey) as? String)
    }
}

/// The widget with the work that is due next.
public struct DueWidget: Widget {
    private let words: Words

    public init() { words = WidgetTexts.ofDevice }

    init(words: Words) { self.words = words }

    public var body: some WidgetConfiguration {
        StaticConfiguration(
            kind: "due", provider: WidgetProvider(container: WidgetTexts.container, words: words)
        ) { DueWidgetView(entry: $0, words: words) }
        .configurationDisplayName(Text(verbatim: words("widget.due.title")))
        .description(Text(verbatim: words("widget.due.explained")))
        .supportedFamilies([.systemSmall, .systemMedium])
    }
}

/// The widget with the next lesson.
public struct LessonWidget: Widget {
    private let words: Words

    public init() { words = WidgetTexts.ofDevice }

    init(words: Words) { self.words = words }

    public var body: some WidgetConfiguration {
        StaticConfiguration(
            kind: "lesson", provider: WidgetProvider(container: WidgetTexts.container, words: words)
        ) { LessonWidgetView(entry: $0, words: words) }
        .configurationDisplayName(Text(verbatim: words("widget.lesson.title")))
        .description(Text(verbatim: words("widget.lesson.explained")))
        .supportedFamilies([.systemSmall])
    }
}
