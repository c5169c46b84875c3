import CourseworkModel
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Coursework

@Suite("Spoken comments")
struct SpokenCommentTests {
    private let sound = UploadedFile(
        name: "voice", contentType: "audio/ogg", bytes: Array("OggS and a good essay".utf8))

    private func ids(_ one: Assignment, _ student: Caller) -> [String: InputValue] {
        ["assignmentId": .id(one.id), "studentId": .id(CourseworkFixture.id(student))]
    }

    private func record(
        _ fixture: CourseworkFixture, _ one: Assignment, _ file: UploadedFile? = nil, seconds: Double = 12,
        as caller: Caller? = nil
    ) async throws {
        var fields = ids(one, fixture.mia)
        fields["audio"] = .list([.file(file ?? sound)])
        fields["seconds"] = .number(seconds)
        _ = try await fixture.school.execute(RecordComment.self, .object(fields), as: caller ?? fixture.teacher)
    }

    private func stored(_ fixture: CourseworkFixture, _ one: Assignment) async throws -> SpokenComment? {
        let mia = CourseworkFixture.id(fixture.mia)
        return try await fixture.school.database.read {
            try SpokenCommentRepository.comment(of: one.id, for: mia, in: $0)
        }
    }

    private func hear(
        _ comment: SpokenComment, _ fixture: CourseworkFixture, as caller: Caller
    ) async throws -> DownloadedFile {
        let route = try #require(fixture.feature.endpoints.downloads.first { $0.path.contains("/comments/") })
        return try await route.file(
            [
                "assignmentId": comment.assignmentId.text, "studentId": comment.studentId.text,
                "hash": comment.audio.text,
            ], fixture.school.context(of: caller))
    }

    @Test("a recorded comment is heard by the family once the work is returned, and before by teachers only")
    func hidden() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.handIn(one, as: fixture.mia)
        let told = try await fixture.told(fixture.mia)
        try await record(fixture, one)
        try await fixture.mark(one, fixture.mia, "15")
        let comment = try #require(try await stored(fixture, one))
        #expect(try await fixture.told(fixture.mia) == told)
        let marking = AssignmentScreens.marking(one.id, CourseworkFixture.id(fixture.mia))
        #expect(try await fixture.outline(marking, as: fixture.teacher).contains(comment.path))
        #expect(try await hear(comment, fixture, as: fixture.colleague).contentType == "audio/ogg")
        for caller in [fixture.mia, fixture.mother] {
            #expect(
                try await !fixture.outline(AssignmentScreens.path(one.id), as: caller).contains("Recorded comment"))
            #expect(try await problem { _ = try await hear(comment, fixture, as: caller) } == .notFound)
        }
        let subject = RecordSubject(
            schoolId: fixture.school.organization.id, personId: CourseworkFixture.id(fixture.mia), accountId: nil,
            placeholder: "Someone")
        let table = try #require(SpokenCommentRepository.records.tables.first)
        func exported() async throws -> Int {
            try await fixture.school.database.read { sql in
                try table.about.map { try sql.rows($0(subject)).count } ?? -1
            }
        }
        #expect(try await exported() == 0)
        _ = try await fixture.returnAll(one)
        #expect(try await exported() == 1)
        for caller in [fixture.mia, fixture.mother] {
            #expect(try await fixture.outline(AssignmentScreens.path(one.id), as: caller).contains(comment.path))
            #expect(try await hear(comment, fixture, as: caller).contentType == "audio/ogg")
        }
        for caller in [fixture.noah, fixture.stranger] {
            #expect(try await problem { _ = try await hear(comment, fixture, as: caller) } == .notFound)
        }
        let erase = try #require(table.erase)
        try await fixture.school.database.write { try $0.execute(erase(subject)) }
        #expect(try await stored(fixture, one) == nil)
    }

    @Test("another recording takes the place of the first, and a deleted one is gone")
    func replaced() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await record(fixture, one)
        let first = try #require(try await stored(fixture, one))
        try await record(
            fixture, one,
            UploadedFile(name: "a.wav", contentType: "audio/wav", bytes: Array("RIFF0000WAVE and more".utf8)),
            as: fixture.colleague)
        let second = try #require(try await stored(fixture, one))
        #expect(second.media == .wav && second.audio != first.audio)
        #expect(try await problem { _ = try await hear(first, fixture, as: fixture.teacher) } == .notFound)
        for expected in [nil, 404] {
            let refused = try await problem {
                _ = try await fixture.school.execute(
                    DeleteComment.self, .object(ids(one, fixture.mia)), as: fixture.teacher)
            }
            #expect(refused?.status == expected)
        }
        try await record(fixture, one)
        try await fixture.school.database.write { try AssignmentRepository.delete(one.id, in: $0) }
        #expect(try await stored(fixture, one) == nil)
    }

    @Test("files that are no sound, too large or too long, and those of others, are refused with a sentence")
    func refused() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let words = try fixture.school.environment.words()
        let large = UploadedFile(
            name: "a.ogg", contentType: "audio/ogg",
            bytes: Array("OggS".utf8) + [UInt8](repeating: 7, count: SpokenComment.bytes))
        for (file, code) in [
            (fixture.file("a.ogg", "<svg>"), "coursework.notSound"),
            (fixture.file("a.ogg", ""), "coursework.notSound"),
            (large, "coursework.soundTooLarge"),
        ] {
            let refused = try await problem { try await record(fixture, one, file) }
            #expect(refused?.faults.map(\.code) == [code] && refused?.sentence(words).isEmpty == false)
        }
        #expect(
            try await problem { try await record(fixture, one, seconds: 301) }?.faults.map(\.field) == ["seconds"])
        for caller in [fixture.mia, fixture.mother, fixture.stranger] {
            let refused = try await problem { try await record(fixture, one, as: caller) }
            #expect([403, 404].contains(refused?.status))
        }
        #expect(try await stored(fixture, one) == nil)
    }
}
