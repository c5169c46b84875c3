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
        let children = try SharingRepository.children(sharingWith: reader.personId, in: sql)
            .filter { try access.mayRead(reader, childId: $0, settings, in: sql) }
        return try access.names(children, of: reader.organization.id, in: sql).values
            .sorted { ($0.name.sortKey, $0.id.text) < ($1.name.sortKey, $1.id.text) }
            .map { person in
                let found = try SharingRepository.checkIns(
                    of: person.id, sharedWith: reader.personId, since: .distantPast, limit: limit, in: sql)
                return (
                    SharedCheckIns(personId: person.id, name: person.name.display, checkIns: found), person
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
                },
                run: { command, _, context in
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
                    SharingRepository.notify(command.adultId, from: me, in: &context)
                    context.feedback = Feedback(.toast, context.words("wellness.shared"))
                    return Done()
                }),
            .handle(EndSharing.self) { command, context in
                let me = try context.membership.personId
                if let id = command.checkInId {
                    guard try CheckInRepository.checkIn(id, of: me, in: context.sql) != nil else {
                        throw Problem.notFound
                    }
                    try SharingRepository.end(id, with: command.adultId, in: context.sql)
                } else {
                    try SharingRepository.endAll(of: me, with: command.adultId, in: context.sql)
                }
                SharingRepository.notify(command.adultId, from: me, in: &context)
                context.feedback = Feedback(.toast, context.words("wellness.sharingEnded"))
                return Done()
            },
        ]
    }
}
