import Foundation
import SwiftUI
import WebKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A web view of the app, as a test sees it. It is apart because Testing has an overlay for the frameworks in it, which does
/// not exist on Linux.
@MainActor
struct ShownWebView {
    private let view: WKWebView

    init?(_ root: RecordedView) {
        guard let found = root.all("WebView").first?.values.first?.value as? WKWebView else { return nil }
        view = found
    }

    var loads: [String] { view.recordedLoads.map(\.absoluteString) }
    var scripts: [String] { view.recordedScripts }
    /// The cookies as `name=value`, and whether scripts can read them.
    var cookies: [String] {
        view.recordedStore.recordedCookies.map { "\($0.name)=\($0.value)\($0.isHTTPOnly ? " hidden" : "")" }
    }
    var removals: Int { view.recordedStore.recordedRemovals }

    /// Whether the page may go to an address, in its own frame, in another one or in a new window.
    func allows(_ address: String, isMainFrame: Bool? = true) async -> Bool {
        guard let url = URL(string: address) else { return false }
        return await view.recordedPolicy(for: url, isMainFrame: isMainFrame) == .allow
    }

    /// The page could not be loaded, or its load was canceled.
    func fail(isCanceled: Bool = false) {
        view.recordFailure(isCanceled ? URLError(.cancelled) : URLError(.notConnectedToInternet))
    }
}
