public import Domain

/// A chart of a value over time, as bars or as a line. Its numbers must also be in a table or in words.
public struct PTChart: Codable, Hashable, Sendable {
    /// The form in which a chart is drawn: bars or a line.
    public enum Style: String, Codable, Hashable, Sendable, CaseIterable { case bars, line }

    /// One value of a chart: a bar, or a place of the line.
    public struct Point: Codable, Hashable, Sendable {
        /// The time of the value, written as on the axis: "21/9".
        public var label: String
        public var value: Double
        /// The value, written as readers see it: "82 %".
        public var text: String

        public init(label: String, value: Double, text: String) {
            self.label = label
            self.value = value
            self.text = text
        }
    }
    /// The values of the chart as bars or places of the line, oldest first.
    public var points: [Point]
    /// The lower end of the chart's scale; smaller values are drawn at it.
    public var lowest: Double
    /// The upper end of the chart's scale; larger values are drawn at it.
    public var highest: Double
    /// The value at which the bars of the chart begin.
    public var baseline: Double
    public var style: Style
    public var tint: Tint
    /// The description of the chart for screen readers.
    public var spoken: String

    public init(
        points: [Point], lowest: Double, highest: Double, baseline: Double = 0, style: Style = .bars,
        tint: Tint = .leaf, spoken: String
    ) {
        self.points = points
        self.lowest = lowest
        self.highest = highest
        self.baseline = baseline
        self.style = style
        self.tint = tint
        self.spoken = spoken
    }

    /// The position of a value on the scale, from 0 to 1.
    public func height(of value: Double) -> Double {
        guard highest > lowest, value.isFinite else { return 0 }
        return min(max((value - lowest) / (highest - lowest), 0), 1)
    }
}
