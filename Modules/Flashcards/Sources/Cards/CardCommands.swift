import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// Reads a set with a page of its cards.
struct ReadSet: Query {
    static let contract = Contract(
        "flashcards.set", "/api/v1/flashcards/set", access: .member(.flashcards),
        summary: "A set with at most 100 of its cards, those after a position.")

    struct Result: Codable, Sendable {
        let set: CardSet
        let cards: [Flashcard]
        /// The value to pass as `after` for the next cards; `nil` at the end.
        let next: Int?
    }

    let setId: UUID
    let after: Int

    init(_ fields: inout FieldReader) {
        setId = fields.id("setId")
        after = fields.integer("after", in: 0...Int(Int32.max), default: 0)
    }
}

/// Adds a card to a set.
struct AddCard: Command {
    static let contract = Contract(
        "flashcards.addCard", "/api/v1/flashcards/cards", access: .member(.flashcards), isCreation: true,
        bodyLimit: CardFiles.bodyLimit,
        summary: "Adds a card to a set, with a text on each side, and optionally a picture and a sound.")
    typealias Result = Flashcard

    let setId: UUID
    let front: String?
    let back: String?
    let files: CardFilesDraft

    init(_ fields: inout FieldReader) {
        setId = fields.id("setId")
        front = fields.optionalText("front", max: CardSide.longest, multiline: true)
        back = fields.optionalText("back", max: CardSide.longest, multiline: true)
        files = CardFilesDraft(&fields)
    }
}

/// Changes a card.
struct UpdateCard: Command {
    static let contract = Contract(
        "flashcards.updateCard", "/api/v1/flashcards/cards/update", access: .member(.flashcards),
        bodyLimit: CardFiles.bodyLimit,
        summary: """
            Changes the texts of a card, and optionally its picture and sound. What people learned of it stays. Refused \
            with 409 if a version is given and someone has changed the texts since.
            """)
    typealias Result = Flashcard

    let cardId: UUID
    let front: String?
    let back: String?
    let files: CardFilesDraft
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        cardId = fields.id("cardId")
        front = fields.optionalText("front", max: CardSide.longest, multiline: true)
        back = fields.optionalText("back", max: CardSide.longest, multiline: true)
        files = CardFilesDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Moves a card within its set.
struct MoveCard: Command {
    static let contract = Contract(
        "flashcards.moveCard", "/api/v1/flashcards/cards/move", access: .member(.flashcards), replay: .natural,
        summary: """
            Moves a card before another one of its set. Without `before` it moves before `end`, the first card after a \
            part of the set, and without both to the end of the set.
            """)
    typealias Result = Done

    let cardId: UUID
    let before: UUID?

    init(_ fields: inout FieldReader) {
        cardId = fields.id("cardId")
        let (before, end) = (fields.optionalId("before"), fields.optionalId("end"))
        self.before = before ?? end
    }
}

/// Deletes a card.
struct DeleteCard: Command {
    static let contract = Contract(
        "flashcards.deleteCard", "/api/v1/flashcards/cards/delete", access: .member(.flashcards),
        summary: "Deletes a card, and what people learned of it.")
    typealias Result = Done

    let cardId: UUID

    init(_ fields: inout FieldReader) { cardId = fields.id("cardId") }
}

/// Stores a recorded sound on a side of a card.
struct RecordCardSound: Command {
    static let contract = Contract(
        "flashcards.recordSound", "/api/v1/flashcards/cards/{cardId}/sounds/{side}", access: .member(.flashcards),
        isCreation: true, bodyLimit: CardFiles.soundBodyLimit,
        summary: "Stores a sound on a side of a card, at most a minute, in the place of the one before.")
    typealias Result = Done

    let cardId: UUID
    let side: CardSide.Place
    let audio: UploadedFile?

    init(_ fields: inout FieldReader) {
        cardId = fields.id("cardId")
        side = fields.choice("side")
        audio = fields.optionalFiles("audio", max: 1).first
        // Files that are chosen have no such field.
        _ = fields.integer("seconds", in: 1...CardSound.longest, default: 1)
    }
}

/// Removes a picture or a sound from a card.
struct RemoveCardFile: Command {
    static let contract = Contract(
        "flashcards.removeFile", "/api/v1/flashcards/cards/remove-file", access: .member(.flashcards),
        replay: .natural, summary: "Removes the picture or the sound from a side of a card.")
    typealias Result = Done

    let cardId: UUID
    let side: CardSide.Place
    let kind: CardRepository.MediaKind

    init(_ fields: inout FieldReader) {
        cardId = fields.id("cardId")
        side = fields.choice("side")
        kind = fields.choice("file")
    }
}

extension Flashcard {
    /// The version of the texts that the form of a card edits.
    var version: ContentVersion { ContentVersion([front.text, back.text]) }
}

/// The endpoints of cards.
struct CardHandlers: Sendable {
    /// The number of cards on a page.
    static let page = 100

    let access: SetAccess
    let files: CardFiles

