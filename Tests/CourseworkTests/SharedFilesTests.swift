import CoursesInterface
import CoursesTesting
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Coursework

@Suite("Sharing a file")
struct SharedFilesTests {
    /// A fixture with a file in Mia's draft.
    private func makeFixture() async throws -> (
        fixture: CourseworkFixture, assignment: Assignment, file: SubmittedFile
    ) {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let draft = try await fixture.saveDraft(
            one, as: fixture.mia, files: [fixture.file("notes.txt", "Samarkand")])
        return (fixture, one, draft.files[0])
    }

    private func share(
        _ file: SubmittedFile, as caller: Caller, in fixture: CourseworkFixture
    ) async throws -> FileShare {
        try await fixture.school.execute(
            ShareFile.self, ["fileId": .id(file.id), "courseId": .id(fixture.course.id)], as: caller)
    }

    private func received(_ caller: Caller, in fixture: CourseworkFixture) async throws -> [SharedFile] {
        try await fixture.school.answer(ListSharedFiles.self, as: caller).items
    }

    private func download(_ share: FileShare, as caller: Caller, in fixture: CourseworkFixture) async throws
        -> [UInt8]
    {
        let route = try #require(
            fixture.feature.endpoints.downloads.first { $0.path == "/shared-files/{shareId}/file" })
        return try await route.file(["shareId": share.id.text], fixture.school.context(of: caller)).content.bytes()
    }

    @Test("the teachers of the course find a shared file, and no one else does")
    func receivers() async throws {
        let (fixture, _, file) = try await makeFixture()
        let share = try await share(file, as: fixture.mia, in: fixture)
        #expect(try await self.share(file, as: fixture.mia, in: fixture) == share)
        for caller in [fixture.teacher, fixture.colleague] {
            #expect(try await received(caller, in: fixture).map(\.name) == ["notes.txt"])
            #expect(try await download(share, as: caller, in: fixture) == Array("Samarkand".utf8))
            #expect(try await fixture.outline(SharedFiles.path, as: caller).contains("Mia Roy"))
            #expect(try await fixture.outline("/shared-files/\(share.id.text)", as: caller).contains("Samarkand"))
        }
        #expect(try await received(fixture.stranger, in: fixture).isEmpty)
        #expect(try await problem { _ = try await download(share, as: fixture.stranger, in: fixture) } == .notFound)
        for caller in [fixture.noah, fixture.mother] {
            #expect(try await problem { _ = try await download(share, as: caller, in: fixture) } != nil)
        }
    }

    @Test("a share ends at once when the student stops it, deletes the file or leaves the course")
    func ended() async throws {
        for end in 0...2 {
            let (fixture, one, file) = try await makeFixture()
            let share = try await share(file, as: fixture.mia, in: fixture)
            switch end {
            case 0:
                let ids: [String: InputValue] = ["fileId": .id(file.id), "courseId": .id(fixture.course.id)]
                for _ in 1...2 {
                    _ = try await fixture.school.execute(StopSharingFile.self, .object(ids), as: fixture.mia)
                }
            case 1:
                _ = try await fixture.school.execute(
                    DeleteWorkFile.self, ["assignmentId": .id(one.id), "fileId": .id(file.id)], as: fixture.mia)
            default:
                let mia = CourseworkFixture.id(fixture.mia)
                try await TestCourses.remove(mia, from: fixture.course.id, fixture.school.database)
            }
            #expect(try await received(fixture.teacher, in: fixture).isEmpty)
            #expect(
                try await problem { _ = try await download(share, as: fixture.teacher, in: fixture) } == .notFound)
        }
    }

    @Test("a student shares only an own file, and only with the teachers of an own course")
    func own() async throws {
        let (fixture, _, file) = try await makeFixture()
        #expect(try await problem { _ = try await share(file, as: fixture.noah, in: fixture) } == .notFound)
        #expect(try await problem { _ = try await share(file, as: fixture.teacher, in: fixture) }?.status == 403)
        #expect(
            try await problem {
                _ = try await fixture.school.execute(
                    ShareFile.self, ["fileId": .id(file.id), "courseId": .id(UUID())], as: fixture.mia)
            }?.faults.first?.code == "coursework.shareCourse")
    }

    @Test("the page of a file shows with whom it is shared, and sharing is in the log")
    func page() async throws {
        let (fixture, _, file) = try await makeFixture()
        let path = "\(FileScreens.path)/\(file.id.text)"
        #expect(try await !fixture.outline(path, as: fixture.mia).contains("Stop sharing"))
        _ = try await share(file, as: fixture.mia, in: fixture)
        #expect(try await fixture.outline(path, as: fixture.mia).contains("Stop sharing"))
        let logged = try await fixture.school.changes().last
        #expect(logged?.change.kind == "coursework.shared")
        #expect(logged?.change.payload["course"] == fixture.course.id.text)
    }

    @Test("an erased student's shares are gone")
    func erased() async throws {
        let (fixture, _, file) = try await makeFixture()
        _ = try await share(file, as: fixture.mia, in: fixture)
        let table = try #require(ShareRepository.records.tables.first)
        let erase = try #require(table.erase)
        let subject = RecordSubject(
            schoolId: UUID(), personId: CourseworkFixture.id(fixture.mia), accountId: nil, placeholder: "Erased")
        try await fixture.school.database.write { sql in try sql.execute(erase(subject)) }
        let left = try await fixture.school.database.read {
            try ShareRepository.shares(with: [fixture.course.id], in: $0)
        }
        #expect(left.isEmpty)
    }
}
