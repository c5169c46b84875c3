// Declarations of WebKit, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation
public import FoundationNetworking
public import UIKit

/// The place of what pages of a web view store.
///
/// Apple: WKWebsiteDataStore. iOS 9.0.
@MainActor
public final class WKWebsiteDataStore: NSObject {
    /// The number of times that everything was removed.
    var removals = 0
    /// Apple: nonPersistent(). iOS 9.0.
    public static func nonPersistent() -> WKWebsiteDataStore { WKWebsiteDataStore() }
    /// Apple: allWebsiteDataTypes(). iOS 9.0.
    public static func allWebsiteDataTypes() -> Set<String> { ["cookies", "storage"] }
    /// Apple: httpCookieStore. iOS 11.0.
    public let httpCookieStore = WKHTTPCookieStore()
    /// Apple: removeData(ofTypes:modifiedSince:completionHandler:). iOS 9.0.
    public func removeData(ofTypes dataTypes: Set<String>, modifiedSince date: Date) async {
        precondition(dataTypes == Self.allWebsiteDataTypes() && date == .distantPast, "the app removes everything")
        removals += 1
        httpCookieStore.cookies = [:]
    }
}

/// The cookies of web views.
///
/// Apple: WKHTTPCookieStore. iOS 11.0.
@MainActor
public final class WKHTTPCookieStore: NSObject {
    var cookies: [String: HTTPCookie] = [:]
    /// Apple: setCookie(_:completionHandler:). iOS 11.0.
    public func setCookie(_ cookie: HTTPCookie) async { cookies[cookie.name] = cookie }
}

/// A world of scripts, apart from that of the page.
///
/// Apple: WKContentWorld. iOS 14.0.
@MainActor
public final class WKContentWorld: NSObject {
    /// Apple: defaultClient. iOS 14.0.
    public static let defaultClient = WKContentWorld()
}

/// The time at which a script runs.
///
/// Apple: WKUserScriptInjectionTime. iOS 8.0.
public enum WKUserScriptInjectionTime: Hashable, Sendable { case atDocumentStart, atDocumentEnd }

/// A script of the app in each page of a web view.
///
/// Apple: WKUserScript. iOS 8.0.
@MainActor
public final class WKUserScript: NSObject {
    let source: String
    /// Apple: init(source:injectionTime:forMainFrameOnly:in:). iOS 14.0.
    public init(
        source: String, injectionTime: WKUserScriptInjectionTime, forMainFrameOnly: Bool, in world: WKContentWorld
    ) { self.source = source }
}

/// The scripts of the app in a web view.
///
/// Apple: WKUserContentController. iOS 8.0.
@MainActor
public final class WKUserContentController: NSObject {
    var scripts: [WKUserScript] = []
    /// Apple: addUserScript(_:). iOS 8.0.
    public func addUserScript(_ userScript: WKUserScript) { scripts.append(userScript) }
}

/// The setup of a web view.
///
/// Apple: WKWebViewConfiguration. iOS 8.0.
@MainActor
public final class WKWebViewConfiguration: NSObject {
    /// Apple: WKWebViewConfiguration.init(). iOS 8.0.
    public override init() {}
    /// Apple: websiteDataStore. iOS 9.0.
    public var websiteDataStore = WKWebsiteDataStore()
    /// Apple: userContentController. iOS 8.0.
    public var userContentController = WKUserContentController()
    /// Apple: allowsInlineMediaPlayback. iOS 8.0.
    public var allowsInlineMediaPlayback = false
}

/// A view that shows pages of the web.
///
/// Apple: WKWebView. iOS 8.0.
@MainActor
public final class WKWebView: UIView {
    let configuration: WKWebViewConfiguration
    var loads: [URLRequest] = []
    /// Apple: WKWebView.init(frame:configuration:). iOS 8.0.
    public init(frame: CGRect, configuration: WKWebViewConfiguration) { self.configuration = configuration }
    /// Apple: navigationDelegate. iOS 8.0.
    public weak var navigationDelegate: (any WKNavigationDelegate)?
    /// Apple: WKWebView.load(_:). iOS 8.0.
    @discardableResult
    public func load(_ request: URLRequest) -> WKNavigation? {
        loads.append(request)
        return nil
    }
}

/// The loading of a page.
///
/// Apple: WKNavigation. iOS 8.0.
@MainActor
public final class WKNavigation: NSObject {}

/// A frame of a page.
///
/// Apple: WKFrameInfo. iOS 8.0.
@MainActor
public final class WKFrameInfo: NSObject {
    /// Apple: isMainFrame. iOS 8.0.
    public let isMainFrame: Bool
    init(isMainFrame: Bool) { self.isMainFrame = isMainFrame }
}

/// The wish of a page to go to another one.
///
/// Apple: WKNavigationAction. iOS 8.0.
@MainActor
public final class WKNavigationAction: NSObject {
    /// Apple: WKNavigationAction.request. iOS 8.0.
    public let request: URLRequest
    /// Nothing for a new window.
    ///
    /// Apple: targetFrame. iOS 8.0.
    public let targetFrame: WKFrameInfo?
    init(request: URLRequest, targetFrame: WKFrameInfo?) {
        self.request = request
        self.targetFrame = targetFrame
    }
}

/// Whether a page may go to another one.
///
/// Apple: WKNavigationActionPolicy. iOS 8.0.
public enum WKNavigationActionPolicy: Int, Sendable { case cancel, allow }

/// A type that decides about the pages of a web view.
///
/// Apple: WKNavigationDelegate. iOS 8.0.
@MainActor
public protocol WKNavigationDelegate: NSObjectProtocol {
    /// Apple: webView(_:decidePolicyFor:decisionHandler:). iOS 8.0.
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction
    ) async -> WKNavigationActionPolicy
    /// Apple: webView(_:didFailProvisionalNavigation:withError:). iOS 8.0.
    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error)
    /// Apple: webViewWebContentProcessDidTerminate(_:). iOS 9.0.
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}
