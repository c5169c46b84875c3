import FeatureKit
import Foundation
public import Hummingbird
import Logging
import NIOCore
import ScreenKit

/// The context of one HTTP request while it passes through the web server's middleware.
public struct WebContext: Hummingbird.RequestContext {
    public var coreContext: CoreRequestContextStorage
    let peerAddress: String
    /// The refused form when its page is rendered again; otherwise `nil`.
    var refused: RefusedForm?

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress ?? "local"
    }

    /// The client's address: the peer's or, behind a trusted proxy, the last one in `X-Forwarded-For`.
    func clientAddress(_ request: Request, trustsProxy: Bool) -> String {
        guard trustsProxy, let forwarded = request.headers[.xForwardedFor],
            let last = forwarded.split(separator: ",").last
        else { return peerAddress }
        return String(last.prefix(60)).trimmingCharacters(in: .whitespaces)
    }
}
