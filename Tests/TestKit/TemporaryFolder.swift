public import Foundation

/// A temporary folder of one test, deleted with its last reference.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "pinktower-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    public func file(_ name: String) -> URL { url.appending(path: name) }

    deinit {
        do {
            try FileManager.default.removeItem(at: url)
        } catch CocoaError.fileNoSuchFile {
            // A database that was closing at that moment deleted one of its files itself.
            removeAgain()
        } catch {
            print("a test's folder could not be removed: \(error)")
        }
    }

    private func removeAgain() {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            print("a test's folder could not be removed: \(error)")
        }
    }
}
