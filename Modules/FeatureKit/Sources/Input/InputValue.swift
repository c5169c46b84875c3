public import Foundation

/// A decoded body or query before a command has read its fields from it.
public indirect enum InputValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([InputValue])
    case object([String: InputValue])
    case file(UploadedFile)

    /// Reads JSON (RFC 8259). Throws `Problem` 400 for anything that is none.
    public init(json: Data) throws {
        do {
            self = try JSONReader.read(json)
        } catch {
            throw Problem(400, "malformedJSON")
        }
    }

    /// Builds the nested value of form fields: `students[0].firstName=Ana`, repeated names as a list.
    public init(form pairs: [(name: String, value: InputValue)]) {
        var root = Node()
        for (name, value) in pairs { root.insert(value, at: InputValue.path(of: name)[...]) }
        self = root.value
    }

    /// `a[0].b` is `a`, `0`, `b`; at most eight steps, the rest stays one name.
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

/// A file that came with a form (RFC 7578). The name is what the browser says: never a path to use.
///
/// A large one is on disk, and gone when its request has been answered.
public struct UploadedFile: Sendable, Hashable {
    public let name: String
    public let contentType: String
    public let content: FileContent
    /// In bytes.
    public let size: Int

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

    /// The same content under another name and type.
    public func renamed(_ name: String, contentType: String) -> UploadedFile {
        UploadedFile(name: name, contentType: contentType, content: content, size: size)
    }
}
