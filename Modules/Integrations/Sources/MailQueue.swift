import Dispatch
public import FeatureKit
public import Foundation

/// Sends mails one after the other, on a thread of its own: into a folder, or through the system's `sendmail`.
///
/// Every mail is a file from the moment it is posted, so that a restart loses none. One that cannot be sent is
/// tried again at growing distances, and stays to be seen when it never could be.
public final class MailQueue: Mailer, MailOutbox {
    public enum Way: Sendable {
        /// Mails stay in the folder, for a server without mail of its own.
        case folder
        /// The path of a program that takes what `sendmail -i -t` takes.
        case sendmail(String)
    }

    /// The program that was to send ended with an error.
    struct Refused: Error, CustomStringConvertible {
        let status: Int32
        var description: String { "sendmail ended with status \(status)" }
    }

    /// Seconds after a failed try until the next one.
    static let pauses: [TimeInterval] = [60, 300, 1800, 7200, 21_600, 86_400]

    private let queue = DispatchQueue(label: "mail")
    private let way: Way
    private let folder: URL
    private let sender: String
    private let pauses: [TimeInterval]
    private let report: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - folder: where mails are kept; what an earlier run could not send is tried again.
    ///   - sender: the address that mails come from.
    ///   - report: told of what could not be sent; the error names nobody.
    public convenience init(
        _ way: Way, in folder: URL, from sender: String, report: @escaping @Sendable (any Error) -> Void
    ) {
        self.init(way, in: folder, from: sender, pauses: Self.pauses, report: report)
    }

    init(
        _ way: Way, in folder: URL, from sender: String, pauses: [TimeInterval],
        report: @escaping @Sendable (any Error) -> Void
    ) {
        self.way = way
        self.folder = folder
        self.sender = sender
        self.pauses = pauses
        self.report = report
        queue.async { [self] in resume() }
    }

    public func post(_ mail: Mail) {
        let instant = Date()
        queue.async { [self] in
            guarded {
                let text = MailFormat.text(of: mail, from: sender, at: instant, id: UUID())
                let stamp = instant.formatted(.iso8601.timeSeparator(.omitted))
                let letter = Letter(id: "\(stamp)-\(UUID().uuidString.prefix(8).lowercased())", tries: 0)
                try write(text, letter)
                try send(letter)
            }
        }
    }

    /// Waits until everything that was posted so far was tried once.
    public func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    // MARK: - MailOutbox

    public func mails() async throws -> [OutboxMail] {
        try await onQueue { [self] in
            try files().sorted { $0.id > $1.id }.prefix(200).map { try outboxMail($0) }
        }
    }

    public func mail(_ id: String) async throws -> (OutboxMail, Mail)? {
        try await onQueue { [self] in
            guard let letter = try files().first(where: { $0.id == id }) else { return nil }
            let text = try String(contentsOf: url(letter), encoding: .utf8)
            return try (outboxMail(letter), MailFormat.mail(of: text))
        }
    }

    public func remove(where isOver: @escaping @Sendable (OutboxMail) -> Bool) async throws {
        try await onQueue { [self] in
            for letter in try files() where isOver(try outboxMail(letter)) {
                try FileManager.default.removeItem(at: url(letter))
            }
        }
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    private func outboxMail(_ letter: Letter) throws -> OutboxMail {
        let mail = MailFormat.mail(of: try String(contentsOf: url(letter), encoding: .utf8))
        let values = try url(letter).resourceValues(forKeys: [.contentModificationDateKey])
        let state: OutboxMail.State =
            switch way {
            case .folder: .kept
            case .sendmail: letter.tries > pauses.count ? .failed : .waiting(tries: letter.tries)
            }
        return OutboxMail(
            id: letter.id, to: mail.to, subject: mail.subject, at: values.contentModificationDate ?? .distantPast,
            state: state, schoolId: mail.schoolId, personId: mail.personId)
    }

    // MARK: - Files

    /// `2026-11-21T160405Z-1a2b3c4d.2.eml` was tried twice.
    private struct Letter: Sendable {
        let id: String
        let tries: Int

        init(id: String, tries: Int) {
            self.id = id
            self.tries = tries
        }

        init?(file name: String) {
            let parts = name.split(separator: ".")
            guard parts.count == 3, parts[2] == "eml", let tries = Int(parts[1]) else { return nil }
            self.init(id: String(parts[0]), tries: tries)
        }

        var name: String { "\(id).\(tries).eml" }
        var again: Letter { Letter(id: id, tries: tries + 1) }
    }

    private func url(_ letter: Letter) -> URL { folder.appending(path: letter.name) }

    private func files() throws -> [Letter] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap(Letter.init(file:))
    }

    private func write(_ text: String, _ letter: Letter) throws {
        // Links in mails open accounts: nobody else on the machine reads them.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard
            FileManager.default.createFile(
                atPath: url(letter).path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
    }

    // MARK: - Sending

    private func guarded(_ work: () throws -> Void) {
        do { try work() } catch { report(error) }
    }

    /// Takes up what an earlier run left.
    private func resume() {
        guard case .sendmail = way else { return }
        guarded {
            for letter in try files() where letter.tries <= pauses.count { guarded { try send(letter) } }
        }
    }

    private func send(_ letter: Letter) throws {
        guard case .sendmail(let program) = way else { return }
        // It may have been taken away while it waited.
        guard FileManager.default.fileExists(atPath: url(letter).path) else { return }
        do {
            try run(program, url(letter))
            try FileManager.default.removeItem(at: url(letter))
        } catch {
            report(error)
            let next = letter.again
            try FileManager.default.moveItem(at: url(letter), to: url(next))
            guard letter.tries < pauses.count else { return }
            queue.asyncAfter(deadline: .now() + pauses[letter.tries]) { [self] in guarded { try send(next) } }
        }
    }

    private func run(_ program: String, _ letter: URL) throws {
        // A file, not a pipe: one that ends early would end us with it, and a pipe stays open as long as any
        // program that inherited its end.
        let input = try FileHandle(forReadingFrom: letter)
        defer { try? input.close() }  // read to its end or not, nothing depends on it any more
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["-i", "-t", "-f", sender]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Refused(status: process.terminationStatus) }
    }
}
