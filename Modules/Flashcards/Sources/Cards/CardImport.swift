import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// Adds cards from pasted lines or a text file.
struct ImportCards: Command {
    /// The largest text in bytes: 5,000 cards with sentences.
    static let bytes = 2 << 20
    static let contract = Contract(
        "flashcards.import", "/api/v1/flashcards/import", access: .member(.flashcards),
        bodyLimit: 2 * bytes + (64 << 10),
        summary: """
            Adds a card for each line of a text or of a text file, such as an export of Quizlet or Anki. The sides are \
            separated by a tab, a comma or a semicolon. A text with faulty lines is refused, unless they are to be skipped.
            """)

    struct Result: Codable, Sendable, Hashable {
        let added: Int
        let skipped: Int
    }

    let setId: UUID
    let lines: String
    let file: UploadedFile?
    let skips: Bool

    init(_ fields: inout FieldReader) {
        setId = fields.id("setId")
        lines = fields.writing("lines", max: Self.bytes, isRequired: false)
        file = fields.optionalFiles("file", max: 1).first
        skips = fields.flag("skips")
    }
}

extension CardHandlers {
    var importing: CommandRegistration {
        .handle(
            ImportCards.self,
            prepare: { command, context in
                let membership = try context.membership
                _ = try await context.school.read { try access.edit(command.setId, by: membership, in: $0) }
                return try read(command)
            },
            run: { command, read, context in
                let set = try access.edit(command.setId, by: context.membership, in: context.sql).set
                try Self.checkRoom(for: read.cards.count, in: set)
                let (now, ids) = (context.now, context.ids)
                _ = try CardRepository.add(
                    read.cards, to: set.id, ids: { ids.id(at: now) }, in: context.sql)
                context.record(SetChange.change("imported", set))
                context.feedback = Feedback(
                    .toast,
                    [
                        context.words("flashcards.said.imported", read.cards.count),
                        read.faults.isEmpty ? nil : context.words("flashcards.said.skipped", read.faults.count),
                    ].compactMap(\.self).joined(separator: " "))
                context.destination = SetPath.set(set.id)
                return ImportCards.Result(added: read.cards.count, skipped: read.faults.count)
            })
    }

    /// The largest number of lines that a refusal names.
    private static let named = 5

    private func read(_ command: ImportCards) throws -> CardLines {
        let field = command.file == nil ? "lines" : "file"
        var text = command.lines
        if let file = command.file {
            guard file.size <= ImportCards.bytes else {
                throw Problem.invalid("file", "flashcards.fileTooLarge", [.number(ImportCards.bytes >> 20)])
            }
            do {
                text = String(decoding: try TextDecoding(file.content.bytes()).bytes, as: UTF8.self)
            } catch {
                throw Problem.invalid("file", "flashcards.notText")
            }
        }
        guard text.utf8.count <= ImportCards.bytes else {
            throw Problem.invalid(field, "flashcards.fileTooLarge", [.number(ImportCards.bytes >> 20)])
        }
        let read = CardLines(text)
        guard read.faults.isEmpty || command.skips else {
            throw Problem.invalid(
                read.faults.prefix(Self.named).map { fault in
                    let limit: [Fault.Argument] = fault.kind == .tooLong ? [.number(CardSide.longest)] : []
                    return Fault(field, fault.kind.code, [.number(fault.line)] + limit)
                })
        }
        guard !read.cards.isEmpty else { throw Problem.invalid(field, "flashcards.noCards") }
        guard read.cards.count <= CardSet.most else {
            throw Problem.invalid(field, "flashcards.tooManyCards", [.number(CardSet.most)])
        }
        return read
    }
}

extension CardLines.Fault.Kind {
    /// The code of the fault, to which its sentence belongs.
    fileprivate var code: String {
        switch self {
        case .noSeparator: "flashcards.line.noSeparator"
        case .emptySide: "flashcards.line.emptySide"
        case .tooLong: "flashcards.line.tooLong"
        case .control: "flashcards.line.control"
        }
    }
}
