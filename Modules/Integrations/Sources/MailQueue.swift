import Dispatch
public import FeatureKit
public import Foundation

/// Sends mails one after the other, on a thread of its own: into a folder, or through the system's `sendmail`.
public final class MailQueue: Mailer {
    public enum Way: Sendable {
        /// A readable `.eml` file per mail, for a server without mail of its own.
        case folder(URL)
        /// The path of a program that takes what `sendmail -i -t` takes.
        case sendmail(String)
    }

    /// The program that was to send ended with an error.
    struct Refused: Error, CustomStringConvertible {
        let status: Int32
        var description: String { "sendmail ended with status \(status)" }
    }

    private let queue = DispatchQueue(label: "mail")
    private let way: Way
    private let sender: String
    private let report: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - sender: the address that mails come from.
    ///   - report: told of what could not be sent; the error names nobody.
    public init(_ way: Way, from sender: String, report: @escaping @Sendable (any Error) -> Void) {
        self.way = way
        self.sender = sender
        self.report = report
    }

    public func post(_ mail: Mail) {
        let instant = Date()
        queue.async { [self] in
            do {
                try deliver(MailFormat.text(of: mail, from: sender, at: instant, id: UUID()), at: instant)
            } catch {
                report(error)
            }
        }
    }

    /// Waits until everything that was posted so far is handed over.
    public func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func deliver(_ text: String, at instant: Date) throws {
        switch way {
        case .folder(let folder):
            // Links in mails open accounts: nobody else on the machine reads them.
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let stamp = instant.formatted(.iso8601.timeSeparator(.omitted))
            let file = folder.appending(path: "\(stamp)-\(UUID().uuidString.prefix(8).lowercased()).eml")
            guard
                FileManager.default.createFile(
                    atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        case .sendmail(let path):
            // A file, not a pipe: one that ends early would end us with it, and a pipe stays open as long as any
            // program that inherited its end.
            let letter = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)")
            guard
                FileManager.default.createFile(
                    atPath: letter.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            let input = try FileHandle(forReadingFrom: letter)
            // Open it stays readable; nothing of it is left behind whatever happens.
            try FileManager.default.removeItem(at: letter)
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = ["-i", "-t", "-f", sender]
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try input.close()
            guard process.terminationStatus == 0 else { throw Refused(status: process.terminationStatus) }
        }
    }
}
