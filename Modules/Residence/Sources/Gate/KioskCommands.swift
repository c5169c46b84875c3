import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

struct ReadGateList: Query {
    static let contract = Contract(
        "gate.list", "/api/v1/gate/list", access: .member(.runResidence),
        summary: "The data with which the calling gate decides without a network. Only a paired device can call it."
    )
    typealias Result = GateList

    init(_ fields: inout FieldReader) {}
}

struct RecordGatePassage: Command {
    static let contract = Contract(
        "gate.record", "/api/v1/gate/passages", access: .member(.runResidence), isOfflineCapable: true,
        replay: .natural,
        summary: """
            Records a passage through the calling gate. A passage whose id is known, and a read within 10 s of another, is \
            the earlier one. A tag that was reported lost or revoked before is refused with 409.
            """)
    typealias Result = CheckInOutRecord

    let id: UUID
    let studentId: UUID
    let type: RecordType
    let method: CheckInMethod
    /// The time of the passage by the server's clock, as the gate computes it (`GateList.now`). A time to come counts as
    /// now.
    let at: Date
    /// The tag that was read.
    let tagId: UUID?

    init(_ fields: inout FieldReader) {
        id = fields.id("id")
        studentId = fields.id("studentId")
        type = fields.choice("type")
        method = fields.choice("method")
        at = fields.instant("at")
        tagId = fields.optionalId("tagId")
    }
}

struct TakeBackPassage: Command {
    static let contract = Contract(
        "gate.takeBack", "/api/v1/gate/passages/{recordId}/take-back", access: .member(.runResidence),
        isOfflineCapable: true, replay: .natural,
        summary: "Says that a passage that the calling gate recorded did not happen.")
    typealias Result = Done

    let recordId: UUID

    init(_ fields: inout FieldReader) { recordId = fields.id("recordId") }
}

struct ReadCode: Command {
    static let contract = Contract(
        "gate.readCode", "/api/v1/gate/codes", access: .member(.runResidence), replay: .natural,
        bodyLimit: 2 << 20,
        summary: "Reads the QR codes in a camera's picture, for gates whose browser cannot.")

    /// The texts of the codes.
    struct Result: Codable, Sendable, Hashable {
        let codes: [String]
    }

    let picture: UploadedFile?

    init(_ fields: inout FieldReader) { picture = fields.files("picture", max: 1).first }
}

/// What a paired device may call: its list, passages through its door, and nothing else.
struct KioskHandlers: Sendable {
    /// The days for which a list is enough: a gate that was offline for a week still knows the curfews.
    static let days = 15

    let people: any PeopleService
    let passages: PassageHandlers
    let codes: any QRCodeDecoder
    let hasher: any SecretHasher

    var queries: [QueryRegistration] {
        [.handle(ReadGateList.self) { _, context in try await list(context) }]
    }

    var commands: [CommandRegistration] {
        [
            .handle(RecordGatePassage.self) { command, context in
                let gate = try GateAccess.gate(of: context.caller, context.membership, in: context.sql).gate
                guard let resident = try ResidentRepository.resident(command.studentId, in: context.sql),
                    resident.pgId == gate.pgId
                else { throw Problem(404, "residence.studentNotFound") }
                let at = min(command.at, context.now)
                // A gate without a network has an old list, so it accepts a tag that was reported lost meanwhile. Another
                // person may have used the tag, so the passage does not count as the resident's.
                if let tagId = command.tagId, try TagRepository.hadEnded(tagId, at: at, in: context.sql) {
                    throw Problem(409, "residence.tagEnded")
                }
                return try passages.record(
                    command.type, of: resident,
                    PassageDraft(
                        id: command.id, method: command.method, tagId: command.tagId, deviceId: gate.id, at: at,
                        now: context.now), &context)
            },
            .handle(TakeBackPassage.self) { command, context in
                let gate = try GateAccess.gate(of: context.caller, context.membership, in: context.sql).gate
                // A read within ten seconds of another left no passage of its own.
                guard let record = try PassageRepository.record(command.recordId, in: context.sql) else {
                    return Done()
                }
                guard record.pgId == gate.pgId, record.deviceId == gate.id.text else { throw Problem.notFound }
                let known = try PassageRepository.corrections(of: [record.id], in: context.sql)
                guard known.isEmpty else { return Done() }
                try passages.correct(
                    record, .taken, reason: context.words("residence.gate.takenBack", gate.name), &context)
                return Done()
            },
            .handle(
                ReadCode.self,
                prepare: { command, context in
                    let (caller, membership) = (context.caller, try context.membership)
                    _ = try await context.school.read { try GateAccess.gate(of: caller, membership, in: $0) }
                    guard let picture = command.picture else { throw Problem.invalid("picture", "required") }
                    do throws(ImageFault) {
                        return ReadCode.Result(codes: try await codes.texts(in: picture.content))
                    } catch {
                        throw Problem.invalid("picture", "residence.noPicture")
                    }
                }, run: { _, found, _ in found }),
        ]
    }

