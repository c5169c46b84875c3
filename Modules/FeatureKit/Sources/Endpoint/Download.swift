public import Domain
public import Foundation

/// A route that serves files over `GET`, to be saved or shown in a page. It checks the caller's rights on every
/// request.
public struct DownloadRoute: Sendable {
    /// The path of the files, with parameters in braces: `/settings/school-file/files/{fileId}`.
    public let path: String
    public let access: Contract.Access
    /// The area whose scope opens the file on a device that was narrowed for a child (`TokenScope.area`); `nil` if no
    /// narrowed device may open it.
    public let area: String?
    /// The entry of the audit log for a file with data about people; `nil` for none.
    public let seen: Seen?
    /// Returns the person for whom a secret in the path stands, for programs that cannot sign in, such as calendars.
    /// `nil` for files that belong to the session of the request.
    ///
    /// It gets a context without a caller and throws `Problem.notFound` for an unknown secret. The session of the
    /// request, if there is one, has no effect on such a route.
    public let bearer: (@Sendable (_ parameters: [String: String], RequestContext) async throws -> AddressHolder)?
    /// Returns the file for the values of the path's parameters.
    public let file: @Sendable (_ parameters: [String: String], RequestContext) async throws -> DownloadedFile

    public init(
        _ path: String, access: Contract.Access, area: String? = nil, seen: Seen? = nil,
        bearer: (@Sendable (_ parameters: [String: String], RequestContext) async throws -> AddressHolder)? = nil,
        _ file: @escaping @Sendable (_ parameters: [String: String], RequestContext) async throws -> DownloadedFile
    ) {
        self.path = path
        self.access = access
        self.area = area
        self.seen = seen
        self.bearer = bearer
        self.file = file
    }

    /// Creates a route of public files, which are the same for everyone and contain nothing about people.
    ///
    /// It neither reads nor sets cookies, so that caches between server and browser may store its answers. `file` returns files
    /// made with `DownloadedFile.init(published:contentType:)`.
    public init(
        published path: String,
        _ file: @escaping @Sendable (_ parameters: [String: String]) async throws -> DownloadedFile
    ) {
        self.init(
            path, access: .anyone, bearer: { _, _ in AddressHolder(caller: .nobody, language: .english) },
            { parameters, _ in try await file(parameters) })
    }
}

/// The person for whom a secret in the address of a file stands (`DownloadRoute.bearer`).
public struct AddressHolder: Sendable, Hashable {
    public let caller: Caller
    /// The language in which the person was given the address; it counts if the person has chosen none.
    public let language: Language

    public init(caller: Caller, language: Language) {
        self.caller = caller
        self.language = language
    }
}

/// A file that is sent to a browser, and what the browser does with it.
public struct DownloadedFile: Sendable {
    /// The use that a browser makes of a downloaded file: saving it or showing it.
    public enum Use: Sendable, Hashable {
        /// The browser saves the file under a name in any script (`DownloadedFile.fileName(from:)`), and does not
        /// cache it.
        case attachment(name: String)
        /// The browser shows or plays the file in a page. The hash lets it check whether its cached copy is
        /// current.
        case shown(BlobHash)
        /// A program reads the file again from time to time, as calendars do. The mark, of letters and digits, differs
        /// with each version of the content and lets the program check whether its copy is current.
        case polled(mark: String)
        /// The file is public and never changes under its address. Browsers, and caches on the way to them, may keep it.
        case published
    }
    public let content: FileContent
    /// Writes the content while it is sent, in place of `content`; `nil` for content that exists. `write` waits until the
    /// client has taken what was written before.
    public var stream: (@Sendable (_ write: @Sendable (Data) async throws -> Void) async throws -> Void)?
    public let use: Use
    public let contentType: String

    /// Creates a file to be saved.
    /// - Parameter name: any text; characters that file systems refuse are replaced.
    public init(_ content: FileContent, name: String, contentType: String) {
        self.content = content
        use = .attachment(name: Self.fileName(from: name))
        self.contentType = contentType
    }

