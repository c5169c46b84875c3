#if WITH_RESIDENCE
    import ArgumentParser
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import ServerApp

    /// Measures gates: a rush hour at the doors of a residence.
    extension Measurements {
        private static let passages = 1_000
        private static let doors = 4
        /// In seconds.
        private static let rush = 60.0

        /// Measures the time until a passage is recorded, with 1,000 passages through four gates in a minute.
        func gates() async throws {
            let data = folder.appending(path: "gates")
            let sample = try await SampleSchool.make(in: data, children: 250)
            let server = try ServerProcess.pinktower(data: data)
            defer { server.stop() }
            try await server.ready()
            let session = try await Session.signIn(server, sample)
            let residence = try await session.post(
                "/api/v1/residences",
                #"{"name":"Birch House","schoolNightCurfew":"20:00","weekendCurfew":"22:00"}"#)
            let path = "/api/v1/residences/\(residence["id"] ?? "")"
            for id in sample.studentIds {
                _ = try await session.post("\(path)/students", #"{"studentId":"\#(id)"}"#)
            }
            var gates: [Session] = []
            for door in 0..<Self.doors {
                let code = "BENCH00\(door)"
                _ = try await session.post("\(path)/gates", #"{"name":"Door \#(door)","pairingCode":"\#(code)"}"#)
                gates.append(try await Session.pairedGate(server, code))
            }
            let times = try await rush(gates, sample.studentIds)
            let (median, worst) = (times.sorted().percentile(50), times.sorted().percentile(99))
            Report.line(
                "\(times.count) passages through \(gates.count) gates in \(Int(Self.rush)) s: median \(median.shown) ms"
            )
            Report.figure("  a passage is recorded, p99", worst, "ms", bound: "<= 25 ms", holds: worst <= 25)
        }

        /// Sends each gate's part of the passages at even intervals; returns the milliseconds of each.
        private func rush(_ gates: [Session], _ students: [String]) async throws -> [Double] {
            try await withThrowingTaskGroup(of: [Double].self) { group in
                let began = ContinuousClock.now
                for (door, gate) in gates.enumerated() {
                    group.addTask {
                        var times: [Double] = []
                        for number in stride(from: door, to: Self.passages, by: gates.count) {
                            let due = Self.rush * Double(number) / Double(Self.passages)
                            try await Task.sleep(until: began + .seconds(due), clock: .continuous)
                            let start = ContinuousClock.now
                            // Each student comes again a quarter of a minute later: no read is a repeated one.
                            let type = number / students.count % 2 == 0 ? "checkIn" : "checkOut"
                            _ = try await gate.post(
                                "/api/v1/gate/passages",
                                """
                                {"id":"\(UUID().uuidString)","studentId":"\(students[number % students.count])",\
                                "type":"\(type)","method":"kiosk","at":"\(Date().ISO8601Format())"}
                                """)
                            times.append(start.duration(to: .now) / .milliseconds(1))
                        }
                        return times
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
    }

    extension Session {
        /// Pairs a gate and returns its session.
        fileprivate static func pairedGate(_ server: ServerProcess, _ code: String) async throws -> Session {
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/api/v1/gate/pair")
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.headers.add(name: "Accept", value: "application/json")
            request.body = .bytes(ByteBuffer(string: #"{"pairingCode":"\#(code)"}"#))
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
            let cookie = response.headers["Set-Cookie"].first { $0.hasPrefix("pt_access=") }
            guard let token = cookie?.split(separator: ";").first?.split(separator: "=").last else {
                throw ValidationError("The gate was not paired: \(response.status.code).")
            }
            return Session(server: server, token: String(token))
        }
    }
#endif
