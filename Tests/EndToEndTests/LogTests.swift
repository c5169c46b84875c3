import Domain
import FeatureKit
import Foundation
import Logging
import Synchronization
import TestKit
import Testing

@testable import Web

@Suite("The server's log")
struct LogTests {
    private struct Broken: Error {
        let typed = "Noor Aziz"
    }

    @Test("an unexpected error is logged with the ids of school and person, without names")
    func unexpectedError() async throws {
        let school = try await TestEnvironment([]).makeSchool()
        let caller = school.makeCaller(.guide)
        let log = LogRecorder()
        let logger = Logger(label: "test", factory: { _ in log })
        #expect(ProblemTranslation.problem(for: Broken(), logger, caller).code == "internal")
        #expect(ProblemTranslation.problem(for: Broken(), logger).code == "internal")
        #expect(ProblemTranslation.problem(for: Problem.notFound, logger, caller).status == 404)
        let events = log.events.withLock(\.self)
        #expect(events.count == 2, "a refusal is no error of the server")
        let membership = try #require(caller.membership)
        #expect(events.first?.metadata["school"] == "\(membership.organization.id.text)")
        #expect(events.first?.metadata["actor"] == "\(membership.personId.text)")
        #expect(events.last?.metadata.isEmpty == true, "nobody is signed in")
        #expect(events.allSatisfy { !$0.message.contains("Noor") })
    }
}