    /// Creates a file to be saved that is made while it is sent, so that it costs little memory.
    /// - Parameter name: any text; characters that file systems refuse are replaced.
    public init(
        name: String, contentType: String,
        stream: @escaping @Sendable (_ write: @Sendable (Data) async throws -> Void) async throws -> Void
    ) {
        self.init(.bytes([]), name: name, contentType: contentType)
        self.stream = stream
    }

    /// Returns a file name that every system accepts, in the script of the given name.
    ///
    /// Characters with a meaning in paths or headers become dashes. Control and format characters are removed; those
    /// that change the direction of text could disguise the extension. A name of more than 200 bytes loses the end of
    /// its stem. A name that Windows reserves for a device gets an underscore in front. Returns "file" if nothing is
    /// left.
    public static func fileName(from name: String) -> String {
        var plain = ""
        for scalar in name.precomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            // Emoji and the scripts of India are written with these joiners.
            case .format where scalar == "\u{200C}" || scalar == "\u{200D}": plain.unicodeScalars.append(scalar)
            case .control, .format, .surrogate, .privateUse, .unassigned: continue
            case .lineSeparator, .paragraphSeparator, .spaceSeparator: plain += " "
            default:
                if "/\\:*?\"<>|".unicodeScalars.contains(scalar) {
                    plain += "-"
                } else {
                    plain.unicodeScalars.append(scalar)
                }
            }
        }
        let trimmed = plain.trimmingCharacters(in: CharacterSet(charactersIn: ". "))
        guard !trimmed.isEmpty else { return "file" }
        let cut = trimmed.lastIndex(of: ".").map { trimmed[$0...] }.flatMap { $0.count <= 10 ? $0 : nil } ?? ""
        var stem = trimmed.dropLast(cut.count)
        // File systems allow 255 bytes, and copies get a number appended.
        while stem.utf8.count + cut.utf8.count > longestName { stem.removeLast() }
        let base = stem.prefix { $0 != "." }.trimmingCharacters(in: .whitespaces).uppercased()
        return (reservedNames.contains(base) ? "_" : "") + String(stem) + cut
    }
    /// The largest length of a name in bytes.
    private static let longestName = 200
    /// Names of devices, which Windows refuses as file names whatever their extension.
    private static let reservedNames: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    /// Creates a file that a program reads again from time to time.
    /// - Parameter mark: letters and digits that differ with each version of the content.
    public init(_ bytes: [UInt8], mark: String, contentType: String) {
        content = .bytes(bytes)
        use = .polled(mark: mark)
        self.contentType = contentType
    }

    /// Creates a public file that never changes under its address, which contains a version.
    public init(published bytes: [UInt8], contentType: String) {
        content = .bytes(bytes)
        use = .published
        self.contentType = contentType
    }

    /// Creates a file that was made from a file of the school, such as a page of a document, to be shown in a page.
    /// - Parameter hash: the hash of the file from which it was made.
    public init(shown file: URL, madeFrom hash: BlobHash, contentType: String) {
        content = .file(file)
        use = .shown(hash)
        self.contentType = contentType
    }

    /// Creates a file of the school to be shown in a page.
    /// - Parameter type: the type that the school's own record has for it.
    /// - Throws: `Problem.notFound` if the file does not exist.
    public init(_ hash: BlobHash, _ type: MediaType, of files: any BlobStore) async throws {
        try await self.init(hash, contentType: type.contentType, of: files)
    }

    /// Creates a file of the school to be shown in a page, with an explicit content type: video and audio may share a
    /// `MediaType`.
    /// - Throws: `Problem.notFound` if the file does not exist.
    public init(_ hash: BlobHash, contentType: String, of files: any BlobStore) async throws {
        guard let url = try await files.file(hash) else { throw Problem.notFound }
        content = .file(url)
        use = .shown(hash)
        self.contentType = contentType
    }
}
