import Client
import Domain
import Foundation
import Synchronization
import TestKit
import Testing

/// Forms with files that wait for the network, and large files that are sent in parts.
@Suite("Files of forms on a device")
@MainActor
struct WaitingFileTests {
    private static let path = "/api/v1/students/7/capture"
    private nonisolated static let uploads = "/api/v1/assignments/7/uploads"

    private static func command(_ text: String = "Late & sorry", key: String = UUID().uuidString) -> PageCommand {
        PageCommand(path: path, fields: ["note": text], key: key)
    }

    /// A person's device with a folder of its own, and a folder for what they choose.
    @MainActor
    private struct Visit {
        let folder: TemporaryFolder
        let auth: FakeAuth
        let device: Device

        init(
            _ folder: TemporaryFolder? = nil, auth: FakeAuth? = nil, bounds: MemoryBounds = MemoryBounds()
        ) async throws {
            let (folder, auth) = (try folder ?? TemporaryFolder(), auth ?? FakeAuth())
            (self.folder, self.auth) = (folder, auth)
            device = try await Device(
                auth: auth, storage: ClientStorage(folder: folder.url.appending(path: "client")), bounds: bounds)
        }

        func photo(_ name: String, _ content: String) throws -> FormFile {
            let file = folder.url.appending(path: name)
            try Data(content.utf8).write(to: file)
            return FormFile(name: name, mediaType: "image/jpeg", content: file)
        }

        /// The copies of files on the device.
        var copies: [String] {
            get throws {
                let place = folder.url.appending(path: "client")
                return try FileManager.default.subpathsOfDirectory(atPath: place.path)
                    .filter { $0.contains(".files/") }
            }
        }

        func give(_ command: PageCommand, _ files: [FormFile] = [], uploads: String? = nil) async throws
            -> PageCommandResult
        {
            try await device.store.pageStore.run(
                command, files: ["photos": files], uploads: uploads, isQueued: true)
        }
    }

    /// The bodies of a route, which a server reads while a request lasts.
    private final class Bodies: Sendable {
        private let all = Mutex<[String]>([])
        var texts: [String] { all.withLock { $0 } }

        func take(_ request: APIRequest) throws -> Data {
            let body =
                try request.bodyFile.map { try Data(contentsOf: $0) } ?? request.body ?? Data()
            all.withLock { $0.append(String(decoding: body, as: UTF8.self)) }
            return Data("{}".utf8)
        }
    }

    // MARK: - Waiting

    @Test("a form with a photo waits with a copy of it over a restart, is sent in its order, and the copy is gone")
    func waits() async throws {
        let visit = try await Visit()
        visit.device.api.on("POST \(Self.path)", failing: offline)
        let photo = try visit.photo("a.jpg", "the first picture")
        #expect(try await visit.give(Self.command("with a photo"), [photo]) == .waits)
        #expect(try await visit.give(Self.command("without one")) == .waits)
        try FileManager.default.removeItem(at: photo.content)
        let copy = try #require(try visit.copies.first)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: visit.folder.url.appending(path: "client/\(copy)").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        visit.device.store.stop()

        let next = try await Visit(visit.folder, auth: visit.auth)
        #expect(try next.copies == [copy])
        let bodies = Bodies()
        next.device.api.on("POST \(Self.path)") { try bodies.take($0) }
        next.device.store.retry()
        try await eventually { next.device.store.syncSummary.unsent == 0 }
        #expect(bodies.texts.count == 2)
        #expect(bodies.texts[0].contains("the first picture") && bodies.texts[0].contains("filename=\"a.jpg\""))
        #expect(bodies.texts[0].contains("with a photo") && bodies.texts[1].contains("without"))
        #expect(try next.copies == [])
    }

    @Test("after a refusal the copy is gone, and the texts and the names of the files are in the notice")
    func refused() async throws {
        let visit = try await Visit()
        visit.device.api.on("POST \(Self.path)", failing: offline)
        let files = [try visit.photo("a.jpg", "one"), try visit.photo("b.jpg", "two")]
        _ = try await visit.give(Self.command(), files)
        #expect(try visit.copies.count == 2)
        visit.device.api.on("POST \(Self.path)", failing: refusal(422, "invalid"))
        visit.device.store.retry()
        try await eventually { visit.device.store.syncSummary.unsent == 0 }
        #expect(try visit.copies == [])
        #expect(
            visit.device.store.notices.first?.localText == ["note": "Late & sorry", "photos": "a.jpg, b.jpg"])

