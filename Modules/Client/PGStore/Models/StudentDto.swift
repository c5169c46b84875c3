public import Foundation
public import ResidenceModel

/// A resident as the API lists them (PG-5.07).
public struct StudentDto: Codable, Sendable, Hashable {
    public let id: UUID
    public let name: String
    public let email: String?
    public let phone: String?
    public let roomId: UUID?
    public let status: String

    public init(
        id: UUID, name: String, email: String? = nil, phone: String? = nil, roomId: UUID? = nil, status: String
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.phone = phone
        self.roomId = roomId
        self.status = status
    }

    /// Returns the resident. An unknown status becomes `active`; the check-in fields are `nil`.
    public func toStudent(pgId: UUID) -> ResidenceMember {
        ResidenceMember(
            id: id, pgId: pgId, name: name, email: email, phone: phone, roomId: roomId,
            status: StudentStatus(rawValue: status) ?? .active)
    }
}
