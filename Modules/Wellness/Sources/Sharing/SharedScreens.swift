import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The pages of an adult: what children share with them, and requests for help for the adults whom the school named.
struct SharedScreens: Sendable {
    static let path = "/wellness/shared"
    static let childPath = "/wellness/shared/{personId}"
    /// The days for which a closed request is listed.
    private static let listedDays = 30.0

    let access: WellnessAccess
    let handlers: SharingHandlers

    static func path(_ personId: UUID) -> String { "\(path)/\(personId.text)" }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.readSharedWellness), tab: "/home") {
                .screen(try await list($0))
            },
            ScreenRoute(Self.childPath, access: .member(.readSharedWellness), tab: "/home") {
                .screen(try await child($0))
            },
        ]
    }

    /// The state of the navigation entry: shown to those who are told of requests, or with whom a child shares.
    func state(_ context: RequestContext, in sql: any SQLReading) throws -> EntryState {
        guard context.caller.may(.readSharedWellness) else { return EntryState(isShown: false) }
        let membership = try context.membership
        if try access.isContact(membership, in: sql) {
            let open = try HelpRepository.open(in: sql).filter { one in
                one.personId != membership.personId
                    && !one.adults.contains { $0.id == membership.personId && $0.seenAt != nil }
            }
            return EntryState(unread: open.count)
        }
        let children = try SharingRepository.children(sharingWith: membership.personId, in: sql)
        guard !children.isEmpty else { return EntryState(isShown: false) }
        let settings = try WellnessSettings.read(in: sql)
        return EntryState(
            isShown: try !access.readable(children, by: membership, settings, in: sql).isEmpty)
    }

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (
            request.words, try request.context.membership, request.context.now
        )
        let (isContact, open, closed, shared, settings, names) = try await request.context.school.read { sql in
            let isContact = try access.isContact(membership, in: sql)
            let open = isContact ? try HelpRepository.open(in: sql) : []
            let since = now.addingTimeInterval(-Self.listedDays * 86_400)
            let closed = isContact ? try HelpRepository.closed(since: since, in: sql) : []
            return (
                isContact, open, closed, try handlers.shared(with: membership, limit: 1, in: sql),
                try WellnessSettings.read(in: sql),
                try access.names((open + closed).map(\.personId), of: membership.organization.id, in: sql)
            )
        }
        var sections: [Component] = []
        if isContact {
            let cells = (open + closed).filter { $0.personId != membership.personId }.map {
                HelpScreens.cell($0, names[$0.personId], words, in: membership.timeZone)
            }
            sections.append(
                .section(
                    PTSection(
                        title: words("wellness.help.requests"),
                        body: [
                            cells.isEmpty
                                ? .empty(
                                    PTEmptyState(
                                        icon: .checks, title: words("wellness.help.none"),
                                        message: words("wellness.help.noneTip")))
                                : .list(PTList(cells: cells, label: words("wellness.help.requests")))
                        ])))
        }
        let cells = shared.map { one, person in
            PTListCell(
                id: person.id.text, leading: .avatar(PTAvatar(person)), title: person.name.display,
                subtitle: one.checkIns.first.map {
                    "\(words($0.mood.titleKey)) · \(words.dateAndTime($0.madeAt, in: membership.timeZone))"
                } ?? words("wellness.none"), trailing: [.chevron], action: .open(Self.path(person.id)))
        }
        sections.append(
            .section(
                PTSection(
                    title: words("wellness.sharedWithYou"),
                    body: [
                        cells.isEmpty
                            ? .empty(
                                PTEmptyState(
                                    icon: .lock, title: words("wellness.nothingShared"),
                                    message: words("wellness.nothingSharedTip")))
                            : .list(PTList(cells: cells, label: words("wellness.sharedWithYou")))
                    ])))
        return Screen(
            title: words("wellness.title"), back: "/home",
            live: [WellnessTopic.of(membership.personId), WellnessTopic.requests, WellnessTopic.settings],
            body: (settings.isOn ? [] : [WellnessScreens.off(words)])
                + [.columns(PTColumns(sections, limit: 2))])
    }

    private func child(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, id) = (
            request.words, try request.context.membership, try request.id("personId")
        )
        let texts = WellnessWords(words: words, timeZone: membership.timeZone)
        let place = request.query["after"].flatMap(CheckInPlace.init(text:))
        let start = WellnessWeek.start(before: request.context.today, in: membership.timeZone)
        let (person, isAll, found, recent) = try await request.context.school.read { sql in
            let settings = try WellnessSettings.read(in: sql)
            let isAll = try SharingRepository.sharesAll(id, with: membership.personId, in: sql)
            func checkIns(after place: CheckInPlace?, since start: Date = .distantPast, limit: Int) throws
                -> [CheckIn]
            {
                try SharingRepository.checkIns(
                    of: id, sharedWith: membership.personId, after: place, since: start, limit: limit, in: sql)
            }
            guard try isAll || !checkIns(after: nil, limit: 1).isEmpty,
                try access.mayRead(membership, childId: id, settings, in: sql),
                let person = try access.names([id], of: membership.organization.id, in: sql)[id]
            else { throw Problem.notFound }
            return (
                person, isAll, try checkIns(after: place, limit: WellnessScreens.page + 1),
                isAll && place == nil ? try checkIns(after: nil, since: start, limit: CheckInHandlers.all) : nil
            )
        }
        let aspect = request.query["of"].flatMap(WellnessAspect.init(rawValue:)) ?? .mood
        let list: Component =
            found.isEmpty && place == nil
            ? .empty(
                PTEmptyState(icon: .heart, title: words("wellness.none"), message: words("wellness.noneShared")))
            : texts.list(found, upTo: WellnessScreens.page, path: Self.path(id))
        var sections: [Component] = [.section(PTSection(title: words("wellness.list"), body: [list]))]
        if let recent {
            sections.insert(
                .section(
                    PTSection(
                        title: words("wellness.chart"),
                        body: texts.chart(
                            recent, of: aspect, through: request.context.today, path: Self.path(id)))), at: 0)
        }
        return Screen(
            title: person.name.display, subtitle: words(isAll ? "wellness.sharesAll" : "wellness.sharesSome"),
            avatar: PTAvatar(person), back: place == nil ? Self.path : Self.path(id),
            live: [WellnessTopic.of(membership.personId), WellnessTopic.settings],
            body: [
                .text(PTText(words("wellness.confidential"), role: .note)), .columns(PTColumns(sections, limit: 2)),
            ])
    }
}
