import Domain
public import FeatureKit
public import Foundation
import Subprocess
import Synchronization

/// Makes pictures of the pages of PDF documents with poppler's programs `pdfinfo` and `pdftoppm`.
///
/// Each runs as a process of its own under `timeout` and `prlimit`, with an empty environment and no input. What it returns
/// is stored in a folder: the sizes or the fault of a document as JSON, and each page as a picture.
public final class PopplerPages: DocumentPages {
    /// The limits of one process.
    public struct Limits: Sendable {
        /// Seconds until the process is ended.
        public var seconds = 10
        /// The most memory in bytes.
        public var memory = 768 << 20
        /// The largest picture in bytes.
        public var picture = 16 << 20
        /// The most pages of a document that is shown.
        public var pages = 300

        public init() {}
    }

    /// The longer side of a page's picture in pixels: an A4 page at 150 dots per inch.
    private static let side = 1754
    /// The number of processes at once.
    private static let processes = 2

    private let folder: URL
    private let limits: Limits
    private let gate = AsyncGate(PopplerPages.processes)

    /// Creates a maker of pages that stores them in a folder, which is created with the first page.
    public init(in folder: URL, limits: Limits = Limits()) {
        self.folder = folder
        self.limits = limits
    }

    public var store: DerivedStore {
        DerivedStore(
            "document.pages", places: ["pages"],
            // Whose documents the pages show is not known here, and they are made again when they are needed.
            erasePeople: { [self] in try remove($0.schoolId) }, eraseSchool: { [self] in try remove($0) })
    }

    private func remove(_ schoolId: UUID) throws {
        do {
            try FileManager.default.removeItem(at: folder.appending(path: schoolId.text))
        } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
            // There is nothing to remove.
        }
    }

    private func place(of document: StoredDocument) -> URL {
        folder.appending(path: document.schoolId.text).appending(path: "\(document.hash)")
    }

    // MARK: - Sizes

    /// What is known of a document.
    private struct Known: Codable {
        var sizes: [DocumentPageSize] = []
        var fault: DocumentFault?
    }

    public func sizes(of document: StoredDocument) async throws(DocumentFault) -> [DocumentPageSize] {
        let file = place(of: document).appending(path: "document.json")
        if let known = Self.known(file) { return try Self.sizes(known) }
        var known = Known()
        do throws(DocumentFault) {
            known.sizes = try await read(document)
            // A document whose first page cannot be made is not shown at all.
            _ = try await page(1, of: document)
        } catch .unavailable {
            throw .unavailable
        } catch {
            known = Known(fault: error)
        }
        do {
            try makeFolder(of: document)
            try JSONEncoder().encode(known).write(to: file, options: .atomic)
        } catch {
            throw .unavailable
        }
        return try Self.sizes(known)
    }

    private static func sizes(_ known: Known) throws(DocumentFault) -> [DocumentPageSize] {
        if let fault = known.fault { throw fault }
        return known.sizes
    }

    /// Seconds after which a heavy document is tried again: the machine may have been busy.
    private static let retry: TimeInterval = 3600

    /// Returns what is stored about a document; `nil` if there is nothing, or only a part after a power cut.
    private static func known(_ file: URL) -> Known? {
        do {
            let known = try JSONDecoder().decode(Known.self, from: Data(contentsOf: file))
            guard known.fault == .tooHeavy else { return known }
            let written = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            return written.map { $0.timeIntervalSinceNow > -retry } ?? false ? known : nil
        } catch {
            return nil
        }
    }

    private func read(_ document: StoredDocument) async throws(DocumentFault) -> [DocumentPageSize] {
        let text = try await run("pdfinfo", ["-f", "1", "-l", "\(limits.pages)", document.file.path])
        var (count, sizes, turned): (Int, [DocumentPageSize], [Int: Int]) = (0, [], [:])
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if line.hasPrefix("Pages:"), let last = words.last { count = Int(last) ?? 0 }
            guard words.count >= 4, words[0] == "Page", let number = Int(words[1]) else { continue }
            // "Page    1 size:  595.28 x 841.89 pts (A4)" and "Page    1 rot:   90"
            if words[2] == "rot:" { turned[number] = Int(words[3]) }
            if words[2] == "size:", words.count >= 6, let width = Double(words[3]), let height = Double(words[5]) {
                sizes.append(Self.size(width, height))
            }
        }
        guard count > 0, !sizes.isEmpty else { throw .unreadable }
        guard count <= limits.pages else { throw .tooLong }
        return sizes.enumerated().map { place, size in
            [90, 270].contains(turned[place + 1] ?? 0)
                ? DocumentPageSize(width: size.height, height: size.width) : size
        }
    }

    /// The size of the picture of a page of a size in points.
    private static func size(_ width: Double, _ height: Double) -> DocumentPageSize {
        let scale = Double(side) / max(width, height, 1)
        func pixels(_ points: Double) -> Int { max(1, min(side, Int((points * scale).rounded(.up)))) }
        return DocumentPageSize(width: pixels(width), height: pixels(height))
    }

    // MARK: - Pages

    public func page(_ number: Int, of document: StoredDocument) async throws(DocumentFault) -> URL {
        guard (1...limits.pages).contains(number) else { throw .unreadable }
        let target = place(of: document).appending(path: "\(number).jpg")
        if FileManager.default.fileExists(atPath: target.path) { return target }
        do {
            try makeFolder(of: document)
        } catch {
            throw .unavailable
        }
        // The program adds the extension.
        let draft = target.deletingLastPathComponent().appending(path: ".unfinished-\(UUID().uuidString)")
        let made = draft.appendingPathExtension("jpg")
        defer { unlink(made.path) }
        _ = try await run(
            "pdftoppm",
            [
                "-jpeg", "-jpegopt", "quality=85", "-scale-to", "\(Self.side)", "-f", "\(number)", "-l",
                "\(number)",
                "-singlefile", document.file.path, draft.path,
            ])
        // Two requests may make the same page; the later one replaces the picture by the same.
        guard rename(made.path, target.path) == 0 else { throw .unreadable }
        return target
    }

    private func makeFolder(of document: StoredDocument) throws {
        // Only the server's account may read a school's files.
        try FileManager.default.createDirectory(
            at: place(of: document), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    // MARK: - Processes

    /// Runs a program of poppler and returns its output.
    private func run(_ program: String, _ arguments: [String]) async throws(DocumentFault) -> String {
        await gate.enter()
        defer { gate.leave() }
        let limited = [
            "--signal=KILL", "\(limits.seconds)", "prlimit", "--as=\(limits.memory)", "--cpu=\(limits.seconds)",
            "--fsize=\(limits.picture)", "--core=0", "--", program,
        ]
        let status: TerminationStatus
        let (output, errors): (String, String)
        do {
            let result = try await Subprocess.run(
                .name("timeout"), arguments: Arguments(limited + arguments),
                environment: .custom(["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]),
                output: .string(limit: 1 << 20), error: .string(limit: 1 << 16))
            status = result.terminationStatus
            (output, errors) = (result.standardOutput, result.standardError)
        } catch {
            throw .unavailable
        }
        switch status {
        case .exited(0): return output
        case .exited(126), .exited(127): throw .unavailable
        case .exited(1) where errors.contains("Incorrect password"): throw .locked
        // The program says why it ends; without a word it was ended.
        case .exited(1...99) where !errors.contains("memory") && !errors.contains("bad_alloc"): throw .unreadable
        default: throw .tooHeavy
        }
    }
}

/// Lets a number of tasks through at once. The others wait in order.
private final class AsyncGate: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
