import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import FlashcardsModel
import Foundation
import ScreenKit

/// The block's sections of the home page and of a course's page, and its documents for the search.
struct SetSections: Sendable {
    /// The number of sets in a section of a course.
    static let count = 6

    let access: SetAccess
    let reader: StudyReader

    /// The cards for today; nothing if there are none.
    func home(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let today = try await request.context.school.read { try reader.today(membership, at: now, in: $0) }
        guard today.cards > 0 else { return [] }
        return [
            .section(
                PTSection(
                    title: words("flashcards.title"),
                    action: PTButton(
                        title: words("flashcards.showAll"), role: .quiet, action: .open(SetPath.home)),
                    body: [
                        .list(
                            PTList(
                                cells: [
                                    PTListCell(
                                        leading: .icon(.cards, tint: .sky),
                                        title: words("flashcards.today", today.cards),
                                        subtitle: reader.detail(of: today, words), trailing: [.chevron],
                                        action: .open(SetPath.studyAll))
                                ], label: words("flashcards.title")))
                    ]))
        ]
    }

    /// The sets that are shared in a course, and for everyone who may make sets the link to a new one.
    func course(_ courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let (sets, isMember) = try await request.context.school.read { sql in
            let ids = try CardSetRepository.ids(sharedIn: [courseId], in: sql)
            let course = try access.courses.courses([courseId], in: sql)[courseId]
            let isIn = try access.roster.courseIds(ofStudent: membership.personId, in: sql).contains(courseId)
            return (
                try CardSetRepository.sets(ids, in: sql), isIn || course?.isLed(by: membership) == true
            )
        }
        guard isMember else { return [] }
        return [
            .section(
                PTSection(
                    title: words("flashcards.title"),
                    action: PTButton(
                        title: words("flashcards.newSet"), icon: .plus, role: .quiet,
                        action: .open("\(SetPath.new)?course=\(courseId.text)")),
                    body: sets.isEmpty
                        ? [.text(PTText(words("flashcards.noneInCourse"), role: .note))]
                        : [
                            .list(
                                PTList(
                                    cells: sets.prefix(Self.count).map { set in
                                        PTListCell(
                                            leading: .icon(.cards, tint: .sky), title: set.title,
                                            subtitle: words("flashcards.cards", set.cardCount),
                                            trailing: [.chevron], action: .open(SetPath.set(set.id)))
                                    }, label: words("flashcards.title"),
                                    more: sets.count > Self.count
                                        ? PTButton(
                                            title: words("flashcards.showAll"), role: .quiet,
                                            action: .open(SetPath.home)) : nil))
                        ]))
        ]
    }

    /// The sets that the search finds: for their owners, and those that are shared for the people of the courses.
    ///
    /// Families are not among the readers, because the pages are not for them.
    static let search = SearchSource(
        category: "flashcards", title: "flashcards.title", icon: .cards, order: 41,
        kinds: Set(SetChange.kinds.map { "flashcards.\($0)" }),
        touched: { change, _ in change.touches("set") },
        ids: { try CardSetRepository.ids(after: $0, limit: $1, in: $2) },
        documents: { ids, _, sql in
            try CardSetRepository.sets(ids, in: sql).map { set in
                SearchDocument(
                    id: set.id, title: set.title,
                    text: [set.details, try CardRepository.texts(of: set.id, limit: 200, in: sql)]
                        .compactMap(\.self).joined(separator: "\n"),
                    path: SetPath.set(set.id), tint: .sky, readers: SetAccess.readers(of: set))
            }
        })
}
