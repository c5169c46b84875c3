public import Domain

/// The days of a week as a row, with the events of the selected day below.
public struct PTAgenda: Codable, Hashable, Sendable {
    /// One day of the week in the row of days.
    public struct Day: Codable, Hashable, Sendable {
        /// The short name of the weekday: "Tue".
        public var title: String
        /// The day of the month: "12".
        public var number: String
        /// The day in words: "Tuesday 12 November, 3 entries".
        public var spoken: String
        /// The path of the page that shows the day.
        public var path: String
        public var isSelected: Bool
        /// Whether the day has any events.
        public var isBusy: Bool

        public init(
            title: String, number: String, spoken: String, path: String, isSelected: Bool = false,
            isBusy: Bool = false
        ) {
            self.title = title
            self.number = number
            self.spoken = spoken
            self.path = path
            self.isSelected = isSelected
            self.isBusy = isBusy
        }
    }
    /// An event on the selected day, such as a lesson.
    public struct Item: Codable, Hashable, Sendable {
        /// The time at which the event begins; `nil` if it takes the whole day.
        public var time: String?
        public var title: String
        public var detail: String?
        public var tint: Tint
        /// A word that marks the event as taking place now; `nil` for all other events.
        public var now: String?
        public var action: PTAction?

        public init(
            time: String? = nil, title: String, detail: String? = nil, tint: Tint, now: String? = nil,
            action: PTAction? = nil
        ) {
            self.time = time
            self.title = title
            self.detail = detail
            self.tint = tint
            self.now = now
            self.action = action
        }
    }
    /// The name of the week's row of days for screen readers.
    public var label: String
    public var days: [Day]
    /// The events of the selected day, in their order.
    public var items: [Item]
    /// The text that is shown for a day without events.
    public var empty: String

    public init(label: String, days: [Day], items: [Item], empty: String) {
        self.label = label
        self.days = days
        self.items = items
        self.empty = empty
    }
}
