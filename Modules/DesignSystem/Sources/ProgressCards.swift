/// What somebody is in the middle of, side by side: how far, how well, and where it goes on. A row that scrolls sideways
/// where there is no room.
public struct PTProgressCards: Codable, Hashable, Sendable {
    /// One of them.
    public struct Card: Codable, Hashable, Sendable {
        public var id: String
        public var title: String
        /// "12 of 18 lessons".
        public var detail: String
        public var ring: PTProgressRing
        /// How well: "B+".
        public var tag: PTTag?
        /// A measure from time to time as a few small bars; it is left out where there is none yet.
        public var chart: PTChart?
        /// The page of the thing itself.
        public var action: PTAction
        /// Where it goes on: the next lesson.
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
    /// Its spoken name.
    public var label: String

    public init(cards: [Card], label: String) {
        self.cards = cards
        self.label = label
    }
}
