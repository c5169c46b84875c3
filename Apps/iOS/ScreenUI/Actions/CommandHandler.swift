public import DesignSystem

/// A handler for the commands of a small part of the app. Everything else goes to another handler, if there is one.
@MainActor
public final class CommandHandler: ActionHandler {
    /// Runs a command. Returns `nil` for one that goes to the next handler.
    public typealias Work = @MainActor (PTCommandCall) async -> Outcome?

    /// The handler of everything else; `nil` where nothing else is offered.
    public var next: (any ActionHandler)?
    private let work: Work

    public init(next: (any ActionHandler)? = nil, _ work: @escaping Work) {
        self.next = next
        self.work = work
    }

    public func run(_ call: PTCommandCall, with extras: CommandExtras) async -> Outcome {
        if let outcome = await work(call) { return outcome }
        return await next?.run(call, with: extras) ?? .done(nil)
    }

    public func open(_ path: String, isReplacing: Bool) { next?.open(path, isReplacing: isReplacing) }
    public func present(_ path: String) { next?.present(path) }
    public func leave(for address: String) { next?.leave(for: address) }
    public func allowNotifications() { next?.allowNotifications() }
    public func choose(_ request: FileRequest) async -> [ChosenFile] { await next?.choose(request) ?? [] }
    public func reload() async { await next?.reload() }
}