    /// The photo of a resident, for the gate of their residence.
    var photo: DownloadRoute {
        DownloadRoute(
            "/gate/photos/{studentId}/{hash}", access: .member(.runResidence), area: GateAccess.area
        ) { parameters, context in
            guard let id = parameters["studentId"].flatMap(UUID.init(text:)),
                let hash = parameters["hash"].flatMap(BlobHash.init(_:))
            else { throw Problem.notFound }
            let (caller, membership) = (context.caller, try context.membership)
            let person = try await context.school.read { sql in
                let gate = try GateAccess.gate(of: caller, membership, in: sql).gate
                guard try ResidentRepository.resident(id, in: sql)?.pgId == gate.pgId else {
                    throw Problem.notFound
                }
                return try people.people([id], of: membership.organization.id, in: sql)[id]
            }
            guard let person, Self.hash(of: person) == hash.description else { throw Problem.notFound }
            return try await DownloadedFile(hash, .jpeg, of: context.files)
        }
    }

    /// The hash at the end of the address of a person's picture.
    private static func hash(of person: Person) -> String? {
        person.imageURL?.split(separator: "/").last.map(String.init)
    }

    /// The list of the caller's gate.
    func list(_ context: RequestContext) async throws -> GateList {
        let (caller, membership, now) = (context.caller, try context.membership, context.now)
        let calendar = ResidenceCalendar(timeZone: membership.timeZone)
        let today = calendar.day(of: now)
        return try await context.school.read { sql in
            let (gate, residence) = try GateAccess.gate(of: caller, membership, in: sql)
            let days = (0..<Self.days).map { number in
                let day = today.adding(days: number)
                return GateList.Day(
                    start: calendar.start(of: day), curfew: calendar.curfew(of: residence, on: day))
            }
            return GateList(
                gate: gate, residence: residence.name, now: now, timeZone: membership.timeZone.identifier,
                days: days,
                residents: try residents(
                    of: residence, on: context.today, from: calendar.start(of: today),
                    until: days.last?.curfew ?? now, membership, sql))
        }
    }

    private func residents(
        of residence: Residence, on day: Day, from start: Date, until end: Date, _ membership: ActiveMembership,
        _ sql: any SQLReading
    ) throws -> [GateList.Resident] {
        let all = try ResidentRepository.residents(
            of: residence.id, statuses: [.active, .inactive], in: sql)
        let ids = all.map(\.resident.personId)
        let tags = try TagRepository.tags(of: ids, in: sql)
        let presences = try PassageRepository.current(of: residence.id, in: sql)
        let people = try people.people(ids, of: membership.organization.id, in: sql)
        let leaves = Dictionary(
            grouping: try LeaveRepository.leaves(of: residence.id, from: start, until: end, in: sql)
                .filter { $0.state(at: start) == .approved }, by: \.studentId)
        let rooms = try RoomRepository.rooms(of: residence.id, on: day, in: sql)
            .reduce(into: [UUID: String]()) { rooms, room in
                for id in room.studentIds { rooms[id] = room.number }
            }
        return all.map { resident, name, _ in
            let id = resident.personId
            let presence = presences[id]?.presence
            return GateList.Resident(
                id: id, name: name.display, initials: name.initials, room: rooms[id],
                photo: people[id].flatMap(Self.hash).map { "/gate/photos/\(id.text)/\($0)" },
                type: presence?.type, lastPassage: presence?.lastPassage, changedAt: presence?.changedAt,
                tags: (tags[id] ?? []).map {
                    GateList.Tag(
                        id: $0.tag.id, fingerprint: hasher.fingerprint($0.code), isLost: $0.tag.lostAt != nil)
                },
                leaves: (leaves[id] ?? []).map { GateList.Leave(from: $0.from, to: $0.to) })
        }
    }
}
