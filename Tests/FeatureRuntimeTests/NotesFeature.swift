import Domain
import FeatureKit
import Foundation
import Synchronization
import TestKit

extension Permission {
    static let writeNotes = Permission("notes.write", [.guide, .admin])
}

/// The smallest possible block.
struct WriteNote: Command {
    struct Result: Codable, Sendable, Equatable {
        let id: UUID
        let body: String
    }
    static let contract = Contract(
        "notes.write", "/api/v1/notes", access: .member(.writeNotes), isCreation: true, summary: "Writes a note.")
    let body: String
    let fails: Bool
    init(_ fields: inout FieldReader) {
        body = fields.text("body")
        fails = fields.flag("fails")
    }
}

struct ListNotes: Query {
    typealias Result = Page<String>
    static let contract = Contract(
        "notes.list", "/api/v1/notes", access: .member(.writeNotes), summary: "Lists notes.")
    init(_ fields: inout FieldReader) {}
}

/// A command that runs in the directory and changes a school.
struct RenameSchool: Command {
    typealias Result = Done
    static let contract = Contract(
        "school.rename", "/api/v1/school", access: .account, store: .directory, summary: "Renames the school.")
    let name: String
    init(_ fields: inout FieldReader) { name = fields.text("name") }
}

/// A command that answers with a secret, so that its answer is not stored.
struct MakeToken: Command {
    typealias Result = Page<String>
    static let contract = Contract(
        "token.make", "/api/v1/token", access: .anyone, store: .directory, replay: .natural,
        summary: "Makes a token.")
    init(_ fields: inout FieldReader) {}
}

/// What the block did outside of its transactions.
final class Calls: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private let failing = Mutex<Set<String>>([])
    func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
    subscript(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
    func failNext(_ name: String) { _ = failing.withLock { $0.insert(name) } }
    func takeFailure(_ name: String) -> Bool { failing.withLock { $0.remove(name) != nil } }
}

struct NoteRefused: ProblemConvertible {
    var problem: Problem { Problem(409, "notes.refused") }
}
struct Cut: Error {}

func makeNotes(_ calls: Calls = Calls()) throws -> Feature {
    var feature = Feature("Notes", catalog: try StringCatalog(json: Data(#"{"strings": {}}"#.utf8)))
    feature.access.permissions = [.writeNotes]
    feature.storage.schoolMigrations = [
        Migration("001-notes", "CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT NOT NULL UNIQUE);\n")
    ]
    feature.storage.directoryMigrations = [
        Migration("001-names", "CREATE TABLE names (name TEXT PRIMARY KEY);\n")
    ]
    feature.endpoints.commands = [
        .handle(WriteNote.self) { command, context in
            calls.count("run")
            let id = context.newId()
            try context.sql.execute("INSERT INTO notes (id, body) VALUES (\(id), \(command.body))")
            context.record(
                Change("notes.written", topics: ["notes"], audience: [.school], payload: ["id": id.text]))
            context.feedback = Feedback(.toast, "Written")
            context.destination = "/notes"
            if command.fails { throw NoteRefused() }
            return WriteNote.Result(id: id, body: command.body)
        },
        .handle(
            RenameSchool.self,
            prepare: { _, _ in
                calls.count("prepare")
                return "prepared"
            },
            run: { command, prepared, context in
                calls.count("run")
                guard prepared == "prepared" else { throw Cut() }
                try context.sql.execute("INSERT INTO names (name) VALUES (\(command.name))")
                context.record(Change("school.renamed", topics: ["school"], audience: [.school]))
                return Done()
            },
            finish: { _, _, _ in
                calls.count("finish")
                if calls.takeFailure("finish") { throw Cut() }
            }),
        .handle(MakeToken.self) { _, context in
            calls.count("token")
            return Page(items: [context.ids.token()], next: nil)
        },
    ]
    feature.endpoints.queries = [
        .handle(ListNotes.self) { _, context in
            try await context.school.read { sql in
                Page(
                    items: try sql.rows("SELECT body FROM notes ORDER BY id").map { try $0.get("body") }, next: nil)
            }
        }
    ]
    return feature
}
