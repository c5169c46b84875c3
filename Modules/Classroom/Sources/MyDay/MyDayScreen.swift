import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The view model of My Day, which lists what a guide has to do today in all classrooms.
struct MyDayScreen: Sendable {
    let classrooms: any ClassroomService
    let calendar: any SchoolCalendar

    var route: ScreenRoute {
        ScreenRoute("/my-day", access: .member(.viewClassrooms), tab: "/my-day", screen)
    }

    @Sendable
    private func screen(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let today = request.context.today
        let (rooms, isSchoolDay) = try await request.context.school.read { sql in
            (
                try classrooms.classrooms(visibleTo: membership, in: sql).map { room in
                    (
                        room,
                        try AttendanceRepository.roster(
                            of: room.id, day: today, orgId: membership.organization.id, in: sql)
                    )
                }, try calendar.schoolDays(from: today, through: today, in: sql).isSchoolDay(today)
            )
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
        let children = rooms.flatMap { $0.1.map(\.student) }.reduce(into: [UUID: Student]()) { $0[$1.id] = $1 }
        let asks = try await request.context.school.read { sql in
            try DayAsks(of: children, guide: membership.personId, today: today, in: sql)
        }
        let cells = WorkCells(
            request: request, timeZone: membership.timeZone, mayKeep: request.context.caller.may(.keepRecords))
        let open = rooms.flatMap(\.1).count { $0.mark == nil }
        let isDayOff = !isSchoolDay && rooms.flatMap(\.1).allSatisfy { $0.mark == nil }
        let title = open == 0 ? words("myDay.allMarked") : words("myDay.toMark", open)
        let absent = rooms.flatMap { room, entries in
            entries.filter { $0.mark?.status == .absent }.map { (room, $0.student) }
        }
        return .screen(
            Screen(
                title: words("myDay.title"),
                live: ["classrooms", "my-day", SchoolDays.topic] + rooms.map { "classroom:\($0.0.id.text)" },
                body: [
                    .greeting(
                        PTGreeting(
                            eyebrow: words.longDate(today),
                            title: isDayOff ? words("myDay.dayOff") : title))
                ] + sections(asks, children, cells, request) + [
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
                                                    action: .present("/students/\(student.id.text)"))
                                            }, columns: .two))
                                ])),
                ]))
    }

    private func sections(
        _ asks: DayAsks, _ children: [UUID: Student], _ cells: WorkCells, _ request: ScreenRequest
    ) -> [Component] {
        let words = request.words
        func section(_ title: String, _ none: String, _ rows: [PTListCell]) -> Component {
            .section(
                PTSection(
                    title: title,
                    body: rows.isEmpty
                        ? [.text(PTText(none, role: .note))] : [.list(PTList(cells: rows, label: title))]))
        }
        return [
            section(
                words("myDay.work"), words("myDay.noWork"),
                asks.work.map { cells.cell($0, child: children[$0.studentId]) }),
            section(
                words("myDay.followUps"), words("myDay.noFollowUps"),
                asks.followUps.map { followUp($0, children[$0.primaryStudentId], cells) }),
            section(
                words("myDay.habits"), words("myDay.noHabits"), asks.habits.map { habit($0, children, cells) }),
        ]
    }

    private func followUp(_ observation: Observation, _ child: Student?, _ cells: WorkCells) -> PTListCell {
        let request = cells.request
        let parameters = [
            "studentId": observation.primaryStudentId.text, "observationId": observation.id.text,
        ]
        let excerpt = observation.content.excerpt(80)
        return PTListCell(
            id: observation.id.text,
            leading: .check(
                PTCheck(
                    isOn: false, spoken: request.words("myDay.followUpSpoken", excerpt), shape: .square,
                    call: cells.mayKeep ? request.call(FollowUp.self, parameters, haptics: .success()) : nil)),
            title: child?.displayName ?? "", subtitle: excerpt,
            action: .present("/students/\(observation.primaryStudentId.text)"))
    }

    private func habit(_ habit: Habit, _ children: [UUID: Student], _ cells: WorkCells) -> PTListCell {
        let request = cells.request
        let child = children[habit.studentId]?.displayName ?? ""
        return PTListCell(
            id: habit.id.text,
            leading: .check(
                PTCheck(
                    isOn: false, spoken: request.words("myDay.habitSpoken", habit.name, child),
                    call: cells.mayKeep
                        ? request.call(
                            ToggleHabit.self, ["habitId": habit.id.text],
                            fields: ["day": request.context.today.description], haptics: .lightTap()) : nil)),
            title: habit.name, subtitle: child, action: .present("/students/\(habit.studentId.text)"))
    }

    private func cell(_ room: ClassroomSummary, _ entries: [RosterEntry], _ words: Words) -> PTListCell {
        PTListCell(
            id: room.id.text,
            leading: .avatar(
                PTAvatar(initials: Initials.of(room.name), tint: room.avatarTint, id: room.id)),
            title: room.name,
            subtitle: entries.isEmpty
                ? words("students.none")
                : words(
                    "myDay.room", entries.count { $0.mark?.status == .present }, entries.count,
                    entries.count { $0.mark == nil }),
            trailing: [.chevron], action: .open("/classrooms/\(room.id.text)"))
    }
}
