public import FeatureKit
public import Foundation

/// Sends mails one after another, into a folder or through the system's `sendmail`.
///
/// A mail is written to a file when it is posted, so that a restart loses none. A failed mail is retried at growing
/// intervals. After the last attempt its file stays, so that the server's operator can see it.
public final class MailQueue: Mailer, MailOutbox {
    /// The means by which mails are delivered.
    public enum Transport: Sendable {
        /// Leaves mails in the folder, for a server without mail delivery.
        case folder
        /// Runs the program at this path, which takes the options of `sendmail -i -t`.
        case sendmail(String)
    }

    /// An end of the program that is no success.
    struct Refused: Error, CustomStringConvertible {
        let end: ExternalProgram.End
        var description: String { "sendmail ended with \(end)" }
    }

    /// Seconds between a failed attempt and the next.
    static let pauses: [TimeInterval] = [60, 300, 1800, 7200, 21_600, 86_400]

    private let tasks: AsyncStream<@Sendable () async -> Void>.Continuation
    private let transport: Transport
    private let folder: URL
    private let sender: String
    private let pauses: [TimeInterval]
    private let limit: Duration
    private let report: @Sendable (any Error) -> Void

    /// Creates a queue and resumes sending what an earlier run left.
    ///
    /// - Parameters:
    ///   - transport: The means of delivery.
    ///   - folder: The folder of waiting mails.
    ///   - sender: The sender's address.
    ///   - report: Called with each error. The errors contain no personal data.
    public convenience init(
        _ transport: Transport, in folder: URL, from sender: String, report: @escaping @Sendable (any Error) -> Void
    ) {
        self.init(transport, in: folder, from: sender, pauses: Self.pauses, report: report)
    }

    init(
        _ transport: Transport, in folder: URL, from sender: String, pauses: [TimeInterval],
        limit: Duration = .seconds(300), report: @escaping @Sendable (any Error) -> Void
    ) {
        self.transport = transport
        self.folder = folder
        self.sender = sender
        self.pauses = pauses
        self.limit = limit
        self.report = report
        let (waiting, tasks) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        self.tasks = tasks
        Task { for await task in waiting { await task() } }
        tasks.yield { [self] in await resume() }
    }

    deinit { tasks.finish() }

    public func post(_ mail: Mail) {
        let instant = Date()
        tasks.yield { [self] in
            await guarded {
                let text = MailFormat.text(of: mail, from: sender, at: instant, id: UUID())
                let stamp = instant.formatted(.iso8601.timeSeparator(.omitted))
                let letter = Letter(id: "\(stamp)-\(UUID().uuidString.prefix(8).lowercased())", tries: 0)
                try write(text, letter)
                try await send(letter)
            }
        }
    }

    /// Waits until every posted mail has been tried once.
    public func drain() async {
        await withCheckedContinuation { continuation in tasks.yield { continuation.resume() } }
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
            tasks.yield { continuation.resume(with: Result(catching: work)) }
        }
    }

    private func outboxMail(_ letter: Letter) throws -> OutboxMail {
        let mail = MailFormat.mail(of: try String(contentsOf: url(letter), encoding: .utf8))
        let values = try url(letter).resourceValues(forKeys: [.contentModificationDateKey])
        let state: OutboxMail.State =
            switch transport {
            case .folder: .stored
            case .sendmail: letter.tries > pauses.count ? .failed : .waiting(tries: letter.tries)
            }
        return OutboxMail(
            id: letter.id, to: mail.to, subject: mail.subject, at: values.contentModificationDate ?? .distantPast,
            state: state, schoolId: mail.schoolId, personId: mail.personId)
    }

    // MARK: - Files

    /// The name of a mail's file: `2026-11-21T160405Z-1a2b3c4d.2.eml` has had two attempts.
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
        // Mails contain sign-in links, so no other account may read them.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard
            FileManager.default.createFile(
                atPath: url(letter).path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
    }

    // MARK: - Sending

    private func guarded(_ work: () async throws -> Void) async {
        do { try await work() } catch { report(error) }
    }

    /// Sends what an earlier run left.
    private func resume() async {
        guard case .sendmail = transport else { return }
        await guarded {
            for letter in try files() where letter.tries <= pauses.count {
                await guarded { try await send(letter) }
            }
        }
    }

    private func send(_ letter: Letter) async throws {
        guard case .sendmail(let program) = transport else { return }
        // It may have been removed while it waited.
        guard FileManager.default.fileExists(atPath: url(letter).path) else { return }
        do {
            let end = try await ExternalProgram.run(
                program, ["-i", "-t", "-f", sender], input: url(letter), within: limit)
            guard end == .status(0) else { throw Refused(end: end) }
            try FileManager.default.removeItem(at: url(letter))
        } catch {
            report(error)
            let next = letter.again
            try FileManager.default.moveItem(at: url(letter), to: url(next))
            guard letter.tries < pauses.count else { return }
            let pause = pauses[letter.tries]
            Task { [self] in
                try await Task.sleep(for: .seconds(pause))
                tasks.yield { [self] in await guarded { try await send(next) } }
            }
        }
    }
}
