import Foundation

/// The network of a client, by which limits are counted.
enum ClientNetwork {
    /// The IPv4 address itself, or the first 64 bits of an IPv6 address, since one client has all addresses below them
    /// (RFC 6177). Other texts are returned unchanged.
    static func name(_ address: String) -> String {
        let plain = address.prefix { $0 != "%" }
        guard plain.contains(":") else { return address }
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, String(plain), &parsed) == 1 else { return address }
        let bytes = withUnsafeBytes(of: parsed) { Array($0) }
        // ::ffff:192.0.2.1 is an IPv4 address (RFC 4291 section 2.5.5.2).
        if bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) {
            return bytes[12...].map { String($0) }.joined(separator: ".")
        }
        return bytes[..<8].map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() + "/64"
    }
}
