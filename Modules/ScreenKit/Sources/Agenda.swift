public import Domain

/// An event of a day in the agenda of the home page, such as a lesson.
public struct AgendaEntry: Sendable, Hashable {
    public let day: Day
    /// The beginning and the end of the event in minutes since midnight, in the school's time zone; `nil` for the whole
    /// day.
    public let minutes: Range<Int>?
    public let title: String
    public let detail: String?
    public let tint: Tint
    /// The path of the page about the event.
    public let path: String?
    /// Whether the school is closed on the day, so that entries with a time do not take place.
    public let isDayOff: Bool

    public init(
        day: Day, minutes: Range<Int>? = nil, title: String, detail: String? = nil, tint: Tint, path: String? = nil,
        isDayOff: Bool = false
    ) {
        self.day = day
        self.minutes = minutes
        self.title = title
        self.detail = detail
        self.tint = tint
        self.path = path
        self.isDayOff = isDayOff
    }
}

/// Provides the events of a feature block, such as lessons or meetings, for the agenda of the home page.
public struct AgendaSource: Sendable {
    /// The permission that a person needs to see the events.
    public let permission: Permission
    /// The topics of changes after which the events are read again.
    public let topics: [String]
    /// Returns the events of some days for the caller.
    public let entries: @Sendable (ClosedRange<Day>, ScreenRequest) async throws -> [AgendaEntry]

    public init(
        permission: Permission, topics: [String] = [],
        _ entries: @escaping @Sendable (ClosedRange<Day>, ScreenRequest) async throws -> [AgendaEntry]
    ) {
        self.permission = permission
        self.topics = topics
        self.entries = entries
    }
}
