public import Foundation

/// A decoded body or query string, before a command reads its fields.
public indirect enum InputValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([InputValue])
    case object([String: InputValue])
    case file(UploadedFile)

    /// Reads JSON (RFC 8259). Throws `Problem` 400 for malformed JSON.
    public init(json: Data) throws {
        do {
            self = try JSONReader.read(json)
        } catch {
            throw Problem(400, "malformedJSON")
        }
    }

    /// Builds nested values from form fields: `students[0].firstName=Ana`; repeated names become a list.
    public init(form pairs: [(name: String, value: InputValue)]) {
        var root = Node()
        for (name, value) in pairs { root.insert(value, at: InputValue.path(of: name)[...]) }
        self = root.value
    }

    /// Splits `a[0].b` into `a`, `0`, `b`, at most eight parts; the rest stays in the last part.
    private static func path(of name: String) -> [String] {
        name.replacingOccurrences(of: "]", with: "").split(
            maxSplits: 7, omittingEmptySubsequences: true, whereSeparator: { $0 == "[" || $0 == "." }
        ).map(String.init)
    }

    private struct Node {
        var leaves: [InputValue] = []
        var children: [String: Node] = [:]

        mutating func insert(_ value: InputValue, at path: ArraySlice<String>) {
            guard let first = path.first else {
                leaves.append(value)
                return
            }
            children[first, default: Node()].insert(value, at: path.dropFirst())
        }

        var value: InputValue {
            if !children.isEmpty {
                let numbered = children.compactMap { key, child in
                    Int(key).map { (number: $0, name: key, child: child) }
                }
                if numbered.count == children.count {
                    return .list(
                        numbered.sorted { ($0.number, $0.name) < ($1.number, $1.name) }.map { $0.child.value })
                }
                return .object(children.mapValues(\.value))
            }
            if leaves.count == 1 { return leaves[0] }
            return leaves.isEmpty ? .object([:]) : .list(leaves)
        }
    }
}

/// A file that was sent with a form (RFC 7578).
///
/// A large one is on disk, and is deleted when its request has been answered.
public struct UploadedFile: Sendable, Hashable {
    /// The name of the file as the browser sent it. Never use it as a path.
    public let name: String
    /// The content type of the file as the browser sent it.
    public let contentType: String
    public let content: FileContent
    /// The length of the file in bytes.
    public let size: Int

    /// Creates the value for a file that was uploaded.
    /// - Parameter size: the length of `content` in bytes.
    public init(name: String, contentType: String, content: FileContent, size: Int) {
        self.name = name
        self.contentType = contentType
        self.content = content
        self.size = size
    }

    public init(name: String, contentType: String, bytes: [UInt8]) {
        self.init(name: name, contentType: contentType, content: .bytes(bytes), size: bytes.count)
    }

    /// Returns the same file under another name and content type.
    public func renamed(_ name: String, contentType: String) -> UploadedFile {
        UploadedFile(name: name, contentType: contentType, content: content, size: size)
    }
}
