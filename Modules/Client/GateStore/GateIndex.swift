import Domain
import Foundation
import ResidenceModel

/// The residents of a gate's list by the fingerprints of their tags.
struct GateIndex: Sendable {
    private struct Place: Sendable {
        let resident: Int
        let tag: GateList.Tag
    }
    let list: GateList
    private let places: [String: Place]

    init(_ list: GateList) {
        self.list = list
        var places: [String: Place] = [:]
        for (index, resident) in list.residents.enumerated() {
            for tag in resident.tags { places[tag.fingerprint] = Place(resident: index, tag: tag) }
        }
        self.places = places
    }

    /// Returns the resident and the tag of a normalized code; `nil` if the list has none.
    func find(_ code: String) -> (resident: GateList.Resident, tag: GateList.Tag)? {
        guard code.count >= TagCode.lengths.lowerBound,
            let place = places[SHA256.hex(Array(code.utf8))]
        else { return nil }
        return (list.residents[place.resident], place.tag)
    }
}

/// Everything that the file of a gate holds, read at the start.
struct StoredGate: Sendable {
    let index: GateIndex?
    /// The passages that the server has confirmed since the list.
    let confirmed: [CheckInOutRecord]
    let entries: [OutboxEntry]
    let notices: [SyncNotice]
    let anchor: ServerClock.Anchor?

    init(reading database: ClientDatabase) throws {
        self = try database.read { transaction in
            try StoredGate(
                index: transaction.all(GateList.self, .gateList).first.map(GateIndex.init),
                confirmed: transaction.all(CheckInOutRecord.self, .record), entries: transaction.entries(),
                notices: transaction.all(SyncNotice.self, .notice),
                anchor: transaction.meta(.serverClock).flatMap { text in
                    // What another version wrote is left out; the server tells its time anew.
                    try? JSONDecoder().decode(ServerClock.Anchor.self, from: Data(text.utf8))
                })
        }
    }

    private init(
        index: GateIndex?, confirmed: [CheckInOutRecord], entries: [OutboxEntry], notices: [SyncNotice],
        anchor: ServerClock.Anchor?
    ) {
        self.index = index
        self.confirmed = confirmed
        self.entries = entries
        self.notices = notices
        self.anchor = anchor
    }

    /// The latest time of the server that the file knows of.
    var seen: Date? {
        let passages = entries.compactMap { entry in
            if case .gatePassage(let passage) = entry.change { passage.at } else { nil }
        }
        return (passages + confirmed.map(\.timestamp) + [index?.list.now].compactMap { $0 }).max()
    }
}
