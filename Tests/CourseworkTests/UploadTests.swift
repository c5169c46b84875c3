import CourseworkModel
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Coursework

@Suite("Sending files in parts")
struct UploadTests {
    private func start(
        _ one: Assignment, _ id: UUID, _ name: String = "film.mov", size: Int, as caller: Caller,
        in fixture: CourseworkFixture
    ) async throws -> WorkUpload {
        try await fixture.school.execute(
            StartUpload.self,
            [
                "assignmentId": .id(one.id), "uploadId": .id(id), "name": .text(name),
                "size": .number(Double(size)),
            ], as: caller)
    }

    /// Adds bytes to an upload as the caller's requests do.
    private func send(
        _ bytes: [UInt8], to upload: WorkUpload, at offset: Int, as caller: Caller, in fixture: CourseworkFixture
    ) async throws {
        let route = try #require(fixture.feature.endpoints.uploads.first)
        let parameters = ["assignmentId": upload.assignmentId.text, "uploadId": upload.id.text]
        let found = try await route.upload(parameters, fixture.school.context(of: caller))
        #expect(found.size == upload.size)
        try await found.files.writer(of: found.key, at: offset).append(bytes)
    }

    private func handIn(
        _ one: Assignment, _ ids: [UUID], as caller: Caller, in fixture: CourseworkFixture
    ) async throws -> Submission {
        try await fixture.school.execute(
            HandInWork.self, ["assignmentId": .id(one.id), "uploads": .list(ids.map { .id($0) })], as: caller)
    }

