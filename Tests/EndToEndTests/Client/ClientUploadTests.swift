import Client
import Domain
import Foundation
import HummingbirdTesting
import NIOCore
import ServerProcess
import TestKit
import Testing

/// Large files of forms from the client to the real server, over a network that breaks.
@Suite("Large files from a client", .serialized)
@MainActor
struct ClientUploadTests {
    /// A student's device behind a network of its own.
    @MainActor
    private struct StudentDevice {
        let store: AppStore

        init(_ proxy: FaultyProxy, _ email: String, _ folder: TemporaryFolder) async throws {
            let home = folder.url.appending(path: "phone")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let auth = try LiveAuthManager(
                server: try proxy.url, storage: SessionFile(home.appending(path: "session")))
            if !auth.isAuthenticated {
                let result = try await auth.signIn(email: email, password: Tower.password)
                try #require(result == .signedIn)
            }
            store = try await AppStore.open(
                api: LiveAPIManager(server: try proxy.url, auth: auth), auth: auth,
                storage: ClientStorage(folder: home),
                environment: ClientEnvironment(
                    backoff: Backoff(first: 0.05, longest: 0.5), timeZone: RealServer.daytime))
            store.start()
        }
    }

    @Test(
        "a film of 20 MB arrives whole over a network that breaks in the middle of parts, also when the app is ended",
        .timeLimit(.minutes(3)))
    func film() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let student = try await tower.student(of: sample)
            let port = try #require(tower.client.port)
            try await Self.send(port, student.email, sample.assignmentId)
            let work = try await tower.get(
                "/api/v1/assignments/\(sample.assignmentId)/submissions", as: student.bearer
            ).json()
            let submission = try #require(work.list("items").first as? [String: Any], "\(work)")
            let files = try #require(submission["files"] as? [[String: Any]])
            let fileId = try #require(files.first?["id"] as? String)
            let saved = try await tower.get(
                "/assignments/\(sample.assignmentId)/files/\(fileId)", as: student.bearer)
            #expect(saved.body.readableBytes == Self.film.count)
            #expect(Data(saved.body.readableBytesView) == Self.film)
        }
    }

    private nonisolated static let film = Data(
        (0..<20 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    /// Hands a film in from a device.
    private static func send(_ port: Int, _ email: String, _ assignmentId: String) async throws {
        let folder = try TemporaryFolder()
        let proxy = try FaultyProxy(to: port)
        defer { proxy.close() }
        let file = folder.url.appending(path: "film.mov")
        try film.write(to: file)
        let first = try await StudentDevice(proxy, email, folder)
        proxy.set(.cut)
        let command = PageCommand(
            path: "/api/v1/assignments/\(assignmentId)/submissions", fields: [:], key: UUID().uuidString)
        let result = try await first.store.pageStore.run(
            command, files: ["files": [FormFile(name: "film.mov", mediaType: "video/quicktime", content: file)]],
            uploads: "/api/v1/assignments/\(assignmentId)/uploads", isQueued: true)
        #expect(result == .waits)
        try FileManager.default.removeItem(at: file)

        proxy.set(.halved)
        first.store.retry()
        try await settled { proxy.parts >= 9 }
        // The app ends in the middle.
        first.store.stop()
        proxy.set(.cut)
        #expect(first.store.syncSummary.unsent == 1)
        let before = proxy.parts
        let device = try await StudentDevice(proxy, email, folder)
        proxy.set(.halved)
        device.store.retry()
        try await settled { device.store.syncSummary.unsent == 0 }
        device.store.stop()
        #expect(device.store.notices.isEmpty)
        // 20 parts, of which every second was sent a second time from its middle: nothing begins anew.
        #expect(proxy.parts - before < 30, "\(proxy.parts) parts, \(before) of them before the app ended")
    }
}
