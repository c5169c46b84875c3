/// The days of a week with their rows: side by side on a wide screen, else one below the other.
public struct PTWeek: Codable, Hashable, Sendable {
    /// One day of the week, with its rows.
    public struct Day: Codable, Hashable, Sendable {
        /// The id of the day, unique on the page.
        public var id: String
        /// The weekday and the day of the month: "Monday 16".
        public var title: String
        /// A short line beside the day's title: "Until 18:00 today".
        public var detail: String?
        public var isToday: Bool
        /// Whether the day is over. Narrow screens do not show days that are over.
        public var isPast: Bool
        /// The rows of the day, at most a few.
        public var cells: [PTListCell]
        /// The action for the whole day; `nil` for none.
        public var action: PTButton?

        public init(
            id: String, title: String, detail: String? = nil, isToday: Bool = false, isPast: Bool = false,
            cells: [PTListCell], action: PTButton? = nil
        ) {
            self.id = id
            self.title = title
            self.detail = detail
            self.isToday = isToday
            self.isPast = isPast
            self.cells = cells
            self.action = action
        }
    }
    public var days: [Day]
    /// The name of the week's list of days for screen readers.
    public var label: String

    public init(days: [Day], label: String) {
        self.days = days
        self.label = label
    }
}
