public import Domain
import Foundation

/// A file that a browser takes home or shows in a page: `GET`. The route decides on every request anew who may.
public struct DownloadRoute: Sendable {
    /// With named parts in braces: `/settings/school-file/files/{fileId}`.
    public let path: String
    public let access: Contract.Access
    public let file: @Sendable (_ parameters: [String: String], RequestContext) async throws -> DownloadedFile

    public init(
        _ path: String, access: Contract.Access,
        _ file: @escaping @Sendable (_ parameters: [String: String], RequestContext) async throws -> DownloadedFile
    ) {
        self.path = path
        self.access = access
        self.file = file
    }
}

/// A file, and what a browser does with it.
public struct DownloadedFile: Sendable {
    public enum Use: Sendable, Hashable {
        /// Taken home under a name in any script (`DownloadedFile.fileName(from:)`); kept by no browser.
        case attachment(name: String)
        /// Shown or played in a page. The hash tells a browser that what it has is still the same.
        case shown(BlobHash)
    }
    public let content: FileContent
    public let use: Use
    public let contentType: String

    /// - Parameter name: any text; what a file system would not take is replaced.
    public init(_ content: FileContent, name: String, contentType: String) {
        self.content = content
        use = .attachment(name: Self.fileName(from: name))
        self.contentType = contentType
    }

    /// A file name that every system accepts, in the script of the given name.
    ///
    /// Characters with a meaning in paths or headers become dashes. Control and format characters are removed; those that
    /// change the direction of text could disguise the extension. A name of more than 200 bytes loses the end of its stem.
    /// A name that Windows reserves for a device gets an underscore in front.
    /// Returns "file" where nothing is left.
    static func fileName(from name: String) -> String {
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
        // File systems count bytes: 255 at most, and copies get a number.
        while stem.utf8.count + cut.utf8.count > longestName { stem.removeLast() }
        let base = stem.prefix { $0 != "." }.trimmingCharacters(in: .whitespaces).uppercased()
        return (reservedNames.contains(base) ? "_" : "") + String(stem) + cut
    }
    private static let longestName = 200
    /// Devices of Windows, which are no names of files there, whatever the extension.
    private static let reservedNames: Set<String> = Set(
        ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] })

    /// A file of the school, to be shown in a page; "not found" where it is not there.
    /// - Parameter type: as our own record has it.
    public init(_ hash: BlobHash, _ type: MediaType, of files: any BlobStore) async throws {
        try await self.init(hash, contentType: type.contentType, of: files)
    }

    /// The same, as what a page shows it: a film and a piece of music may be the same kind of file.
    public init(_ hash: BlobHash, contentType: String, of files: any BlobStore) async throws {
        guard let url = try await files.file(hash) else { throw Problem.notFound }
        content = .file(url)
        use = .shown(hash)
        self.contentType = contentType
    }
}
