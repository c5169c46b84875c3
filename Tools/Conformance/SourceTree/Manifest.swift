public import Foundation

/// The targets from `swift package dump-package`.
public struct Manifest: Sendable {
    public let targets: [Target]

    public struct Target: Sendable, Hashable {
        public let name: String
        /// The path of the target's folder, relative to the root of the repository.
        public let path: String
        /// The names of the project's targets and of third-party products that the target depends on.
        public let dependencies: [String]
        public let isTest: Bool
    }

    public static let empty = Manifest(targets: [])

    init(targets: [Target]) { self.targets = targets }

    public init(json: Data) throws {
        let package = try JSONDecoder().decode(Package.self, from: json)
        targets = package.targets.map { target in
            Target(
                name: target.name, path: target.path ?? "Sources/\(target.name)",
                dependencies: target.dependencies.map(\.name), isTest: target.type == "test")
        }
    }

    /// Runs the package manager for all feature blocks, ignoring the caller's selection.
    ///
    /// Uses a new scratch folder, because a `swift test` that runs this holds the lock of `.build`.
    public init(ofPackageAt root: URL) throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "tower-\(UUID().uuidString)")
        // A leftover in the temporary folder is harmless.
        defer { try? FileManager.default.removeItem(at: scratch) }
        let result = try Shell.run(
            [
                "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "dump-package",
            ], in: root, without: ["BLOCK", "FEATURES"])
        guard result.status == 0 else { throw Shell.Failure(command: "swift package dump-package", result: result) }
        // The package manager may print warnings before the document.
        guard let start = result.output.firstIndex(of: "{") else {
            throw Shell.Failure(command: "swift package dump-package", result: result)
        }
        try self.init(json: Data(result.output[start...].utf8))
    }

    public func target(_ name: String) -> Target? { targets.first { $0.name == name } }

    private struct Package: Decodable { let targets: [Entry] }
    private struct Entry: Decodable {
        let name: String
        let path: String?
        let type: String
        let dependencies: [Dependency]
    }

    /// A dependency such as `{"byName": ["Domain", null]}` or `{"product": ["GRDB", "GRDB.swift", null, null]}`.
    private struct Dependency: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.singleValueContainer().decode([String: [Part]].self)
            name = kinds.values.first?.first?.text ?? ""
        }
    }

    private struct Part: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            // The other elements (conditions, module aliases) are objects or null and are not used.
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}
