import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Coursework

@Suite("Files of an assignment's instructions")
struct AssignmentFilesTests {
    @discardableResult
    private func add(
        _ files: [UploadedFile], to one: Assignment, as caller: Caller? = nil, in fixture: CourseworkFixture
    ) async throws -> [SubmittedFile] {
        try await fixture.school.execute(
            AddAssignmentFiles.self, ["assignmentId": .id(one.id), "files": .list(files.map { .file($0) })],
            as: caller ?? fixture.teacher
        ).items
    }

    private func listed(_ id: UUID, as caller: Caller, in fixture: CourseworkFixture) async throws
        -> [SubmittedFile]
    {
        try await fixture.school.answer(ListAssignmentFiles.self, ["assignmentId": .id(id)], as: caller).items
    }

    private func download(
        _ file: SubmittedFile, of one: Assignment, as caller: Caller, in fixture: CourseworkFixture
    ) async throws -> DownloadedFile {
        let route = try #require(
            fixture.feature.endpoints.downloads.first { $0.path.hasSuffix("/attachments/{fileId}") })
        let parameters = ["assignmentId": one.id.text, "fileId": file.id.text]
        return try await route.file(parameters, fixture.school.context(of: caller))
    }

    @Test("students and parents see, preview and download the files of an assignment, and others do not")
    func readers() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Silk road")
        let files = try await add(
            [fixture.file("Été #1.txt", "Samarkand"), fixture.file("map.pdf", "%PDF-1.7")], to: one, in: fixture)
        #expect(files.map(\.name) == ["Été #1.txt", "map.pdf"])
        for caller in [fixture.mia, fixture.mother, fixture.colleague, fixture.admin] {
            #expect(try await listed(one.id, as: caller, in: fixture) == files)
            let answer = try await download(files[0], of: one, as: caller, in: fixture)
            #expect(try answer.content.bytes() == Array("Samarkand".utf8))
            #expect(answer.use == .attachment(name: "Été #1.txt"))
            let page = try await fixture.outline(AssignmentScreens.path(one.id), as: caller)
            #expect(page.contains("map.pdf") && page.contains("Samarkand"))
        }
        #expect(
            try await problem { _ = try await download(files[0], of: one, as: fixture.stranger, in: fixture) }
                == .notFound)
        let other = try await fixture.assign("Other")
        #expect(
            try await problem { _ = try await download(files[0], of: other, as: fixture.mia, in: fixture) }
                == .notFound)
    }

    @Test("students see no files of a draft, and the student for whom an assignment is not sees none")
    func hidden() async throws {
        let fixture = try await CourseworkFixture()
        let draft = try await fixture.assign(published: false)
        let chosen = try await fixture.assign(with: ["students": .list([.id(CourseworkFixture.id(fixture.mia))])])
        for (one, caller) in [(draft, fixture.mia), (chosen, fixture.noah)] {
            let file = try await add([fixture.file("a.txt")], to: one, in: fixture)[0]
            #expect(try await problem { _ = try await listed(one.id, as: caller, in: fixture) } == .notFound)
            #expect(
                try await problem { _ = try await download(file, of: one, as: caller, in: fixture) } == .notFound)
        }
    }

    @Test("only those who lead the course add and delete files, and each change is in the log")
    func editors() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let file = try await add([fixture.file("a.txt")], to: one, in: fixture)[0]
        for caller in [fixture.mia, fixture.mother, fixture.stranger] {
            #expect(
                try await problem { try await add([fixture.file("b.txt")], to: one, as: caller, in: fixture) }
                    != nil)
            #expect(
                try await problem {
                    _ = try await fixture.school.execute(
                        DeleteAssignmentFile.self, ["assignmentId": .id(one.id), "fileId": .id(file.id)], as: caller
                    )
                } != nil)
        }
        _ = try await fixture.school.execute(
            DeleteAssignmentFile.self, ["assignmentId": .id(one.id), "fileId": .id(file.id)], as: fixture.colleague)
        #expect(try await listed(one.id, as: fixture.mia, in: fixture).isEmpty)
        let kinds = try await fixture.school.changes().map(\.change.kind)
        #expect(kinds.count { $0 == "coursework.filesChanged" } == 2)
    }

    @Test("empty files, files that lie about their kind and too many files are refused")
    func refused() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        for (file, code) in [
            (fixture.file("a.txt", ""), "coursework.fileEmpty"),
            (fixture.file("a.pdf", "MZ"), "coursework.fileKind"),
        ] {
            #expect(try await problem { try await add([file], to: one, in: fixture) }?.faults.first?.code == code)
        }
        for _ in 1...2 { try await add((1...10).map { fixture.file("\($0).txt") }, to: one, in: fixture) }
        #expect(
            try await problem { try await add([fixture.file("21.txt")], to: one, in: fixture) }?.faults.first?.code
                == "coursework.tooManyAttachments")
    }

    @Test("a copy has the files too, and deleting one assignment leaves the files of the other")
    func copy() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await add([fixture.file("a.txt", "Map"), fixture.file("b.txt")], to: one, in: fixture)
        let copy = try await fixture.school.execute(
            CopyAssignment.self, ["assignmentId": .id(one.id), "courseId": .id(fixture.course.id)],
            as: fixture.teacher)
        let files = try await listed(copy.id, as: fixture.teacher, in: fixture)
        #expect(files.map(\.name) == ["a.txt", "b.txt"])
        _ = try await fixture.school.execute(
            DeleteAssignment.self, ["assignmentId": .id(one.id)], as: fixture.teacher)
        let answer = try await download(files[0], of: copy, as: fixture.teacher, in: fixture)
        #expect(try answer.content.bytes() == Array("Map".utf8))
        let left = try await fixture.school.database.read {
            try AssignmentFileRepository.files(of: one.id, in: $0)
        }
        #expect(left.isEmpty)
    }

    @Test("the files count for the limit of the school")
    func storage() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        _ = try await fixture.school.execute(SetStorageLimits.self, ["schoolMegabytes": 1], as: fixture.admin)
        let half = String(repeating: "m", count: 600 << 10)
        try await add([fixture.file("a.txt", half)], to: one, in: fixture)
        #expect(
            try await problem { try await add([fixture.file("b.txt", half)], to: one, in: fixture) }?.faults.first?
                .code == "coursework.schoolFull")
        #expect(
            try await problem {
                _ = try await fixture.school.execute(
                    CopyAssignment.self, ["assignmentId": .id(one.id), "courseId": .id(fixture.course.id)],
                    as: fixture.teacher)
            }?.faults.first?.code == "coursework.schoolFull")
    }
}
