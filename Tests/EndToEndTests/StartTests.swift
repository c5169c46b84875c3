import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Persistence
import ServerApp
import ServerProcess
import Synchronization
import TestKit
import Testing
import Web

@Suite("Starting and stopping")
struct StartTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The message with which a configuration stops the start; `nil` if it does not.
    func refusal(_ environment: [String: String] = [:], flags: [String: String] = [:]) async throws -> [String]? {
        do {
            _ = try await ServerSettings.read(flags: flags, environment: environment)
            return nil
        } catch let malformed as ServerSettings.Malformed {
            #expect(malformed.faults.allSatisfy { malformed.description.contains($0) })
            return malformed.faults
        }
    }

    @Test("every malformed setting is reported in one message, and absent settings are not malformed")
    func allFaults() async throws {
        let faults = try #require(
            try await refusal([
                "PINKTOWER_PORT": "eighty", "PINKTOWER_LOG_LEVEL": "loud", "PINKTOWER_PUBLIC_URL": "tower.example",
                "PINKTOWER_TRUSTS_PROXY": "perhaps", "PINKTOWER_COMMIT_DELAY": "-1", "PINKTOWER_COLOUR": "pink",
                "HOME": "untouched",
            ]))
        #expect(faults.count == 6)
        for key in ["port", "logLevel", "publicURL", "trustsProxy", "commitDelay", "PINKTOWER_COLOUR"] {
            #expect(faults.contains { $0.hasPrefix(key) }, "\(key)")
        }
        #expect(try await refusal() == nil)
    }

    @Test(
        "flags take precedence over the environment, which takes precedence over the file, and weak hashes need a local host"
    )
    func precedence() async throws {
        let file = folder.file("tower.yaml")
        try Data("port: 4001\nhost: 0.0.0.0\nlogLevel: debug\n".utf8).write(to: file)
        let settings = try await ServerSettings.read(
            flags: ["config": file.path, "port": "4003"],
            environment: ["PINKTOWER_PORT": "4002", "PINKTOWER_LOG_LEVEL": "error"])
        #expect(settings.port == 4003)
        #expect(settings.logLevel == .error)
        #expect(settings.host == "0.0.0.0")
        let weak = try await refusal(["PINKTOWER_WEAK_PASSWORD_HASH": "true", "PINKTOWER_HOST": "0.0.0.0"])
        #expect(weak?.count == 1)
        try Data("port: [1, 2\n  - x: {".utf8).write(to: file)
        #expect(try await refusal(flags: ["config": file.path])?.count == 1)
        #expect(try await refusal(flags: ["config": folder.file("none.yaml").path])?.count == 1)
    }

    @Test(
        "the key for the models comes from the configuration, else from OPENAI_API_KEY, and is never printed",
        .requirement("PT-2.13.d"))
    func modelKey() async throws {
        let plain = try await ServerSettings.read(flags: [:], environment: ["OPENAI_API_KEY": "sk-plain-1234"])
        #expect(plain.models.key == "sk-plain-1234")
        let both = try await ServerSettings.read(
            flags: [:], environment: ["OPENAI_API_KEY": "sk-plain-1234", "PINKTOWER_OPENAI_API_KEY": "sk-own-5678"])
        #expect(both.models.key == "sk-own-5678")
        let file = folder.file("tower.yaml")
        try Data("openaiApiKey: sk-file-9012\n".utf8).write(to: file)
        let written = try await ServerSettings.read(
            flags: ["config": file.path], environment: ["OPENAI_API_KEY": "sk-plain-1234"])
        #expect(written.models.key == "sk-file-9012")
        #expect(try await ServerSettings.read(flags: [:], environment: ["OPENAI_API_KEY": ""]).models.key == nil)
        let faults = try #require(
            try await refusal(["PINKTOWER_OPENAI_API_KEY": "sk-own-5678", "PINKTOWER_PORT": "eighty"]))
        #expect(!faults.contains { $0.contains("sk-own-5678") })
        for settings in [plain, both] { #expect(!"\(settings)".contains("sk-")) }
    }

    @Test("a block without a block that it needs stops the start with one message that names all of them")
    func switchedOff() async throws {
        var settings = Tower.settings(in: folder)
        settings.features = ["Shell", "Search", "Reports"]
        let misfit = await #expect(throws: FeatureSet.Misfit.self) {
            try await ServerComposition.build(settings).close()
        }
        let message = try #require(misfit).description
        for need in ["Auth", "Organization"] { #expect(message.contains("Shell needs \(need)")) }
        for need in ["Classroom", "Organization"] { #expect(message.contains("Reports needs \(need)")) }
        #expect(!message.contains("Search needs"))
        #expect(!message.contains("Shell needs Classroom"))
        #expect(misfit?.faults.count == 4)
        settings.features = ["Auth", "Organisation", "Quests"]
        let unknown = await #expect(throws: ServerSettings.Malformed.self) {
            try await ServerComposition.build(settings).close()
        }
        let faults = try #require(unknown).faults
        #expect(faults.count == 2)
        #expect(faults.contains { $0.contains("Organisation") } && faults.contains { $0.contains("Quests") })
        #expect(
            faults.allSatisfy {
                $0.contains("Its blocks are Assessment, Audit, Auth, ") && $0.contains("Organization")
            })
        #expect(!FileManager.default.fileExists(atPath: settings.dataFolder.path), "nothing was made")
    }

    @Test(
        "a server with fewer blocks works, without the pages of the others",
        arguments: [["Auth"], ["Auth", "Preferences"], ["Auth", "Organization"], ["Search"], []])
    func fewerBlocks(_ features: [String]) async throws {
        try await Tower.with({ $0.features = features }) { tower in
            let answers = [
                try await tower.page("/", as: .nobody), try await tower.page("/sign-in", as: .browser("old")),
                try await tower.page("/search", as: .browser("old")), try await tower.get("/openapi.json"),
                try await tower.page("/classrooms", as: .nobody),
            ]
            for answer in answers { answer.isDecent("\(features)") }
            #expect(answers[0].status.code < 400, "without Shell the server has a first page of its own")
            #expect(answers[4].status == .notFound)
            let offersLanguage = try await tower.page("/sign-in", as: .nobody).text.contains("href=\"/display\"")
            #expect(offersLanguage == (features == ["Auth", "Preferences"]), "\(features)")
            guard features.contains("Auth") else { return }
            let person = try await tower.signUp()
            let me = try await tower.get("/api/v1/auth/me", as: person.bearer)
            #expect(me.status == .ok, "\(features): \(me.text)")
            try await tower.page("/sign-in", as: person.browser).isDecent("\(features)")
        }
    }

    @Test("the development reset empties the data folder, which can be used again", .requirement("PT-2M.23"))
    func reset() async throws {
        let settings = Tower.settings(in: folder)
        let first = try await ServerComposition.build(settings)
        #expect(throws: (any Error).self, "not while it is in use") { try resetData(settings) }
        try await first.close()
        #expect(try await !fillDemoSchool(settings).isEmpty)
        let filled = try await ServerComposition.build(settings)
        let count: Int? = try await filled.directory.read { try $0.value("SELECT COUNT(*) FROM accounts") }
        #expect((count ?? 0) > 1)
        try await filled.close()
        try resetData(settings)
        let empty = try await ServerComposition.build(settings)
        let left: Int? = try await empty.directory.read { try $0.value("SELECT COUNT(*) FROM accounts") }
        #expect(left == 0)
        try await empty.close()
        let schools = Persistence.schoolsFolder(in: settings.dataFolder).path
        let files =
            FileManager.default.fileExists(atPath: schools)
            ? try FileManager.default.contentsOfDirectory(atPath: schools) : []
        #expect(files.filter { $0.hasSuffix(".sqlite") }.isEmpty)
    }

    @Test(
        "data without an organization becomes My School with its guide as super admin, and a repetition changes nothing",
        .requirement("PT-2M.22.a", "PT-2M.22.b", "PT-2M.22.c"))
    func adoption() async throws {
        let sample = Mutex<Tower.SampleSchool?>(nil)
        try await Tower.with(in: folder) { tower in
            let made = try await tower.sampleSchool()
            sample.withLock { $0 = made }
        }
        let settings = Tower.settings(in: folder)
        let known = try #require(sample.withLock { $0 })
        let orgId = try #require(UUID(text: known.orgId))
        let before = try await ServerComposition.build(settings)
        try await before.directory.write { try $0.execute("DELETE FROM organizations") }
        try await before.close()
        for start in 0..<2 {
            try await Tower.with(in: folder) { tower in
                let list = try await tower.get("/api/v1/organizations", as: known.founder.bearer).json().list(
                    "items")
                #expect(
                    list.compactMap { ($0 as? [String: Any])?["name"] as? String } == ["My School"],
                    "start \(start)")
                #expect(list.compactMap { ($0 as? [String: Any])?["id"] as? String } == [known.orgId])
                let me = try await tower.get("/api/v1/auth/me", as: known.founder.bearer).json()
                #expect(me.list("userRole") as? [String] == ["superAdmin"])
                #expect(try me.text("currentPgId") == known.orgId)
                let room = try await tower.get("/api/v1/classrooms/\(known.classroomId)", as: known.founder.bearer)
                    .json()
                #expect(try room.text("orgId") == known.orgId)
                let child = try await tower.get("/api/v1/students/\(known.studentId)", as: known.founder.bearer)
                    .json()
                #expect(try child.text("orgId") == known.orgId)
                let roles: Int? = try await tower.composition.directory.read {
                    try $0.value("SELECT COUNT(*) FROM memberships")
                }
                #expect(roles == 1, "nobody else gets in")
            }
        }
        let after = try await ServerComposition.build(settings)
        #expect(try await after.schools.all() == [orgId])
        try await after.close()
    }

    @Test("a new server begins with sign-up, and with sign-in when there is an account")
    func firstPage() async throws {
        try await Tower.with { tower in
            #expect(try await tower.page("/", as: .nobody).headers[.location] == "/sign-up")
            _ = try await tower.signUp()
            #expect(try await tower.page("/", as: .nobody).headers[.location] == "/sign-in")
        }
    }

    @Test("a server whose directory cannot be read says that it is not ready")
    func notReady() async throws {
        try await Tower.with { tower in
            #expect(try await tower.get("/readyz").status == .ok)
            try await tower.composition.directory.close()
            #expect(try await tower.get("/readyz").status == .serviceUnavailable)
            #expect(try await tower.get("/healthz").status == .ok)
        }
    }

    @Test("a server whose data folder cannot be written says that it is not ready")
    func notWritable() async throws {
        try await Tower.with { tower in
            let probe = tower.folder.url.appending(path: "data").appending(path: "probe")
            // A file blocks the probe, because a superuser could write into a folder without permissions.
            try FileManager.default.createDirectory(at: probe, withIntermediateDirectories: true)
            let answer = try await tower.get("/readyz")
            #expect(answer.status == .serviceUnavailable && answer.text.contains("cannot be written"))
            #expect(try await tower.get("/healthz").status == .ok)
        }
    }

    @Test("a damaged school has its own refusal, and other schools continue")
    func damagedSchool() async throws {
        let schools = Mutex<[Tower.SampleSchool]>([])
        try await Tower.with(in: folder) { tower in
            let both = [try await tower.sampleSchool("Maple School"), try await tower.sampleSchool("Oak School")]
            schools.withLock { $0 = both }
        }
        let both = schools.withLock { $0 }
        let (maple, oak) = (try #require(both.first), try #require(both.last))
        let file = Persistence.schoolsFolder(in: Tower.settings(in: folder).dataFolder)
            .appending(path: "\(maple.orgId).sqlite")
        for end in ["-wal", "-shm"] { unlink(file.path + end) }
        var bytes = try Data(contentsOf: file)
        for place in 0..<min(bytes.count, 4096) { bytes[place] = 0x5A }
        try bytes.write(to: file)
        try await Tower.with(in: folder) { tower in
            let api = try await tower.get("/api/v1/classrooms", as: maple.founder.bearer)
            #expect(api.status == .serviceUnavailable && api.text.contains("\"schoolDamaged\""), "\(api.text)")
            let page = try await tower.page("/homeroom", as: maple.founder.browser)
            #expect(
                page.status == .serviceUnavailable && page.text.contains("can restore a backup"), "\(page.text)")
            let room = try await tower.post(
                "/api/v1/classrooms", ["name": "Another room"], as: maple.founder.bearer)
            #expect(room.status == .serviceUnavailable && room.text.contains("\"schoolDamaged\""))
            #expect(try await tower.get("/api/v1/classrooms", as: oak.founder.bearer).status == .ok)
        }
        let report = try await checkSchools(Tower.settings(in: folder))
        #expect(!report.isSound)
        #expect(report.lines.contains { $0.contains("Maple School") && $0.contains("damaged") })
        #expect(report.lines.contains { $0.contains("Oak School") && $0.contains("sound") })
    }

    @Test("the data folder is readable for its owner only, also what an earlier version created")
    func permissions() async throws {
        let data = Tower.settings(in: folder).dataFolder
        try FileManager.default.createDirectory(
            at: data.appending(path: "outbox"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try Data("letter".utf8).write(to: data.appending(path: "outbox").appending(path: "old.0.eml"))
        try await Tower.with(in: folder) { tower in
            let sample = try await tower.sampleSchool()
            let backup = try await tower.post(
                "/api/v1/records/backups", [:] as [String: String], as: sample.founder.bearer)
            #expect(backup.status == .created)
            await tower.composition.runJobs()
            let all = try #require(FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil))
            var names: [String] = []
            for case let file as URL in all.allObjects {
                let found = try FileManager.default.attributesOfItem(atPath: file.path)
                let mode = try #require(found[.posixPermissions] as? Int)
                #expect(mode & 0o077 == 0, "\(file.path) is \(String(mode, radix: 8))")
                names.append(file.lastPathComponent)
            }
            #expect(names.contains("directory.sqlite-wal") && names.contains("secret.key"))
            #expect(names.contains { $0.hasSuffix(".search") })
            let own = try FileManager.default.attributesOfItem(atPath: data.path)[.posixPermissions] as? Int
            #expect(own == 0o700)
        }
    }

    // MARK: - The real process

    @Test("a second server on one data folder is refused in a sentence until the first has ended")
    func secondServer() async throws {
        let data = folder.url.appending(path: "data")
        let first = try RealServer.start(data, in: folder)
        defer { first.kill() }
        var changed = Tower.settings(in: folder)
        changed.dataFolder = data
        let settings = changed
        let refusal = await #expect(throws: DataFolder.Refusal.self) { try await serve(settings) { _ in } }
        #expect(refusal?.description.contains("Another PinkTower serves the data folder") == true)
        // Tasks that work while the server runs still work.
        let report = try await checkSchools(settings)
        #expect(report.isSound)
        first.kill()
        first.process.waitUntilExit()
        let second = try RealServer.start(data, in: folder)
        second.kill()
    }

    #if os(Linux)
        @Test("a class of tablets can connect although the shell allows few open files")
        func openFiles() async throws {
            let server = try RealServer.start(folder.url.appending(path: "data"), in: folder, openFiles: 256)
            defer { server.kill() }
            let limits = try String(
                contentsOfFile: "/proc/\(server.process.processIdentifier)/limits", encoding: .utf8)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            #expect(numbers.first == min(65_536, numbers.last ?? 0), "\(line)")
        }
    #endif

    @Test("every attendance mark that was confirmed is stored after kill -9 under load")
    func killed() async throws {
        let data = folder.url.appending(path: "data")
        let server = try RealServer.start(data, in: folder)
        defer { server.kill() }
        let port = server.port
        let wire = try Wire(port: port)
        let (token, orgId) = try await wire.foundSchool()
        let roomId = try await wire.run("/classrooms", ["name": "Maple room"], as: token).text("id")
        var children: [String] = []
        for number in 0..<8 {
            let child = [
                "firstName": "Child \(number)", "classroomId": roomId, "firstDay": "2026-01-01",
            ]
            children.append(try await wire.run("/students", child, as: token).text("id"))
        }
        let today = Day(Date(), in: .gmt)
        // Each connection marks one child day by day and back again until the server is killed.
        let answered = try await withThrowingTaskGroup(of: [String: String].self) { group in
            let enough = AsyncStream.makeStream(of: Void.self)
            for child in children {
                group.addTask {
                    let wire = try Wire(port: port)
                    var last: [String: String] = [:]
                    for tap in 0..<100_000 {
                        let day = today.adding(days: -(tap % 50)).description
                        let status = (tap / 50) % 2 == 0 ? "present" : "absent"
                        guard
                            let answer = try await wire.post(
                                "/api/v1/classrooms/\(roomId)/attendance",
                                ["studentId": child, "status": status, "day": day], bearer: token)
                        else { return last }
                        #expect(answer.status == 200)
                        // An unanswered request may or may not have been stored, so the day is undecided until then.
                        last["\(child) \(day)"] = status
                        enough.continuation.yield()
                    }
                    return last
                }
            }
            var taps = 0
            for await _ in enough.stream {
                taps += 1
                if taps >= 400 { break }
            }
            server.kill()
            return try await group.reduce(into: [String: String]()) { $0.merge($1) { $1 } }
        }
        server.process.waitUntilExit()
        #expect(answered.count >= 100)
        var settings = Tower.settings(in: folder)
        settings.dataFolder = data
        let composition = try await ServerComposition.build(settings)
        let school = try await composition.schools.school(try #require(UUID(uuidString: orgId)))
        let stored = try await school.read { sql in
            try sql.rows("SELECT student_id, day, status FROM attendance_marks").reduce(into: [String: String]()) {
                $0["\(try $1.get("student_id", as: UUID.self).text) \(try $1.get("day", as: String.self))"] =
                    try $1.get("status", as: String.self)
            }
        }
        // Each child's unanswered request may have changed its day already; all other answers are stored.
        let wrong = answered.filter { stored[$0.key] != $0.value }
        #expect(wrong.keys.allSatisfy { stored[$0] != nil }, "an answered mark is gone")
        for child in children { #expect(wrong.keys.count { $0.hasPrefix(child) } <= 1) }
        let logged: Int? = try await school.read {
            try $0.value("SELECT COUNT(*) FROM change_log WHERE kind = 'attendance.marked'")
        }
        #expect((logged ?? 0) >= answered.count, "the log went with the marks")
        try await composition.close()
    }
}