        // While the person waits for the answer, the form has everything, and the original stays.
        await #expect(throws: StoreError.self) { try await visit.give(Self.command(), files) }
        #expect(try visit.copies == [])
        #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0.content.path) })
    }

    @Test("signing out deletes the copies, and a start deletes those without a command")
    func cleared() async throws {
        let visit = try await Visit()
        let account = try #require(visit.auth.userId)
        visit.device.api.on("POST \(Self.path)", failing: offline)
        _ = try await visit.give(Self.command(), [try visit.photo("a.jpg", "one")])
        visit.device.store.stop()
        // The app ended after another copy was made, before its command was stored.
        let place = visit.folder.url.appending(path: "client/\(account.text).files")
        try Data("lost".utf8).write(to: place.appending(path: UUID().text))
        #expect(try visit.copies.count == 2)
        let next = try await Visit(visit.folder, auth: visit.auth)
        #expect(try next.copies.count == 1)
        try await next.device.store.signOut(discardingUnsent: true)
        #expect(try next.copies == [])
    }

    @Test("files that are too large to wait are sent at once, and without a network the person learns the limit")
    func limits() async throws {
        let bounds = MemoryBounds(formFileBytes: 2 << 20, waitingFileBytes: 3 << 20)
        let visit = try await Visit(bounds: bounds)
        let two = String(repeating: "x", count: 2 << 20)
        let (large, fitting) = (try visit.photo("l.jpg", two + "x"), try visit.photo("f.jpg", two))
        let bodies = Bodies()
        visit.device.api.on("POST \(Self.path)") { try bodies.take($0) }
        #expect(try await visit.give(Self.command(), [large]) == .answered(PageCommandAnswer()))
        #expect(bodies.texts.count == 1)

        visit.device.api.on("POST \(Self.path)", failing: offline)
        await #expect(throws: StoreError.filesTooLarge(2)) { try await visit.give(Self.command(), [large]) }
        #expect(try await visit.give(Self.command(), [fitting]) == .waits)
        await #expect(throws: StoreError.tooManyFilesWait(3)) { try await visit.give(Self.command(), [fitting]) }
        #expect(try visit.copies.count == 1)
        #expect(visit.device.store.syncSummary.unsent == 1, "what does not wait is not in the queue")
        let (english, french) = (ClientWords.words(.english), ClientWords.words(.french))
        for error in [StoreError.filesTooLarge(300), .tooManyFilesWait(600)] {
            #expect(error.message(english).contains("00 MB") && error.message(french).contains("00 Mo"))
        }
    }

    @Test("a file that cannot be read is an error of the form, and nothing waits")
    func unreadable() async throws {
        let visit = try await Visit()
        let photo = try visit.photo("a.jpg", "one")
        try FileManager.default.removeItem(at: photo.content)
        await #expect(throws: StoreError.self) { try await visit.give(Self.command(), [photo]) }
        #expect(visit.device.store.syncSummary.unsent == 0)
        #expect(try visit.copies == [])
    }

    // MARK: - Parts

    /// A server that takes a file in parts. It forgets answers and takes part of a part, as a network does that breaks.
    private final class PartServer: Sendable {
        private struct State {
            var id = ""
            var size = 0
            var bytes = Data()
            var starts = 0
            var parts = 0
        }
        private let state = Mutex(State())

        var bytes: Data { state.withLock { $0.bytes } }
        var parts: Int { state.withLock { $0.parts } }
        var id: String { state.withLock { $0.id } }
        var starts: Int { state.withLock { $0.starts } }

        /// - Parameter cuts: The numbers of the parts whose second half and answer are lost.
        func script(_ api: FakeAPI, cuts: Set<Int> = []) {
            struct Start: Decodable {
                let uploadId: String
                let name: String
                let size: Int
            }
            api.on("POST \(WaitingFileTests.uploads)") { [self] request in
                let start = try JSONDecoder().decode(Start.self, from: request.body ?? Data())
                state.withLock { state in
                    if state.id != start.uploadId { state.bytes = Data() }
                    (state.id, state.size) = (start.uploadId, start.size)
                    state.starts += 1
                }
                let place = "\(WaitingFileTests.uploads)/\(start.uploadId)"
                func tell() { api.on("HEAD \(place)", headers: ["upload-offset": "\(bytes.count)"]) }
                tell()
                api.on("HEAD \(place)") { request in
                    #expect(request.headers["Tus-Resumable"] == "1.0.0")
                    return Data()
                }
                api.on("PATCH \(place)") { [self] request in
                    #expect(request.contentType == "application/offset+octet-stream")
                    let isCut = try state.withLock { state in
                        guard request.headers["Upload-Offset"] == "\(state.bytes.count)" else {
                            throw refusal(409, "uploadOffset")
                        }
                        state.parts += 1
                        let body = request.body ?? Data()
                        let isCut = cuts.contains(state.parts)
                        state.bytes += isCut ? body.prefix(body.count / 2) : body
                        return isCut
                    }
                    api.on("HEAD \(place)", headers: ["upload-offset": "\(bytes.count)"])
                    api.on("PATCH \(place)", headers: ["upload-offset": "\(bytes.count)"])
                    if isCut { throw offline }
                    return Data()
                }
                return Data("{}".utf8)
            }
        }
    }

    @Test("a large file goes in parts before its form, goes on after cuts and a restart, and the form names it")
    func parts() async throws {
        let visit = try await Visit()
        let content = String(repeating: "0123456789 abcdefghijklmnopqrstuvwxyz, ", count: 100_000)
        let server = PartServer()
        server.script(visit.device.api, cuts: [2, 3])
        let bodies = Bodies()
        visit.device.api.on("POST \(Self.path)") { try bodies.take($0) }
        let files = [try visit.photo("film.mov", content), try visit.photo("small.jpg", "small")]
        #expect(try await visit.give(Self.command(), files, uploads: Self.uploads) == .waits)
        #expect(server.parts == 2 && bodies.texts.isEmpty)
        let id = server.id
        visit.device.store.stop()

        let next = try await Visit(visit.folder, auth: visit.auth)
        server.script(next.device.api, cuts: [3])
        next.device.api.on("POST \(Self.path)") { try bodies.take($0) }
        next.device.store.retry()
        try await eventually { server.parts == 3 }
        try await eventually {
            // While the attempt that is cut has not ended, this does nothing.
            next.device.store.retry()
            return next.device.store.syncSummary.unsent == 0
        }
        // As a value of its own: a failure would print megabytes.
        let isWhole = server.bytes == Data(content.utf8)
        #expect(isWhole)
        #expect(server.id == id && server.starts == 3)
        let body = try #require(bodies.texts.first)
        #expect(bodies.texts.count == 1 && body.utf8.count < 2000)
        #expect(body.contains("small.jpg") && !body.contains("film.mov"))
        #expect(body.contains("name=\"uploads\"\r\n\r\n\(id)\r\n"))
        #expect(try next.copies == [])
    }

    @Test("a form that does not wait goes on after a cut by itself, and after another tap where it was")
    func direct() async throws {
        let visit = try await Visit()
        let content = String(repeating: "film", count: 800_000)
        let server = PartServer()
        server.script(visit.device.api, cuts: [1, 2, 3, 4])
        let bodies = Bodies()
        visit.device.api.on("POST \(Self.path)") { try bodies.take($0) }
        let files = ["files": [try visit.photo("film.mov", content)]]
        let sleep = visit.device.sleep
        let waker = Task {
            while !Task.isCancelled {
                sleep.fire()
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        defer { waker.cancel() }
        await #expect(throws: StoreError.notSent) {
            try await visit.device.store.pageStore.run(
                Self.command(), files: files, uploads: Self.uploads, isQueued: false)
        }
        #expect(server.parts == 4 && sleep.waits.suffix(3) == [0.5, 2, 8])
        _ = try await visit.device.store.pageStore.run(
            Self.command(), files: files, uploads: Self.uploads, isQueued: false)
        let isWhole = server.bytes == Data(content.utf8)
        #expect(isWhole && server.parts <= 8)
        // Without small files it is a plain form.
        #expect(bodies.texts.first?.contains("uploads=\(server.id.replacing("-", with: "%2D"))") == true)
    }
}
