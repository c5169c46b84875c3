public import Foundation
public import FoundationNetworking

extension WKWebView {
    /// The addresses that the app loaded.
    public var recordedLoads: [URL] { loads.compactMap(\.url) }
    public var recordedStore: WKWebsiteDataStore { configuration.websiteDataStore }
    public var recordedScripts: [String] { configuration.userContentController.scripts.map(\.source) }

    /// Asks the app whether the page may go to an address, in a frame or a new window.
    public func recordedPolicy(
        for url: URL, isMainFrame: Bool? = true
    ) async -> WKNavigationActionPolicy? {
        await navigationDelegate?.webView(
            self,
            decidePolicyFor: WKNavigationAction(
                request: URLRequest(url: url), targetFrame: isMainFrame.map { WKFrameInfo(isMainFrame: $0) }))
    }

    /// Tells the app that a page could not be loaded.
    public func recordFailure(_ error: any Error) {
        navigationDelegate?.webView(self, didFailProvisionalNavigation: nil, withError: error)
    }
}

extension WKWebsiteDataStore {
    public var recordedCookies: [HTTPCookie] { Array(httpCookieStore.cookies.values) }
    public var recordedRemovals: Int { removals }
}
