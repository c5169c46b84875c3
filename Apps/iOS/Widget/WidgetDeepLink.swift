import AppRouter
public import Foundation

/// The address that a widget opens: a page of the person's server, which the app opens itself.
public struct WidgetDeepLink: Hashable, Sendable {
    public let url: URL

    /// - Parameters:
    ///   - server: the address of the person's server.
    ///   - path: the path that the server gave, such as `/open?link=course%3A7f`.
    /// - Returns: `nil` if the path does not lead to a page of the server.
    public init?(server: URL, path: String) {
        guard path.hasPrefix("/"), let url = URL(string: path, relativeTo: server)?.absoluteURL,
            case .page = AppRouter(server: server).destination(of: url)
        else { return nil }
        self.url = url
    }
}
