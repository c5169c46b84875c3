import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Records

@Suite("Work folders and prepared files")
struct WorkFolderTests {
    @Test("abandoned work folders are removed, and running work keeps its folder")
    func abandoned() async throws {
        let temporary = try TemporaryFolder()
        let folder = WorkFolder(temporary.url)
        let left = temporary.url.appending(path: "work").appending(path: UUID().text)
        try folder.make(left)
        try Data("Zephyrwyn".utf8).write(to: left.appending(path: "school.sqlite"))
        try await folder.with { work in
            try Data("mine".utf8).write(to: work.appending(path: "a"))
            try folder.removeAbandoned()
            #expect(FileManager.default.fileExists(atPath: work.appending(path: "a").path))
            #expect(!FileManager.default.fileExists(atPath: left.path))
        }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: temporary.url.appending(path: "work").path)
        #expect(names.isEmpty, "neither folders nor locks stay: \(names)")
    }

    @Test("a file that is being made during an erasure is refused and leaves nothing")
    func stopsUnfinishedFiles() async throws {
        var feature = Feature(
            "Files",
            catalog: try StringCatalog(json: Data(#"{"sourceLanguage":"en","version":"1.0","strings":{}}"#.utf8)))
        feature.storage.directoryMigrations = RecordsMigrations.directory
        let fixture = try await TestEnvironment([feature])
        let school = try await fixture.makeSchool()
        let folder = WorkFolder(fixture.folder.url.appending(path: "files"))
        let prepared = PreparedFiles(folder: folder, directory: fixture.directory)
        let context = try await fixture.context(of: school.makeCaller(.superAdmin))
        let people = ErasedPeople(schoolId: school.organization.id, personIds: [UUID()])
        let refused = try await problem {
            _ = try await prepared.prepare(.export, named: "Maple", in: context) { file in
                try Data("Zephyrwyn".utf8).write(to: file)
                try await prepared.store.erasePeople(people)
            }
        }
        #expect(refused?.code == "records.outOfDate")
        // Also after the file is made and before its row is stored.
        let file = try await prepared.prepare(.export, named: "Maple", in: context) {
            try Data("Zephyrwyn".utf8).write(to: $0)
        }
        try await prepared.store.erasePeople(people)
        let late = try await problem { try await fixture.directory.write { try prepared.insert(file, in: $0) } }
        #expect(late?.code == "records.outOfDate")
        let names = try FileManager.default.contentsOfDirectory(
            atPath: fixture.folder.url.appending(path: "files/prepared").path)
        #expect(names.isEmpty)
        // Files of another school are not affected.
        let other = try await fixture.makeSchool("Birch")
        let theirs = try await fixture.context(of: other.makeCaller(.superAdmin))
        let current = try await prepared.prepare(.export, named: "Birch", in: theirs) { file in
            try Data("theirs".utf8).write(to: file)
            try await prepared.store.erasePeople(people)
        }
        try await prepared.store.erasePeople(people)
        try await fixture.directory.write { try prepared.insert(current, in: $0) }
        #expect(FileManager.default.fileExists(atPath: folder.prepared(current.id).path))
    }
}
