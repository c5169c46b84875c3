import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Integrations

@Suite("Email")
struct MailTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    let mail = Mail(
        to: "ana@maple.example", subject: "Un nouveau mot de passe — Élèves d’ici", text: "Bonjour,\n\nçà & là 大翔\n"
    )

    @Test("an email is written in the format of RFC 5322, with readable text")
    func format() {
        let text = MailFormat.text(
            of: mail, from: "tower@maple.example", at: Date(timeIntervalSince1970: 1_795_277_045), id: UUID())
        let halves = text.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
        #expect(halves.count == 2)
        #expect(halves[0].contains("To: <ana@maple.example>\r\n"))
        #expect(halves[0].contains("Date: Sat, 21 Nov 2026 16:04:05 +0000\r\n"))
        #expect(halves[0].utf8.allSatisfy { $0 < 0x80 })
        #expect(halves[0].components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 78 })
        #expect(halves[1] == "Bonjour,\r\n\r\nçà & là 大翔\r\n\r\n")
        #expect(!text.replacingOccurrences(of: "\r\n", with: "").contains("\n"))
    }

    @Test("an email with a file has the text first and the file in base64, under its name in any script")
    func attachment() throws {
        let bytes = (0..<300).map { UInt8($0 % 256) }
        let sent = Mail(
            to: "ana@maple.example", subject: "Relevé", text: "Bonjour,\n\nçà & là", schoolId: UUID(),
            attachment: MailAttachment(name: "Relevé \"Zoë\" 李.pdf", contentType: "application/pdf", bytes: bytes))
        let text = MailFormat.text(of: sent, from: "tower@maple.example", at: Date(), id: UUID())
        #expect(text.contains("filename*=utf-8''Relev%C3%A9%20%22Zo%C3%AB%22%20%E6%9D%8E%2Epdf"))
        let parts = text.components(separatedBy: "\r\n\r\n")
        let content = try #require(parts.last?.components(separatedBy: "\r\n--").first)
        #expect(Data(base64Encoded: content, options: .ignoreUnknownCharacters) == Data(bytes))
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 78 })
        let read = MailFormat.mail(of: text)
        #expect(read.text.hasPrefix(sent.text) && !read.text.contains("base64"))
        #expect(read.to == sent.to && read.subject == sent.subject && read.schoolId == sent.schoolId)
    }

    @Test("a header cannot inject another one")
    func injection() {
        let hostile = Mail(
            to: "a@b.example>\r\nBcc: <eve@evil.example", subject: "x\r\nBcc: eve@evil.example", text: "t")
        let text = MailFormat.text(of: hostile, from: "tower@maple.example", at: Date(), id: UUID())
        #expect(!text.contains("\nBcc"))
    }

    @Test("an email becomes a file that no other account can read")
    func outbox() async throws {
        let outbox = folder.url.appending(path: "outbox")
        let queue = MailQueue(.folder, in: outbox, from: "tower@maple.example") { Issue.record($0) }
        for _ in 0..<3 { queue.post(mail) }
        await queue.drain()
        let files = try FileManager.default.contentsOfDirectory(atPath: outbox.path)
        #expect(files.count == 3 && files.allSatisfy { $0.hasSuffix(".eml") })
        let first = outbox.appending(path: try #require(files.first)).path
        let rights = try FileManager.default.attributesOfItem(atPath: first)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        #expect(try String(contentsOfFile: first, encoding: .utf8).contains("大翔"))
    }

    @Test("sendmail gets the whole email, and a failure is reported and stops nothing")
    func sendmail() async throws {
        let got = folder.file("got")
        let program = folder.file("sendmail")
        let script = folder.file("script")
        try Data("#!/bin/sh\ncat > '\(got.path)'\necho \"$@\" > '\(got.path).args'\n".utf8).write(to: script)
        // Another process writes the script: a program that this process has open for writing could not be started.
        let install = try Process.run(
            URL(filePath: "/usr/bin/install"), arguments: ["-m", "700", script.path, program.path])
        install.waitUntilExit()
        let queue = MailQueue(
            .sendmail(program.path), in: folder.file("out"), from: "tower@maple.example"
        ) { Issue.record($0) }
        queue.post(mail)
        await queue.drain()
        #expect(try String(contentsOf: got, encoding: .utf8).hasSuffix("çà & là 大翔\r\n\r\n"))
        #expect(try String(contentsOfFile: got.path + ".args", encoding: .utf8) == "-i -t -f tower@maple.example\n")
        #expect(try await queue.mails().isEmpty, "what was sent is not kept")
    }

    @Test("a failed email is retried and shown as failed in the end")
    func retries() async throws {
        let failures = Mutex(0)
        let broken = MailQueue(
            .sendmail("/bin/false"), in: folder.file("out"), from: "tower@maple.example", pauses: [3600]
        ) { _ in failures.withLock { $0 += 1 } }
        broken.post(mail)
        await broken.drain()
        let waiting = try #require(try await broken.mails().first)
        #expect(waiting.state == .waiting(tries: 1))
        #expect(waiting.subject == mail.subject && waiting.to == mail.to)
        #expect(try await broken.mail(waiting.id)?.1.text.contains("大翔") == true)
        #expect(try await broken.mail("../../etc/passwd") == nil)

        // The next start retries it; the second failure is the last.
        let restarted = MailQueue(
            .sendmail("/nowhere/sendmail"), in: folder.file("out"), from: "tower@maple.example", pauses: [3600]
        ) { _ in failures.withLock { $0 += 1 } }
        await restarted.drain()
        #expect(try await restarted.mails().map(\.state) == [.failed])
        #expect(failures.withLock { $0 } == 2)

        // A working server does not send either of them again.
        let working = MailQueue(
            .sendmail("/bin/true"), in: folder.file("out"), from: "tower@maple.example", pauses: [3600]
        ) { Issue.record($0) }
        await working.drain()
        #expect(try await working.mails().map(\.state) == [.failed])
    }

    @Test("a waiting email can be removed, and its next attempt finds nothing")
    func removal() async throws {
        let queue = MailQueue(
            .sendmail("/bin/false"), in: folder.file("out"), from: "tower@maple.example", pauses: [0.2, 3600]
        ) { error in
            if !(error is MailQueue.Refused) { Issue.record(error) }
        }
        queue.post(mail)
        queue.post(Mail(to: "ben@maple.example", subject: "s", text: "t"))
        await queue.drain()
        try await queue.remove { $0.to == "ana@maple.example" }
        #expect(try await queue.mails().map(\.to) == ["ben@maple.example"])
        // The other mail's second attempt comes after the removed one's would have.
        while try await queue.mails().map(\.state) != [.waiting(tries: 2)] { await Task.yield() }
    }

    @Test("a program that hangs is killed after its time")
    func hanging() async throws {
        let tail = "/usr/bin/tail"  // `tail -f` waits for ever for more of its file
        for (arguments, end) in [
            (["-f", "/dev/null"], ExternalProgram.End.timeout), (["-q", "/dev/null"], .status(0)),
            (["--no-such-option"], .status(1)),
        ] {
            let started = ContinuousClock.now
            let got = try await ExternalProgram.run(
                tail, arguments, input: folder.url, within: .seconds(end == .timeout ? 0.2 : 60))
            #expect(got == end)
            #expect(ContinuousClock.now - started < .seconds(30), "\(arguments) was not ended")
        }
    }

    @Test("an email that waited through a restart is sent once sending works again")
    func restart() async throws {
        let out = folder.file("out")
        let broken = MailQueue(.sendmail("/bin/false"), in: out, from: "tower@maple.example", pauses: [3600]) { _ in
        }
        broken.post(mail)
        await broken.drain()
        let working = MailQueue(.sendmail("/bin/true"), in: out, from: "tower@maple.example", pauses: [3600]) {
            Issue.record($0)
        }
        await working.drain()
        #expect(try await working.mails().isEmpty)
    }
}
