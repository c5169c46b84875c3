public import Foundation

/// The method by which a resident's passage through the door was recorded (PG-2.17).
public enum CheckInMethod: String, Codable, Sendable, Hashable, CaseIterable {
    /// A warden recorded the resident's passage through the door, or the resident did on their own phone.
    case manual
    case nfc
    case qr
    case kiosk
}

/// The kind of person who records a passage through the door: a resident the own one, a warden that of a resident
/// (PG-2.17).
public enum UserType: String, Codable, Sendable, Hashable, CaseIterable {
    case student
    case warden
}

/// The direction of a passage through a door: in or out (PG-5.04).
public enum RecordType: String, Codable, Sendable, Hashable, CaseIterable {
    case checkIn
    case checkOut
}

/// A place on the earth, in degrees.
public struct GeoLocation: Codable, Sendable, Hashable {
    public let latitude: Double
    public let longitude: Double
    /// The radius of uncertainty of the place, in metres.
    public let accuracy: Double?

    /// Creates a place; `nil` for a latitude beyond 90 or a longitude beyond 180 degrees.
    public init?(latitude: Double, longitude: Double, accuracy: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }
}

/// One passage of a resident through the residence's door. Records are never changed; a correction is a record of its
/// own.
public struct CheckInOutRecord: Codable, Sendable, Hashable, Identifiable {
    /// The id of the passage record, which the device gave, so that a passage that arrives twice is stored once.
    public let id: UUID
    public let studentId: UUID
    public let pgId: UUID
    public let method: CheckInMethod
    public let type: RecordType
    /// The time at which the resident went through the door, by the server's clock; see `PassageClock`.
    public let timestamp: Date
    public let nfcTagId: String?
    public let location: GeoLocation?
    /// The id of the app's or browser's installation that recorded the passage through the door.
    public let deviceId: String?

    public init(
        id: UUID, studentId: UUID, pgId: UUID, method: CheckInMethod, type: RecordType, timestamp: Date,
        nfcTagId: String? = nil, location: GeoLocation? = nil, deviceId: String? = nil
    ) {
        self.id = id
        self.studentId = studentId
        self.pgId = pgId
        self.method = method
        self.type = type
        self.timestamp = timestamp
        self.nfcTagId = nfcTagId
        self.location = location
        self.deviceId = deviceId
    }
}

/// A correction of a resident's passage through the door that was recorded wrongly. The record itself does not change.
public struct RecordCorrection: Codable, Sendable, Hashable, Identifiable {
    public enum Change: Codable, Sendable, Hashable {
        /// The recorded passage through the door did not happen.
        case taken
        /// The passage through the door happened in another direction or at another time.
        case replaced(type: RecordType, timestamp: Date)
    }
    public let id: UUID
    /// The id of the record of the passage through the door that is corrected.
    public let recordId: UUID
    public let change: Change
    public let reason: String
    /// The id of the person who corrected the record of the passage.
    public let by: UUID
    public let at: Date

    public init(id: UUID, recordId: UUID, change: Change, reason: String, by: UUID, at: Date) {
        self.id = id
        self.recordId = recordId
        self.change = change
        self.reason = reason
        self.by = by
        self.at = at
    }
}

/// Computes the time of a passage through the door that was recorded by a device whose clock may be wrong.
public enum PassageClock {
    /// The largest age of a passage through the door that is accepted, in seconds: a device that was offline for two
    /// weeks.
    public static let longestDelay: TimeInterval = 14 * 86_400

    /// Returns the time of a passage through the door by the server's clock, or `nil` if it is older than
    /// `longestDelay`.
    ///
    /// The device sends the time of the passage and its time at sending, both by its own clock. Their difference is
    /// right even where the clock is a day off, as long as the clock was not set in between.
    ///
    /// - Parameters:
    ///   - recordedAt: The time of the passage by the device's clock.
    ///   - sentAt: The time of sending by the device's clock.
    ///   - now: The server's time at arrival.
    public static func timestamp(recordedAt: Date, sentAt: Date, now: Date) -> Date? {
        let age = max(0, sentAt.timeIntervalSince(recordedAt))
        return age <= longestDelay ? now.addingTimeInterval(-age) : nil
    }
}
