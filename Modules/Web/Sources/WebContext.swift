import FeatureKit
import Foundation
public import Hummingbird
import Logging
import NIOCore
import ScreenKit

/// What one HTTP request carries through the middleware.
public struct WebContext: Hummingbird.RequestContext {
    public var coreContext: CoreRequestContextStorage
    let peerAddress: String
    /// Set where a page is rendered again to show what was wrong with a form.
    var refused: RefusedForm?

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress ?? "local"
    }

    /// The client's address; with a trusted proxy, the last one that the proxy added.
    func clientAddress(_ request: Request, trustsProxy: Bool) -> String {
        guard trustsProxy, let forwarded = request.headers[.xForwardedFor],
            let last = forwarded.split(separator: ",").last
        else { return peerAddress }
        return String(last.prefix(60)).trimmingCharacters(in: .whitespaces)
    }
}
