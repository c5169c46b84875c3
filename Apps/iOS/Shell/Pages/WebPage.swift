import AppRouter
import Client
import DesignSystem
import Domain
import Foundation
import Observation
import ScreenUI
import SwiftUI
import WebKit

/// The web views of a signed-in person: what their pages store is in memory, and goes with the person.
@MainActor
final class WebPages {
    let store: AppStore
    private(set) var data = WKWebsiteDataStore.nonPersistent()

    init(_ store: AppStore) { self.store = store }

    /// Gives the web views the session, and returns the page that they load. Throws `StoreError`.
    func page(at address: String) async throws -> WebPage {
        let page = try await store.webPage(at: address)
        await data.httpCookieStore.setCookie(page.cookie)
        return page
    }

    /// Removes everything that pages stored, and the session.
    func clear() async {
        await data.removeData(ofTypes: WKWebsiteDataStore.allWebsiteDataTypes(), modifiedSince: .distantPast)
        data = WKWebsiteDataStore.nonPersistent()
    }
}

/// A page of the server in a web view, for what only its scripts can do.
struct WebPageView: View {
    /// The address of the page on the server.
    let address: String
    let person: SignedIn
    @State private var model: WebPageModel
    @Environment(\.design) private var design

    init(address: String, person: SignedIn) {
        self.address = address
        self.person = person
        _model = State(initialValue: WebPageModel(address, person))
    }

    var body: some View {
        // Not a group, whose modifiers would belong to each of the three.
        VStack(spacing: 0) {
            if let error = model.error {
                ScreenView(screen: screen(error), handler: model)
            } else if let page = model.page {
                WebView(page: page, visit: model.visits, model: model)
            } else {
                ScreenView(
                    screen: Screen(
                        title: "",
                        body: [.skeleton(SkeletonView(style: .list, spoken: design.words("shell.loading")))]),
                    handler: model)
            }
        }
        .task(id: address) { await model.load() }
        .onAppear { model.hold() }
        .onDisappear { model.release() }
    }

    private func screen(_ error: StoreError) -> Screen {
        let words = design.words
        return Screen(
            title: "",
            body: [
                .error(
                    ErrorStateView(
                        icon: error == .unreachable ? .cloudOff : .alert,
                        title: error == .unreachable
                            ? words("shell.web.failed") : error.message(ClientWords.words(words.language)),
                        retry: PTButton(
                            title: words("shell.web.retry"), action: .perform(WebPageModel.retry))))
            ])
    }
}

/// The state of a page in a web view: its session, and what is shown if it cannot be loaded.
@MainActor @Observable
final class WebPageModel: ActionHandler {
    static let retry = PTCommandCall(path: "retry", key: "retry")
    /// The page to which the server sends a person without a session.
    private static let signIn = "/sign-in"
    /// The time after which the session's cookie is looked at again: less than the remaining time in which the client
    /// renews a token, so that the page always has a valid one. In seconds.
    private static let interval: TimeInterval = 20

    private(set) var page: WebPage?
    private(set) var error: StoreError?
    /// The number of times that the page is loaded, which grows with each new try.
    private(set) var visits = 0
    @ObservationIgnored let person: SignedIn
    @ObservationIgnored private let address: String
    /// The seconds in which a page that the server sends to the sign-in is loaded again once.
    private static let patience: TimeInterval = 60
    /// The time at which the page was last loaded again because the server asked for a sign-in.
    @ObservationIgnored private var renewedAt: Date?
    @ObservationIgnored private var holding: Task<Void, Never>?

    init(_ address: String, _ person: SignedIn) {
        self.address = address
        self.person = person
    }

    /// Keeps the session of the page valid while it is shown.
    func hold() {
        let (address, web, sleep) = (address, person.web, person.session.parts.environment.sleep)
        holding = Task {
            while !Task.isCancelled {
                do {
                    try await sleep(Self.interval)
                    _ = try await web.page(at: address)
                } catch {
                    // Without a network nothing is renewed; the next time it may be.
                    if Task.isCancelled { return }
                }
            }
        }
    }

