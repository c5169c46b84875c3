import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import FoundationNetworking
import HTTPTypes
import HummingbirdTesting
import Integrations
import Persistence
import ServerApp
import ServerProcess
import TestKit
import Testing

/// A server in its own process with the files that it writes.
private struct ErasureServer {
    let folder: TemporaryFolder
    let server: RealServer
    /// The founder's token.
    let token: String

    /// API clients send no cookies.
    private static let session = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        return URLSession(configuration: configuration)
    }()

    var data: URL { folder.url.appending(path: "data") }

    static func start() async throws -> ErasureServer {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        let before = ErasureServer(folder: folder, server: server, token: "")
        do {
            let session = try await before.run(
                "/auth/sign-up",
                [
                    "name": "Ana Kovac", "email": "ana@maple.example", "password": Tower.password,
                    "bornOn": "1990-02-28", "agrees": true,
                ])
            return ErasureServer(folder: folder, server: server, token: try session.text("accessToken"))
        } catch {
            server.kill()
            throw error
        }
    }

    /// Sends JSON with a new idempotency key, as all our clients do.
    func run(_ path: String, _ body: [String: any Sendable] = [:], as other: String? = nil) async throws -> Answer {
        try await send(path, JSONSerialization.data(withJSONObject: body), "application/json", as: other)
    }

    /// Uploads files as a browser does.
    func upload(_ path: String, _ fields: [(head: String, content: Data)]) async throws -> Answer {
        var body = Data()
        for field in fields {
            body += Data("--cut\r\nContent-Disposition: form-data; \(field.head)\r\n\r\n".utf8) + field.content
            body += Data("\r\n".utf8)
        }
        return try await send(path, body + Data("--cut--\r\n".utf8), "multipart/form-data; boundary=cut")
    }

    func get(_ path: String) async throws -> (status: Int, body: Data) {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (body, response) = try await Self.session.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, body)
    }

    private func send(_ path: String, _ body: Data, _ type: String, as other: String? = nil) async throws -> Answer
    {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/api/v1\(path)")))
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        request.setValue(UUID().text, forHTTPHeaderField: "Idempotency-Key")
        let bearer = other ?? token
        if !bearer.isEmpty { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await Self.session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        try #require((200..<300).contains(status), "\(path): \(status) \(String(decoding: data, as: UTF8.self))")
        return Answer(value: try JSONSerialization.jsonObject(with: data))
    }

    // MARK: - Texts on the disk

    /// Returns where in the data folder a text is, also within ZIP files: as typed, in lower case as the search index
    /// stores it, or in UTF-16.
    func traces(of texts: [String]) throws -> [String] { try Self.traces(of: texts, in: data) }

    static func traces(of texts: [String], in data: URL) throws -> [String] {
        var found: [String] = []
        let names = try FileManager.default.subpathsOfDirectory(atPath: data.path)
        for name in names {
            let file = data.appending(path: name)
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                if texts.contains(where: { name.lowercased().contains($0.lowercased()) }) { found.append(name) }
                continue
            }
            var bytes = try Data(contentsOf: file)
            if bytes.starts(with: [0x50, 0x4B, 3, 4]) {
                for part in try Unzip().unzip(Array(bytes), limits: UnpackingLimits(files: 10_000, bytes: 1 << 30))
                {
                    bytes += part.bytes
                }
            }
            for text in texts {
                let needles = [
                    Data(text.utf8), Data(text.lowercased().utf8), Data(NameFolding.fold(text).utf8),
                    text.data(using: .utf16LittleEndian) ?? Data(), text.data(using: .utf16BigEndian) ?? Data(),
                ]
                if needles.contains(where: { !$0.isEmpty && bytes.range(of: $0) != nil }) {
                    found.append("\(name): \(text)")
                }
            }
        }
        return found
    }

    /// Returns the files of the blob store, by name.
    func blobs() throws -> Set<String> {
        let folder = data.appending(path: "blobs")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try Set(
            FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { BlobHash(URL(filePath: $0).lastPathComponent) != nil })
    }
}

@Suite("Erased data on disk", .serialized)
struct ErasureTests {
    private let picture = Data(TestPictures.photo)

    /// A child with data in every place that stores a text about a child.
    private struct Child {
        let id: String
        /// The name that the school uses.
        let name: String
        let texts: [String]
    }

