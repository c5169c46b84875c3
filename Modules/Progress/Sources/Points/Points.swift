/// Points for the amount of work that a student did, regardless of its quality. They never decrease for missed or late
/// work.
struct Points: Sendable, Hashable {
    /// Points for each lesson that is done.
    static let perLesson = 10
    /// Points for each graded piece of work, regardless of its score.
    static let perWork = 20

    let total: Int

    init(total: Int) { self.total = total }

    init(lessons: Int, work: Int) { total = lessons * Self.perLesson + work * Self.perWork }

    /// The points at which a level begins: 0, 100, 300, 600, 1000. Each level takes 100 points more than the one
    /// before.
    static func start(ofLevel level: Int) -> Int { 50 * level * (level - 1) }

    /// The level, from 1.
    var level: Int {
        var level = 1
        while Self.start(ofLevel: level + 1) <= total { level += 1 }
        return level
    }

    /// The points up to the next level, at least 1.
    var missing: Int { Self.start(ofLevel: level + 1) - total }

    /// The part of the present level that is done, from 0 to less than 1.
    var fraction: Double {
        let start = Self.start(ofLevel: level)
        return Double(total - start) / Double(Self.start(ofLevel: level + 1) - start)
    }
}

/// A ranking by points, in which equal points share a place and the following place counts them all: 1, 2, 2, 4.
struct Ranking<ID: Hashable & Sendable>: Sendable {
    struct Entry: Sendable, Hashable {
        let id: ID
        let place: Int
        let points: Int
    }
    /// The entries with points, the best first.
    let entries: [Entry]

    init(_ points: [ID: Int]) {
        let ranked = points.filter { $0.value > 0 }.sorted { $0.value > $1.value }
        var entries: [Entry] = []
        for (index, one) in ranked.enumerated() {
            let place = entries.last.flatMap { $0.points == one.value ? $0.place : nil } ?? index + 1
            entries.append(Entry(id: one.key, place: place, points: one.value))
        }
        self.entries = entries
    }
}
