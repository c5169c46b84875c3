import Domain
import Foundation

/// A picture of an imported question, as it was in the file.
public struct ImportedPicture: Sendable, Hashable {
    /// The name by which the question's texts show the picture.
    public let name: String
    public let bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// The pictures of one question, found while its texts are read.
final class PictureFinder {
    /// The largest size of all pictures of a question, in bytes.
    static let largest = 15 << 20

    /// Returns the picture with an address in the file; `nil` if the file does not have it.
    private let find: (String) -> [UInt8]?
    /// Whether `\(…\)`, `\[…\]` and `$$…$$` in the texts are formulas, as in Moodle.
    let readsTeX: Bool
    private var names: [String: String] = [:]
    private(set) var found: [ImportedPicture] = []

    init(readsTeX: Bool = false, _ find: @escaping (String) -> [UInt8]? = { _ in nil }) {
        self.readsTeX = readsTeX
        self.find = find
    }

    /// Returns the name under which the question shows a picture; `nil` if the file does not have the picture.
    ///
    /// Pictures of other sites are never fetched.
    func name(for source: String) -> String? {
        if let known = names[source] { return known }
        guard found.count < QuestionPicture.most else { return nil }
        let bytes: [UInt8]
        var fileName = "picture"
        if source.lowercased().hasPrefix("data:") {
            guard let data = Self.embedded(source) else { return nil }
            bytes = data
        } else {
            let address = source.removingPercentEncoding ?? source
            guard let file = find(address) else { return nil }
            bytes = file
            fileName = address
        }
        let size = found.reduce(bytes.count) { $0 + $1.bytes.count }
        guard !bytes.isEmpty, size <= Self.largest else { return nil }
        let name = QuestionPicture.name(for: fileName, besides: Set(found.map(\.name)))
        names[source] = name
        found.append(ImportedPicture(name: name, bytes: bytes))
        return name
    }

    /// Reads an address that contains its picture: `data:image/png;base64,…` (RFC 2397).
    private static func embedded(_ source: String) -> [UInt8]? {
        guard let comma = source.firstIndex(of: ","), source[..<comma].lowercased().hasPrefix("data:image/"),
            source[..<comma].lowercased().hasSuffix(";base64")
        else { return nil }
        return decoded(source[source.index(after: comma)...])
    }

    /// Decodes Base64 with line breaks; `nil` for other text.
    static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        let compact = text.utf8.filter { !($0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09) }
        return Data(base64Encoded: Data(compact)).map(Array.init)
    }
}
