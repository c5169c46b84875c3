/// A row of cards with a person's progress, such as in courses. It scrolls sideways if there is not enough room, unless it
/// is a grid.
public struct PTProgressCards: Codable, Hashable, Sendable {
    /// One card of the row, such as a student's progress in one course.
    public struct Card: Codable, Hashable, Sendable {
        public var id: String
        public var title: String
        /// The progress on the card in words: "Lessons: 12 of 18".
        public var detail: String
        public var ring: PTProgressRing
        /// A short text with the result so far: "B+".
        public var tag: PTTag?
        /// A small chart of a value over time; `nil` while there are no values.
        public var chart: PTChart?
        /// The action of the card, which opens the page about its course.
        public var action: PTAction
        /// The button of the card that continues with the next lesson; `nil` for none.
        public var next: PTButton?

        public init(
            id: String, title: String, detail: String, ring: PTProgressRing, tag: PTTag? = nil,
            chart: PTChart? = nil, action: PTAction, next: PTButton? = nil
        ) {
            self.id = id
            self.title = title
            self.detail = detail
            self.ring = ring
            self.tag = tag
            self.chart = chart
            self.action = action
            self.next = next
        }
    }
    public var cards: [Card]
    /// The name of the row of cards for screen readers.
    public var label: String
    /// Whether cards without room continue in the next row, for a person with many of them.
    public var isGrid = false

    public init(cards: [Card], label: String) {
        self.cards = cards
        self.label = label
    }
}
