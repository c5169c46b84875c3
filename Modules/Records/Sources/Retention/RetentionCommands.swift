import Domain
import FeatureKit
import Foundation
import RecordsInterface

/// Sets the retention period of a kind of record.
struct SetRetention: Command {
    static let contract = Contract(
        "records.setRetention", "/api/v1/records/kinds/{kindId}/retention", access: .member(.setRetention),
        replay: .natural,
        summary: "Chooses for how many days a kind of record is kept, within its bounds.")
    typealias Result = Done

    let kindId: String
    let days: Int

    init(_ fields: inout FieldReader) {
        kindId = fields.text("kindId", max: 80)
        days = fields.integer("days", in: 1...36_500, default: 0)
        fields.refuse("days", "required", unless: days > 0)
    }
}

/// Lists every kind of record that the server stores.
struct GetInventory: Query {
    static let contract = Contract(
        "records.inventory", "/api/v1/records/inventory", access: .anyone, store: .directory,
        summary:
            "Every kind of record that this server stores, what it tells about people, and how long it is kept.")
    typealias Result = Page<InventoryEntry>

    init(_ fields: inout FieldReader) {}
}

/// The handlers of retention.
struct RetentionHandlers: Sendable {
    let retention: RetentionService

    var commands: [CommandRegistration] {
        [
            .handle(SetRetention.self) { command, context in
                try retention.set(command.days, for: command.kindId, in: context)
                context.record(
                    Change(
                        "records.retentionSet", topics: ["records"],
                        audience: Audience.roles([.superAdmin, .admin]),
                        payload: ["kind": command.kindId, "days": String(command.days)]))
                context.feedback = Feedback(.toast, context.words("records.retentionSet"))
                context.destination = RetentionScreen.path
                return Done()
            }
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(GetInventory.self) { _, context in
                Page(items: retention.entries(context.words), next: nil)
            }
        ]
    }
}
