import Client
import Domain
import Foundation
import ResidenceModel

// clientprobe <folder> <address>
//
// Opens the stores of one account on a folder, moves all that waits to the server, and makes changes until it is killed.
// Prints the number of each room after it was shown as created, never before. With "gate" first, it is a gate (GateProbe).

/// A server behind a folder of files: each request is a file named by its key, so that a repeated one is the same file.
struct FileServer: APIManager {
    let folder: URL

    func send(_ request: APIRequest) async throws -> Data {
        guard request.method == .post, let key = request.idempotencyKey, let body = request.body else {
            return Data("{\"items\":[]}".utf8)
        }
        let file = folder.appending(path: key.uuidString)
        if !FileManager.default.fileExists(atPath: file.path) { try body.write(to: file, options: .atomic) }
        struct Sent: Decodable {
            let number: String
            let type: String
            let bedCount: Int
        }
        let sent = try JSONDecoder().decode(Sent.self, from: body)
        // The answer is lost now and then, after the server has stored the room.
        if Int.random(in: 0..<4) == 0 { throw APIError.unreachable("the answer is lost") }
        let now = Date(timeIntervalSince1970: 0)
        let room = Room(
            id: key, pgId: Probe.pgId, number: sent.number, type: sent.type, bedCount: sent.bedCount,
            createdAt: now,
            updatedAt: now)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(room)
    }

    func events(after seq: Int64?, for account: UUID) -> AsyncThrowingStream<LiveItem, any Error> {
        AsyncThrowingStream { _ in }
    }
}

enum Probe {
    static let account = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    static let pgId = UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
}

@MainActor
final class ProbeAuth: AuthManager {
    let isAuthenticated = true
    let userId: UUID? = Probe.account
    let profileId: UUID? = Probe.account
    let currentPgId: UUID? = Probe.pgId
    let userRole = ["warden"]
    func accessToken(for account: UUID) async throws -> String { "" }
    func signOut() async {}
}

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

if CommandLine.arguments[1] == "gate" {
    try await GateProbe.run(Array(CommandLine.arguments.dropFirst(2)))
    exit(0)
}
let arguments = CommandLine.arguments
let folder = URL(filePath: arguments[1])
let server = URL(filePath: arguments[2])
let rounds = arguments.count > 3 ? Int(arguments[3]) ?? 0 : Int.max
let store = try await AppStore.open(
    api: FileServer(folder: server), auth: ProbeAuth(), storage: ClientStorage(folder: folder),
    environment: ClientEnvironment(backoff: Backoff(first: 0.001, longest: 0.002)))
store.start()
say("ready")
var round = 0
while round < rounds {
    let number = UUID().uuidString.prefix(18)
    _ = try await store.pgStore.createRoom(
        pgId: Probe.pgId, number: String(number), type: "Twin", bedCount: 1)
    say("shown \(number)")
    round += 1
}
while store.syncSummary.unsent > 0 { try await Task.sleep(for: .milliseconds(1)) }
for room in store.pgStore.state.rooms(of: Probe.pgId) { say("room \(room.number)") }
say("done")
