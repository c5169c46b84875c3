import Domain
import Foundation
import ResidenceModel

private struct GatePassageBody: Encodable {
    let id: UUID
    let studentId: UUID
    let type: RecordType
    let method: CheckInMethod
    let at: Date
    let tagId: UUID
}

/// The routes of gates.
extension APIManager {
    func getGateList(for account: UUID) async throws -> GateList {
        try await fetch(GateList.self, GateRoute.list, for: account)
    }

    /// Sends a passage through the door of this gate.
    ///
    /// - Parameter at: The time of the passage by the server's clock.
    func recordGatePassage(
        _ passage: GatePassageEntry, at: Date, key: UUID, for account: UUID
    ) async throws -> CheckInOutRecord {
        let body = GatePassageBody(
            id: passage.id, studentId: passage.studentId, type: passage.type, method: passage.method, at: at,
            tagId: passage.tagId)
        return try await run(CheckInOutRecord.self, GateRoute.passages, body, key: key, for: account)
    }
}

/// The paths of gates.
enum GateRoute {
    static let list = "/api/v1/gate/list"
    static let passages = "/api/v1/gate/passages"
    static let pair = "/api/v1/gate/pair"
}
