import DesignSystem
import Domain
import FeatureKit
import Foundation

/// How a child feels, from the best to the hardest.
enum Mood: String, Codable, Sendable, CaseIterable {
    case veryGood, good, middling, poor, bad

    /// The height of the mood in a chart, from 1 to 5. No page shows the number.
    var level: Double { Double(Mood.allCases.count - (Mood.allCases.firstIndex(of: self) ?? 0)) }
    var icon: PTIcon {
        switch self {
        case .veryGood: .faceDelighted
        case .good: .faceHappy
        case .middling: .faceCalm
        case .poor: .faceUneasy
        case .bad: .faceSad
        }
    }
    /// A color that tells moods apart and does not judge them.
    var tint: Tint {
        switch self {
        case .veryGood: .clay
        case .good: .leaf
        case .middling: .sand
        case .poor: .sky
        case .bad: .berry
        }
    }
    var titleKey: String { "wellness.mood.\(rawValue)" }
}

/// How a child slept.
enum Sleep: String, Codable, Sendable, CaseIterable {
    case well, middling, badly

    /// The height in a chart, from 1 to 3.
    var level: Double { Double(Sleep.allCases.count - (Sleep.allCases.firstIndex(of: self) ?? 0)) }
    var titleKey: String { "wellness.sleep.\(rawValue)" }
}

/// How much energy a child has.
enum Energy: String, Codable, Sendable, CaseIterable {
    case high, middling, low

    /// The height in a chart, from 1 to 3.
    var level: Double { Double(Energy.allCases.count - (Energy.allCases.firstIndex(of: self) ?? 0)) }
    var titleKey: String { "wellness.energy.\(rawValue)" }
}

/// What a child noted about a moment: the mood, and if wanted sleep, energy and a line of text.
struct CheckIn: Codable, Sendable, Hashable, Identifiable {
    /// The longest line of text in Unicode scalars.
    static let noteLength = 500

    let id: UUID
    let mood: Mood
    let sleep: Sleep?
    let energy: Energy?
    let note: String
    let madeAt: Date

    /// Returns when a check-in was made: the time of the tap by the device's clock, if it is not in the future and not
    /// too old to be right.
    static func time(recordedAt: Date?, now: Date) -> Date {
        min(max(recordedAt ?? now, now.addingTimeInterval(-longestWait)), now)
    }

    /// The longest time that a check-in waits on a device: 366 days. Older times come from a wrong clock.
    static let longestWait: TimeInterval = 366 * 86_400
    /// The seconds within which two check-ins with the same mood and nothing else count as one double tap.
    static let bounce: TimeInterval = 10
}

/// The place of a check-in in the order of time, after which the next page of a list begins. It stays valid when the
/// check-in is deleted.
struct CheckInPlace: Sendable, Hashable {
    let madeAt: Date
    let id: UUID

    init(of one: CheckIn) { self.init(madeAt: one.madeAt, id: one.id) }

    init(madeAt: Date, id: UUID) {
        self.madeAt = madeAt
        self.id = id
    }

    /// Reads the place in an address; `nil` for a text of another form.
    init?(text: String) {
        let parts = text.split(separator: "_")
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = UUID(text: String(parts[1])),
            let madeAt = Date(sqlValue: .integer(milliseconds))
        else { return nil }
        self.init(madeAt: madeAt, id: id)
    }

    /// The place as part of an address: milliseconds since 1970, and the id.
    var text: String { "\(Int64((madeAt.timeIntervalSince1970 * 1000).rounded()))_\(id.text)" }
}

extension Mood: SQLConvertible {}
extension Sleep: SQLConvertible {}
extension Energy: SQLConvertible {}
