#if WITH_RESIDENCE && WITH_MESSAGING
    import ArgumentParser
    import Client
    import Domain
    import FeatureKit
    import Foundation
    import ResidenceModel
    import ServerApp

    extension Measurements {
        /// Measures the client library: a local change with a full store, the first sync, and a refresh after a change.
        func client() async throws {
            Report.line("Client library, its file on this disk")
            try await ClientSpeed.localChange(in: folder.appending(path: "client"))
            let data = folder.appending(path: "residence")
            let count = 2_000
            try await ClientSpeed.fillResidence(in: data, residents: count)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            try await ClientSpeed.sync(server.port, in: folder.appending(path: "device"), residents: count)
        }
    }

    @MainActor
    private enum ClientSpeed {
        /// Measures the time from a warden's tap until the passage is on disk and shown, with 5,000 residents and
        /// 20,000 passages.
        static func localChange(in folder: URL) async throws {
            let auth = SignedInWarden()
            guard let pgId = auth.currentPgId else { return }
            let students = (0..<5_000).map { StudentDto(id: UUID(), name: "Child \($0)", status: "active") }
            let start = Date().addingTimeInterval(-20_000 * 60)
            let records = (0..<20_000).map { index in
                CheckInOutRecord(
                    id: UUID(), studentId: students[index % students.count].id, pgId: pgId, method: .qr,
                    type: index % 2 == 0 ? .checkIn : .checkOut,
                    timestamp: start.addingTimeInterval(Double(index) * 60))
            }
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            let api = OfflineAPI(answers: [
                "/students": try encoder.encode(Listing(items: students)),
                "/passages": try encoder.encode(Listing(items: records)),
            ])
            let store = try await AppStore.open(api: api, auth: auth, storage: ClientStorage(folder: folder))
            try await store.pgStore.loadStudents(pgId: pgId)
            try await store.pgStore.loadRecords(pgId: pgId)
            var times: [Double] = []
            for turn in 0..<500 {
                let student = students[turn * 7 % students.count].id
                let before = store.pgStore.state.recordsByStudent[student]?.count ?? 0
                let began = ContinuousClock.now
                // Without a network the call returns once the change is on disk and shown.
                _ = try await store.pgStore.recordPassage(of: student, .checkIn, method: .qr)
                times.append(began.duration(to: .now) / .milliseconds(1))
                guard store.pgStore.state.recordsByStudent[student]?.count == before + 1 else {
                    throw ValidationError("The passage is not shown.")
                }
            }
            store.stop()
            let median = times.sorted().percentile(50)
            Report.figure(
                "  a passage is on disk and shown, 5,000 residents and 20,000 passages, median", median, "ms",
                bound: "<= 1 ms", holds: median <= 1)
        }

        private struct Listing<Item: Encodable>: Encodable { let items: [Item] }

        /// Fills a residence with residents through the product's commands.
        nonisolated static func fillResidence(in data: URL, residents: Int) async throws {
            let sample = try await SampleSchool.make(in: data, children: residents)
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let client = try await BenchClient.signIn(composition)
            let residence = try await client.run(
                "residence.create",
                [
                    "name": .text("Birch House"), "schoolNightCurfew": .text("20:00"),
                    "weekendCurfew": .text("22:00"),
                ])["id"]
            let pgId = InputValue.text(residence ?? "")
            try await client.run(
                "residence.createRoom", ["pgId": pgId, "number": .text("1"), "type": .text("Twin")])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<20 {
                    group.addTask {
                        for number in stride(from: lane, to: sample.studentIds.count, by: 20) {
                            try await client.run(
                                "residence.moveIn",
                                ["pgId": pgId, "studentId": .text(sample.studentIds[number])])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await composition.close()
        }

        /// Measures the first sync over loopback, and the time from another device's change until it shows.
        static func sync(_ port: Int, in folder: URL, residents: Int) async throws {
            guard let server = URL(string: "http://127.0.0.1:\(port)") else { return }
            let store = try await device("one", server, in: folder)
            let began = ContinuousClock.now
            await store.pgStore.refresh()
            let first = began.duration(to: .now) / .milliseconds(1)
            guard let pgId = store.currentPgId, store.pgStore.state.students(of: pgId).count == residents,
                let room = store.pgStore.state.rooms(of: pgId).first
            else { throw ValidationError("The first sync is not whole.") }
            Report.figure(
                "  first sync of 2,000 residents over loopback", first, "ms", bound: "<= 2000 ms",
                holds: first <= 2_000)
            store.start()
            let other = try await device("two", server, in: folder)
            await other.pgStore.refresh()
            try await Task.sleep(for: .seconds(2))
            var times: [Double] = []
            for turn in 0..<50 {
                _ = try await other.pgStore.updateRoom(room.id, type: "Twin \(turn)")
                let began = ContinuousClock.now
                while store.pgStore.state.rooms[room.id]?.type != "Twin \(turn)" {
                    try await Task.sleep(for: .milliseconds(1))
                    guard began.duration(to: .now) < .seconds(10) else {
                        throw ValidationError("A change does not arrive.")
                    }
                }
                times.append(began.duration(to: .now) / .milliseconds(1))
            }
            store.stop()
            other.stop()
            let median = times.sorted().percentile(50)
            Report.figure(
                "  a refresh after one change of another device, median", median, "ms", bound: "<= 50 ms",
                holds: median <= 50)
        }

        private static func device(_ name: String, _ server: URL, in folder: URL) async throws -> AppStore {
            let home = folder.appending(path: name)
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let auth = try LiveAuthManager(server: server, storage: SessionFile(home.appending(path: "session")))
            _ = try await auth.signIn(email: SampleSchool.email, password: SampleSchool.password)
            return try await AppStore.open(
                api: LiveAPIManager(server: server, auth: auth), auth: auth, storage: ClientStorage(folder: home))
        }
    }
#endif
