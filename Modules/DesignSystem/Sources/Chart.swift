public import Domain

/// A measure from time to time, as bars. It is a picture: its numbers stand beside it in a table or in words.
public struct PTChart: Codable, Hashable, Sendable {
    /// One bar.
    public struct Point: Codable, Hashable, Sendable {
        /// When: "21/9".
        public var label: String
        public var value: Double
        /// The value as it is read: "82 %".
        public var text: String

        public init(label: String, value: Double, text: String) {
            self.label = label
            self.value = value
            self.text = text
        }
    }
    /// The oldest first.
    public var points: [Point]
    /// The ends of the scale; values beyond are drawn at the nearer end.
    public var lowest: Double
    public var highest: Double
    /// Where bars begin.
    public var baseline: Double
    public var tint: Tint
    /// What a screen reader says in its place.
    public var spoken: String

    public init(
        points: [Point], lowest: Double, highest: Double, baseline: Double = 0, tint: Tint = .leaf, spoken: String
    ) {
        self.points = points
        self.lowest = lowest
        self.highest = highest
        self.baseline = baseline
        self.tint = tint
        self.spoken = spoken
    }

    /// How far up the scale a value lies, from 0 to 1.
    public func height(of value: Double) -> Double {
        guard highest > lowest, value.isFinite else { return 0 }
        return min(max((value - lowest) / (highest - lowest), 0), 1)
    }
}
