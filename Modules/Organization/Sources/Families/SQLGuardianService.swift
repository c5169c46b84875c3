public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Manages the guardians of children in the school's database, and their invites in the server's directory database.
public struct SQLGuardianService: GuardianService {
    private let letter: InviteLetter
    static let validDays = 30

    public init(letter: InviteLetter) { self.letter = letter }

    public func children(ofGuardian personId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try FamilyRepository.children(ofGuardian: personId, in: sql)
    }

    public func guardians(ofChild childId: UUID, in sql: any SQLReading) throws -> [Guardian] {
        try FamilyRepository.guardians(ofChild: childId, in: sql)
    }

    public func link(
        _ draft: Person, to childId: UUID, by staffId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws -> UUID {
        let known = try draft.email.flatMap { try FamilyRepository.guardian(at: $0, in: sql) }
        if known == nil { try PeopleRepository.insert(draft, externalId: nil, accountId: nil, in: sql) }
        let personId = known ?? draft.id
        try FamilyRepository.link(personId, to: childId, by: staffId, at: instant, in: sql)
        return personId
    }

    public func unlink(_ personId: UUID, from childId: UUID, in sql: any SQLWriting) throws -> Bool {
        try FamilyRepository.unlink(personId, from: childId, in: sql)
    }

    public func invite(_ personId: UUID, at email: String, in context: inout CommandContext) throws {
        try letter.send(
            to: email, .parent, as: personId,
            until: context.now.addingTimeInterval(Double(Self.validDays) * 86_400), in: &context)
    }
}
