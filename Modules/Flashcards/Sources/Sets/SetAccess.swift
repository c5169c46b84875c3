import CoursesInterface
import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// Finds the sets that a person may open.
struct SetAccess: Sendable {
    let courses: any CourseService
    let roster: any CourseRoster

    /// A set that a member may open.
    struct Opened: Sendable {
        let set: CardSet
        let isOwner: Bool
        /// The courses in which the set is shared and that the member leads.
        let led: [Course]
        /// Whether the member may change the set and its cards.
        var mayEdit: Bool { isOwner || !led.isEmpty }
    }

    /// The courses that a member is in as a student or teaches, by name.
    func courses(of membership: ActiveMembership, in sql: any SQLReading) throws -> [Course] {
        let studied = try courses.courses(roster.courseIds(ofStudent: membership.personId, in: sql), in: sql)
        let taught =
            Permission.teachCourses.isGiven(to: membership.roles)
            ? try courses.courses(taughtBy: membership.personId, in: sql) : []
        let all = studied.values.filter { !$0.isArchived } + taught.filter { studied[$0.id] == nil }
        return all.sorted(by: Course.precedes)
    }

    /// Returns a set that the member may open. Throws `Problem.notFound` for all others.
    func open(_ id: UUID, by membership: ActiveMembership, in sql: any SQLReading) throws -> Opened {
        guard let opened = try opened(CardSetRepository.sets([id], in: sql), by: membership, in: sql).first else {
            throw Problem.notFound
        }
        return opened
    }

    /// Returns those of some sets that a member may open, in their order: own sets, and those that are shared in a course
    /// that the member leads or is in as a student. Archived courses count as well.
    func opened(
        _ sets: [CardSet], by membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [Opened] {
        guard !sets.isEmpty else { return [] }
        let shared = try courses.courses(Set(sets.flatMap(\.courseIds)), in: sql)
        let mine = try roster.courseIds(ofStudent: membership.personId, in: sql)
        return sets.compactMap { set in
            let led = set.courseIds.compactMap { shared[$0] }.filter { $0.isLed(by: membership) }
            let isOwner = set.ownerId == membership.personId
            guard isOwner || !led.isEmpty || set.courseIds.contains(where: mine.contains) else { return nil }
            return Opened(set: set, isOwner: isOwner, led: led.sorted(by: Course.precedes))
        }
    }

    /// Returns a set that the member may change. Throws `Problem.notFound` for a set that the member may not open, and
    /// `Problem.notAllowed` for one that the member only studies.
    func edit(_ id: UUID, by membership: ActiveMembership, in sql: any SQLReading) throws -> Opened {
        let opened = try open(id, by: membership, in: sql)
        guard opened.mayEdit else { throw Problem.notAllowed }
        return opened
    }

    /// Returns a card of a set that the member may change, with its set. Throws as `edit(_:by:in:)` does.
    func edit(
        card cardId: UUID, by membership: ActiveMembership, in sql: any SQLReading
    ) throws -> (card: Flashcard, set: CardSet) {
        guard let card = try CardRepository.card(cardId, in: sql) else { throw Problem.notFound }
        return (card, try edit(card.setId, by: membership, in: sql).set)
    }

    /// The courses in which a member may share a set or stop sharing it, by name: their own, and for the owner all in
    /// which the set is shared.
    func offered(
        _ opened: Opened, _ membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [Course] {
        var all = try courses(of: membership, in: sql)
        let others =
            opened.isOwner ? Array(try courses.courses(Set(opened.set.courseIds), in: sql).values) : opened.led
        all += others.filter { course in !all.contains { $0.id == course.id } }
        return all.sorted(by: Course.precedes)
    }

    /// The groups of people who may learn of a set: its owner, and for a shared set the people of the courses and those
    /// who lead all courses.
    static func readers(of set: CardSet) -> [Audience] {
        let shared = set.courseIds.flatMap { [Audience.teachers(of: $0), .learners(of: $0)] }
        return [.person(set.ownerId)] + shared + (shared.isEmpty ? [] : Audience.roles([.superAdmin, .admin]))
    }
}

extension Course {
    /// Whether a course comes before another one in a list by name.
    static func precedes(_ first: Course, _ second: Course) -> Bool {
        (NameFolding.fold(first.name), first.id) < (NameFolding.fold(second.name), second.id)
    }
}

extension Audience {
    /// The students of a course, without their families.
    static func learners(of courseId: UUID) -> Audience { Audience("flashcards:\(courseId.text)") }
}

/// The changes of sets.
enum SetChange {
    /// The kinds of changes, without the name of the block.
    static let kinds = [
        "created", "changed", "deleted", "cardAdded", "cardChanged", "cardMoved", "cardDeleted", "imported",
    ]

    /// The refresh topic of pages about one set.
    static func topic(_ setId: UUID) -> String { "flashcards:\(setId.text)" }
    /// The refresh topic of pages with a person's sets.
    static func topic(of personId: UUID) -> String { "flashcards.of:\(personId.text)" }

    /// A change of a set or its cards.
    /// - Parameters:
    ///   - card: the card that changed, if the change concerns one.
    ///   - before: the set before the change, whose readers learn of it too.
    static func change(_ kind: String, _ set: CardSet, card: UUID? = nil, before: CardSet? = nil) -> Change {
        var payload = ["set": set.id.text]
        payload["card"] = card?.text
        let courseIds = Set(set.courseIds + (before?.courseIds ?? [])).sorted()
        var readers = SetAccess.readers(of: set)
        if let before { readers += SetAccess.readers(of: before).filter { !readers.contains($0) } }
        return Change(
            "flashcards.\(kind)",
            topics: [topic(set.id), topic(of: set.ownerId)] + courseIds.map(CourseTopic.course), audience: readers,
            payload: payload)
    }
}

extension Permission {
    /// Making flashcards and studying them.
    static let flashcards = Permission("flashcards.study", Set(Role.guideRoles + [.student]))
}

/// The paths of the block's pages.
enum SetPath {
    static let home = "/flashcards"
    static let new = "/flashcards/new"
    static let studyAll = "/flashcards/study"
    static func set(_ id: UUID) -> String { "\(home)/sets/\(id.text)" }
    static func settings(_ id: UUID) -> String { "\(set(id))/settings" }
    static func study(_ id: UUID) -> String { "\(set(id))/study" }
    static func newCard(_ id: UUID) -> String { "\(set(id))/new-card" }
    static func importing(_ id: UUID) -> String { "\(set(id))/import" }
    static func card(_ cardId: UUID, of id: UUID) -> String { "\(set(id))/cards/\(cardId.text)" }
    static func media(_ hash: BlobHash, of id: UUID) -> String { "\(set(id))/media/\(hash.text)" }
}
