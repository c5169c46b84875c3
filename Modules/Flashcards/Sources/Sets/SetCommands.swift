import CoursesInterface
import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// The fields of a set's form.
struct SetDraft: Sendable {
    let title: String
    let details: String?
    let frontLanguage: CardLanguage?
    let backLanguage: CardLanguage?
    let courseIds: [UUID]

    init(_ fields: inout FieldReader) {
        title = fields.text("title", max: CardSet.longestTitle)
        details = fields.optionalText("details", max: CardSet.longestDetails, multiline: true)
        frontLanguage = fields.optionalChoice("frontLanguage")
        backLanguage = fields.optionalChoice("backLanguage")
        courseIds = fields.ids("courseIds", max: 50)
    }
}

/// Lists the sets that the caller may open.
struct ListSets: Query {
    static let contract = Contract(
        "flashcards.sets", "/api/v1/flashcards", access: .member(.flashcards),
        summary: "The flashcard sets of the caller, and those that are shared in the caller's courses, by title.")
    typealias Result = Page<CardSet>

    init(_ fields: inout FieldReader) {}
}

/// Creates a set.
struct CreateSet: Command {
    static let contract = Contract(
        "flashcards.create", "/api/v1/flashcards", access: .member(.flashcards), isCreation: true,
        summary: "Creates a set of flashcards, private or shared in courses of the caller.")
    typealias Result = CardSet

    let draft: SetDraft

    init(_ fields: inout FieldReader) { draft = SetDraft(&fields) }
}

/// Changes a set.
struct UpdateSet: Command {
    static let contract = Contract(
        "flashcards.update", "/api/v1/flashcards/update", access: .member(.flashcards),
        summary: """
            Changes the title, description, languages and courses of a set. Refused with 409 if a version is given and \
            someone has changed them since.
            """)
    typealias Result = CardSet

    let setId: UUID
    let draft: SetDraft
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        setId = fields.id("setId")
        draft = SetDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Deletes a set.
struct DeleteSet: Command {
    static let contract = Contract(
        "flashcards.delete", "/api/v1/flashcards/delete", access: .member(.flashcards),
        summary: "Deletes a set with its cards, and what people learned with it.")
    typealias Result = Done

    let setId: UUID

    init(_ fields: inout FieldReader) { setId = fields.id("setId") }
}

/// Adds a shared set to the sets that the caller studies, or removes it from them.
struct FollowSet: Command {
    static let contract = Contract(
        "flashcards.follow", "/api/v1/flashcards/follow", access: .member(.flashcards), replay: .natural,
        summary: """
            Adds a set to those that the caller studies, or removes it with isFollowed=false. What was learned stays.
            """)
    typealias Result = Done

    let setId: UUID
    let isFollowed: Bool

    init(_ fields: inout FieldReader) {
        setId = fields.id("setId")
        isFollowed = fields.flag("isFollowed")
    }
}

extension CardSet {
    /// The version of what the form of a set edits.
    var version: ContentVersion {
        ContentVersion(
            [title, details, frontLanguage?.rawValue, backLanguage?.rawValue]
                + courseIds.map(\.text).sorted())
    }
}

/// The endpoints of sets.
struct SetHandlers: Sendable {
    /// The largest number of sets that one person makes.
    static let most = 500

    let access: SetAccess

    var queries: [QueryRegistration] {
        [
            .handle(ListSets.self) { _, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let shared = try CardSetRepository.ids(
                        sharedIn: access.courses(of: membership, in: sql).map(\.id), in: sql)
                    let own = try CardSetRepository.ids(ownedBy: membership.personId, in: sql)
                    return Page(items: try CardSetRepository.sets(shared.union(own), in: sql), next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(CreateSet.self) { command, context in
                let membership = try context.membership
                guard try CardSetRepository.ids(ownedBy: membership.personId, in: context.sql).count < Self.most
                else {
                    throw Problem(409, "flashcards.tooManySets", [.number(Self.most)])
                }
                let draft = command.draft
                let mine = Set(try access.courses(of: membership, in: context.sql).map(\.id))
                try check(draft.courseIds, mine, membership, context.sql)
                let set = CardSet(
                    id: context.newId(), ownerId: membership.personId, title: draft.title, details: draft.details,
                    frontLanguage: draft.frontLanguage, backLanguage: draft.backLanguage,
                    courseIds: draft.courseIds, createdAt: context.now)
                try CardSetRepository.save(set, in: context.sql)
                try CardSetRepository.add(set.id, to: membership.personId, at: context.now, in: context.sql)
                context.record(SetChange.change("created", set))
                context.destination = SetPath.set(set.id)
                return set
            },
            .handle(UpdateSet.self) { command, context in
                let membership = try context.membership
                let opened = try access.edit(command.setId, by: membership, in: context.sql)
                let (before, draft) = (opened.set, command.draft)
                try before.version.check(command.version)
                let offered = Set(try access.offered(opened, membership, in: context.sql).map(\.id))
                try check(
                    draft.courseIds.filter { !before.courseIds.contains($0) }, offered, membership, context.sql)
                var set = before
                (set.title, set.details) = (draft.title, draft.details)
                (set.frontLanguage, set.backLanguage) = (draft.frontLanguage, draft.backLanguage)
                // The courses of others stay as they are.
                set.courseIds =
                    before.courseIds.filter { !offered.contains($0) }
                    + draft.courseIds.filter { offered.contains($0) || !before.courseIds.contains($0) }
                try CardSetRepository.save(set, in: context.sql)
                context.record(SetChange.change("changed", set, before: before))
                context.feedback = Feedback(.toast, context.words("flashcards.said.saved", set.title))
                let stays = opened.isOwner || opened.led.contains { set.courseIds.contains($0.id) }
                context.destination = stays ? SetPath.set(set.id) : SetPath.home
                return set
            },
            .handle(DeleteSet.self) { command, context in
                let opened = try access.open(command.setId, by: context.membership, in: context.sql)
                guard opened.isOwner else { throw Problem.notAllowed }
                try CardSetRepository.delete(opened.set.id, in: context.sql)
                context.record(SetChange.change("deleted", opened.set))
                context.feedback = Feedback(.toast, context.words("flashcards.said.deleted", opened.set.title))
                context.destination = SetPath.home
                return Done()
            },
            .handle(FollowSet.self) { command, context in
                let membership = try context.membership
                let set = try access.open(command.setId, by: membership, in: context.sql).set
                if command.isFollowed {
                    try CardSetRepository.add(set.id, to: membership.personId, at: context.now, in: context.sql)
                } else {
                    try CardSetRepository.remove(set.id, from: membership.personId, in: context.sql)
                }
                context.feedback = Feedback(
                    .toast,
                    context.words(
                        command.isFollowed ? "flashcards.said.added" : "flashcards.said.removed", set.title))
                return Done()
            },
        ]
    }

    /// Refuses courses in which the caller may not share.
    private func check(
        _ courseIds: [UUID], _ allowed: Set<UUID>, _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws {
        for id in courseIds where !allowed.contains(id) {
            _ = try access.courses.course(id, ledBy: membership, in: sql)
        }
    }
}
