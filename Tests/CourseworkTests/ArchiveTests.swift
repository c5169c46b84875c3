import CourseworkModel
import Domain
import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Coursework

@Suite("Downloading all submissions")
struct ArchiveTests {
    private final class Received: Sendable {
        private let bytes = Mutex(Data())
        func append(_ more: Data) { bytes.withLock { $0.append(more) } }
        var lines: [String] {
            bytes.withLock { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) }
        }
    }

    private func lines(
        _ one: Assignment, as caller: Caller, in fixture: CourseworkFixture
    ) async throws -> (name: DownloadedFile.Use, lines: [String]) {
        let route = try #require(fixture.feature.endpoints.downloads.first { $0.path.hasSuffix("/all-files") })
        let file = try await route.file(["assignmentId": one.id.text], fixture.school.context(of: caller))
        let received = Received()
        let stream = try #require(file.stream)
        try await stream { received.append($0) }
        return (file.use, received.lines)
    }

    @Test(
        "all submissions of an assignment come as one ZIP file with a folder for each student",
        .requirement("WW-3.05"))
    func folders() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Silk road: 1", with: ["attempts": 0])
        try await fixture.handIn(
            one, as: fixture.mia, "My route",
            files: [fixture.file("essay.pdf", "%PDF-1"), fixture.file("ESSAY.pdf", "%PDF-2")])
        try await fixture.handIn(one, as: fixture.noah, nil, files: [fixture.file("été: «map».txt", "Samarkand")])
        try await fixture.handIn(one, as: fixture.noah, nil, link: "https://films.example/1")
        try await fixture.saveDraft(one, as: fixture.mia, "Not handed in", files: [fixture.file("draft.txt")])
        let (use, lines) = try await lines(one, as: fixture.teacher, in: fixture)
        #expect(use == .attachment(name: "Silk road- 1.zip"))
        #expect(
            lines == [
                "Mia Roy/Text.txt: My route", "Mia Roy/essay.pdf: %PDF-1", "Mia Roy/ESSAY (2).pdf: %PDF-2",
                "Noah Roy/Attempt 1/été- «map».txt: Samarkand",
                "Noah Roy/Attempt 2/Link.txt: https://films.example/1",
            ])
        let page = try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.teacher)
        #expect(page.contains("Download all"))
    }

    @Test("only the teachers of the course download all submissions")
    func readers() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.handIn(one, as: fixture.mia)
        for caller in [fixture.mia, fixture.mother, fixture.stranger] {
            #expect(
                try await problem { _ = try await lines(one, as: caller, in: fixture) }?.status == 404)
        }
        #expect(try await lines(one, as: fixture.colleague, in: fixture).lines.count == 1)
    }

    @Test("names in a folder differ on systems that ignore case and composition, and are safe on Windows")
    func names() {
        var names = ArchiveNames()
        #expect(names.unique("essay.pdf") == "essay.pdf")
        #expect(names.unique("Essay.PDF") == "Essay (2).PDF")
        #expect(names.unique("essay.pdf") == "essay (3).pdf")
        #expect(names.unique("e\u{301}te\u{301}") == "été")
        #expect(names.unique("été") == "été (2)")
        #expect(names.unique("../CON") == "-CON")
        #expect(names.unique("aux.txt") == "_aux.txt")
        #expect(names.unique("🌻 مقال?.txt") == "🌻 مقال-.txt")
    }
}
