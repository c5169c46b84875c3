/// What a student has done, as a number that only grows with work: points say how much, never how well, and nothing that
/// was missed or came late takes any away.
struct Points: Sendable, Hashable {
    /// For each lesson that is done.
    static let perLesson = 10
    /// For each piece of work that was handed in and marked, whatever the mark.
    static let perWork = 20

    let total: Int

    init(total: Int) { self.total = total }

    init(lessons: Int, work: Int) { total = lessons * Self.perLesson + work * Self.perWork }

    /// Where a level begins: 0, 100, 300, 600, 1000… so that each takes 100 points more than the one before.
    static func start(ofLevel level: Int) -> Int { 50 * level * (level - 1) }

    /// From 1 on.
    var level: Int {
        var level = 1
        while Self.start(ofLevel: level + 1) <= total { level += 1 }
        return level
    }

    /// How many points the next level is away; always more than 0.
    var missing: Int { Self.start(ofLevel: level + 1) - total }

    /// How much of the present level is done, from 0 to below 1.
    var fraction: Double {
        let start = Self.start(ofLevel: level)
        return Double(total - start) / Double(Self.start(ofLevel: level + 1) - start)
    }
}

/// Places by points. Whoever has as many as another shares the place, and the one after counts them all: 1, 2, 2, 4.
struct Standings<ID: Hashable & Sendable>: Sendable {
    struct Entry: Sendable, Hashable {
        let id: ID
        let place: Int
        let points: Int
    }
    /// The best first; those without points have no place.
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
