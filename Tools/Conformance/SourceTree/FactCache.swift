import Crypto
public import Foundation

/// The facts of an earlier run in a file, so that only changed sources are parsed.
///
/// Parsing all sources took 120 of the 123 seconds of one rule on a loaded machine.
public struct FactCache: Sendable {
    private struct Stored: Codable {
        /// The program that collected the facts; another one may collect others.
        let program: String
        var entries: [String: Entry]
    }

    private struct Entry: Codable {
        /// The SHA-256 hash of the source.
        let hash: String
        let facts: Facts
    }

    private let file: URL
    private let program: String

    /// - Parameters:
    ///   - file: The file of the cache. A file that is missing, damaged or of another program counts as empty.
    ///   - program: The running program, by its size and its date of change.
    public init(_ file: URL, of program: URL) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: program.path)
        let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        self.file = file
        self.program = "\(attributes[.size] ?? 0) \(changed)"
    }

    /// Returns the facts of files in their order, and stores those of all files for the next run.
    func facts(of files: [TextFile]) -> [Facts] {
        let stored = read()
        let hashes = Parallel.map(files) { file in
            SHA256.hash(data: Data(file.text.utf8)).map { String($0, radix: 16) }.joined(separator: ".")
        }
        let known = zip(files, hashes).map { file, hash in
            stored.entries[file.path].flatMap { $0.hash == hash ? $0.facts : nil }
        }
        let unknown = files.indices.filter { known[$0] == nil }
        guard !unknown.isEmpty else { return known.compactMap(\.self) }
        let parsed = Dictionary(
            uniqueKeysWithValues: zip(unknown, Parallel.map(unknown) { Facts(source: files[$0].text) }))
        let facts = files.indices.compactMap { known[$0] ?? parsed[$0] }
        var kept = stored
        for (index, file) in files.enumerated() {
            kept.entries[file.path] = Entry(hash: hashes[index], facts: facts[index])
        }
        write(kept)
        return facts
    }

    private func read() -> Stored {
        let empty = Stored(program: program, entries: [:])
        // Whatever is wrong with the file, parsing again is the answer.
        guard let data = try? Data(contentsOf: file),
            let stored = try? JSONDecoder().decode(Stored.self, from: data),
            stored.program == program
        else { return empty }
        return stored
    }

    private func write(_ stored: Stored) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try JSONEncoder().encode(stored).write(to: file, options: .atomic)
        } catch {
            // A check does not fail for its cache; without it the next one is slower.
        }
    }
}
