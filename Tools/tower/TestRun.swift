import Conformance
import Foundation

/// The outcome of a test in the last run.
enum Outcome: String, Decodable {
    case passed, failed, skipped
}

/// The outcomes of the last test run, by the location of each test.
struct TestRun {
    /// A test's file, such as `ArchitectureTests/LayerTests.swift`, and the line of its `@Test`.
    struct Place: Hashable {
        let file: String
        let line: Int
        let column: Int
    }

    let outcomes: [Place: Outcome]

    /// Reads the event stream of `swift test` (JSON lines, ABI version 0).
    init(events: String) throws {
        var places: [String: Place] = [:]
        var failed: Set<String> = []
        var outcomes: [Place: Outcome] = [:]
        let decoder = JSONDecoder()
        for line in events.split(separator: "\n") {
            let payload = try decoder.decode(Record.self, from: Data(line.utf8)).payload
            if payload.kind == "function", let id = payload.id, let place = payload.sourceLocation {
                places[id] = Place(file: place.fileID, line: place.line, column: place.column)
            }
            guard let id = payload.testID, let place = places[id] else { continue }
            switch payload.kind {
            // A known issue counts as a failure: the statement does not hold.
            case "issueRecorded" where payload.issue?.severity != "warning": failed.insert(id)
            case "testSkipped", "testCancelled": outcomes[place] = .skipped
            case "testEnded":
                let symbols = Set((payload.messages ?? []).compactMap(\.symbol))
                if failed.contains(id) || !symbols.isDisjoint(with: ["fail", "passWithKnownIssue"]) {
                    outcomes[place] = .failed
                } else if !symbols.isDisjoint(with: ["pass", "passWithWarnings"]), outcomes[place] == nil {
                    outcomes[place] = .passed
                }
            default: break
            }
        }
        self.outcomes = outcomes
    }

    private struct Record: Decodable { let payload: Payload }
    private struct Payload: Decodable {
        let kind: String
        let id: String?
        let testID: String?
        let sourceLocation: Location?
        let messages: [Message]?
        let issue: Issue?
    }
    private struct Location: Decodable {
        let fileID: String
        let line: Int
        let column: Int
    }
    private struct Message: Decodable { let symbol: String? }
    private struct Issue: Decodable { let severity: String? }
}

/// A test that names statements of the ledger, with its outcome; `nil` when it was not in the last run.
struct NamingTest: Hashable {
    let name: String
    let suite: String
    let requirements: Set<String>
    let outcome: Outcome?

    /// All tests in the sources that name a statement.
    static func all(in tree: SourceTree, run: TestRun?) -> [NamingTest] {
        tree.sources.flatMap { file -> [NamingTest] in
            guard let module = tree.module(of: file.path)?.name else { return [] }
            return file.facts.tests.compactMap { test in
                guard !test.requirements.isEmpty else { return nil }
                let place = TestRun.Place(file: "\(module)/\(file.fileName)", line: test.line, column: test.column)
                return NamingTest(
                    name: test.name, suite: module, requirements: Set(test.requirements),
                    outcome: run?.outcomes[place])
            }
        }
    }

    /// The browser tests' run, as their plug-in writes it.
    static func browser(json: Data) throws -> [NamingTest] {
        struct Entry: Decodable {
            let name: String
            let requirements: [String]
            let outcome: Outcome
        }
        return try JSONDecoder().decode([Entry].self, from: json).map {
            NamingTest(
                name: $0.name, suite: "Browser", requirements: Set($0.requirements), outcome: $0.outcome)
        }
    }
}
