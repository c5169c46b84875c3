public import Foundation

/// The passages of one resident through the door in the order in which they happened, with the states that follow from
/// them.
///
/// The result depends on the records alone, not on the order or number of their arrivals. A resident is in at most one
/// open stay: a check-in while in, or a check-out while out, only records that the resident was seen again.
public struct PassageLog: Sendable, Hashable {
    /// A passage of a resident through the door, with its corrections applied.
    public struct Passage: Sendable, Hashable {
        public let recordId: UUID
        public let type: RecordType
        public let timestamp: Date
        /// Whether the passage through the door changed nothing, because the resident was already in, or already out.
        public let isSeenAgain: Bool
        public let isCorrected: Bool
    }

    /// The number of seconds within which two reads of a tag or code are one passage through the door, whatever
    /// direction the second has.
    public static let repeatWindow: TimeInterval = 10

    /// The passages through the door that count, in order. Repeated reads and passages that were taken back are left
    /// out.
    public let passages: [Passage]

    public init(_ records: [CheckInOutRecord], corrections: [RecordCorrection] = []) {
        let latest = Dictionary(grouping: corrections, by: \.recordId).compactMapValues { changes in
            changes.max { ($0.at, $0.id.uuidString) < ($1.at, $1.id.uuidString) }
        }
        let unique = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
        let ordered = unique.values.compactMap { record -> (CheckInOutRecord, RecordType, Date, Bool)? in
            switch latest[record.id]?.change {
            case .taken: nil
            case .replaced(let type, let timestamp): (record, type, timestamp, true)
            case nil: (record, record.type, record.timestamp, false)
            }
        }.sorted { ($0.2, $0.0.id.uuidString) < ($1.2, $1.0.id.uuidString) }
        var passages: [Passage] = []
        for (record, type, timestamp, isCorrected) in ordered {
            let last = passages.last
            if let last, timestamp.timeIntervalSince(last.timestamp) < Self.repeatWindow {
                // A warden who records two directions in a hurry means both.
                if last.type == type || record.method != .manual { continue }
            }
            passages.append(
                Passage(
                    recordId: record.id, type: type, timestamp: timestamp, isSeenAgain: last?.type == type,
                    isCorrected: isCorrected))
        }
        self.passages = passages
    }

    /// Returns the latest passage through the door before or at an instant; `nil` if there is none.
    public func last(at instant: Date) -> Passage? { passages.last { $0.timestamp <= instant } }

    /// Whether the log's resident is in at an instant.
    public func isIn(at instant: Date) -> Bool { last(at: instant)?.type == .checkIn }

    /// Returns the time at which the resident last came in or went out, at an instant; `nil` if the resident never did.
    public func changed(at instant: Date) -> Date? {
        passages.last { $0.timestamp <= instant && !$0.isSeenAgain }?.timestamp
    }

    /// The times that the resident spent in the residence, in order. The last one has no end while the resident is in.
    public var stays: [(from: Date, to: Date?)] {
        passages.filter { !$0.isSeenAgain }.reduce(into: []) { stays, passage in
            if passage.type == .checkIn {
                stays.append((passage.timestamp, nil))
            } else if let open = stays.last, open.to == nil {
                stays[stays.count - 1].to = passage.timestamp
            }
        }
    }
}
