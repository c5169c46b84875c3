#if WITH_RESIDENCE && WITH_MESSAGING
    import ArgumentParser
    import Client
    import Domain
    import Foundation
    import ResidenceModel

    extension Measurements {
        /// Measures the time from the read of a tag until the gate has decided and the passage is on disk.
        func gateProgram() async throws {
            Report.line("Gate with a list of 2,000 residents, its file on this disk")
            try await GateSpeed.decisions(in: folder.appending(path: "gate"))
        }
    }

    @MainActor
    private enum GateSpeed {
        static func decisions(in folder: URL) async throws {
            let now = Date()
            let residents = (0..<2_000).map { number in
                GateList.Resident(
                    id: UUID(), name: "Child \(number)", initials: "C", room: String(number / 2), photo: nil,
                    type: .checkOut, lastPassage: now.addingTimeInterval(-3600),
                    changedAt: now.addingTimeInterval(-3600),
                    tags: (0..<2).map { tag in
                        GateList.Tag(
                            id: UUID(), fingerprint: SHA256.hex(Array("CARD\(number)TAG\(tag)".utf8)),
                            isLost: false)
                    },
                    leaves: [
                        GateList.Leave(from: now.addingTimeInterval(-7200), to: now.addingTimeInterval(7200))
                    ])
            }
            let auth = SignedInWarden()
            let list = GateList(
                gate: Gate(id: UUID(), pgId: auth.currentPgId ?? UUID(), name: "Main door", allowedAt: now),
                residence: "Birch House", now: now, timeZone: "UTC",
                days: (0..<15).map { day in
                    let start = now.addingTimeInterval(Double(day) * 86_400 - 3600)
                    return GateList.Day(start: start, curfew: start.addingTimeInterval(1800))
                }, residents: residents)
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            let store = try await GateStore.open(
                api: OfflineAPI(standard: try encoder.encode(list)), auth: auth,
                storage: ClientStorage(folder: folder), clock: ServerClock())
            // As in the program: the list is loaded again while tags are read.
            store.start()
            await store.refresh()
            while store.state.list == nil { try await Task.sleep(for: .milliseconds(1)) }
            var times: [Double] = []
            for turn in 0..<residents.count {
                let began = ContinuousClock.now
                guard case .passage = try store.read("card\(turn)tag\(turn % 2)") else {
                    throw ValidationError("A tag is not known.")
                }
                times.append(began.duration(to: .now) / .milliseconds(1))
                await Task.yield()
            }
            store.stop()
            let sorted = times.sorted()
            let (median, slow) = (sorted.percentile(50), sorted.percentile(99))
            Report.figure(
                "  a read at a gate is decided and on disk, 2,000 residents, median", median, "ms",
                bound: "<= 50 ms", holds: median <= 50)
            Report.figure(
                "  a read at a gate is decided and on disk, 2,000 residents, p99", slow, "ms", bound: "<= 50 ms",
                holds: slow <= 50)
        }
    }
#endif
