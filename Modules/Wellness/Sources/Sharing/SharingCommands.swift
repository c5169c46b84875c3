import Domain
import FeatureKit
import Foundation

/// Shares one check-in, or all of them.
struct ShareCheckIns: Command {
    static let contract = Contract(
        "wellness.share", "/api/v1/wellness/shares", access: .member(.checkIn),
        summary: "Shares one check-in, or all present and later ones, with an adult whom the student chooses.")
    typealias Result = Done

    let adultId: UUID
    /// The check-in to share; `nil` for all of them.
    let checkInId: UUID?

    init(_ fields: inout FieldReader) {
        adultId = fields.id("adultId")
        checkInId = fields.optionalId("checkInId")
    }
}

/// Ends the sharing of one check-in, or of all of them.
struct EndSharing: Command {
    static let contract = Contract(
        "wellness.endSharing", "/api/v1/wellness/shares/end", access: .member(.checkIn),
        summary: "Ends the sharing of one check-in with an adult, or of everything that is shared with the adult.")
    typealias Result = Done

    let adultId: UUID
    /// The check-in that is no longer shared; `nil` for everything.
    let checkInId: UUID?

    init(_ fields: inout FieldReader) {
        adultId = fields.id("adultId")
        checkInId = fields.optionalId("checkInId")
    }
}

/// Check-ins that a child shares with the caller.
struct SharedCheckIns: Codable, Sendable, Hashable {
    let personId: UUID
    let name: String
    let checkIns: [CheckIn]
}

/// Lists what children share with the caller.
struct ListSharedCheckIns: Query {
    static let contract = Contract(
        "wellness.shared", "/api/v1/wellness/shared", access: .member(.readSharedWellness),
        summary: "The check-ins that students share with the caller, by student, newest first.")
    typealias Result = Page<SharedCheckIns>

    init(_ fields: inout FieldReader) {}
}

/// The endpoints of sharing.
struct SharingHandlers: Sendable {
    let access: WellnessAccess

    private var signals: SharingSignals { SharingSignals(access: access) }

    var queries: [QueryRegistration] {
        [
            .handle(ListSharedCheckIns.self) { _, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    Page(items: try shared(with: membership, limit: 100, in: sql).map(\.shared), next: nil)
                }
            }
        ]
    }

    /// What children share with a member now, by the child's name.
    func shared(
        with reader: ActiveMembership, limit: Int, in sql: any SQLReading
    ) throws -> [(shared: SharedCheckIns, person: Person)] {
        let settings = try WellnessSettings.read(in: sql)
        let found = try SharingRepository.checkIns(sharedWith: reader.personId, limit: limit, in: sql)
        let children = try access.readable(Set(found.keys), by: reader, settings, in: sql)
        return try access.names(children, of: reader.organization.id, in: sql).values
            .sorted(by: Person.precedes)
            .map { person in
                let checkIns = found[person.id] ?? []
                return (
                    SharedCheckIns(personId: person.id, name: person.name.display, checkIns: checkIns), person
                )
            }
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                ShareCheckIns.self,
                prepare: { command, context in
                    let adults = try await access.adults(for: context.membership, context)
                    guard adults.contains(where: { $0.person.id == command.adultId }) else {
                        throw Problem.invalid("adultId", "wellness.adult")
                    }
                    return try await access.roles(
                        of: [command.adultId], in: context.membership.organization.id)
                },
                run: { command, roles, context in
                    let me = try context.membership.personId
                    guard try WellnessSettings.read(in: context.sql).isOn else {
                        throw Problem(409, "wellness.off")
                    }
                    if let id = command.checkInId {
                        guard try CheckInRepository.checkIn(id, of: me, in: context.sql) != nil else {
                            throw Problem.notFound
                        }
                        try SharingRepository.share(id, with: command.adultId, at: context.now, in: context.sql)
                    } else {
                        try SharingRepository.shareAll(
                            of: me, with: command.adultId, at: context.now, in: context.sql)
                    }
                    try signals.send(to: [command.adultId], roles, in: &context)
                    context.feedback = Feedback(.toast, context.words("wellness.shared"))
                    return Done()
                }),
            .handle(
                EndSharing.self,
                prepare: { command, context in
                    try await access.roles(of: [command.adultId], in: context.membership.organization.id)
                },
                run: { command, roles, context in
                    let me = try context.membership.personId
                    let hasEnded: Bool
                    if let id = command.checkInId {
                        guard try CheckInRepository.checkIn(id, of: me, in: context.sql) != nil else {
                            throw Problem.notFound
                        }
                        hasEnded = try SharingRepository.end(id, with: command.adultId, in: context.sql)
                    } else {
                        hasEnded = try SharingRepository.endAll(of: me, with: command.adultId, in: context.sql)
                    }
                    // An adult with whom nothing was shared must not learn of the child.
                    if hasEnded { try signals.send(to: [command.adultId], roles, in: &context) }
                    context.feedback = Feedback(.toast, context.words("wellness.sharingEnded"))
                    return Done()
                }),
        ]
    }
}