    var queries: [QueryRegistration] {
        [
            .handle(ReadSet.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let set = try access.open(query.setId, by: membership, in: sql).set
                    let cards = try CardRepository.cards(
                        of: set.id, after: query.after, limit: Self.page + 1, in: sql)
                    return ReadSet.Result(
                        set: set, cards: Array(cards.prefix(Self.page)),
                        next: cards.count > Self.page ? cards[Self.page - 1].position : nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                AddCard.self,
                prepare: { command, context in
                    let membership = try context.membership
                    _ = try await context.school.read { try access.edit(command.setId, by: membership, in: $0) }
                    return try await files.store(command.files, context)
                },
                run: { command, stored, context in
                    let set = try access.edit(command.setId, by: context.membership, in: context.sql).set
                    try Self.checkRoom(for: 1, in: set)
                    let texts = try Self.texts(command.front, command.back, nil, stored)
                    let now = context.now
                    let ids = context.ids
                    let id = try CardRepository.add(
                        [texts], to: set.id, ids: { ids.id(at: now) }, in: context.sql)[0]
                    for file in stored { try CardRepository.put(file, on: id, of: set.id, in: context.sql) }
                    guard let card = try CardRepository.card(id, in: context.sql) else { throw Problem.notFound }
                    context.record(SetChange.change("cardAdded", set, card: id))
                    context.feedback = Feedback(.toast, context.words("flashcards.said.cardAdded"))
                    context.destination = SetPath.newCard(set.id)
                    return card
                }),
            .handle(
                UpdateCard.self,
                prepare: { command, context in
                    let membership = try context.membership
                    _ = try await context.school.read {
                        try access.edit(card: command.cardId, by: membership, in: $0)
                    }
                    return try await files.store(command.files, context)
                },
                run: { command, stored, context in
                    var (card, set) = try access.edit(card: command.cardId, by: context.membership, in: context.sql)
                    try card.version.check(command.version)
                    let texts = try Self.texts(command.front, command.back, card, stored)
                    (card.front.text, card.back.text) = (texts.front, texts.back)
                    try CardRepository.update(card, in: context.sql)
                    for file in stored { try CardRepository.put(file, on: card.id, of: set.id, in: context.sql) }
                    context.record(SetChange.change("cardChanged", set, card: card.id))
                    context.feedback = Feedback(.toast, context.words("flashcards.said.cardSaved"))
                    context.destination = SetPath.set(set.id)
                    return try CardRepository.card(card.id, in: context.sql) ?? card
                }),
            .handle(MoveCard.self) { command, context in
                let (card, set) = try access.edit(card: command.cardId, by: context.membership, in: context.sql)
                var next: Flashcard?
                if let before = command.before {
                    next = try CardRepository.card(before, in: context.sql)
                    guard next?.setId == set.id else { throw Problem.notFound }
                }
                if try CardRepository.move(card, before: next, in: context.sql) {
                    context.record(SetChange.change("cardMoved", set, card: card.id))
                }
                return Done()
            },
            .handle(DeleteCard.self) { command, context in
                let (card, set) = try access.edit(card: command.cardId, by: context.membership, in: context.sql)
                try CardRepository.delete(card, in: context.sql)
                context.record(SetChange.change("cardDeleted", set, card: card.id))
                context.feedback = Feedback(.toast, context.words("flashcards.said.cardDeleted"))
                context.destination = SetPath.set(set.id)
                return Done()
            },
            .handle(
                RecordCardSound.self,
                prepare: { command, context in
                    let membership = try context.membership
                    _ = try await context.school.read {
                        try access.edit(card: command.cardId, by: membership, in: $0)
                    }
                    guard let audio = command.audio else { throw Problem.invalid("audio", "required") }
                    return try await files.store(audio, "audio", on: command.side, context)
                },
                run: { command, stored, context in
                    let (card, set) = try access.edit(card: command.cardId, by: context.membership, in: context.sql)
                    try CardRepository.put(stored, on: card.id, of: set.id, in: context.sql)
                    context.record(SetChange.change("cardChanged", set, card: card.id))
                    context.feedback = Feedback(.toast, context.words("flashcards.said.soundSaved"))
                    return Done()
                }),
            .handle(RemoveCardFile.self) { command, context in
                let (card, set) = try access.edit(card: command.cardId, by: context.membership, in: context.sql)
                let side = card[command.side]
                guard command.kind == .picture ? side.picture != nil : side.sound != nil else { return Done() }
                // A side must show something.
                guard !side.text.isEmpty || (command.kind == .picture ? side.sound != nil : side.picture != nil)
                else { throw Problem(409, "flashcards.lastFile") }
                try CardRepository.removeFile(command.kind, command.side, of: card.id, in: context.sql)
                context.record(SetChange.change("cardChanged", set, card: card.id))
                return Done()
            },
        ]
    }

    /// Throws `Problem` 409 if a set has no room for more cards.
    static func checkRoom(for count: Int, in set: CardSet) throws {
        guard set.cardCount + count <= CardSet.most else {
            throw Problem(409, "flashcards.full", [.number(CardSet.most)])
        }
    }

    /// The texts of a form. Each side needs a text, a picture or a sound.
    /// - Parameter card: the card that is changed; `nil` for a new one.
    private static func texts(
        _ front: String?, _ back: String?, _ card: Flashcard?, _ stored: [StoredCardFile]
    ) throws -> CardLines.Card {
        var faults: [Fault] = []
        for (place, text) in [(CardSide.Place.front, front), (.back, back)] where text == nil {
            let side = card?[place]
            let hasFile =
                side?.picture != nil || side?.sound != nil || stored.contains { $0.side == place }
            if !hasFile { faults.append(Fault(place.rawValue, "flashcards.emptySide")) }
        }
        guard faults.isEmpty else { throw Problem.invalid(faults) }
        return CardLines.Card(front: front ?? "", back: back ?? "")
    }
}
