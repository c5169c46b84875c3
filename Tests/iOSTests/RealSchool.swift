import Client
import Domain
import Foundation
import ServerProcess
import TestKit
import Testing

@testable import AppShell

/// A school on a server that runs as a process of its own, with its founder, who runs it.
@MainActor
struct RealSchool {
    struct Missing: Error { let text: String }
    struct Entity: Decodable { let id: UUID }
    struct Listing<Item: Decodable>: Decodable { let items: [Item] }

    nonisolated static let email = "ana@maple.example"
    nonisolated static let password = "a few words in a row"

    let server: RealServer
    private let auth: LiveAuthManager
    private let api: LiveAPIManager

    /// Starts the server and founds a school.
    init(in folder: TemporaryFolder) async throws {
        server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        (auth, api) = try Self.connect(server, folder.url.appending(path: "founder"))
        try await Self.signUp(api, name: "Ana", email: Self.email)
        try await Self.signIn(auth, Self.email)
        _ = try await run("/organizations", ["name": "Maple", "timeZone": RealServer.daytime.identifier])
    }

    func end() { server.kill() }

    private static func connect(_ server: RealServer, _ session: URL) throws -> (LiveAuthManager, LiveAPIManager) {
        let auth = try LiveAuthManager(server: try server.url, storage: SessionFile(session))
        return (auth, LiveAPIManager(server: try server.url, auth: auth, language: .english))
    }

    private static func signUp(_ api: LiveAPIManager, name: String, email: String) async throws {
        struct Person: Encodable {
            let name: String
            let email: String
            let password = RealSchool.password
            let bornOn = "1990-02-28"
            let agrees = true
        }
        _ = try await api.send(
            APIRequest(
                .post, "/api/v1/auth/sign-up", body: try JSONEncoder().encode(Person(name: name, email: email))))
    }

    private static func signIn(_ auth: LiveAuthManager, _ email: String) async throws {
        guard case .signedIn = try await auth.signIn(email: email, password: password) else {
            throw Missing(text: "a session")
        }
    }

    /// Adds another person with a role to the school, who can sign in with the password of all.
    func add(_ name: String, email: String, role: String, in folder: TemporaryFolder) async throws {
        struct Invite: Decodable { let code: String }
        let invite: Invite = try await post("/invites", ["role": role])
        let (auth, api) = try Self.connect(server, folder.url.appending(path: email))
        try await Self.signUp(api, name: name, email: email)
        try await Self.signIn(auth, email)
        _ = try await api.send(
            APIRequest(
                .post, "/api/v1/invites/redeem", body: try JSONEncoder().encode(["code": invite.code]),
                account: auth.userId))
    }

    private func post<Value: Decodable>(_ path: String, _ fields: some Encodable) async throws -> Value {
        let data = try await api.send(
            APIRequest(.post, "/api/v1\(path)", body: try JSONEncoder().encode(fields), account: auth.userId))
        return try JSONDecoder().decode(Value.self, from: data)
    }

    /// Runs a command of the founder and returns the id of what it made.
    @discardableResult
    func run(_ path: String, _ fields: some Encodable) async throws -> UUID {
        let entity: Entity = try await post(path, fields)
        return entity.id
    }

    func read<Value: Decodable>(
        _ type: Value.Type, _ path: String, _ query: [String: String] = [:]
    ) async throws -> Value {
        try JSONDecoder().decode(
            type,
            from: try await api.send(APIRequest(.get, "/api/v1\(path)", query: query, account: auth.userId)))
    }

    /// Adds a residence with a room for each list of names. Returns its id, and the ids of the residents by name.
    func residence(_ rooms: [[String]]) async throws -> (pgId: UUID, residents: [String: UUID]) {
        struct Room: Encodable {
            let number: String
            let type = "Twin"
            let bedCount: Int
        }
        let pgId = try await run(
            "/residences", ["name": "Birch", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00"])
        let classroom = try await run("/classrooms", ["name": "Maple room"])
        var residents: [String: UUID] = [:]
        for (place, names) in rooms.enumerated() {
            let room = try await run(
                "/residences/\(pgId.text)/rooms",
                Room(number: "\(101 + place)", bedCount: max(2, names.count)))
            for name in names {
                let id = try await run(
                    "/students", ["firstName": name, "lastName": "Ruiz", "classroomId": classroom.text])
                try await run("/residences/\(pgId.text)/students", ["studentId": id.text])
                try await run("/residences/\(pgId.text)/students/\(id.text)/room", ["roomId": room.text])
                residents[name] = id
            }
        }
        return (pgId, residents)
    }
}

extension AppDevice {
    /// Signs a person of a real school in.
    func signIn(_ email: String = RealSchool.email) async throws -> SignedIn {
        await start()
        try enter(email, into: words("shell.launch.email"))
        try enter(RealSchool.password, into: words("shell.launch.password"))
        try press(words("shell.launch.signIn"))
        try await wait("the main view is shown") { has("RoleBasedMainView") }
        return try #require(session.signedIn)
    }
}
