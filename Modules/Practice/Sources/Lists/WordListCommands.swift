import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// A word list with its words.
struct FilledList: Codable, Sendable {
    let list: WordList
    let words: [ListedWord]
}

/// Lists the word lists that a person may practice.
struct ListWordLists: Query {
    static let contract = Contract(
        "practice.lists", "/api/v1/practice/lists", access: .member(.practice),
        summary: "The word lists of the caller and of the caller's courses, by name, without their words.")
    typealias Result = Page<WordList>

    init(_ fields: inout FieldReader) {}
}

/// Reads a word list.
struct ReadWordList: Query {
    static let contract = Contract(
        "practice.list", "/api/v1/practice/lists/{listId}", access: .member(.practice),
        summary: "A word list of the caller or of one of the caller's courses, with its words in order.")
    typealias Result = FilledList

    let listId: UUID

    init(_ fields: inout FieldReader) { listId = fields.id("listId") }
}

/// The fields of a word list's form.
struct WordListDraft: Sendable {
    /// The longest text of a list in Unicode scalars.
    static let longestText = 400_000

    let name: String
    let language: WordLanguage
    let courseId: UUID?
    let text: String

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: WordList.longestName)
        language = fields.choice("language")
        courseId = fields.optionalId("courseId")
        text = fields.writing("words", max: Self.longestText)
    }
}

/// Creates a word list.
struct CreateWordList: Command {
    static let contract = Contract(
        "practice.createList", "/api/v1/practice/lists", access: .member(.practice), isCreation: true,
        bodyLimit: WordListHandlers.bodyLimit,
        summary: """
            Creates a word list from lines of text: a word, and optionally a hint after a tab or an equals sign. With a \
            course that the caller leads, everyone in it can practice the list.
            """)
    typealias Result = WordList

    let draft: WordListDraft

    init(_ fields: inout FieldReader) { draft = WordListDraft(&fields) }
}

/// Changes a word list.
struct UpdateWordList: Command {
    static let contract = Contract(
        "practice.updateList", "/api/v1/practice/lists/{listId}", access: .member(.practice),
        bodyLimit: WordListHandlers.bodyLimit,
        summary: """
            Changes a word list. Words that stay keep their recordings. Refused with 409 if a version is given and \
            someone has changed the list since.
            """)
    typealias Result = WordList

    let listId: UUID
    let draft: WordListDraft
    /// The `WordList.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        listId = fields.id("listId")
        draft = WordListDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Deletes a word list.
struct DeleteWordList: Command {
    static let contract = Contract(
        "practice.deleteList", "/api/v1/practice/lists/{listId}/delete", access: .member(.practice),
        summary: "Deletes a word list with its recordings. Results of rounds with it stay.")
    typealias Result = Done

    let listId: UUID

    init(_ fields: inout FieldReader) { listId = fields.id("listId") }
}

extension WordList {
    /// The version of the content that the form of a list edits.
    func version(_ words: WordListText) -> ContentVersion {
        ContentVersion([name, language.rawValue, courseId?.text, words.text])
    }

    /// The groups of people who may practice the list: its owner, or the students and teachers of its course and those
    /// who lead all courses. Families are not among them, because the pages are not for them.
    var readers: [Audience] {
        courseId.map { [.practicing($0), .teachers(of: $0)] + Audience.roles([.superAdmin, .admin]) }
            ?? ownerId.map { [.person($0)] } ?? []
    }

    /// The change of a list, for those who may practice it.
    func change(_ kind: String) -> Change {
        Change(
            kind, topics: [PracticeTopic.lists] + (courseId.map { [CourseTopic.course($0)] } ?? []),
            audience: readers,
            payload: ["list": id.text].merging(courseId.map { ["course": $0.text] } ?? [:]) { $1 })
    }
}

extension [ListedWord] {
    /// The words as a person edits them.
    var asText: WordListText { WordListText(map { .init(word: $0.word, hint: $0.hint) }) }
}

/// The commands and queries of word lists.
struct WordListHandlers: Sendable {
    /// The most lists that one person makes.
    static let most = 300
    /// Enough for the longest list as a form sends it.
    static let bodyLimit = 4 << 20

    let access: PracticeAccess

    var queries: [QueryRegistration] {
        [
            .handle(ListWordLists.self) { _, context in
                let membership = try context.membership
                return Page(
                    items: try await context.school.read { try access.lists(of: membership, in: $0) }, next: nil)
            },
            .handle(ReadWordList.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let (list, _) = try access.list(query.listId, seenBy: membership, in: sql)
                    return FilledList(list: list, words: try WordListRepository.words(of: list.id, in: sql))
                }
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(CreateWordList.self) { command, context in
                let membership = try context.membership
                guard try WordListRepository.count(of: membership.personId, in: context.sql) < Self.most else {
                    throw Problem(409, "practice.manyLists", [.number(Self.most)])
                }
                let courseId = try course(command.draft, context)
                let list = WordList(
                    id: context.newId(), ownerId: courseId == nil ? membership.personId : nil, courseId: courseId,
                    name: command.draft.name, language: command.draft.language, createdAt: context.now)
                let lines = try WordListText(reading: command.draft.text, field: "words").lines
                try WordListRepository.save(list, in: context.sql)
                try WordListRepository.replace(lines, of: list.id, newId: context.newId, in: context.sql)
                context.record(list.change("practice.listCreated"))
                context.feedback = Feedback(.toast, context.words("practice.said.created", list.name))
                context.destination = WordListScreens.path(list.id)
                return list
            },
            .handle(UpdateWordList.self) { command, context in
                var list = try access.list(command.listId, editedBy: context.membership, in: context.sql)
                let before = list
                try list.version(WordListRepository.words(of: list.id, in: context.sql).asText)
                    .check(command.version)
                list.name = command.draft.name
                list.language = command.draft.language
                if command.draft.courseId != list.courseId {
                    list.courseId = try course(command.draft, context)
                    list.ownerId = list.courseId == nil ? try context.membership.personId : nil
                }
                let lines = try WordListText(reading: command.draft.text, field: "words").lines
                try WordListRepository.save(list, in: context.sql)
                try WordListRepository.replace(lines, of: list.id, newId: context.newId, in: context.sql)
                // The course that lost the list learns of it too.
                if before.courseId != list.courseId { context.record(before.change("practice.listMoved")) }
                context.record(list.change("practice.listChanged"))
                context.feedback = Feedback(.toast, context.words("practice.said.saved"))
                context.destination = WordListScreens.path(list.id)
                return list
            },
            .handle(DeleteWordList.self) { command, context in
                let list = try access.list(command.listId, editedBy: context.membership, in: context.sql)
                try WordListRepository.delete(list.id, in: context.sql)
                context.record(list.change("practice.listDeleted"))
                context.feedback = Feedback(.toast, context.words("practice.said.deleted", list.name))
                context.destination = WordListScreens.home
                return Done()
            },
        ]
    }

    /// The course that a draft names, which the caller must lead.
    private func course(_ draft: WordListDraft, _ context: CommandContext) throws -> UUID? {
        guard let courseId = draft.courseId else { return nil }
        guard try access.led(by: context.membership, in: context.sql).contains(where: { $0.id == courseId }) else {
            throw Problem.notFound
        }
        return courseId
    }
}
