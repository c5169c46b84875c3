import Client
import Domain
import Foundation
import ResidenceModel

/// A server of gates behind a folder of files: each passage is a file named by its key.
private struct GateFileServer: APIManager {
    let folder: URL

    func send(_ request: APIRequest) async throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        guard request.method == .post, let key = request.idempotencyKey, let body = request.body else {
            return try encoder.encode(GateProbe.list)
        }
        let file = folder.appending(path: key.uuidString)
        if !FileManager.default.fileExists(atPath: file.path) { try body.write(to: file, options: .atomic) }
        // The answer is lost now and then, after the server has stored the passage.
        if Int.random(in: 0..<4) == 0 { throw APIError.unreachable("the answer is lost") }
        struct Sent: Decodable {
            let studentId: UUID
            let type: RecordType
        }
        let sent = try JSONDecoder().decode(Sent.self, from: body)
        return try encoder.encode(
            CheckInOutRecord(
                id: key, studentId: sent.studentId, pgId: Probe.pgId, method: .kiosk, type: sent.type,
                timestamp: Date()))
    }

    func events(after seq: Int64?, for account: UUID) -> AsyncThrowingStream<LiveItem, any Error> {
        AsyncThrowingStream { _ in }
    }
}

/// clientprobe gate <folder> <server> <first> [rounds]
///
/// Opens the store of a gate, and reads the cards of one resident after the other, from a number on, until it is killed.
/// Prints each resident after the passage was shown, never before.
@MainActor
enum GateProbe {
    nonisolated private static let residents = 1_000

    nonisolated private static func id(_ number: Int) -> UUID {
        UUID(uuid: (3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number / 256), UInt8(number % 256)))
    }

    nonisolated static var list: GateList {
        let now = Date()
        return GateList(
            gate: Gate(id: id(0), pgId: Probe.pgId, name: "Main door", allowedAt: now), residence: "Birch",
            now: now,
            timeZone: "UTC", days: [],
            residents: (0..<residents).map { number in
                GateList.Resident(
                    id: id(number), name: "Bea", initials: "B", room: nil, photo: nil, type: nil, lastPassage: nil,
                    changedAt: nil,
                    tags: [
                        GateList.Tag(
                            id: id(number), fingerprint: SHA256.hex(Array("CARD\(number)".utf8)), isLost: false)
                    ], leaves: [])
            })
    }

    static func run(_ arguments: [String]) async throws {
        let store = try await GateStore.open(
            api: GateFileServer(folder: URL(filePath: arguments[1])), auth: ProbeAuth(),
            storage: ClientStorage(folder: URL(filePath: arguments[0])), clock: ServerClock(),
            environment: ClientEnvironment(backoff: Backoff(first: 0.001, longest: 0.002)))
        store.start()
        while store.state.list == nil { try await Task.sleep(for: .milliseconds(1)) }
        say("ready")
        let first = Int(arguments[2]) ?? 0
        let rounds = arguments.count > 3 ? Int(arguments[3]) ?? 0 : residents
        for number in first..<min(first + rounds, residents) {
            if case .passage(let passage) = try store.read("card\(number)") {
                say("shown \(passage.resident.id.text)")
            }
            // So that some passages are sent meanwhile.
            if number % 3 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        while store.syncSummary.unsent > 0 { try await Task.sleep(for: .milliseconds(1)) }
        say("done")
    }
}
