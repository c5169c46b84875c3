public import Foundation

/// The source tree that the rules check: the manifest, Swift sources and all other committed text.
public struct SourceTree: Sendable {
    public let manifest: Manifest
    /// The Swift files under Modules, Apps, Tests and Tools.
    public let sources: [SourceFile]
    /// Every committed text file, Swift included.
    public let texts: [TextFile]
    public let modules: [Module]

    private let modulesByName: [String: Module]

    /// - Parameter cache: The facts of an earlier run; without it every file is parsed.
    public init(manifest: Manifest, texts: [TextFile], cache: FactCache? = nil) {
        self.manifest = manifest
        self.texts = texts.sorted { $0.path < $1.path }
        sources = SourceTree.parse(self.texts, cache)
        modules = SourceTree.modules(manifest, self.texts)
        modulesByName = Dictionary(modules.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Reads the files at `root`.
    ///
    /// - Parameter folders: the folders to read; everything when empty.
    /// - Parameter suffix: a file name ending to remove: fixtures are called `X.swift.txt`, so that neither the
    ///   compiler nor another check reads them.
    /// - Parameter cache: The facts of an earlier run; without it every file is parsed.
    public init(
        at root: URL, manifest: Manifest, under folders: [String] = [], suffix: String = "", cache: FactCache? = nil
    ) throws {
        let paths = try suffix.isEmpty ? SourceTree.committed(at: root) : SourceTree.walk(root)
        let texts = try paths.compactMap { path -> TextFile? in
            guard path.hasSuffix(suffix), !path.hasPrefix(SourceTree.fixtures) else { return nil }
            guard folders.isEmpty || folders.contains(where: path.hasPrefix) else { return nil }
            let data = try Data(contentsOf: root.appending(path: path))
            guard !data.contains(0), let text = String(data: data, encoding: .utf8) else { return nil }
            return TextFile(path: String(path.dropLast(suffix.count)), text: text)
        }
        self.init(manifest: manifest, texts: texts, cache: cache)
    }

    /// Reads the fixture of a rule; its manifest, if any, is `Package.json.txt`.
    public init(fixture root: URL) throws {
        let json = root.appending(path: "Package.json.txt")
        let isThere = FileManager.default.fileExists(atPath: json.path)
        try self.init(
            at: root, manifest: isThere ? Manifest(json: Data(contentsOf: json)) : .empty, suffix: ".txt")
    }

    public func module(named name: String) -> Module? { modulesByName[name] }

    /// The module that a file belongs to.
    public func module(of path: String) -> Module? {
        modules.filter { path.hasPrefix($0.path + "/") }.max { $0.path.count < $1.path.count }
    }

    /// The text file at a path.
    public func text(_ path: String) -> TextFile? { texts.first { $0.path == path } }

    // MARK: - Reading

    /// The folder of the rules' fixtures.
    static let fixtures = "Tests/ArchitectureTests/Fixtures/"

    /// The files that git tracks or would add.
    private static func committed(at root: URL) throws -> [String] {
        let result = try Shell.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], in: root)
        guard result.status == 0 else { throw Shell.Failure(command: "git ls-files", result: result) }
        // git still lists deleted files that are not committed.
        return Set(result.output.split(separator: "\0").map(String.init))
            .filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
            .sorted()
    }

    private static func walk(_ root: URL) throws -> [String] {
        let base = root.path
        return try FileManager.default.subpathsOfDirectory(atPath: base).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(base)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    private static let sourceFolders = ["Modules/", "Apps/", "Tests/", "Tools/"]

    private static func parse(_ texts: [TextFile], _ cache: FactCache?) -> [SourceFile] {
        let files = texts.filter { text in
            text.path.hasSuffix(".swift") && sourceFolders.contains { text.path.hasPrefix($0) }
        }
        let facts = cache?.facts(of: files) ?? Parallel.map(files) { Facts(source: $0.text) }
        return zip(files, facts).map { SourceFile(path: $0.path, text: $0.text, facts: $1) }
    }

    /// The manifest's targets and those found by folders, since fixtures may have no manifest.
    private static func modules(_ manifest: Manifest, _ texts: [TextFile]) -> [Module] {
        var found: [String: Module] = [:]
        for target in manifest.targets {
            guard let layer = Layer(path: target.path + "/") else { continue }
            found[target.name] = Module(name: target.name, path: target.path, layer: layer)
        }
        for text in texts where text.path.hasSuffix(".swift") {
            let parts = text.path.split(separator: "/").map(String.init)
            guard let layer = Layer(path: text.path), parts.count > 2 else { continue }
            let (name, depth): (String, Int) =
                switch layer {
                case .model(let name): ("\(name)Model", 3)
                case .interface(let name): ("\(name)Interface", 3)
                case .testing(let name): ("\(name)Testing", 3)
                case .feature(let name): (name, 3)
                case .adapter("Web") where parts[2] == "HTML": ("WebHTML", 3)
                case .designTokens, .domain, .designSystem, .featureKit, .screenKit, .runtime, .adapter, .client:
                    (parts[1], 3)
                case .app, .clientApp: (parts[2] == "App" ? "\(parts[1])App" : "\(parts[1])\(parts[2])", 3)
                default: (parts[1], 2)
                }
            let path = parts.prefix(depth).joined(separator: "/")
            if found[name] == nil, !found.values.contains(where: { text.path.hasPrefix($0.path + "/") }) {
                found[name] = Module(name: name, path: path, layer: layer)
            }
        }
        return found.values.sorted { $0.name < $1.name }
    }
}

/// A committed text file.
public struct TextFile: Sendable {
    /// The path of the file, relative to the root of the repository.
    public let path: String
    public let text: String

    public init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
}

/// A Swift file and its facts.
public struct SourceFile: Sendable {
    public let path: String
    public let text: String
    public let facts: Facts

    public var layer: Layer? { Layer(path: path) }
    public var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }
    public var lineCount: Int { text.count { $0 == "\n" } }

    /// The folder in Modules that holds the file.
    public var moduleFolder: String? {
        let parts = path.split(separator: "/")
        return parts.first == "Modules" && parts.count > 2 ? String(parts[1]) : nil
    }

    /// Whether a comment is on the finding's line, on the line above, or above its statement.
    func hasReason(_ finding: Finding) -> Bool {
        [finding.line, finding.line - 1, finding.statementLine - 1].contains { facts.comments[$0] != nil }
    }
}
