import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The sections of the home page: a child's check-in of the day, and open requests for the adults who are told.
struct WellnessHome: Sendable {
    /// The requests that the section of an adult shows. The page has all.
    private static let requestCount = 5

    let access: WellnessAccess

    func child(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership, today) = (
            request.words, try request.context.membership, request.context.today
        )
        let (settings, last, help) = try await request.context.school.read { sql in
            (
                try WellnessSettings.read(in: sql),
                try CheckInRepository.checkIns(
                    of: membership.personId, since: today.start(in: membership.timeZone), limit: 1, in: sql
                ).first,
                try HelpRepository.last(of: membership.personId, in: sql)
            )
        }
        let asked = help.flatMap { $0.closedAt == nil ? cell($0, words) : nil }
        guard settings.isOn else {
            // The child still follows an open request: no other page leads to it now.
            return asked.map { [Component.list(PTList(cells: [$0], label: words("wellness.title")))] } ?? []
        }
        let texts = WellnessWords(words: words, timeZone: membership.timeZone)
        var cells: [PTListCell] = []
        if let last {
            cells.append(
                texts.cell(last, trailing: [.chevron], action: .present(WellnessScreens.path(last.id))))
        }
        if let asked { cells.append(asked) }
        var body: [Component] = last == nil ? [WellnessScreens.moods(request)] : []
        if !cells.isEmpty { body.append(.list(PTList(cells: cells, label: words("wellness.list")))) }
        let more =
            last == nil
            ? PTLinks.Link(
                title: words("wellness.more"),
                action: .open("\(WellnessScreens.path)?sheet=\(WellnessScreens.sheet)"))
            : PTLinks.Link(title: words("wellness.again"), action: .open(WellnessScreens.path))
        body.append(
            .links(
                PTLinks(links: [more, .init(title: words("wellness.help.open"), action: .open(HelpScreens.path))])))
        return [
            .section(
                PTSection(
                    title: words(last == nil ? "wellness.question" : "wellness.today"),
                    action: PTButton(
                        title: words("wellness.title"), role: .quiet, action: .open(WellnessScreens.path)),
                    body: body))
        ]
    }

    /// The row of a child's own open request.
    private func cell(_ help: HelpRequest, _ words: Words) -> PTListCell {
        let seen = help.adults.count { $0.seenAt != nil }
        return PTListCell(
            id: help.id.text, leading: .icon(.heart, tint: .berry), title: words("wellness.help.yours"),
            subtitle: seen == 0 ? words("wellness.help.notSeen") : words("wellness.help.seenCount", seen),
            trailing: [.chevron], action: .open(HelpScreens.path))
    }

    func adult(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let (open, names) = try await request.context.school.read { sql in
            guard try access.isContact(membership, in: sql) else { return ([HelpRequest](), [UUID: Person]()) }
            let open = try HelpRepository.open(in: sql).filter { $0.personId != membership.personId }
            return (open, try access.names(open.map(\.personId), of: membership.organization.id, in: sql))
        }
        guard !open.isEmpty else { return [] }
        let cells = open.prefix(Self.requestCount).map {
            HelpScreens.cell($0, names[$0.personId], words, in: membership.timeZone)
        }
        return [
            .section(
                PTSection(
                    title: words("wellness.help.requests"),
                    action: PTButton(
                        title: words("wellness.title"), role: .quiet, action: .open(SharedScreens.path)),
                    body: [.list(PTList(cells: Array(cells), label: words("wellness.help.requests")))]))
        ]
    }
}
