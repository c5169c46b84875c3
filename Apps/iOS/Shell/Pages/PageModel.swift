import AppRouter
import Client
import DesignSystem
import Foundation
import NativeViews
import Observation
import ScreenUI

/// One page of the server, and what people do on it.
@MainActor @Observable
final class PageModel: ActionHandler {
    /// The command that ends the session, which the server offers in the account's menu.
    private static let signOut = "/api/v1/auth/sign-out"

    /// The key of an island in the description of a page.
    private static let islandMark = Data("\"island\"".utf8)
    /// The end of the address of a page that is shown in a web view although the app can show most of it.
    private static let webMark = "#web"

    private(set) var address: String
    /// The page as it was last read.
    private(set) var document: ScreenDocument?
    /// The islands of the page.
    private(set) var islands: [PTIsland] = []
    /// The address at which the page was found, after redirects.
    private(set) var found: String?
    /// The reason for which the page could not be read just now.
    private(set) var error: StoreError?
    /// Whether the page came from a newer server, so that the app cannot show it.
    private(set) var isUnreadable = false
    /// The question before a sign-out that would lose this number of changes.
    var unsent: Int?

    /// The address of the page that is shown.
    @ObservationIgnored private var shown: String?
    @ObservationIgnored let person: SignedIn
    @ObservationIgnored let reading = PageReading()
    /// Whether the page is the first one of a tab, which a search changes in its place.
    @ObservationIgnored private let isRoot: Bool

    init(_ address: String, _ person: SignedIn, isRoot: Bool = false) {
        self.address = address
        self.person = person
        self.isRoot = isRoot
    }

    /// A number that grows when the page has to be read again.
    var version: Int { person.store.pageStore.state.version(of: document?.screen.live ?? []) }

    // MARK: - Pages with scripts

    /// The address that is shown in a web view; `nil` for a page that the app draws.
    ///
    /// An island that has neither a tool of the device nor components is nothing without its script.
    var webAddress: String? {
        if address.hasSuffix(Self.webMark) { return String(address.dropLast(Self.webMark.count)) }
        let needsScript = islands.contains { $0.body.isEmpty && person.content.nativeView(for: $0) == nil }
        return needsScript ? found ?? address : nil
    }

    /// The address of the page in a web view, for what its scripts add; `nil` for a page without islands.
    var fullAddress: String? {
        // A page that is an island alone has everything in the island's native view.
        islands.isEmpty || document?.screen.layout == .stage
            ? nil : String((found ?? address).prefix { $0 != "#" }) + Self.webMark
    }

    // MARK: - Loading

    /// Shows the page as it was last read, and reads it again.
    func load() async {
        if shown != address, let stored = stored() { show(stored) }
        do {
            let page = try await person.store.pageStore.load(address, accept: ScreenDocument.accept)
            try Task.checkCancellation()
            isUnreadable = !show(page)
            error = nil
        } catch is CancellationError {
            return
        } catch let failure as StoreError {
            error = failure
            // A page that is now missing or forbidden is not shown any longer.
            if case .refused(let refusal) = failure, !refusal.isTransient { document = nil }
        } catch {
            self.error = StoreError(error)
        }
    }

    /// A stored page that cannot be read is as good as none: it is read from the server.
    private func stored() -> StoredPage? { try? person.store.pageStore.stored(address) }

    /// Shows a page. Returns whether it could be decoded.
    @discardableResult
    private func show(_ page: StoredPage) -> Bool {
        do {
            let new = try JSONDecoder().decode(ScreenDocument.self, from: page.body)
            shown = address
            if new != document {
                document = new
                // Most pages have none, and need not be searched.
                islands = page.body.firstRange(of: Self.islandMark) == nil ? [] : new.screen.islands
            }
            found = page.found
            reading.readAt = page.readAt
            if let chrome = new.chrome { person.navigator.take(chrome, at: page.found) }
            return true
        } catch {
            return false
        }
    }

    // MARK: - ActionHandler

    func open(_ path: String, isReplacing: Bool) {
        if isReplacing, isRoot, person.navigator.stack.isEmpty {
            address = path
            Task { await load() }
        } else {
            person.navigator.open(path, isReplacing: isReplacing)
        }
    }

    func present(_ path: String) { person.navigator.sheet = Place(path) }

    func leave(for address: String) {
        person.navigator.outside = URL(string: address, relativeTo: person.router.server)?.absoluteURL
    }

    func allowNotifications() {
        guard let access = person.session.parts.notifications else { return }
        Task { await access.ask() }
    }

    func run(_ call: PTCommandCall, with extras: CommandExtras) async -> Outcome {
        if call.path == Self.signOut { return await signOut() }
        if NativePage(address, in: person.store) != nil, let outcome = await StoreCommands(person.store).run(call) {
            return outcome
        }
        var fields = call.fields
        if let ceremony = extras.passkey {
            do {
                switch try await person.perform(ceremony, fields) {
                case .canceled: return .canceled
                case .created(let answered): fields = answered
                case .used:
                    Task { await load() }
                    return .done(nil)
                }
            } catch { return SignedIn.refusal(ofCeremony: error) }
        }
        let files = person.files.files(extras.files)
        let command = PageCommand(path: call.path, fields: fields, lists: extras.lists, key: call.key)
        do {
            let result = try await person.store.pageStore.run(
                command, files: files, uploads: extras.uploads, isQueued: call.isQueued)
            switch result {
            case .waits:
                // The command has copies.
                person.files.release(extras.files)
                return .waiting
            case .answered(let answer):
                person.files.release(extras.files)
                // The page that a form names comes before the one that the server leads to.
                if call.to == nil, let next = answer.next, next != address { open(next, isReplacing: false) }
                Task { await load() }
                person.session.noteChange()
                return .done(answer.feedback.map(StoreCommands.feedback))
            }
        } catch {
            return StoreCommands.refusal(StoreError(error))
        }
    }

    func choose(_ request: FileRequest) async -> [ChosenFile] {
        await person.session.parts.abilities.files?.chooseFiles(request).compactMap(person.files.hold) ?? []
    }

    func reload() async {
        // The stores show their own errors.
        if NativePage(address, in: person.store) != nil { await person.store.refresh() } else { await load() }
    }

    // MARK: - Sign-out

    private func signOut() async -> Outcome {
        await signOut(discardingUnsent: false)
    }

    /// Signs out, or asks first if changes would be lost.
    @discardableResult
    func signOut(discardingUnsent: Bool) async -> Outcome {
        do {
            try await person.session.signOut(discardingUnsent: discardingUnsent)
            return .done(nil)
        } catch StoreError.unsentChanges(let count) {
            unsent = count
            return .done(nil)
        } catch {
            return StoreCommands.refusal(StoreError(error))
        }
    }
}