    private func fill(_ setup: ErasureServer, _ roomId: String, _ courseId: String, _ itemId: String) async throws
        -> Child
    {
        var texts: [String] = []
        /// A text that occurs nowhere else.
        func text(_ place: String) -> String {
            texts.append("Qwyx\(place)Zuvo")
            return texts[texts.count - 1]
        }
        let (given, family) = ("Zephyrwyn", "Okonquist")
        let student = try await setup.run(
            "/students",
            [
                "firstName": given, "lastName": family, "displayName": text("Preferred"), "notes": text("Notes"),
                "email": "zephyrwyn@child.example", "number": text("Number"), "gradeLevel": text("Grade"),
                "classroomId": roomId,
            ])
        let id = try student.text("id")
        let path = "/students/\(id)"
        let observation = try await setup.upload(
            "\(path)/observations",
            [
                ("name=\"content\"", Data("\(given) \(text("Observation"))".utf8)),
                ("name=\"photos\"; filename=\"a.jpg\"", picture),
            ]
        ).text("id")
        _ = try await setup.upload(
            "\(path)/voice",
            [
                (
                    "name=\"audio\"; filename=\"v.webm\"",
                    Data([0x1A, 0x45, 0xDF, 0xA3] + Array(text("Sound").utf8))
                ),
                ("name=\"seconds\"", Data("3".utf8)),
            ])
        _ = try await setup.upload(
            "\(path)/picture", [("name=\"picture\"; filename=\"b.png\"", Data(TestPictures.photo))])
        _ = try await setup.run("\(path)/habits", ["name": text("Habit")])
        _ = try await setup.run(
            "\(path)/work", ["kind": "task", "title": text("Task"), "details": text("Details")])
        _ = try await setup.run("\(path)/work", ["kind": "lesson", "title": text("Lesson")])
        texts.append("qwyx@nowhere.example")
        let contact = try await setup.run(
            "\(path)/contacts",
            [
                "fullName": "Wilhelmqua \(text("Parent"))", "email": "qwyx@nowhere.example",
                "phone": "+1 555 0100 77",
            ])
        texts.append("Wilhelmqua")
        _ = try await setup.run("/contacts/\(contact.text("id"))/invite")
        _ = try await setup.run(
            "/records/people/\(id)/consents",
            ["kind": "classroom.observations", "giver": text("Giver"), "isGiven": true])
        let letter = try await setup.run("\(path)/observations/\(observation)/texts", [:])
        _ = try await setup.run(
            "/texts/\(letter.text("id"))/release",
            ["text": text("Letter"), "version": letter.int("version") ?? 1])
        _ = try await setup.run("/courses/\(courseId)/people", ["studentId": id])
        _ = try await setup.run(
            "/courses/\(courseId)/gradebook/items/\(itemId)/marks/\(id)",
            ["text": "17", "comment": text("Comment"), "keepsComment": false])
        // Others have searched for the child, and uploaded a list that is not imported yet.
        for query in ["\(given) \(family)", text("Search")] {
            _ = try await setup.run("/search/recent", ["q": query])
        }
        let found = try await setup.get("/api/v1/search?q=\(given)")
        try #require(
            String(decoding: found.body, as: UTF8.self).contains(family), "the search index knows the child")
        _ = try await setup.upload(
            "/roster/preview",
            [
                (
                    "name=\"files\"; filename=\"people.csv\"\r\nContent-Type: text/csv",
                    Data("given name,family name,roles\n\(given),\(family),student\n".utf8)
                )
            ])
        return Child(
            id: id, name: "QwyxPreferredZuvo \(family)",
            texts: [given, family, "\(given) \(family)"] + ["zephyrwyn@child.example"] + texts)
    }

    /// A school with a class and a course.
    private func school(_ setup: ErasureServer, _ name: String) async throws -> (
        room: String, course: String, item: String
    ) {
        _ = try await setup.run("/organizations", ["name": name, "timeZone": "America/Toronto"])
        let room = try await setup.run("/classrooms", ["name": "Maple room"]).text("id")
        let term = try await setup.run(
            "/terms", ["name": "Autumn", "firstDay": "2026-09-01", "lastDay": "2036-01-20"]
        ).text("id")
        let course = try await setup.run(
            "/courses", ["name": "Algebra", "subject": "Mathematics", "admission": "approval", "termId": term]
        ).text("id")
        let item = try await setup.run(
            "/courses/\(course)/gradebook/items", ["title": "Essay", "category": "assignments", "maximum": "20"]
        ).text("id")
        return (room, course, item)
    }

    @Test(
        "no byte of an erased child's texts is left in the data folder, and other children keep theirs",
        .requirement("BY-1.24.b"))
    func erasesAChild() async throws {
        let setup = try await ErasureServer.start()
        defer { setup.server.kill() }
        let school = try await school(setup, "Maple School")
        let remaining = try await setup.run(
            "/students", ["firstName": "Bea", "lastName": "Keptwell", "classroomId": school.room]
        ).text("id")
        let child = try await fill(setup, school.room, school.course, school.item)
        // A colleague's note about another child that also tags this one stays.
        _ = try await setup.run(
            "/students/\(remaining)/observations",
            ["content": "Both built a tower of pinkish cubes", "taggedStudentIds": [child.id]])
        var exports: [String] = []
        for path in ["/records/people/\(child.id)/export", "/records/exports", "/records/backups"] {
            exports.append(try await setup.run(path).text("path"))
        }
        for path in exports { #expect(try await setup.get(path).status == 200) }
        for text in child.texts {
            #expect(
                try !setup.traces(of: [text]).isEmpty, "\(text) was written somewhere, or the test proves nothing")
        }
        let before = try setup.blobs()
        #expect(before.count >= 2, "photos and a recording")

        let erased = try await setup.run(
            "/records/people/\(child.id)/erase", ["name": child.name])
        #expect((erased.value as? [String: Any])?["completeBy"] == nil, "the erasure is complete when it returns")

        #expect(try setup.traces(of: child.texts) == [])
        #expect(try setup.blobs().isEmpty, "photos and recordings are gone at once")
        for path in exports { #expect(try await setup.get(path).status == 404) }
        #expect(try !setup.traces(of: ["pinkish cubes"]).isEmpty, "what others wrote about others stays")
        let found = try await setup.get("/api/v1/search?q=Keptwell")
        #expect(
            String(decoding: found.body, as: UTF8.self).contains("Keptwell"), "the search finds the others again")
        #expect(try setup.traces(of: child.texts) == [], "nothing comes back with the new index")
    }

    @Test("no byte of a deleted school's texts is left in the data folder, and another school keeps its own")
    func deletesASchool() async throws {
        let setup = try await ErasureServer.start()
        defer { setup.server.kill() }
        _ = try await setup.run("/organizations", ["name": "Oak Remains School", "timeZone": "America/Toronto"])
        let oak = try await setup.run("/classrooms", ["name": "Oakroom"]).text("id")
        _ = try await setup.run("/students", ["firstName": "Bea", "lastName": "Keptwell", "classroomId": oak])
        _ = try await setup.get("/api/v1/search?q=Keptwell")
        let school = try await school(setup, "Quixville Academy")
        let child = try await fill(setup, school.room, school.course, school.item)
        for path in ["/records/people/\(child.id)/export", "/records/exports", "/records/backups"] {
            _ = try await setup.run(path)
        }
        let texts = child.texts + ["Quixville Academy", "Quixville"]
        #expect(try !setup.traces(of: ["Quixville"]).isEmpty)
        _ = try await setup.run("/organization/delete", ["name": "Quixville Academy"])
        _ = try await setup.run("/organization/delete", ["name": "Quixville Academy", "atOnce": true])
        #expect(try setup.traces(of: texts) == [])
        #expect(try !setup.traces(of: ["Keptwell"]).isEmpty)
        #expect(try setup.blobs().isEmpty)
    }

    @Test("pinktower delete --now leaves no byte of a school's texts, while the server runs")
    func deletesFromTheCommandLine() async throws {
        let setup = try await ErasureServer.start()
        defer { setup.server.kill() }
        let school = try await school(setup, "Quixville Academy")
        let child = try await fill(setup, school.room, school.course, school.item)
        _ = try await setup.run("/records/backups")
        let settings = Tower.settings(in: setup.folder)
        let lines = try await ServerApp.run(.delete(school: nil, atOnce: true), settings)
        #expect(lines.count == 1, "\(lines)")
        #expect(try setup.traces(of: child.texts + ["Quixville"]) == [])
    }

    @Test("an erasure that a long read delays says until when, and a job completes it")
    func goesOn() async throws {
        try await Tower.with { tower in
            let setup = try await tower.sampleSchool()
            let data = tower.folder.url.appending(path: "data")
            let school = try await tower.composition.schools.school(UUID(text: setup.orgId)!)
            let began = AsyncStream.makeStream(of: Void.self)
            let end = DispatchSemaphore(value: 0)
            let reader = Task {
                try await school.read { sql in
                    _ = try sql.rows("SELECT id FROM people")
                    began.continuation.yield()
                    end.wait()
                }
            }
            for await _ in began.stream { break }
            let answer = try await tower.post(
                "/api/v1/records/people/\(setup.studentId)/erase", ["name": "Bea Ruiz"], as: setup.founder.bearer)
            #expect(answer.status == .ok, "\(answer.text)")
            let until = try answer.json().text("completeBy")
            #expect(!until.isEmpty)
            end.signal()
            try await reader.value
            tower.clock.advance(by: 700)
            await tower.composition.runJobs()
            #expect(try ErasureServer.traces(of: ["Traced m", "luz@home.example", "Luz Ruiz"], in: data) == [])
            let left = try await school.read { try $0.rows("SELECT person_id FROM unfinished_erasures").count }
            #expect(left == 0)
        }
    }

    @Test("a server that is killed right after the commit of an erasure completes it at its next start")
    func survivesACrash() async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "data")
        try await Tower.with(in: folder) { tower in
            let setup = try await tower.sampleSchool()
            _ = try await tower.get("/api/v1/search?q=Bea", as: setup.founder.bearer)
            _ = try await tower.post("/api/v1/records/exports", [:] as [String: String], as: setup.founder.bearer)
            let school = try await tower.composition.schools.school(UUID(text: setup.orgId)!)
            // The state after the transaction of the command, before anything that follows it.
            let subject = RecordSubject(
                schoolId: UUID(text: setup.orgId)!, personId: UUID(text: setup.studentId)!, accountId: nil,
                placeholder: "Removed person")
            try await school.write { sql in
                for kind in tower.composition.features.records.reversed() where kind.store == .school {
                    for table in kind.tables {
                        if let statement = table.erase?(subject) { try sql.execute(statement) }
                    }
                }
                try sql.execute(
                    """
                    INSERT INTO unfinished_erasures (person_id, email, at)
                    VALUES (\(setup.studentId), NULL, \(Date()))
                    """)
            }
            #expect(try !ErasureServer.traces(of: ["Traced m"], in: data).isEmpty)
        }
        try await Tower.with(in: folder) { tower in
            await tower.composition.runJobs()
            let traces = try ErasureServer.traces(of: ["Traced m", "luz@home.example"], in: data)
            #expect(traces == [])
            let prepared = data.appending(path: "files/prepared")
            let files = try FileManager.default.contentsOfDirectory(atPath: prepared.path)
            #expect(files.isEmpty)
        }
    }

    @Test(
        "every file and folder of the data folder belongs to a store that erasures delete, or contains no records")
    func declaresEveryPlace() async throws {
        try await Tower.with { tower in
            let setup = try await tower.sampleSchool()
            _ = try await tower.post(
                "/api/v1/contacts/\(setup.contactId)/invite", [:] as [String: String], as: setup.founder.bearer)
            _ = try await tower.post("/api/v1/records/backups", [:] as [String: String], as: setup.founder.bearer)
            _ = try await tower.get("/api/v1/search?q=Bea", as: setup.founder.bearer)
            await tower.composition.runJobs()
            let folder = tower.folder.url.appending(path: "data")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let known = tower.composition.places
            #expect(names.contains("search") && names.contains("files"))
            for name in names where !known.contains(name) {
                Issue.record("no store of copies names \(name) in the data folder (Feature.stores)")
            }
        }
    }

    @Test("every directory table with a school id declares how its rows are erased with the school")
    func declaresSchoolRows() async throws {
        try await Tower.with { tower in
            // Their rows are deleted together with the school's row, by reference.
            let cascading = try await tower.composition.directory.read { sql in
                try sql.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'").filter { row in
                    try row.get("sql", as: String.self).contains("REFERENCES organizations (id) ON DELETE CASCADE")
                }.map { try $0.get("name", as: String.self) }
            }
            for kind in tower.composition.features.records where kind.store == .directory {
                for table in kind.tables where table.eraseSchool == nil && !cascading.contains(table.name) {
                    let columns = try await tower.composition.directory.read { sql in
                        try sql.rows("SELECT name FROM pragma_table_info(\(table.name))").map {
                            try $0.get("name", as: String.self)
                        }
                    }
                    // The note about the deleted school remains for a moment, with an id and nothing else.
                    guard table.name != "unfinished_removals" else { continue }
                    #expect(
                        !columns.contains { ["org_id", "school_id"].contains($0) },
                        "\(table.name) names schools and has no eraseSchool")
                }
            }
        }
    }
}
