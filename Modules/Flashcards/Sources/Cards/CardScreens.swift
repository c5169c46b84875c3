import DesignSystem
import Domain
import FeatureKit
import FlashcardsModel
import Foundation
import ScreenKit

/// The pages of cards: a new card, a card with its files, and the import.
struct CardScreens: Sendable {
    let access: SetAccess

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/flashcards/sets/{setId}/new-card", access: .member(.flashcards), tab: "/home") {
                .screen(try await create($0))
            },
            ScreenRoute("/flashcards/sets/{setId}/cards/{cardId}", access: .member(.flashcards), tab: "/home") {
                .screen(try await edit($0))
            },
            ScreenRoute("/flashcards/sets/{setId}/import", access: .member(.flashcards), tab: "/home") {
                .screen(try await importing($0))
            },
        ]
    }

    private func set(_ request: ScreenRequest) async throws -> CardSet {
        let (membership, setId) = (try request.context.membership, try request.id("setId"))
        return try await request.context.school.read { try access.edit(setId, by: membership, in: $0).set }
    }

    private func create(_ request: ScreenRequest) async throws -> Screen {
        let (words, set) = (request.words, try await set(request))
        var form = request.form(
            AddCard.self, id: "card", fields: fields(nil, set, words) + [.hidden("setId", set.id.text)],
            submit: SubmitButton(title: words("flashcards.addCard")))
        form.foldTitle = words("flashcards.files")
        return Screen(
            title: words("flashcards.newCard"), subtitle: set.title, back: SetPath.set(set.id),
            body: [.form(form), .text(PTText(words("flashcards.recordLater"), role: .note))])
    }

    private func edit(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, cardId) = (request.words, try request.context.membership, try request.id("cardId"))
        let setId = try request.id("setId")
        let (card, set) = try await request.context.school.read { sql in
            let found = try access.edit(card: cardId, by: membership, in: sql)
            guard found.set.id == setId else { throw Problem.notFound }
            return found
        }
        let here = SetPath.card(card.id, of: set.id)
        var body = try await request.form(
            UpdateCard.self, id: "card", of: card.version, savedBy: ["flashcards.cardChanged"], card.id,
            fields: fields(card, set, words) + [.hidden("cardId", card.id.text)],
            submit: SubmitButton(title: words("flashcards.save")))
        body = body.map { component in
            guard case .form(var form) = component else { return component }
            form.foldTitle = words("flashcards.files")
            return .form(form)
        }
        for place in CardSide.Place.allCases { body.append(side(place, of: card, set, here, request)) }
        body.append(
            .button(
                PTButton(
                    title: words("flashcards.deleteCard"), role: .quiet,
                    action: .perform(
                        request.call(
                            DeleteCard.self, fields: ["cardId": card.id.text],
                            confirmation: PTConfirmation(
                                title: words("flashcards.deleteCard.title"),
                                message: words("flashcards.deleteCard.message"),
                                confirm: words("flashcards.deleteCard")))))))
        return Screen(
            title: words("flashcards.editCard"), subtitle: set.title, back: SetPath.set(set.id),
            live: [SetChange.topic(set.id)], body: body)
    }

    private func fields(_ card: Flashcard?, _ set: CardSet, _ words: Words) -> [PTField] {
        func text(_ place: CardSide.Place, _ language: CardLanguage?) -> PTField {
            let label = words("flashcards.\(place.rawValue)")
            return PTField(
                .multiline, name: place.rawValue,
                label: language.map { "\(label) (\($0.name(in: words.locale, isCapitalized: false)))" } ?? label,
                value: card?[place].text ?? "", maxLength: CardSide.longest)
        }
        let sides = PTField.Kind.choice(
            CardSide.Place.allCases.map { .init(value: $0.rawValue, title: words("flashcards.\($0.rawValue)")) })
        var files = [
            PTField(
                .photos(side: CardPicture.side, max: 1), name: "picture", label: words("flashcards.picture"),
                hint: words("flashcards.pictureTip", CardPicture.bytes >> 20)),
            PTField(
                name: "pictureAlternative", label: words("flashcards.alternative"),
                hint: words("flashcards.alternativeTip"), maxLength: CardPicture.longestAlternative),
            PTField(sides, name: "pictureSide", label: words("flashcards.pictureSide"), value: "front"),
            PTField(
                .file(accept: ["audio/*"]), name: "sound", label: words("flashcards.soundFile"),
                hint: words("flashcards.soundTip", CardSound.bytes >> 20)),
            PTField(sides, name: "soundSide", label: words("flashcards.soundSide"), value: "front"),
        ]
        for place in files.indices { files[place].isFolded = true }
        return [text(.front, set.frontLanguage), text(.back, set.backLanguage)] + files
    }

    /// The files of a side, and the recorder.
    private func side(
        _ place: CardSide.Place, of card: Flashcard, _ set: CardSet, _ here: String, _ request: ScreenRequest
    ) -> Component {
        let (words, side) = (request.words, card[place])
        let title = words("flashcards.\(place.rawValue)")
        func remove(_ kind: CardRepository.MediaKind) -> Component {
            .button(
                PTButton(
                    title: words("flashcards.remove.\(kind.rawValue)"), role: .quiet,
                    action: .perform(
                        request.call(
                            RemoveCardFile.self,
                            fields: ["cardId": card.id.text, "side": place.rawValue, "file": kind.rawValue],
                            confirmation: PTConfirmation(
                                title: words("flashcards.remove.\(kind.rawValue).title"),
                                confirm: words("flashcards.remove.\(kind.rawValue)")), to: here)),
                    spoken: "\(words("flashcards.remove.\(kind.rawValue)")): \(title)"))
        }
        var body: [Component] = []
        if let picture = side.picture {
            body.append(
                .image(
                    PTImage(
                        url: SetPath.media(picture.hash, of: set.id), width: picture.width, height: picture.height,
                        alt: picture.alternative)))
            body.append(remove(.picture))
        }
        if let sound = side.sound {
            body.append(
                .audio(
                    PTAudio(url: SetPath.media(sound.hash, of: set.id), label: words("flashcards.soundOf", title))))
            body.append(remove(.sound))
        }
        let ids = ["cardId": card.id.text, "side": place.rawValue]
        var form = request.form(
            RecordCardSound.self, ids, id: "record-\(place.rawValue)",
            fields: [
                PTField(
                    .file(accept: ["audio/*"]), name: "audio", label: words("flashcards.soundFile"),
                    hint: words("flashcards.recordTip", CardSound.longest), isRequired: true)
            ], submit: SubmitButton(title: words("flashcards.sendSound"), role: .tonal), to: here)
        form.voice = PTVoiceInput(
            action: RecordCardSound.contract.path(filling: ids), canKeep: false, longest: CardSound.longest)
        body.append(
            .disclosure(
                PTDisclosure(
                    title: words(side.sound == nil ? "flashcards.record" : "flashcards.recordAgain"),
                    body: [.form(form)], isOpen: request.refused?.command == form.action)))
        return .section(PTSection(title: title, body: body))
    }

    private func importing(_ request: ScreenRequest) async throws -> Screen {
        let (words, set) = (request.words, try await set(request))
        return Screen(
            title: words("flashcards.import"), subtitle: set.title, back: SetPath.set(set.id),
            body: [
                .text(PTText(words("flashcards.importTip"), role: .note)),
                .form(
                    request.form(
                        ImportCards.self, id: "import",
                        fields: [
                            PTField(
                                .multiline, name: "lines", label: words("flashcards.lines"),
                                placeholder: words("flashcards.linesExample")),
                            PTField(
                                .file(accept: [".csv", ".txt", ".tsv", "text/plain", "text/csv"]), name: "file",
                                label: words("flashcards.file"), hint: words("flashcards.fileTip")),
                            PTField(.toggle, name: "skips", label: words("flashcards.skips"), value: "false"),
                            .hidden("setId", set.id.text),
                        ], submit: SubmitButton(title: words("flashcards.importNow")))),
            ])
    }
}
