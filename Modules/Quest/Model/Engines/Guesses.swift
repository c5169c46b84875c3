/// The guesses of the dial: from five seconds to an hour in one turn, in small steps at first.
public enum Guesses {
    /// All possible guesses in seconds.
    public static let all: [Double] =
        [(5, 60, 5), (60, 300, 15), (300, 600, 30), (600, 1200, 60), (1200, 3601, 300)].flatMap { from, to, step in
            stride(from: from, to: to, by: step).map(Double.init)
        }

    /// The first position of the dial in seconds: short, and not a hint.
    public static let first: Double = 120

    /// The position of the guess that is closest to a number of seconds.
    public static func nearest(_ seconds: Double) -> Int {
        all.indices.min { abs(all[$0] - seconds) < abs(all[$1] - seconds) } ?? 0
    }

    /// The degrees of the whole arc. It ends before its beginning, so that none and all look different.
    private static let turn = 345.0

    /// The angle of a position, in degrees clockwise from the top.
    public static func angle(of place: Int) -> Double { Double(place) / Double(all.count - 1) * turn }

    /// The position at an angle, in degrees clockwise from the top.
    ///
    /// A turn beyond the end stops there, so that an hour does not become seconds.
    ///
    /// - Parameter present: the position before.
    public static func place(at degrees: Double, from present: Int) -> Int {
        let last = all.count - 1
        var angle = degrees.truncatingRemainder(dividingBy: 360)
        if angle < 0 { angle += 360 }
        let wanted = Int((angle / turn * Double(last)).rounded())
        if Double(abs(wanted - present)) > Double(last) * 0.6 { return present > last / 2 ? last : 0 }
        return min(last, wanted)
    }
}
