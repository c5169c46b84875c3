public import Foundation

/// A folder of one test's own, gone when the last reference goes.
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
            // A database that closes just now took one of its files away itself.
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
