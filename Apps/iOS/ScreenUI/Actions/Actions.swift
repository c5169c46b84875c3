package import DesignSystem
import Foundation
import Observation
public import SwiftUI

/// The state of one page that its components change: the open sheet, the question before a command, the feedback.
@MainActor @Observable
package final class PageState {
    /// A command that waits for the person's confirmation.
    struct Question {
        let call: PTCommandCall
        let confirmation: PTConfirmation
        let run: @MainActor () -> Void
    }
    /// The sheets of the page, by their ids.
    @ObservationIgnored var sheets: [PTBottomSheet] = []
    package var sheet: PresentedSheet?
    var question: Question?
    /// Feedback after a command, which is shown until the next one.
    var feedback: PTFeedback?
    /// Whether the last command waits on the device for the network, which is shown like feedback.
    var isWaiting = false
    /// The haptic feedback of the last command.
    @ObservationIgnored private(set) var haptics: Haptics?
    /// The number of commands that were answered, so that the same feedback is given twice.
    private(set) var answers = 0

    var isAsking: Bool {
        get { question != nil }
        set { if !newValue { question = nil } }
    }

    /// Shows the feedback of a command, with the haptics that it names or else those of its call.
    package func show(_ feedback: PTFeedback?, haptics: Haptics?) {
        self.feedback = feedback
        isWaiting = false
        self.haptics =
            switch feedback {
            case .toast(let toast): toast.haptics ?? haptics
            case .burst(let burst): burst.haptics
            case nil: haptics
            }
        answers += 1
    }

    /// Shows that a command waits on the device for the network.
    func showWaiting() {
        show(nil, haptics: nil)
        isWaiting = true
    }
}

/// A sheet that is open: one of the page's description, or a view that a native view presents.
package struct PresentedSheet: Identifiable, Equatable {
    enum Content {
        case described(PTBottomSheet)
        case view(AnyView)
    }
    package let id: String
    let content: Content

    init(sheet: PTBottomSheet) {
        id = sheet.id
        content = .described(sheet)
    }

    /// Presents a view, which is a `SheetFrame`.
    ///
    /// - Parameter id: Distinguishes the sheet from the others of the page.
    @MainActor
    package init(id: String, _ view: some View) {
        self.id = id
        content = .view(AnyView(view))
    }

    package static func == (left: PresentedSheet, right: PresentedSheet) -> Bool {
        switch (left.content, right.content) {
        case (.described(let one), .described(let other)): one == other
        case (.view, .view): left.id == right.id
        default: false
        }
    }
}

/// Performs the actions of components on their page.
@MainActor
package struct Actions: Equatable {
    package let handler: (any ActionHandler)?
    /// The page around the controls; `nil` outside of a page.
    package let page: PageState?

    nonisolated init(handler: (any ActionHandler)? = nil, page: PageState? = nil) {
        self.handler = handler
        self.page = page
    }

    nonisolated package static func == (left: Actions, right: Actions) -> Bool {
        left.handler === right.handler && left.page === right.page
    }

    package func perform(_ action: PTAction) {
        switch action {
        case .open(let path): handler?.open(path, isReplacing: false)
        case .present(let sheet):
            if let own = page?.sheets.first(where: { $0.id == sheet }) {
                page?.sheet = PresentedSheet(sheet: own)
            } else {
                handler?.present(sheet)
            }
        case .perform(let call): confirm(call) { Task { await run(call) } }
        case .external(let address): handler?.leave(for: address)
        case .allowNotifications: handler?.allowNotifications()
        }
    }

    /// Runs `work`, after the person confirmed the command if it asks a question.
    func confirm(_ call: PTCommandCall, _ work: @escaping @MainActor () -> Void) {
        if let confirmation = call.confirmation, let page {
            page.question = PageState.Question(call: call, confirmation: confirmation, run: work)
        } else {
            work()
        }
    }

    /// Runs a command and shows its feedback.
    @discardableResult
    func run(_ call: PTCommandCall, with extras: CommandExtras = CommandExtras()) async -> Outcome {
        guard let handler else { return .done(nil) }
        let outcome = await handler.run(call, with: extras)
        switch outcome {
        case .done(let feedback):
            page?.show(feedback, haptics: call.haptics)
            if let path = call.to { handler.open(path, isReplacing: false) }
        case .refused(let message, let fields) where fields.isEmpty:
            page?.show(.toast(PTToast(message, tone: .failure)), haptics: .warning())
        case .waiting: page?.showWaiting()
        case .refused, .canceled: break
        }
        return outcome
    }

    /// Closes the sheet of the page whose form was sent.
    func closeSheet() { page?.sheet = nil }

    func open(_ path: String, isReplacing: Bool = false) { handler?.open(path, isReplacing: isReplacing) }
}

/// The content from outside that the views of a page show.
@MainActor
struct Hosted: Equatable {
    let content: (any HostedContent)?

    nonisolated init(content: (any HostedContent)? = nil) { self.content = content }

    nonisolated static func == (left: Hosted, right: Hosted) -> Bool { left.content === right.content }
}

extension View {
    /// Lets a handler carry out what people do on controls outside of a `ScreenView`, such as in the bar above it.
    public func handled(by handler: any ActionHandler) -> some View {
        environment(\.actions, Actions(handler: handler))
    }
}

extension View {
    /// Gives the pages in this part of the interface their content from outside: tools, players, pictures.
    public func hosting(_ content: any HostedContent) -> some View {
        environment(\.hosted, Hosted(content: content))
    }

    /// Lets the tools of the device be presented over the content of a sheet.
    public func presentingTools() -> some View { modifier(ToolSheet()) }
}

private struct ToolSheet: ViewModifier {
    @Environment(\.hosted) private var hosted

    func body(content: Content) -> some View {
        hosted.content?.presenting(over: AnyView(content)) ?? AnyView(content)
    }
}

extension EnvironmentValues {
    /// The actions of the page in this part of the interface.
    package var actions: Actions {
        get { self[ActionsKey.self] }
        set { self[ActionsKey.self] = newValue }
    }

    /// The content from outside in this part of the interface.
    var hosted: Hosted {
        get { self[HostedKey.self] }
        set { self[HostedKey.self] = newValue }
    }
}

private enum ActionsKey: EnvironmentKey {
    static var defaultValue: Actions { Actions() }
}

private enum HostedKey: EnvironmentKey {
    static var defaultValue: Hosted { Hosted() }
}
