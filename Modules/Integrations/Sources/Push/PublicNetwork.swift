import Dispatch
import Foundation
import NIOCore

/// A filter for push service addresses that lets only the public network through.
///
/// A client names its push service and must not make this server send requests into its own network (SSRF).
///
/// The name is resolved here and again by the connection, so it may change in between. The connection uses TLS for that
/// name, so an internal host without the certificate reads nothing.
struct PublicNetwork: Sendable {
    /// Whether requests to this machine without TLS are allowed, for tests only.
    let allowsLoopback: Bool

    /// The origin and host of an address, or `nil` if a push service cannot have such an address.
    func origin(of address: String) -> (origin: String, host: String)? {
        guard address.utf8.count <= 1024, address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let parts = URLComponents(string: address), let scheme = parts.scheme, let host = parts.host,
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        let port = parts.port.map { ":\($0)" } ?? ""
        if allowsLoopback, scheme == "http", host == "127.0.0.1" { return ("http://127.0.0.1\(port)", host) }
        guard scheme == "https", parts.port ?? 443 == 443, Self.isPublicName(host) else { return nil }
        return ("https://\(host)\(port)", host)
    }

    /// Whether the host is a name of at least two labels and not an address or a local name.
    private static func isPublicName(_ host: String) -> Bool {
        let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last else { return false }
        guard last.utf8.contains(where: { (0x61...0x7A).contains($0) }), !last.contains(":") else { return false }
        return !["local", "localhost", "internal", "intranet", "lan", "home", "corp", "test"].contains(String(last))
            && !host.hasSuffix("home.arpa")
    }

    /// Whether the name resolves and all its addresses are public.
    func isReachable(_ host: String) async -> Bool {
        if allowsLoopback, host == "127.0.0.1" { return true }
        // The system's lookup blocks, so it runs on a thread outside Swift's cooperative pool.
        let found = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Self.addresses(of: host)) }
        }
        return !found.isEmpty && found.allSatisfy(Self.isPublic)
    }

    private static func addresses(of host: String) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "443", &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let one = next {
            switch one.pointee.ai_family {
            case AF_INET:
                one.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    found.append(SocketAddress($0.pointee))
                }
            case AF_INET6:
                one.pointee.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    found.append(SocketAddress($0.pointee))
                }
            default: break
            }
            next = one.pointee.ai_next
        }
        return found
    }

    /// Whether an address is outside the special-purpose ranges of the IANA registries (RFC 6890).
    static func isPublic(_ address: SocketAddress) -> Bool {
        switch address {
        case .v4(let four):
            return isPublic(four: withUnsafeBytes(of: four.address.sin_addr) { Array($0) })
        case .v6(let six):
            let bytes = withUnsafeBytes(of: six.address.sin6_addr) { Array($0) }
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            if isMapped { return isPublic(four: Array(bytes[12...])) }
            // 2000::/3 is global unicast. Documentation, Teredo and 6to4 addresses in it embed or replace others.
            let isWrapped = bytes[0] == 0x20 && (bytes[1] == 0x02 || bytes[1] == 0x01 && bytes[2] <= 0x0D)
            return bytes[0] & 0xE0 == 0x20 && !isWrapped
        case .unixDomainSocket: return false
        }
    }

    private static func isPublic(four bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _), (100, 64...127, _), (169, 254, _),
            (172, 16...31, _),
            (192, 168, _), (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100),
            (203, 0, 113):
            false
        default: true
        }
    }
}
