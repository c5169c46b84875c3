import Foundation

/// The `Content-Disposition` header of a download (RFC 6266).
enum ContentDisposition {
    /// The header with an ASCII `filename` and, for other names, the exact name in `filename*`.
    static func attachment(_ name: String) -> String {
        let plain = ascii(name)
        return "attachment; filename=\"\(plain)\"" + (plain == name ? "" : "; filename*=UTF-8''\(encoded(name))")
    }

    /// The name in ASCII characters that need no escape within quotes.
    private static func ascii(_ name: String) -> String {
        let folded = name.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
        let plain = String(folded.map { $0.isASCII && !"\"\\%".contains($0) ? $0 : "_" })
        let stem = plain.split(separator: ".").first ?? ""
        guard stem.contains(where: { $0.isLetter || $0.isNumber }) else {
            return "file" + plain.drop { $0 != "." }
        }
        return plain
    }

    /// The name as `ext-value` of RFC 8187 section 3.2.
    private static func encoded(_ name: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$&+-.^_`|~".utf8)
        return name.utf8.map { byte in
            plain.contains(byte)
                ? String(UnicodeScalar(byte))
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
