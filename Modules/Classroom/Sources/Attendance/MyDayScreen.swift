import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

/// View model of My Day: what today asks of the guide across her classrooms. Lessons, tasks and habits
/// join it with the student page.
struct MyDayScreen: Sendable {
    let classrooms: any ClassroomService

    var route: ScreenRoute {
        ScreenRoute("/my-day", access: .member(.viewClassrooms), tab: "/my-day", screen)
    }

    @Sendable
    private func screen(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let today = request.context.today
        let rooms = try await request.context.school.read { sql in
            try classrooms.classrooms(visibleTo: membership, in: sql).map { room in
                (
                    room,
                    try AttendanceRepository.roster(
                        of: room.id, day: today, orgId: membership.organization.id, in: sql)
                )
            }
        }
        guard !rooms.isEmpty else {
            return .screen(
                Screen(
                    title: words("myDay.title"), live: ["classrooms"],
                    body: [
                        .empty(
                            PTEmptyState(icon: .sun, title: words("myDay.empty"), message: words("myDay.emptyTip")))
                    ]))
        }
        let open = rooms.flatMap(\.1).count { $0.mark == nil }
        let absent = rooms.flatMap { room, entries in
            entries.filter { $0.mark?.status == .absent }.map { (room, $0.student) }
        }
        return .screen(
            Screen(
                title: words("myDay.title"), live: ["classrooms"] + rooms.map { "classroom:\($0.0.id.text)" },
                body: [
                    .greeting(
                        PTGreeting(
                            eyebrow: words.longDate(today),
                            title: open == 0 ? words("myDay.allMarked") : words("myDay.toMark", open))),
                    .section(
                        PTSection(
                            title: words("myDay.rooms"),
                            body: [.list(PTList(cells: rooms.map { cell($0.0, $0.1, words) }, columns: .two))])),
                    .section(
                        PTSection(
                            title: words("myDay.absent"),
                            body: absent.isEmpty
                                ? [.text(PTText(words("myDay.nobodyAbsent"), role: .note))]
                                : [
                                    .list(
                                        PTList(
                                            cells: absent.map { room, student in
                                                PTListCell(
                                                    id: student.id.text, leading: .avatar(student.avatar),
                                                    title: student.displayName, subtitle: room.name,
                                                    trailing: [.chevron],
                                                    action: .open("/students/\(student.id.text)"))
                                            }, columns: .two))
                                ])),
                ]))
    }

    private func cell(_ room: ClassroomSummary, _ entries: [RosterEntry], _ words: Words) -> PTListCell {
        PTListCell(
            id: room.id.text,
            leading: .avatar(
                PTAvatar(initials: PersonName(fullName: room.name).initials, tint: room.avatarTint, id: room.id)),
            title: room.name,
            subtitle: entries.isEmpty
                ? words("students.none")
                : words(
                    "myDay.room", entries.count { $0.mark?.status == .present }, entries.count,
                    entries.count { $0.mark == nil }),
            trailing: [.chevron], action: .open("/classrooms/\(room.id.text)"))
    }
}