    func release() {
        holding?.cancel()
        holding = nil
    }

    func load() async {
        do {
            page = try await person.web.page(at: address)
            error = nil
            visits += 1
        } catch {
            self.error = StoreError(error)
        }
    }

    /// Whether the web view may go to an address. Other pages are opened by the app.
    func allows(_ url: URL) -> Bool {
        guard case .page(let path) = person.router.destination(of: url) else {
            person.open(url)
            return false
        }
        let wanted = Self.place(of: path)
        if wanted == Self.place(of: address) { return true }
        guard wanted == Self.signIn else {
            person.open(url)
            return false
        }
        // The session was renewed between two looks, or it has ended, which the app notices by itself.
        let now = person.session.parts.environment.clock.now
        if let renewedAt, now.timeIntervalSince(renewedAt) < Self.patience {
            error = .userNotAuthenticated
        } else {
            renewedAt = now
            Task { await load() }
        }
        return false
    }

    func fail() { error = .unreachable }

    private static func place(of address: String) -> String { String(address.prefix { !"?#".contains($0) }) }

    // MARK: - ActionHandler

    func run(_ call: PTCommandCall, with extras: CommandExtras) async -> Outcome {
        renewedAt = nil
        await load()
        return .done(nil)
    }

    // What is shown in the place of the page leads nowhere.
    func open(_ path: String, isReplacing: Bool) {}
    func present(_ path: String) {}
    func leave(for address: String) {}
    func allowNotifications() {}
    func choose(_ request: FileRequest) async -> [ChosenFile] { [] }
    func reload() async { await load() }
}

/// The web view itself.
struct WebView: UIViewRepresentable {
    let page: WebPage
    /// The page is loaded again when this number grows.
    let visit: Int
    let model: WebPageModel

    /// Lets a link to another page be a link: the page's scripts would load it into the same document, of which the app
    /// would not learn.
    private static let script = """
        addEventListener("click", (event) => {
          const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement && one.href);
          if (link && link.pathname !== location.pathname && !link.download) event.stopImmediatePropagation();
        }, true);
        """

    func makeUIView(context: Context) -> WKWebView {
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = model.person.web.data
        configuration.allowsInlineMediaPlayback = true
        configuration.userContentController.addUserScript(
            WKUserScript(
                source: Self.script, injectionTime: .atDocumentStart, forMainFrameOnly: true, in: .defaultClient))
        let view = WKWebView(frame: .zero, configuration: configuration)
        view.navigationDelegate = context.coordinator
        return view
    }

    func updateUIView(_ view: WKWebView, context: Context) {
        guard context.coordinator.shown != visit else { return }
        context.coordinator.shown = visit
        view.load(page.request)
    }

    func makeCoordinator() -> Coordinator { Coordinator(model) }

    /// The receiver of what the page wants to do.
    @MainActor
    final class Coordinator: NSObject, WKNavigationDelegate {
        /// The number of the visit that the view shows.
        var shown = 0
        private let model: WebPageModel

        init(_ model: WebPageModel) { self.model = model }

        func webView(
            _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
        ) async -> WKNavigationActionPolicy {
            // Frames in the page show videos of other sites.
            if let frame = navigationAction.targetFrame, !frame.isMainFrame { return .allow }
            guard let url = WebPage.address(of: navigationAction.request), model.allows(url),
                navigationAction.targetFrame != nil
            else { return .cancel }
            return .allow
        }

        func webView(
            _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
        ) {
            // A load that another one replaced, or that the app did not allow, is no failure.
            guard let error = error as? URLError, error.code != .cancelled else { return }
            model.fail()
        }

        func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
            // The system needed the memory.
            Task { await model.load() }
        }
    }
}
