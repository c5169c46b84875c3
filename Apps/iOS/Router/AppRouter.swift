public import Foundation

/// The one place that decides where an address from outside of the app leads: links, notifications, widgets, Spotlight.
///
/// It never looks at a page's content and checks no rights; the server does both when the page is opened.
public struct AppRouter: Hashable, Sendable {
    /// The place to which an address leads.
    public enum Destination: Hashable, Sendable {
        /// A page of the person's school.
        case page(path: String)
        /// An address that another app opens, such as a browser.
        case outside(URL)
        /// The app does not open the address.
        case nowhere
    }

    /// The address of the person's server, such as `https://school.example`.
    public let server: URL

    public init(server: URL) { self.server = server }

    /// The schemes of the app's own links.
    public static let schemes: Set<String> = ["pinktower", "wolfwhale"]
    /// The longest address that is read, in bytes of UTF-8.
    private static let longest = 2000

    /// Returns the destination of a link that the person tapped or scanned, or that the system handed to the app.
    public func destination(of url: URL) -> Destination {
        guard url.absoluteString.utf8.count <= Self.longest, let scheme = url.scheme?.lowercased() else {
            return .nowhere
        }
        if Self.schemes.contains(scheme) {
            // `pinktower://course/7` and `pinktower:course/7` name the same page.
            let name = url.absoluteString.dropFirst(scheme.count + 1).drop { $0 == "/" }
            return destination(ofName: String(name))
        }
        if isOfServer(url) { return page(url) }
        return ["https", "http", "mailto", "tel"].contains(scheme) ? .outside(url) : .nowhere
    }

    /// Returns the destination of a notification, a widget or an entry of Spotlight.
    ///
    /// Each of them carries a path of the server, or a name such as `course:{id}`.
    public func destination(ofPayload text: String) -> Destination {
        guard text.utf8.count <= Self.longest else { return .nowhere }
        if text.hasPrefix("/") {
            // Two slashes begin the address of another server.
            guard !text.hasPrefix("//"), !text.contains("\\"), let url = URL(string: text, relativeTo: server)
            else {
                return .nowhere
            }
            return isOfServer(url) ? page(url) : .nowhere
        }
        return destination(ofName: text)
    }

    /// Leaves the meaning of a name such as `course:{id}` to the page of the server for links.
    private func destination(ofName name: String) -> Destination {
        // An address has its name percent-encoded already; a payload has it as it is.
        let plain = name.removingPercentEncoding ?? name
        guard let first = plain.unicodeScalars.first, ("a"..."z").contains(first),
            let link = plain.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        else { return .nowhere }
        return .page(path: "/open?link=\(link)")
    }

    private func page(_ url: URL) -> Destination {
        guard let parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true) else {
            return .nowhere
        }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        return .page(path: path + query + (parts.percentEncodedFragment.map { "#\($0)" } ?? ""))
    }

    /// Returns the address of the server that a person typed or whose QR code was scanned; `nil` for any other text.
    ///
    /// The code may lead to a page of the server, such as that of an invitation. Without a scheme, `https` is meant.
    /// Only a server on the own network may have no encryption, such as one that is being tried out.
    public static func server(in text: String) -> URL? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= longest,
            let parts = URLComponents(string: text.contains("://") ? text : "https://\(text)"),
            let scheme = parts.scheme?.lowercased(), let host = parts.host?.lowercased(), !host.isEmpty,
            parts.user == nil
        else { return nil }
        let isNear = host == "localhost" || host == "127.0.0.1" || host.hasSuffix(".local")
        guard scheme == "https" || scheme == "http" && isNear, isNear || host.contains(".") else { return nil }
        var server = URLComponents()
        server.scheme = scheme
        server.host = host
        server.port = parts.port
        return server.url
    }

    /// Whether an address belongs to the person's server: same scheme, host and port.
    private func isOfServer(_ url: URL) -> Bool {
        func origin(_ url: URL) -> [String] {
            let url = url.absoluteURL
            let scheme = url.scheme?.lowercased() ?? ""
            let port = url.port ?? (scheme == "http" ? 80 : 443)
            return [scheme, url.host()?.lowercased() ?? "", "\(port)"]
        }
        return url.user == nil && origin(url) == origin(server)
    }
}
