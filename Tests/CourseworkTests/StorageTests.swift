import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Coursework

@Suite("Limits for files")
struct StorageTests {
    private let megabyte = String(repeating: "m", count: 1 << 20)

    @discardableResult
    private func limit(
        person: Int = 0, school: Int = 0, as caller: Caller? = nil, in fixture: CourseworkFixture
    ) async throws -> StorageLimits {
        try await fixture.school.execute(
            SetStorageLimits.self,
            ["personMegabytes": .number(Double(person)), "schoolMegabytes": .number(Double(school))],
            as: caller ?? fixture.admin)
    }

    private func start(
        _ one: Assignment, megabytes: Int, as caller: Caller, in fixture: CourseworkFixture
    ) async throws -> Fault? {
        try await problem {
            _ = try await fixture.school.execute(
                StartUpload.self,
                [
                    "assignmentId": .id(one.id), "uploadId": .id(UUID()), "name": "film.mov",
                    "size": .number(Double(megabytes << 20)),
                ], as: caller)
        }?.faults.first
    }

    private func banners(_ path: String, as caller: Caller, in fixture: CourseworkFixture) async throws
        -> [PTBanner]
    {
        try await fixture.school.environment.page(path, as: caller).components.compactMap {
            if case .banner(let banner) = $0 { banner } else { nil }
        }
    }

    @Test("without a choice a student has 2 GB and the school 100 GB")
    func standard() async throws {
        let fixture = try await CourseworkFixture()
        let report = try await fixture.school.answer(ListStorage.self, as: fixture.admin)
        #expect(report.limits == StorageLimits(personMegabytes: 2048, schoolMegabytes: 102_400))
        #expect(report.school.usedBytes == 0 && report.people.isEmpty)
    }

    @Test("a file that exceeds the student's limit is refused before a byte is sent, and what fits is taken")
    func person() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["attempts": 0])
        try await limit(person: 3, in: fixture)
        #expect(try await start(one, megabytes: 4, as: fixture.mia, in: fixture)?.code == "coursework.personFull")
        #expect(try await start(one, megabytes: 2, as: fixture.mia, in: fixture) == nil)
        // What is being sent counts.
        let fault = try await start(one, megabytes: 2, as: fixture.mia, in: fixture)
        #expect(fault?.code == "coursework.personFull")
        #expect(fault?.sentence(try fixture.school.environment.words()).contains("2 MB of 3 MB") == true)
        #expect(try await start(one, megabytes: 2, as: fixture.noah, in: fixture) == nil)
        try await fixture.handIn(one, as: fixture.mia, files: [fixture.file("a.txt", megabyte)])
        #expect(
            try await problem {
                try await fixture.handIn(one, as: fixture.mia, files: [fixture.file("b.txt", "One byte more")])
            }?.faults.first?.code == "coursework.personFull")
        // Work without files is handed in even then.
        try await fixture.handIn(one, as: fixture.mia, "A text")
        try await limit(in: fixture)
        #expect(try await start(one, megabytes: 200, as: fixture.mia, in: fixture) == nil)
    }

    @Test("the limit of the school counts for all students together")
    func school() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await limit(school: 2, in: fixture)
        try await fixture.saveDraft(one, as: fixture.mia, files: [fixture.file("a.txt", megabyte)])
        #expect(try await start(one, megabytes: 2, as: fixture.noah, in: fixture)?.code == "coursework.schoolFull")
        try await fixture.saveDraft(one, as: fixture.noah, files: [fixture.file("b.txt", megabyte)])
        #expect(
            try await problem {
                try await fixture.saveDraft(one, as: fixture.noah, files: [fixture.file("c.txt")])
            }?.faults.first?.code == "coursework.schoolFull")
    }

    @Test("of files that arrive at once only those that fit are stored")
    func atOnce() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await limit(person: 3, in: fixture)
        let refused = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 1...6 {
                group.addTask {
                    try await problem {
                        try await fixture.saveDraft(
                            one, as: fixture.mia, files: [fixture.file("\(number).txt", megabyte)])
                    }?.faults.first?.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        #expect(refused == Array(repeating: "coursework.personFull", count: 3))
        #expect(try await fixture.school.answer(ListFiles.self, as: fixture.mia).items.count == 3)
    }

    @Test("uploads that begin at once reserve their space, so that only those that fit begin")
    func uploadsAtOnce() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await limit(person: 5, in: fixture)
        let refused = try await withThrowingTaskGroup(of: Fault?.self) { group in
            for _ in 1...6 {
                group.addTask { try await start(one, megabytes: 2, as: fixture.mia, in: fixture) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        #expect(refused.count == 4)
    }

    @Test("a student is told from 80 percent on, in the files and beside the upload, and when nothing fits")
    func told() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let paths = [FileScreens.path, AssignmentScreens.path(one.id)]
        try await fixture.saveDraft(
            one, as: fixture.mia, files: (1...4).map { fixture.file("\($0).txt", megabyte) })
        for (limit, tone) in [(6, nil), (5, PTBanner.Tone.warning), (4, .danger)] {
            try await self.limit(person: limit, in: fixture)
            for path in paths {
                #expect(
                    try await banners(path, as: fixture.mia, in: fixture).map(\.tone) == [tone].compactMap(\.self))
            }
            let page = try await fixture.outline(FileScreens.path, as: fixture.mia)
            #expect(page.contains("4 MB of \(limit) MB used"))
            #expect(try await banners(FileScreens.path, as: fixture.noah, in: fixture).isEmpty)
        }
        try await limit(school: 5, in: fixture)
        #expect(
            try await banners(paths[1], as: fixture.noah, in: fixture).map(\.title)
                == ["The school’s files take 80\u{A0}% of 5 MB"])
    }

    @Test("an administrator sees who uses how much space, the most first, and no one else does")
    func administrator() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.saveDraft(one, as: fixture.mia, files: [fixture.file("a.txt", megabyte)])
        try await fixture.saveDraft(
            one, as: fixture.noah, files: (1...3).map { fixture.file("\($0).txt", megabyte) })
        let page = try await fixture.school.environment.page(StorageScreen.path, as: fixture.admin)
        #expect(page.cells.map(\.title) == ["Noah Roy", "Mia Roy"])
        #expect(page.cells.first?.subtitle == "3 files")
        #expect(try await fixture.outline(StorageScreen.path, as: fixture.admin).contains("4 MB of 100 GB used"))
        for caller in [fixture.teacher, fixture.mia, fixture.mother] {
            #expect(
                try await problem { _ = try await fixture.outline(StorageScreen.path, as: caller) }?.status == 403)
            #expect(try await problem { try await limit(as: caller, in: fixture) }?.status == 403)
        }
    }

    @Test("limits that another administrator changed meanwhile are not overwritten")
    func versions() async throws {
        let fixture = try await CourseworkFixture()
        let opened = StorageLimits.standard.version
        try await limit(person: 512, in: fixture)
        let refused = try await problem {
            _ = try await fixture.school.execute(
                SetStorageLimits.self, ["personMegabytes": 256, "version": .text(opened.text)], as: fixture.admin)
        }
        #expect(refused?.code == ContentVersion.changed)
        for wrong in [-1, StorageLimits.largest + 1] {
            #expect(try await problem { try await limit(person: wrong, in: fixture) }?.status == 422)
        }
    }

    @Test("the space of a student is read from an index")
    func plans() async throws {
        let fixture = try await CourseworkFixture()
        try await fixture.school.expectIndexed(StorageRepository.use(by: CourseworkFixture.id(fixture.mia)))
    }
}
