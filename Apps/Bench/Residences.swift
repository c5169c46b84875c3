#if WITH_RESIDENCE
    import ArgumentParser
    import Domain
    import FeatureKit
    import Foundation
    import ServerApp

    extension Measurements {
        /// Measures the day of a residence of two thousand: its page and its counts, both made anew.
        func residences() async throws {
            let data = folder.appending(path: "residence")
            let sample = try await SampleSchool.make(in: data, children: 2_000)
            let residence = try await sample.fillResidence(in: data)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let session = try await Session.signIn(server, sample)
            let size = try await session.get("/residences/\(residence)").count
            Report.line("Residence of \(sample.studentIds.count) residents; the page of its day: \(size / 1024) KB")
            let page = try uncached(server, "/residences/\(residence)", sample, session)
            // Answers of the API are never cached.
            let counts = try Wrk.run(
                server, "/api/v1/residences/\(residence)/attendance", clients: 1, seconds: seconds,
                headers: ["Authorization: Bearer \(session.token)"])
            guard counts.errors == 0 else { throw ValidationError("\(counts.errors) counts were refused.") }
            for (name, result) in [("the page of a day", page), ("the counts of a day", counts)] {
                Report.figure(
                    "  residence made anew, median: \(name) (p99 \(result.p99.shown) ms)", result.p50, "ms",
                    bound: "<= 15 ms", holds: result.p50 <= 15)
            }
        }
    }

    extension SampleSchool {
        /// Imports a residence in which all children live, four to a room, and records a passage of most; returns its id.
        fileprivate func fillResidence(in data: URL) async throws -> String {
            var settings = ServerSettings()
            settings.dataFolder = data
            settings.weakPasswordHash = true
            let composition = try await ServerComposition.build(settings)
            let client = try await BenchClient.signIn(composition)
            let made = try await client.run(
                "residence.create",
                [
                    "name": .text("Birch House"), "schoolNightCurfew": .text("21:00"),
                    "weekendCurfew": .text("23:00"),
                ])
            let residence = InputValue.text(made["id"] ?? "")
            let rows = studentIds.indices.map { "\(1000 + $0 / 4),Four beds,4,Child \($0),Tremblay" }
            let text = (["Room,Type,Beds,First name,Last name"] + rows).joined(separator: "\n") + "\n"
            let file = UploadedFile(name: "residence.csv", contentType: "text/csv", bytes: Array(text.utf8))
            let preview = try await client.run("residence.previewImport", ["pgId": residence, "file": .file(file)])
            try await client.run(
                "residence.import",
                [
                    "pgId": residence, "uploadId": .text(preview["uploadId"] ?? ""),
                    "plan": .text(preview["plan"] ?? ""),
                ])
            // In parallel, since one at a time would wait for the disk each time.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<20 {
                    group.addTask {
                        for number in stride(from: lane, to: studentIds.count, by: 20) where number % 20 != 7 {
                            try await client.run(
                                "residence.recordPassage",
                                [
                                    "pgId": residence, "studentId": .text(studentIds[number]),
                                    "type": .text(number % 6 == 5 ? "checkOut" : "checkIn"), "method": .text("nfc"),
                                ])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await composition.close()
            return made["id"]?.lowercased() ?? ""
        }
    }
#endif
