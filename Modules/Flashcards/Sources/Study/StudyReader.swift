import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// Reads what a person studies today.
struct StudyReader: Sendable {
    /// The largest number of new cards on a day.
    static let newPerDay = 20
    /// The largest number of new cards that a page of study holds: those of three days, for a device without a network and
    /// for a person who asks for more.
    static let mostNew = 3 * newPerDay
    /// The largest number of due cards that a page of study holds.
    static let mostDue = 200
    /// The number of days whose cards a page of study holds, so that a device can stay offline for a week.
    static let daysAhead = 8
    /// The average time that a card takes, in seconds.
    static let secondsPerCard = 20

    let access: SetAccess

    /// One set of a person with the state of its cards.
    struct Progress: Sendable {
        let set: CardSet
        let counts: ReviewRepository.Counts
        /// The known cards in percent, rounded down, so that 100 % means all.
        var percent: Int { total == 0 ? 0 : min(counts.known, total) * 100 / total }
        /// The cards that were never reviewed.
        var new: Int { max(0, total - counts.seen) }
        private var total: Int { self.set.cardCount }
    }

    /// A person's sets, and what is to be studied today.
    struct Today: Sendable {
        var sets: [Progress] = []
        /// The cards to repeat and the new ones for today.
        var due = 0
        var new = 0
        var cards: Int { due + new }
        /// The sets that have cards for today.
        var setCount = 0
        /// The minutes that the cards will take.
        var minutes: Int { max(1, (cards * StudyReader.secondsPerCard + 59) / 60) }
    }

    /// The end of the current day at the school, before which cards are due today.
    static func end(of day: Day, in timeZone: TimeZone) -> Date { day.adding(days: 1).start(in: timeZone) }

    /// Returns the sets that a member studies and may still open, and the cards for today.
    func today(_ membership: ActiveMembership, at now: Date, in sql: any SQLReading) throws -> Today {
        let followed = try CardSetRepository.studied(by: membership.personId, in: sql)
        guard !followed.isEmpty else { return Today() }
        let sets = try access.opened(CardSetRepository.sets(followed, in: sql), by: membership, in: sql).map(\.set)
        let ids = sets.map(\.id)
        let day = Day(now, in: membership.timeZone)
        let counts = try ReviewRepository.counts(
            of: ids, by: membership.personId, dueBefore: Self.end(of: day, in: membership.timeZone), in: sql)
        var today = Today(sets: sets.map { Progress(set: $0, counts: counts[$0.id] ?? .init()) })
        today.due = today.sets.reduce(0) { $0 + $1.counts.due }
        let begun = try ReviewRepository.begun(on: day, of: ids, by: membership.personId, in: sql)
        today.new = min(max(0, Self.newPerDay - begun), today.sets.reduce(0) { $0 + $1.new })
        today.setCount = today.sets.count { $0.counts.due > 0 || ($0.new > 0 && today.new > 0) }
        return today
    }

    /// Returns the state of one set for a member.
    func progress(
        _ set: CardSet, _ membership: ActiveMembership, at now: Date, in sql: any SQLReading
    ) throws -> Progress {
        let end = Self.end(of: Day(now, in: membership.timeZone), in: membership.timeZone)
        return Progress(
            set: set,
            counts: try ReviewRepository.counts(of: [set.id], by: membership.personId, dueBefore: end, in: sql)[
                set.id]
                ?? .init())
    }

    /// A card of a session.
    struct Item: Sendable {
        let card: Flashcard
        /// The memory of the card; `nil` for a new one.
        let memory: CardMemory?
    }

    /// Returns the cards of some sets that are due within the days ahead, and new ones for them.
    func items(
        of sets: [CardSet], _ membership: ActiveMembership, at now: Date, in sql: any SQLReading
    ) throws -> (items: [Item], begun: Int) {
        let (personId, zone) = (membership.personId, membership.timeZone)
        let day = Day(now, in: zone)
        let ids = sets.map(\.id)
        let due = try ReviewRepository.due(
            of: ids, by: personId, before: day.adding(days: Self.daysAhead).start(in: zone), limit: Self.mostDue,
            in: sql)
        var new: [UUID] = []
        for set in sets where new.count < Self.mostNew {
            new += try ReviewRepository.new(
                of: set.id, for: personId, limit: Self.mostNew - new.count, in: sql)
        }
        let cards = try CardRepository.cards(due.map(\.cardId) + new, in: sql)
        let items =
            due.compactMap { one in cards[one.cardId].map { Item(card: $0, memory: one.memory) } }
            + new.compactMap { id in cards[id].map { Item(card: $0, memory: nil) } }
        return (items, try ReviewRepository.begun(on: day, of: ids, by: personId, in: sql))
    }
}
