import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// Exports the cards of a set as CSV.
struct ExportCards: Query {
    static let contract = Contract(
        "flashcards.export", "/api/v1/flashcards/cards.csv", access: .member(.flashcards),
        fileName: "flashcards.csv",
        summary: """
            The cards of a set as CSV with a line of titles, in their order. Where a side has a picture and no text, the \
            text alternative of the picture. The import reads the file.
            """)
    typealias Result = FileBody

    let setId: UUID

    init(_ fields: inout FieldReader) { setId = fields.id("setId") }
}

/// Exports the cards of a set as text.
struct ExportCardsAsText: Query {
    static let contract = Contract(
        "flashcards.exportText", "/api/v1/flashcards/cards.txt", access: .member(.flashcards),
        fileName: "flashcards.txt",
        summary: """
            The cards of a set as text for Anki: after lines that begin with #, one card per line with a tab between \
            front and back. A side with a tab, a line break or a quotation mark is in quotation marks, doubled within. \
            The import reads the file.
            """)
    typealias Result = FileBody

    let setId: UUID

    init(_ fields: inout FieldReader) { setId = fields.id("setId") }
}

extension CardHandlers {
    var exporting: [QueryRegistration] {
        [
            .handle(ExportCards.self) { query, context in
                let words = context.words
                let cards = try await exported(query.setId, context)
                let titles = CardLines.Card(front: words("flashcards.front"), back: words("flashcards.back"))
                return FileBody(Array(CardLines.csv(cards, titles: titles).utf8))
            },
            .handle(ExportCardsAsText.self) { query, context in
                FileBody(Array(CardLines.text(try await exported(query.setId, context)).utf8))
            },
        ]
    }

    /// The texts of all cards of a set that the caller may open. Files are named by their text alternative.
    private func exported(_ setId: UUID, _ context: RequestContext) async throws -> [CardLines.Card] {
        let (membership, words) = (try context.membership, context.words)
        let cards = try await context.school.read { sql in
            try CardRepository.cards(
                of: access.open(setId, by: membership, in: sql).set.id, limit: CardSet.most, in: sql)
        }
        func text(_ side: CardSide) -> String {
            side.text.isEmpty ? side.picture?.alternative ?? words("flashcards.sound") : side.text
        }
        return cards.map { CardLines.Card(front: text($0.front), back: text($0.back)) }
    }
}
