import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// The picture and the sound in the form of a card.
struct CardFilesDraft: Sendable {
    let picture: UploadedFile?
    let alternative: String?
    let pictureSide: CardSide.Place
    let sound: UploadedFile?
    let soundSide: CardSide.Place

    init(_ fields: inout FieldReader) {
        picture = fields.optionalFiles("picture", max: 1).first
        alternative = fields.optionalText("pictureAlternative", max: CardPicture.longestAlternative)
        pictureSide = fields.optionalChoice("pictureSide") ?? .front
        sound = fields.optionalFiles("sound", max: 1).first
        soundSide = fields.optionalChoice("soundSide") ?? .front
    }
}

/// Stores the pictures and sounds of cards, and serves them.
struct CardFiles: Sendable {
    static let bodyLimit = CardPicture.bytes + CardSound.bytes + (256 << 10)
    static let soundBodyLimit = CardSound.bytes + (64 << 10)

    let access: SetAccess
    let images: any ImageShrinking

    /// Stores the files of a form. Throws `Problem` 422 for a picture without a text alternative, and for a file of
    /// another type or size.
    func store(_ draft: CardFilesDraft, _ context: RequestContext) async throws -> [StoredCardFile] {
        var stored: [StoredCardFile] = []
        if let picture = draft.picture {
            guard let alternative = draft.alternative else {
                throw Problem.invalid("pictureAlternative", "required")
            }
            let made: ShrunkImage
            do throws(ImageFault) {
                made = try await images.shrink(
                    picture.content, to: [CardPicture.side], upTo: CardPicture.bytes)[0]
            } catch {
                throw Problem.invalid("picture", "flashcards.picture", [.number(CardPicture.bytes >> 20)])
            }
            stored.append(
                StoredCardFile(
                    side: draft.pictureSide, kind: .picture, hash: try await context.files.put(made.bytes),
                    media: .jpeg, width: made.width, height: made.height, alternative: alternative))
        } else if draft.alternative != nil {
            throw Problem.invalid("picture", "required")
        }
        if let sound = draft.sound {
            stored.append(try await store(sound, "sound", on: draft.soundSide, context))
        }
        return stored
    }

    /// Stores a sound.
    /// - Parameter field: the field of the form, for faults.
    func store(
        _ sound: UploadedFile, _ field: String, on side: CardSide.Place, _ context: RequestContext
    ) async throws -> StoredCardFile {
        guard let media = MediaType(try sound.content.head(MediaType.headBytes)), media.isSound else {
            throw Problem.invalid(field, "flashcards.sound")
        }
        guard sound.size <= CardSound.bytes else {
            throw Problem.invalid(field, "flashcards.soundTooLarge", [.number(CardSound.bytes >> 20)])
        }
        return StoredCardFile(
            side: side, kind: .sound, hash: try await context.files.put(sound.content), media: media)
    }

    /// The pictures and sounds of a set, for those who may open it.
    var download: DownloadRoute {
        DownloadRoute("/flashcards/sets/{setId}/media/{hash}", access: .member(.flashcards)) {
            parameters, context in
            guard let setId = parameters["setId"].flatMap(UUID.init(text:)),
                let hash = parameters["hash"].flatMap(BlobHash.init(_:))
            else { throw Problem.notFound }
            let membership = try context.membership
            let media = try await context.school.read { sql in
                let set = try access.open(setId, by: membership, in: sql).set
                return try CardRepository.media(hash, of: set.id, in: sql)
            }
            guard let media else { throw Problem.notFound }
            return try await DownloadedFile(hash, media, of: context.files)
        }
    }
}
