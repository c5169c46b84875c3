import DesignSystem
import Foundation
import ScreenUI
import SwiftUI
import Testing

/// Remembers what people did on a screen. Commands get the answers that a test prepared.
@MainActor
final class RecordingHandler: ActionHandler {
    enum Event: Hashable {
        case opened(String, isReplacing: Bool)
        case presented(String)
        case left(String)
        case askedForNotifications
        case ran(PTCommandCall, CommandExtras)
        case chose(FileRequest)
        case reloaded
    }
    private(set) var events: [Event] = []
    var outcome = Outcome.done(nil)
    var files: [ChosenFile] = []
    /// Commands wait until `answer` while this is set.
    var isHeld = false
    private var held: [CheckedContinuation<Void, Never>] = []

    func open(_ path: String, isReplacing: Bool) { events.append(.opened(path, isReplacing: isReplacing)) }
    func present(_ path: String) { events.append(.presented(path)) }
    func leave(for address: String) { events.append(.left(address)) }
    func allowNotifications() { events.append(.askedForNotifications) }

    func run(_ call: PTCommandCall, with extras: CommandExtras) async -> Outcome {
        events.append(.ran(call, extras))
        if isHeld { await withCheckedContinuation { held.append($0) } }
        return outcome
    }

    func choose(_ request: FileRequest) async -> [ChosenFile] {
        events.append(.chose(request))
        return files
    }

    func reload() async { events.append(.reloaded) }

    /// Lets the commands that wait continue.
    func answer() {
        isHeld = false
        for continuation in held { continuation.resume() }
        held = []
    }

    /// The commands that were run.
    var calls: [PTCommandCall] {
        events.compactMap { event in
            if case .ran(let call, _) = event { call } else { nil }
        }
    }
}

/// A screen in a recorder, as a person has it in front of them.
@MainActor
final class Stage {
    let handler = RecordingHandler()
    let recorder: ViewRecorder
    private(set) var root: RecordedView
    private var screen: Screen

    init(_ screen: Screen, environment: EnvironmentValues = .recorded()) {
        self.screen = screen
        recorder = ViewRecorder(environment: environment)
        root = recorder.record(ScreenView(screen: screen, handler: handler))
    }

    convenience init(_ components: [Component], environment: EnvironmentValues = .recorded()) {
        self.init(Screen(title: "Sample", body: components), environment: environment)
    }

    /// Shows another version of the page, or the same one after a change of its state.
    func show(_ changed: Screen? = nil) {
        if let changed { screen = changed }
        root = recorder.record(ScreenView(screen: screen, handler: handler))
    }

    /// Returns the first control of a kind whose spoken text contains a text.
    func find(_ kind: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> RecordedView
    {
        let found = root.all(kind).filter { $0.spoken.contains(text) }
        return try #require(
            found.first, "no \(kind) says '\(text)', only \(root.all(kind).map(\.spoken))",
            sourceLocation: sourceLocation)
    }

    func press(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try find("Button", text, sourceLocation: sourceLocation).press()
        show()
    }

    /// Waits until the tasks of the page made a condition true.
    func wait(
        _ text: Comment, sourceLocation: SourceLocation = #_sourceLocation, until isTrue: () throws -> Bool
    ) async rethrows {
        for _ in 0..<1000 {
            if try isTrue() { return }
            await Task.yield()
            show()
        }
        let isMet = try isTrue()
        #expect(isMet, text, sourceLocation: sourceLocation)
    }

    var texts: [String] { root.all("Text").compactMap(\.text) }

    /// What a screen reader says of the state of the first button.
    var spokenValue: String? { root.all("Button").first?.modifier("accessibilityValue")?.value() }

    /// The haptic feedback that the page played.
    var played: [SensoryFeedback] { recorder.played }

    /// The elements that a modifier with a name adds.
    func content(of modifier: String) -> [RecordedView] {
        root.all.flatMap { $0.modifiers.filter { $0.name == modifier }.flatMap(\.content) }
    }
}
