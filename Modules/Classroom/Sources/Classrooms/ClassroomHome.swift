import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The section of the home page with today's attendance of each classroom.
struct ClassroomHome: Sendable {
    /// The number of classrooms in the section. The full list has all.
    static let count = 6

    let classrooms: any ClassroomService
    let calendar: any SchoolCalendar

    func section(_ request: ScreenRequest) async throws -> [Component] {
        let (words, today) = (request.words, request.context.today)
        let membership = try request.context.membership
        let mayMark = request.context.caller.may(.markAttendance)
        let (all, cells) = try await request.context.school.read { sql in
            let all = try classrooms.classrooms(visibleTo: membership, in: sql)
            let isSchoolDay = try calendar.schoolDays(from: today, through: today, in: sql).isSchoolDay(today)
            return (
                all.count,
                try all.prefix(Self.count).map { room in
                    let entries = try AttendanceRepository.roster(
                        of: room.id, day: today, orgId: membership.organization.id, in: sql)
                    return Self.cell(room, entries, offersMark: mayMark && isSchoolDay, words)
                }
            )
        }
        guard !cells.isEmpty else { return [] }
        return [
            .section(
                PTSection(
                    title: words("classrooms.title"),
                    action: all > cells.count
                        ? PTButton(title: words("classrooms.all"), role: .quiet, action: .open("/classrooms"))
                        : nil,
                    body: [.list(PTList(cells: cells, label: words("classrooms.title")))]))
        ]
    }

    private static func cell(
        _ room: ClassroomSummary, _ entries: [RosterEntry], offersMark: Bool, _ words: Words
    ) -> PTListCell {
        let present = entries.count { $0.mark?.status == .present }
        let absent = entries.count { $0.mark?.status == .absent }
        let open = entries.count - present - absent
        let path = "/classrooms/\(room.id.text)"
        return PTListCell(
            id: room.id.text,
            leading: .avatar(PTAvatar(initials: Initials.of(room.name), tint: room.avatarTint, id: room.id)),
            title: room.name,
            subtitle: entries.isEmpty
                ? words("students.none") : words("myDay.room", present, entries.count, open),
            split: entries.isEmpty
                ? nil
                : PTSplitBar(
                    parts: [.init(count: present, tint: .leaf), .init(count: absent, tint: .clay)],
                    total: entries.count, spoken: words("attendance.spoken", present, absent, open)),
            trailing: offersMark && open > 0
                ? [.button(PTButton(title: words("attendance.mark"), role: .outlined, action: .open(path)))]
                : [.chevron],
            action: .open(path))
    }
}
