import Foundation

/// The name that Apple told at a person's first sign-in, until the school has an account with it.
///
/// Apple tells a name once. Without this, a first try that fails, such as without a network, would lose it.
struct AppleName {
    private struct Stored: Codable {
        let user: String
        let name: String
    }

    private let file: URL

    /// - Parameter folder: The folder of the app.
    init(in folder: URL) { file = folder.appending(path: "apple-name") }

    /// Stores a name, if Apple told it, and returns the name of the person as it is known here.
    ///
    /// - Parameter user: Apple's id of the person, so that nobody gets another person's name.
    func remember(_ name: String?, of user: String) -> String? {
        do {
            guard let name else {
                guard FileManager.default.fileExists(atPath: file.path) else { return nil }
                let stored = try JSONDecoder().decode(Stored.self, from: Data(contentsOf: file))
                return stored.user == user ? stored.name : nil
            }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try JSONEncoder().encode(Stored(user: user, name: name)).write(to: file, options: .atomic)
        } catch {
            // The form of the new account asks for the name.
        }
        return name
    }

    /// Removes the name, when the school has it.
    func forget() {
        // Without a name there is nothing to remove. Otherwise the next name replaces it.
        try? FileManager.default.removeItem(at: file)
    }
}
