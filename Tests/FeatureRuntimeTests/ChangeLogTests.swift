import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import FeatureRuntime

@Suite("The change log")
struct ChangeLogTests {
    @Test("the log returns its entries after a number and by kind")
    func roundTrip() async throws {
        let school = try await TestSchool([makeNotes()])
        let (ana, now) = (UUID(), school.clock.now)
        let changes = (1...5).map { number in
            Change(
                number % 2 == 0 ? "a.even" : "a.odd", topics: ["t:\(number)", "all"],
                audience: [.school, .person(ana), .role(.guide)],
                payload: ["n": "\(number)", "empty": "", "eq": "a=b"], reshapesAudience: number == 3)
        }
        let logged = try await school.database.write { try ChangeLog.append(changes, at: now, actor: ana, in: $0) }
        #expect(try await school.changes() == logged)
        let later = try await school.database.read { try ChangeLog.changes(after: 3, limit: 1, in: $0) }
        #expect(later.map(\.seq) == [4])
        let odd = try await school.database.read {
            try ChangeLog.latest(kinds: ["a.odd"], before: 5, limit: 9, in: $0)
        }
        #expect(odd.map(\.seq) == [3, 1])
        let none = try await school.database.write { try ChangeLog.append([], at: now, actor: nil, in: $0) }
        #expect(none.isEmpty)
    }
}
