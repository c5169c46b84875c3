import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// Stores the rating of a card.
struct ReviewCard: Command {
    static let contract = Contract(
        "flashcards.review", "/api/v1/flashcards/reviews", access: .member(.flashcards), isOfflineCapable: true,
        replay: .natural,
        summary: """
            Stores a rating that was given on a device, perhaps offline, with an id that the device chose. Sending it \
            again has no effect. A rating of a card that no longer exists is not stored. Ratings are 1 (again), 2 \
            (hard), 3 (good) and 4 (easy).
            """)
    typealias Result = StoredReview

    let reviewId: UUID
    let cardId: UUID
    let rating: CardRating
    let reviewedAt: Date

    init(_ fields: inout FieldReader) {
        reviewId = fields.id("reviewId")
        cardId = fields.id("cardId")
        let grade = fields.integer("rating", in: 0...4, default: 0)
        rating = CardRating(rawValue: grade) ?? .again
        fields.refuse("rating", "required", unless: grade > 0)
        reviewedAt = fields.instant("reviewedAt")
    }
}

/// Takes back a rating.
struct UndoReview: Command {
    static let contract = Contract(
        "flashcards.undo", "/api/v1/flashcards/reviews/undo", access: .member(.flashcards), isOfflineCapable: true,
        replay: .natural,
        summary: "Takes back a rating, also one that has not arrived yet. Sending it again has no effect.")
    typealias Result = StoredReview

    let reviewId: UUID
    let cardId: UUID

    init(_ fields: inout FieldReader) {
        reviewId = fields.id("reviewId")
        cardId = fields.id("cardId")
    }
}

/// What became of a review.
struct StoredReview: Codable, Sendable, Hashable {
    /// Whether the card still exists and the caller may study it.
    let isStored: Bool
    /// The time of the review as it is stored, which is not in the future; `nil` if it was not stored.
    let reviewedAt: Date?
}

/// The commands of studying. They record no changes: a rating is nobody else's business, and an entry in the audit log
/// for each would bury the others.
struct StudyHandlers: Sendable {
    /// The longest time in seconds for which a review waits on a device. Older ones come from a wrong clock.
    static let longestWait: TimeInterval = 366 * 86_400

    let access: SetAccess

    var commands: [CommandRegistration] {
        [
            .handle(ReviewCard.self) { command, context in
                let membership = try context.membership
                guard let setId = try studied(command.cardId, membership, context.sql) else {
                    return StoredReview(isStored: false, reviewedAt: nil)
                }
                let now = context.now
                let review = CardReview(
                    id: command.reviewId, cardId: command.cardId, setId: setId, rating: command.rating,
                    reviewedAt: min(max(command.reviewedAt, now.addingTimeInterval(-Self.longestWait)), now))
                try ReviewRepository.add(review, by: membership.personId, in: membership.timeZone, context.sql)
                try CardSetRepository.add(setId, to: membership.personId, at: now, in: context.sql)
                return StoredReview(isStored: true, reviewedAt: review.reviewedAt)
            },
            .handle(UndoReview.self) { command, context in
                let membership = try context.membership
                guard let setId = try studied(command.cardId, membership, context.sql) else {
                    return StoredReview(isStored: false, reviewedAt: nil)
                }
                let review = CardReview(
                    id: command.reviewId, cardId: command.cardId, setId: setId, rating: .again,
                    reviewedAt: context.now)
                try ReviewRepository.undo(review, by: membership.personId, in: membership.timeZone, context.sql)
                return StoredReview(isStored: true, reviewedAt: nil)
            },
        ]
    }

    /// Returns the set of a card that the member may study; `nil` for all other cards.
    ///
    /// A device that was offline for a week may send ratings of a set that was deleted or is no longer shared. It gets
    /// the answer of a success, so that no child sees a failure. Ratings of a set that the member studied before are
    /// stored although it is not shared now, because it may be shared again.
    private func studied(
        _ cardId: UUID, _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> UUID? {
        guard let setId = try CardRepository.setId(ofCard: cardId, in: sql) else { return nil }
        if try CardSetRepository.studies(setId, membership.personId, in: sql) { return setId }
        do {
            return try access.open(setId, by: membership, in: sql).set.id
        } catch let problem as Problem where problem == .notFound {
            return nil
        }
    }
}