    @Test("a file that arrived in parts is handed in whole, once")
    func parts() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["attempts": 0])
        let bytes = Array("A long film in two parts".utf8)
        let upload = try await start(one, UUID(), size: bytes.count, as: fixture.mia, in: fixture)
        try await send(Array(bytes[..<9]), to: upload, at: 0, as: fixture.mia, in: fixture)
        #expect(
            try await problem { _ = try await handIn(one, [upload.id], as: fixture.mia, in: fixture) }?.faults
                .first?.code == "coursework.uploadIncomplete")
        try await send(Array(bytes[9...]), to: upload, at: 9, as: fixture.mia, in: fixture)
        let made = try await handIn(one, [upload.id], as: fixture.mia, in: fixture)
        #expect(made.files.map(\.name) == ["film.mov"] && made.files.map(\.size) == [bytes.count])
        let download = try #require(fixture.feature.endpoints.downloads.first)
        let file = ["assignmentId": one.id.text, "fileId": made.files[0].id.text]
        let answer = try await download.file(file, fixture.school.context(of: fixture.teacher))
        #expect(try answer.content.bytes() == bytes)
        #expect(
            try await problem { _ = try await handIn(one, [upload.id], as: fixture.mia, in: fixture) }?.faults
                .first?.code == "coursework.uploadGone")
    }

    @Test("beginning an upload twice begins it once, and no other person can use it")
    func begunTwice() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let id = UUID()
        let upload = try await start(one, id, size: 12, as: fixture.mia, in: fixture)
        #expect(try await start(one, id, size: 12, as: fixture.mia, in: fixture) == upload)
        #expect(
            try await problem { _ = try await start(one, id, size: 13, as: fixture.mia, in: fixture) } == .notFound)
        #expect(
            try await problem { _ = try await start(one, id, size: 12, as: fixture.noah, in: fixture) } == .notFound
        )
        #expect(
            try await problem { _ = try await start(one, UUID(), size: 12, as: fixture.teacher, in: fixture) }?
                .status
                == 403)
        #expect(
            try await problem { try await send([7], to: upload, at: 0, as: fixture.noah, in: fixture) } == .notFound
        )
        #expect(
            try await problem { _ = try await handIn(one, [id], as: fixture.noah, in: fixture) }?.faults.first?.code
                == "coursework.uploadGone")
    }

    @Test("the size, the number and the kind of work are checked before a byte is sent")
    func limits() async throws {
        let fixture = try await CourseworkFixture()
        let (one, text) = (try await fixture.assign(), try await fixture.assign(with: ["kinds": .list(["text"])]))
        func refusal(_ one: Assignment, size: Int) async throws -> String? {
            let refused = try await problem {
                _ = try await start(one, UUID(), size: size, as: fixture.mia, in: fixture)
            }
            return refused?.faults.first?.code ?? refused?.code
        }
        #expect(try await refusal(one, size: 0) == "coursework.fileEmpty")
        #expect(try await refusal(one, size: SubmissionFiles.largestUpload + 1) == "coursework.fileTooLarge")
        #expect(try await refusal(text, size: 12) == "coursework.noFiles")
        for _ in 1...4 { #expect(try await refusal(one, size: SubmissionFiles.largestUpload) == nil) }
        #expect(try await refusal(one, size: 12) == "coursework.tooMuchAtOnce")
        let noah = fixture.noah
        for _ in 1...SubmissionFiles.most {
            _ = try await start(one, UUID(), size: 12, as: noah, in: fixture)
        }
        #expect(
            try await problem { _ = try await start(one, UUID(), size: 12, as: noah, in: fixture) }?.faults.first?
                .code == "coursework.tooManyFiles")
        fixture.go(to: try #require(one.dueDay).adding(days: 1), seconds: 0)
        let strict = try await fixture.assign(with: ["lateWork": "never"])
        fixture.go(to: try #require(strict.dueDay).adding(days: 1), seconds: 0)
        #expect(try await refusal(strict, size: 12) == "coursework.closed")
    }

    @Test("a file that lies about its kind is refused when it is complete")
    func liar() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let upload = try await start(one, UUID(), "essay.pdf", size: 4, as: fixture.mia, in: fixture)
        try await send(Array("MZ90".utf8), to: upload, at: 0, as: fixture.mia, in: fixture)
        #expect(
            try await problem { _ = try await handIn(one, [upload.id], as: fixture.mia, in: fixture) }?.faults
                .first?.code == "coursework.fileKind")
    }

    @Test("an upload continues only where its bytes ended, and a later request replaces an earlier one")
    func offsets() async throws {
        let files = try TestPartialFiles()
        let key = PartialFileKey(schoolId: UUID(), personId: UUID(), id: UUID())
        let first = try await files.writer(of: key, at: 0)
        try await first.append([1, 2, 3])
        await #expect(throws: PartialFileFault.otherOffset(3)) { _ = try await files.writer(of: key, at: 2) }
        let second = try await files.writer(of: key, at: 3)
        await #expect(throws: PartialFileFault.takenOver) { try await first.append([9]) }
        try await second.append([4])
        try await second.sync()
        #expect(try await files.received(key) == 4)
        #expect(try files.content(of: key).bytes() == [1, 2, 3, 4])
    }

    @Test("a full disk is a fault of the upload, and what arrived before stays")
    func fullDisk() async throws {
        let files = try TestPartialFiles(capacity: 4)
        let key = PartialFileKey(schoolId: UUID(), personId: UUID(), id: UUID())
        let writer = try await files.writer(of: key, at: 0)
        try await writer.append([1, 2, 3, 4])
        await #expect(throws: DatabaseFault.self) { try await writer.append([5]) }
        #expect(try await files.received(key) == 4)
    }

    @Test("used and expired bytes are removed after an hour, those of a person and of a school with them")
    func removal() async throws {
        let files = try TestPartialFiles()
        let (school, person) = (UUID(), UUID())
        let keys = (1...3).map { _ in PartialFileKey(schoolId: school, personId: person, id: UUID()) }
        for key in keys { try await files.writer(of: key, at: 0).append([7]) }
        try await files.remove(of: school, except: [], untouchedSince: Date(timeIntervalSinceNow: -3600))
        #expect(try await files.received(keys[0]) == 1)
        try await files.remove(of: school, except: [keys[1].id], untouchedSince: Date(timeIntervalSinceNow: 60))
        #expect(try await files.received(keys[0]) == 0)
        #expect(try await files.received(keys[1]) == 1)
        let store = files.store("test", in: "partial")
        try await store.erasePeople(ErasedPeople(schoolId: school, personIds: [UUID()]))
        #expect(try await files.received(keys[1]) == 1)
        try await store.erasePeople(ErasedPeople(schoolId: school, personIds: [person]))
        #expect(try await files.received(keys[1]) == 0)
        try await files.writer(of: keys[2], at: 0).append([7])
        try await store.eraseSchool(school)
        #expect(try await files.received(keys[2]) == 0)
    }
}
