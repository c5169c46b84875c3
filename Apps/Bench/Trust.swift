import ArgumentParser
import Domain
import FeatureKit
import Foundation
import Integrations
import Persistence
import ServerApp

/// Measures security: session checks, password hashing, and the backup of a large school.
extension Measurements {
    /// Measures the session check of a request: from the directory, for the first time after a start, and cached; and a
    /// sign-in beside its hash.
    func checks() async throws {
        let data = folder.appending(path: "checks")
        var settings = ServerSettings()
        settings.dataFolder = data
        let before = try await ServerComposition.build(settings)
        let tokens = try await SampleSchool.makeMany(200, in: data)
        /// The time of one check in the median turn, since the machine may be busy in single turns.
        func each(_ turns: Int, _ composition: ServerComposition, forgetting: Bool = false) async throws -> Double {
            var times: [Double] = []
            for _ in 0..<turns {
                let began = ContinuousClock.now
                if forgetting { composition.clearCaches() }
                for token in tokens where try await composition.authenticator.account(accessToken: token) == nil {
                    throw ValidationError("A token of the sample was refused.")
                }
                times.append(began.duration(to: .now) / .microseconds(1) / Double(tokens.count))
            }
            return times.sorted()[turns / 2]
        }
        Report.line("Session check")
        // Created by another process, so this server has not cached it. The first request opens the connection.
        _ = try await before.authenticator.account(accessToken: tokens[0])
        let unknown = try await each(25, before, forgetting: true)
        try await before.close()
        Report.figure("  of a person who is not remembered", unknown, "us", bound: "<= 50 us", holds: unknown <= 50)
        let began = ContinuousClock.now
        let composition = try await ServerComposition.build(settings)
        Report.line(
            "  start of a server that remembers them: \((began.duration(to: .now) / .milliseconds(1)).shown) ms"
        )
        let first = try await each(1, composition)
        let again = try await each(50, composition)
        try await composition.close()
        Report.figure("  first of each after a start", first, "us", bound: "<= 50 us", holds: first <= 50)
        Report.figure("  again", again, "us", bound: "<= 50 us", holds: again <= 50)
        try await signIn()
    }

    private func signIn() async throws {
        let data = folder.appending(path: "sign-in")
        let sample = try await SampleSchool.make(in: data, children: 1, weakHash: false)
        let server = try ServerProcess.pinktower(data: data, weakHash: false)
        defer { server.stop() }
        try await server.ready()
        let hasher = ScryptHasher()
        let hash = try await hasher.hash(password: SampleSchool.password)
        var (alone, whole): ([Double], [Double]) = ([], [])
        for _ in 0..<5 {
            var began = ContinuousClock.now
            _ = try await hasher.verify(password: SampleSchool.password, against: hash)
            alone.append(began.duration(to: .now) / .milliseconds(1))
            began = .now
            _ = try await Session.signIn(server, sample)
            whole.append(began.duration(to: .now) / .milliseconds(1))
        }
        let (hashing, all) = (alone.sorted()[2], whole.sorted()[2])
        Report.line("Sign-in: \(all.shown) ms, of which the password's hash \(hashing.shown) ms")
        Report.figure(
            "  sign-in against its hash", all / hashing, "times", bound: "<= 1.5", holds: all / hashing <= 1.5)
    }

    /// Measures the backup of a school of 1 GB while a class is being marked.
    func backup() async throws {
        let data = folder.appending(path: "large")
        let sample = try await SampleSchool.make(in: data, children: 30)
        let megabytes = try await SampleSchool.grow(data, to: 1024)
        let server = try ServerProcess.pinktower(data: data)
        defer { server.stop() }
        try await server.ready()
        let session = try await Session.signIn(server, sample)
        let script = try sample.attendanceScript(in: folder, token: session.token)
        let path = "/api/v1/classrooms/\(sample.classroomId)/attendance"
        let file = folder.appending(path: "large.pinktower")
        // As many taps as a large school makes at the start of a day; more would measure overload.
        let quiet = try Wrk.run(server, path, clients: 2, seconds: seconds, script: script)
        let began = ContinuousClock.now
        let copy = try ServerProcess.pinktower(["backup", "--to", file.path, "--data", data.path])
        let during = try Wrk.run(server, path, clients: 2, seconds: seconds, script: script)
        try copy.wait()
        let time = began.duration(to: .now) / .seconds(1)
        Report.line(
            "Backup of \(megabytes) MB: marks p99 \(quiet.p99) ms before, \(during.p99) ms in the first \(seconds) s of it"
        )
        Report.figure("  backup", time, "s", bound: "<= 20 s", holds: time <= 20)
        Report.figure("  marks during it, p99", during.p99, "ms", bound: "< 50 ms", holds: during.p99 < 50)
    }
}

extension SampleSchool {
    /// Fills the school's database up to a size with uploads that wait for their import; returns its megabytes.
    static func grow(_ data: URL, to megabytes: Int) async throws -> Int {
        var settings = ServerSettings()
        settings.dataFolder = data
        let composition = try await ServerComposition.build(settings)
        guard let id = try await composition.schools.all().first else {
            throw ValidationError("There is no school.")
        }
        let school = try await composition.schools.school(id)
        let ids = SystemIDGenerator()
        let bytes = ids.randomBytes(1 << 20)
        for _ in 0..<megabytes {
            let id = ids.id(at: Date())
            try await school.write { sql in
                let row = [id.sqlValue, id.sqlValue, "people.csv".sqlValue, .blob(bytes), Date().sqlValue]
                try sql.execute(
                    """
                    INSERT INTO roster_uploads (id, person_id, name, bytes, created_at) VALUES \(rows: [row])
                    """)
            }
        }
        try await composition.close()
        return megabytes
    }
}
