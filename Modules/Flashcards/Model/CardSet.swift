public import Domain
public import Foundation

/// A set of flashcards.
public struct CardSet: Identifiable, Codable, Sendable, Hashable {
    /// The largest number of cards in a set.
    public static let most = 5000
    /// The largest lengths of a title and a description in Unicode scalars.
    public static let longestTitle = 120
    public static let longestDetails = 1000

    public let id: UUID
    /// The person who made the set.
    public let ownerId: UUID
    public var title: String
    public var details: String?
    /// The languages in which the sides of the cards are read aloud; `nil` for that of the reader.
    public var frontLanguage: CardLanguage?
    public var backLanguage: CardLanguage?
    /// The courses in which the set is shared; empty for a private set.
    public var courseIds: [UUID]
    public var cardCount: Int
    public let createdAt: Date

    public init(
        id: UUID, ownerId: UUID, title: String, details: String? = nil, frontLanguage: CardLanguage? = nil,
        backLanguage: CardLanguage? = nil, courseIds: [UUID] = [], cardCount: Int = 0, createdAt: Date
    ) {
        self.id = id
        self.ownerId = ownerId
        self.title = title
        self.details = details
        self.frontLanguage = frontLanguage
        self.backLanguage = backLanguage
        self.courseIds = courseIds
        self.cardCount = cardCount
        self.createdAt = createdAt
    }
}

/// A language in which a side of a card is read aloud, as a BCP 47 tag.
public enum CardLanguage: String, Codable, Sendable, Hashable, CaseIterable {
    case ar, de, el, en, es, fr, he, hi, it, ja, ko, la, nl, pl, pt, ru, sv, tr, uk, vi, zh

    /// Returns the name of the language in another one, such as "French".
    /// - Parameter isCapitalized: whether the name begins with a capital letter also where the language writes none.
    public func name(in locale: Locale, isCapitalized: Bool = true) -> String {
        let name = locale.localizedString(forLanguageCode: rawValue) ?? rawValue
        return !isCapitalized ? name : name.prefix(1).uppercased() + name.dropFirst()
    }
}

/// One card of a set.
public struct Flashcard: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public let setId: UUID
    /// The number by which the cards of a set are sorted; numbers of deleted cards are not used again.
    public let position: Int
    public var front: CardSide
    public var back: CardSide

    public init(id: UUID, setId: UUID, position: Int, front: CardSide, back: CardSide) {
        self.id = id
        self.setId = setId
        self.position = position
        self.front = front
        self.back = back
    }

    /// Returns one of the two sides.
    public subscript(_ place: CardSide.Place) -> CardSide {
        get { place == .front ? front : back }
        set { if place == .front { front = newValue } else { back = newValue } }
    }
}

/// One side of a card: a text, a picture, a sound, or several of them.
public struct CardSide: Codable, Sendable, Hashable {
    /// The names of the two sides of a card.
    public enum Place: String, Codable, Sendable, Hashable, CaseIterable { case front, back }

    /// The largest length of a text in Unicode scalars.
    public static let longest = 2000

    /// The text of the side; empty if the side has only a picture or a sound.
    public var text: String
    public var picture: CardPicture?
    public var sound: CardSound?

    public init(_ text: String, picture: CardPicture? = nil, sound: CardSound? = nil) {
        self.text = text
        self.picture = picture
        self.sound = sound
    }
}

/// The picture of a side, as a file of the school.
public struct CardPicture: Codable, Sendable, Hashable {
    /// The longer side of a stored picture in pixels.
    public static let side = 1600
    /// The largest picture that is accepted, in bytes.
    public static let bytes = 25 << 20
    /// The largest length of a text alternative in Unicode scalars.
    public static let longestAlternative = 250

    public let hash: BlobHash
    public let width: Int
    public let height: Int
    /// The description of the picture for people who do not see it.
    public let alternative: String

    public init(hash: BlobHash, width: Int, height: Int, alternative: String) {
        self.hash = hash
        self.width = width
        self.height = height
        self.alternative = alternative
    }
}

/// The sound of a side, as a file of the school.
public struct CardSound: Codable, Sendable, Hashable {
    /// The longest recording in seconds.
    public static let longest = 60
    /// The largest sound in bytes.
    public static let bytes = 5 << 20

    public let hash: BlobHash

    public init(hash: BlobHash) { self.hash = hash }
}
