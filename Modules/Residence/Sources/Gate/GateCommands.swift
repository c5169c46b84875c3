import AuthInterface
import Domain
import FeatureKit
import Foundation
import ResidenceModel

struct ListGates: Query {
    static let contract = Contract(
        "residence.gates", "/api/v1/residences/{pgId}/gates", access: .member(.runResidence),
        summary: "The gates of a residence, also those that were ended.")
    typealias Result = Page<Gate>

    let pgId: UUID

    init(_ fields: inout FieldReader) { pgId = fields.id("pgId") }
}

struct AllowGate: Command {
    static let contract = Contract(
        "residence.allowGate", "/api/v1/residences/{pgId}/gates", access: .member(.runResidence), isCreation: true,
        summary: """
            Allows one device to become a gate of the residence within ten minutes, with a random code that the caller \
            chose: 8 letters and digits. Only its fingerprint is stored.
            """)
    typealias Result = Gate

    let pgId: UUID
    let name: String
    let pairingCode: String

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        name = fields.text("name", max: 60)
        pairingCode = ShortCode.normalized(fields.text("pairingCode", max: 20))
        fields.refuse(
            "pairingCode", "residence.pairingCode", unless: ShortCode.isOne(pairingCode, length: GatePairing.length)
        )
    }
}

struct EndGate: Command {
    static let contract = Contract(
        "residence.endGate", "/api/v1/residences/{pgId}/gates/{gateId}/end", access: .member(.runResidence),
        replay: .natural, summary: "Ends a gate: its device records no more passages.")
    typealias Result = Done

    let pgId: UUID
    let gateId: UUID

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        gateId = fields.id("gateId")
    }
}

struct PairGate: Command {
    static let contract = Contract(
        "gate.pair", "/api/v1/gate/pair", access: .anyone, store: .directory, replay: .natural,
        summary: "Makes the calling device a gate, with a pairing code that a warden shows.")
    typealias Result = Done

    let code: String

    init(_ fields: inout FieldReader) { code = ShortCode.normalized(fields.text("pairingCode", max: 200)) }
}

/// The pairing of gates with their devices, by wardens.
struct GateHandlers: Sendable {
    let sessions: any NarrowSessions
    let hasher: any SecretHasher
    /// Ten tries in five minutes from one address.
    let tries = RateLimiter(limit: 10, period: 5 * 60)

    var queries: [QueryRegistration] {
        [
            .handle(ListGates.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let residence = try ResidenceAccess.residence(query.pgId, runBy: membership, in: sql)
                    return Page(items: try GateRepository.gates(of: residence.id, in: sql), next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                AllowGate.self, prepare: { _, _ in },
                run: { command, _, context in
                    let membership = try context.membership
                    let residence = try ResidenceAccess.residence(
                        command.pgId, runBy: membership, in: context.sql)
                    let gate = Gate(
                        id: context.newId(), pgId: residence.id, name: command.name, allowedAt: context.now)
                    try GateRepository.insert(
                        gate, deviceId: context.newId(), allowedBy: membership.personId, in: context.sql)
                    record("residence.gateAllowed", gate, &context)
                    context.destination = GateScreens.path(residence.id, code: command.pairingCode)
                    return gate
                },
                finish: { command, gate, context in
                    guard
                        let deviceId = try await context.school.read({
                            try GateRepository.deviceId(of: gate.id, in: $0)
                        })
                    else { return }
                    let account = try context.account
                    let pairing = GatePairing(
                        accountId: account.id, organizationId: try context.membership.organization.id,
                        deviceId: deviceId, hasSecondFactor: account.hasSecondFactor,
                        expiresAt: gate.allowedAt.addingTimeInterval(GatePairing.lifetime))
                    let fingerprint = hasher.fingerprint(command.pairingCode)
                    // conformance: allow write - the pairing of a gate is in the directory, its gate in the school
                    try await context.directory.write {
                        try GatePairingRepository.save(pairing, fingerprint, in: $0)
                    }
                }),
            .handle(EndGate.self) { command, context in
                let residence = try ResidenceAccess.residence(
                    command.pgId, runBy: context.membership, in: context.sql)
                guard let gate = try GateRepository.gate(command.gateId, of: residence.id, in: context.sql) else {
                    throw Problem.notFound
                }
                guard gate.endedAt == nil else { return Done() }
                try GateRepository.end(gate.id, at: context.now, in: context.sql)
                record("residence.gateEnded", gate, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.gateEnded", gate.name))
                return Done()
            },
            .handle(
                PairGate.self,
                prepare: { _, context in try tries.take([context.remoteAddress], at: context.now) },
                run: { command, _, context in
                    let fingerprint = hasher.fingerprint(command.code)
                    guard
                        let pairing = try GatePairingRepository.pairing(
                            fingerprint, at: context.now, in: context.sql)
                    else { throw Problem.invalid("pairingCode", "residence.pairingUnknown") }
                    try GatePairingRepository.delete(fingerprint, in: context.sql)
                    try sessions.start(
                        NarrowSession(
                            accountId: pairing.accountId, deviceId: pairing.deviceId,
                            organizationId: pairing.organizationId, scopes: GateAccess.scopes,
                            hasSecondFactor: pairing.hasSecondFactor), in: &context)
                    context.destination = KioskScreen.path
                    return Done()
                },
                finish: { _, _, context in tries.giveBack([context.remoteAddress]) }),
        ]
    }

    private func record(_ kind: String, _ gate: Gate, _ context: inout CommandContext) {
        context.record(
            Change(
                kind, topics: [ResidenceTopic.residence(gate.pgId)],
                audience: [.wardens(of: gate.pgId)] + Audience.roles(Permission.manageResidences.roles),
                payload: ["residence": gate.pgId.text, "gate": gate.name]))
    }
}
