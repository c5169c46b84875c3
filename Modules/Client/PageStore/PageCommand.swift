import Domain
public import Foundation

/// A command that a page of the server offers, with the fields of its form.
public struct PageCommand: Codable, Sendable, Hashable {
    /// The entity that all page commands share, so that they are sent in their order.
    static let queue = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// The id of the command on this device.
    let id: UUID
    /// The path of the command, such as `/api/v1/attendance/mark`.
    public let path: String
    /// The plain fields by their names. If the command has the fields `recordedAt` and `sentAt`, the store fills them in.
    public var fields: [String: String]
    /// The chosen values of fields for several choices, by their names.
    public var lists: [String: [String]]
    /// The arguments as JSON, for a command that takes more than the fields of a form; `nil` for a form.
    public let json: Data?
    /// The copies of the form's files while the command waits; `nil` for none.
    var files: [WaitingFile]?
    /// The path to which large files are sent in parts before the command; `nil` if they go with it.
    var uploads: String?
    /// The idempotency key that the page names: the server runs commands with the same key once.
    public let key: String

    public init(path: String, fields: [String: String], lists: [String: [String]] = [:], key: String) {
        id = UUID()
        self.path = path
        self.fields = fields
        self.lists = lists
        json = nil
        self.key = key
    }

    /// A command whose arguments are JSON. Throws the error of the encoding.
    public init(path: String, json: some Encodable, key: UUID) throws {
        id = UUID()
        self.path = path
        fields = [:]
        lists = [:]
        self.json = try APIJSON.encode(json)
        self.key = key.text
    }

    /// The arguments of a command with JSON. Throws if they are of another type.
    public func arguments<Arguments: Decodable>(_ type: Arguments.Type) throws -> Arguments {
        try APIJSON.decode(type, from: json ?? Data())
    }

    /// What the person typed, without ids, and the names of the files, to be shown after a refusal.
    var texts: [String: String] {
        var texts = fields
        if let json {
            // Numbers and lists are no words of the person, and arguments that are no object have none.
            let values = (try? JSONDecoder().decode([String: TextOrOther].self, from: json)) ?? [:]
            texts = values.compactMapValues(\.text)
        }
        for (field, files) in Dictionary(grouping: files ?? [], by: \.field) {
            texts[field] = files.map(\.name).joined(separator: ", ")
        }
        return texts.filter { name, text in
            !text.isEmpty && UUID(text: text) == nil && ![Self.recordedAt, Self.sentAt].contains(name)
        }
    }

    /// A value in JSON that is a text, or another one.
    private struct TextOrOther: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // A value that is no text is left out.
            text = try? container.decode(String.self)
        }
    }

    static let recordedAt = "recordedAt"
    static let sentAt = "sentAt"

    /// The command with the time of the person's action, if its page asks for it.
    func recorded(at now: Date) -> PageCommand {
        guard fields[Self.recordedAt]?.isEmpty == true else { return self }
        var command = self
        command.fields[Self.recordedAt] = now.formatted(.iso8601)
        return command
    }

    /// The fields as a form sends them, with the time at which it is sent.
    private func pairs(at now: Date) -> [(name: String, value: String)] {
        var plain = fields
        if plain[Self.sentAt] != nil { plain[Self.sentAt] = now.formatted(.iso8601) }
        return plain.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            + lists.sorted { $0.key < $1.key }.flatMap { name, values in values.map { (name, $0) } }
            + [("_key", key)]
    }

    /// The body that sends the command with files (RFC 7578). Throws if a file cannot be read.
    func body(with files: [(name: String, file: FormFile)], at now: Date) throws -> MultipartBody {
        try MultipartBody(pairs(at: now), files)
    }

    /// The command with the ids of files that were sent in parts.
    func naming(_ uploads: [UUID]) -> PageCommand {
        guard !uploads.isEmpty else { return self }
        var command = self
        command.lists["uploads", default: []] += uploads.map(\.text)
        return command
    }

    /// The request that sends a body with files.
    func request(with body: MultipartBody, for account: UUID) -> APIRequest {
        var request = APIRequest(.post, path, account: account)
        request.bodyFile = body.file
        request.contentType = body.contentType
        request.accept = "application/json"
        return request
    }

    /// The request that sends the command: as JSON, or as a form (WHATWG URL section 5), in which all values are texts.
    ///
    /// - Parameter account: The account on whose behalf it is made; `nil` for a person who is not signed in.
    func request(at now: Date, for account: UUID?) -> APIRequest {
        if let json {
            return APIRequest(.post, path, body: json, idempotencyKey: UUID(text: key), account: account)
        }
        let body = pairs(at: now)
            .map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }.joined(separator: "&")
        var request = APIRequest(.post, path, body: Data(body.utf8), account: account)
        // The key is a field of the form.
        request.mayRepeat = true
        request.contentType = "application/x-www-form-urlencoded"
        request.accept = "application/json"
        return request
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

/// The server's answer to a page's command.
public struct PageCommandAnswer: Sendable, Hashable {
    /// A message after a command.
    public struct Feedback: Codable, Sendable, Hashable {
        /// The form in which a message is shown; `burst` adds a small animation.
        public enum Style: String, Codable, Sendable, Hashable { case toast, burst }
        public let style: Style
        public let text: String

        public init(style: Style, text: String) {
            self.style = style
            self.text = text
        }
    }
    public let feedback: Feedback?
    /// The address of the page that the server leads to; `nil` for the page that the person is on.
    public let next: String?

    public init(feedback: Feedback? = nil, next: String? = nil) {
        self.feedback = feedback
        self.next = next
    }

    init(_ answer: APIAnswer) {
        next = answer.headers["location"]
        let text = answer.headers["x-pinktower-feedback"] ?? ""
        let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        // A message that this version cannot read is left out; the command was run.
        feedback = Data(base64Encoded: padded).flatMap { try? JSONDecoder().decode(Feedback.self, from: $0) }
    }
}

/// The end of a page's command, as far as the person waits for it.
public enum PageCommandResult: Sendable, Hashable {
    case answered(PageCommandAnswer)
    /// The command waits on the device for the network.
    case waits
}
