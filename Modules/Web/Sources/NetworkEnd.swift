import Foundation

/// Where requests come from, as far as limits tell clients apart.
enum NetworkEnd {
    /// An IPv4 address as it is. Of an IPv6 address the first 64 bits, since one client has all addresses that begin so
    /// (RFC 6177). Anything else as it is.
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
