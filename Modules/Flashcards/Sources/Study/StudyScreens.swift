import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import FlashcardsModel
import Foundation
import ScreenKit

/// The pages on which a person studies: one set, or the cards of all sets for today. Each is one island with its data.
struct StudyScreens: Sendable {
    static let island = "flashcards"

    let access: SetAccess
    let reader: StudyReader

    var routes: [ScreenRoute] {
        [
            ScreenRoute(SetPath.studyAll, access: .member(.flashcards), tab: "/home") { request in
                let (membership, now) = (try request.context.membership, request.context.now)
                let opened = try await request.context.school.read { sql in
                    try access.opened(
                        reader.today(membership, at: now, in: sql).sets.map(\.set), by: membership, in: sql)
                }
                return .screen(
                    try await screen(opened, title: request.words("flashcards.title"), back: SetPath.home, request))
            },
            ScreenRoute("/flashcards/sets/{setId}/study", access: .member(.flashcards), tab: "/home") { request in
                let (membership, setId) = (try request.context.membership, try request.id("setId"))
                let opened = try await request.context.school.read {
                    try access.open(setId, by: membership, in: $0)
                }
                return .screen(
                    try await screen([opened], title: opened.set.title, back: SetPath.set(setId), request))
            },
        ]
    }

    private func screen(
        _ opened: [SetAccess.Opened], title: String, back: String, _ request: ScreenRequest
    ) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let (items, begun) = try await request.context.school.read {
            try reader.items(of: opened.map(\.set), membership, at: now, in: $0)
        }
        let properties = StudyProperties(opened, items, begun, back: back, membership.timeZone, now, words)
        return Screen(
            title: title, back: back, live: opened.map { SetChange.topic($0.set.id) },
            body: [
                .island(
                    try PTIsland(
                        Self.island, properties: properties, fallback: words("flashcards.noScript"), isWide: true))
            ])
    }
}

/// The data of the island in which cards are studied.
struct StudyProperties: Encodable {
    struct Side: Encodable {
        let text: String
        let picture: Picture?
        let sound: String?
    }

    struct Picture: Encodable {
        let url: String
        let width: Int
        let height: Int
        let alt: String
    }

    struct Memory: Encodable {
        let phase: CardMemory.Phase
        let step: Int
        let stability: Double
        let difficulty: Double
        /// Instants in milliseconds since 1970.
        let reviewedAt: Int
        let due: Int
    }

    struct Card: Encodable {
        let id: String
        let set: String
        let front: Side
        let back: Side
        let memory: Memory?
    }

    struct Source: Encodable {
        let title: String
        let front: CardLanguage?
        let back: CardLanguage?
        /// The names of the languages in that of the reader.
        let frontName: String?
        let backName: String?
        let mayEdit: Bool
    }

    let review: String
    let undo: String
    let home: String
    /// The page of a card, with `{set}` and `{card}` for the ids.
    let edit: String
    let language: Language
    let timeZone: String
    /// The largest number of new cards on a day, and how many were begun on the day of the page.
    let newPerDay: Int
    let begun: Int
    /// The day of the page, as `2026-11-26`.
    let day: String
    let sets: [String: Source]
    let cards: [Card]
    let words: [String: String]

    init(
        _ opened: [SetAccess.Opened], _ items: [StudyReader.Item], _ begun: Int, back: String,
        _ timeZone: TimeZone, _ now: Date, _ words: Words
    ) {
        func milliseconds(_ instant: Date) -> Int { Int((instant.timeIntervalSince1970 * 1000).rounded()) }
        func side(_ side: CardSide, _ setId: UUID) -> Side {
            Side(
                text: side.text,
                picture: side.picture.map {
                    Picture(
                        url: SetPath.media($0.hash, of: setId), width: $0.width, height: $0.height,
                        alt: $0.alternative)
                }, sound: side.sound.map { SetPath.media($0.hash, of: setId) })
        }
        review = ReviewCard.contract.path
        undo = UndoReview.contract.path
        home = back
        edit = "\(SetPath.home)/sets/{set}/cards/{card}"
        language = words.language
        self.timeZone = timeZone.identifier
        newPerDay = StudyReader.newPerDay
        self.begun = begun
        day = Day(now, in: timeZone).description
        sets = Dictionary(
            uniqueKeysWithValues: opened.map { one in
                (
                    one.set.id.text,
                    Source(
                        title: one.set.title, front: one.set.frontLanguage, back: one.set.backLanguage,
                        frontName: one.set.frontLanguage?.name(in: words.locale),
                        backName: one.set.backLanguage?.name(in: words.locale), mayEdit: one.mayEdit)
                )
            })
        cards = items.map { item in
            Card(
                id: item.card.id.text, set: item.card.setId.text, front: side(item.card.front, item.card.setId),
                back: side(item.card.back, item.card.setId),
                memory: item.memory.map {
                    Memory(
                        phase: $0.phase, step: $0.step, stability: $0.stability, difficulty: $0.difficulty,
                        reviewedAt: milliseconds($0.reviewedAt), due: milliseconds($0.due))
                })
        }
        self.words = Dictionary(uniqueKeysWithValues: Self.keys.map { ($0, words("flashcards.study.\($0)")) })
    }

    /// The ends of the catalog keys of the island's texts.
    static let keys = [
        "again", "hard", "good", "easy", "show", "rate", "rateKeys", "listen", "noVoice", "noVoiceFor", "undo",
        "later", "edit", "progress",
        "left.one", "left.other", "minutes", "today", "known", "repeat", "new", "keys", "turn", "space", "done",
        "doneTip", "back", "more", "waiting.one", "waiting.other", "failed", "rated", "undone",
        "unit.minute.one", "unit.minute.other", "unit.hour.one", "unit.hour.other", "unit.day.one",
        "unit.day.other", "unit.month.one", "unit.month.other", "unit.year.one", "unit.year.other", "frontOf",
        "backOf",
    ]
}
