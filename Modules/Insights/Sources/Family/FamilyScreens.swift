import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Reads the items that were shared about the caller's children.
struct ReadFamilyItems: Query {
    static let contract = Contract(
        "family.items", "/api/v1/family/items", access: .member(.readFamily),
        summary: "The items that guides shared about the caller's children, the latest first.")
    typealias Result = Page<SharedItem>

    let studentId: UUID?

    init(_ fields: inout FieldReader) { studentId = fields.optionalId("studentId") }
}

/// The pages on which parents read what a guide shared about their children.
struct FamilyScreens: Sendable {
    static let path = "/family"
    static let limit = 100

    let families: any FamilyLinks
    let students: any StudentService

    /// A photo of a shared item, for the child's family and for those who may share. Access is checked on each request.
    var downloads: [DownloadRoute] {
        [
            DownloadRoute("/shared/{itemId}/photos/{hash}", access: .member(.belong)) { parameters, context in
                guard let itemId = parameters["itemId"].flatMap(UUID.init(text:)),
                    let hash = parameters["hash"].flatMap(BlobHash.init(_:))
                else { throw Problem.notFound }
                let membership = try context.membership
                let own = try await children(context).map(\.id)
                try await context.school.read { sql in
                    guard let item = try SharedItemRepository.item(itemId, in: sql),
                        item.photos.contains(where: { $0.hash == hash || $0.thumbnail == hash })
                    else { throw Problem.notFound }
                    if own.contains(item.studentId), context.caller.may(.readFamily) { return }
                    guard context.caller.may(.shareWithFamilies) else { throw Problem.notFound }
                    _ = try students.student(item.studentId, visibleTo: membership, in: sql)
                }
                return try await DownloadedFile(hash, .jpeg, of: context.files)
            }
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ReadFamilyItems.self) { query, context in
                let children = try await children(context)
                guard query.studentId == nil || children.contains(where: { $0.id == query.studentId }) else {
                    throw Problem.notFound
                }
                let wanted = children.filter { query.studentId == nil || $0.id == query.studentId }
                return try await context.school.read { sql in
                    Page(
                        items: try wanted.flatMap {
                            try SharedItemRepository.items(of: $0.id, limit: Self.limit, in: sql)
                        }.sorted { ($1.sharedAt, $1.id) < ($0.sharedAt, $0.id) }, next: nil)
                }
            }
        ]
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.readFamily), tab: Self.path, isPlace: true) {
                .screen(try await page($0))
            },
            ScreenRoute("\(Self.path)/letters/{itemId}", access: .member(.readFamily), tab: Self.path) {
                .screen(try await letter($0))
            },
        ]
    }

    private func children(_ context: RequestContext) async throws -> [Person] {
        let membership = try context.membership
        return try await context.school.read { try families.children(of: membership, in: $0) }
    }

    private func page(_ asked: ScreenRequest) async throws -> Screen {
        // Links of older notifications name the child as `child`.
        let request = asked.query["child"].flatMap(UUID.init(text:)).map { asked.about(student: $0) } ?? asked
        let words = request.words
        let children = try await children(request.context)
        let (chosen, segments) = try request.chosenStudent(
            of: children.map { (id: $0.id, name: $0.name.called) }, label: words("family.children"))
        guard let child = children.first(where: { $0.id == chosen }) else {
            return Screen(
                title: words("family.title"), live: ["members"],
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .people, title: words("family.noChild"), message: words("family.noChildTip")))
                ])
        }
        let items = try await request.context.school.read {
            try SharedItemRepository.items(of: child.id, limit: Self.limit, in: $0)
        }
        let shown = Self.inLanguage(words.language, items)
        var body = segments
        let parts = TextParts(request: request)
        for item in shown {
            switch item.kind {
            case .letter:
                body.append(
                    .list(
                        PTList(cells: [
                            PTListCell(
                                id: item.id.text, leading: .icon(.mail, tint: .berry),
                                title: parts.title(item, child.name.called),
                                subtitle: otherLanguage(item, words) ?? words("family.read"),
                                trailing: [.chevron], action: .open("\(Self.path)/letters/\(item.id.text)"))
                        ])))
            case .summary, .observation:
                body.append(parts.card(item, child.name.called))
                if let note = otherLanguage(item, words) { body.append(.text(PTText(note, role: .note))) }
            }
        }
        if shown.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .heart, title: words("family.nothing", child.name.called),
                        message: words("family.nothingTip"))))
        }
        return Screen(
            title: children.count == 1 ? child.name.called : words("family.title"),
            live: ["members", FamilyTopic.of(child.id)], body: body)
    }

    /// A letter on a page of its own, for reading and printing.
    private func letter(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let id = try request.id("itemId")
        let children = try await children(request.context)
        let item = try await request.context.school.read { try SharedItemRepository.item(id, in: $0) }
        guard let item, let child = children.first(where: { $0.id == item.studentId }) else {
            throw Problem.notFound
        }
        return Screen(
            title: TextParts(request: request).title(item, child.name.called),
            back: "\(Self.path)?student=\(child.id.text)",
            live: ["members", FamilyTopic.of(child.id)],
            body: [.text(PTText(item.text))]
                + (otherLanguage(item, words).map { [.text(PTText($0, role: .note))] } ?? []))
    }

    /// A note if an item is in another language than the reader's; `nil` otherwise.
    private func otherLanguage(_ item: SharedItem, _ words: Words) -> String? {
        item.language == words.language ? nil : words("family.onlyIn.\(item.language.rawValue)")
    }

    /// Leaves out items that were also shared in the reader's language.
    static func inLanguage(_ language: Language, _ items: [SharedItem]) -> [SharedItem] {
        func place(_ item: SharedItem) -> [String] {
            item.kind == .observation
                ? [item.id.text] : [item.kind.rawValue, item.firstDay.description, item.lastDay.description]
        }
        let own = Set(items.filter { $0.language == language }.map(place))
        return items.filter { $0.language == language || !own.contains(place($0)) }
    }
}
