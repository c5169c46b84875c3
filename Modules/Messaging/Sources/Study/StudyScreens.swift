import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The list of study rooms and the page of one.
struct StudyScreens: Sendable {
    static let path = "/study"
    static let roomPath = "/study/{courseId}"

    let service: StudyService

    static func path(_ courseId: UUID) -> String { "\(path)/\(courseId.text)" }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.study), tab: "/courses") { .screen(try await list($0)) },
            ScreenRoute(Self.roomPath, access: .member(.study), tab: "/courses") { .screen(try await room($0)) },
        ]
    }

    /// The state of the navigation entry, which is shown to people with a study room.
    func state(_ context: RequestContext, in sql: any SQLReading) throws -> EntryState {
        guard context.caller.may(.study) else { return EntryState(isShown: false) }
        return EntryState(isShown: try service.hasCourses(context.membership, in: sql))
    }

    // MARK: - StudyGroupsView

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let rooms = try await request.context.school.read { sql in
            try service.rooms(service.courses(of: membership, in: sql), for: membership, at: now, in: sql).rooms
        }
        let cells = rooms.map { room in
            PTListCell(
                id: room.courseId.text, leading: .icon(.people, tint: .sky), title: room.courseName,
                subtitle: [
                    words("study.count", room.people.count),
                    room.focusEndsAt.map { words("study.until", words.time($0, in: membership.timeZone)) },
                ].compactMap { $0 }.joined(separator: " · "), trailing: [.chevron],
                action: .open(Self.path(room.courseId)))
        }
        let body: [Component] =
            cells.isEmpty
            ? [
                .empty(
                    PTEmptyState(icon: .people, title: words("study.noRooms"), message: words("study.noRoomsTip")))
            ]
            : [
                .list(PTList(cells: cells, label: words("study.title"))),
                .text(PTText(words("study.tip"), role: .note)),
            ]
        return Screen(title: words("study.title"), back: "/courses", live: [StudyService.topic], body: body)
    }

    // MARK: - StudyGroupView

    /// The properties of the island, which counts down and confirms that its page is open.
    private struct Clock: Encodable {
        let stay: String
        /// The end of the focus time in milliseconds since 1970; `nil` without one.
        let endsAt: Double?
        /// The number of people that the page shows.
        let people: Int
        let label: String
        let over: String
    }

    private func room(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let id = try request.id("courseId")
        let (room, people) = try await request.context.school.read { sql in
            let course = try service.course(id, for: membership, in: sql)
            let found = try service.rooms([course], for: membership, at: now, in: sql)
            guard let room = found.rooms.first else { throw Problem.notFound }
            return (room, found.people)
        }
        let own = room.people.first { $0.id == membership.personId }
        var body: [Component] = []
        if own != nil { body.append(try focus(room, membership, request)) }
        body.append(self.people(room, people, membership, words))
        body.append(.form(enterForm(room, own, request)))
        if own != nil {
            body.append(
                .button(
                    PTButton(
                        title: words("study.leave"), icon: .logout, role: .quiet,
                        action: .perform(
                            request.call(
                                LeaveStudyRoom.self, ["courseId": id.text], to: Self.path(id))))))
        } else {
            body.append(.text(PTText(words("study.tip"), role: .note)))
        }
        return Screen(
            title: words("study.title"), subtitle: room.courseName, back: Self.path,
            live: [StudyService.topic(of: id)], body: body)
    }

    private func focus(
        _ room: StudyRoom, _ membership: ActiveMembership, _ request: ScreenRequest
    ) throws -> Component {
        let (words, id) = (request.words, room.courseId.text)
        func button(_ title: String, _ minutes: Int, _ role: PTButton.Role) -> PTButton {
            PTButton(
                title: title, role: role,
                action: .perform(
                    request.call(
                        SetStudyFocus.self, ["courseId": id], fields: ["minutes": "\(minutes)"],
                        to: Self.path(room.courseId))))
        }
        let until = room.focusEndsAt.map { words("study.until", words.time($0, in: membership.timeZone)) }
        let clock = Clock(
            stay: StayInStudyRoom.contract.path(filling: ["courseId": id]),
            endsAt: room.focusEndsAt.map { $0.timeIntervalSince1970 * 1000 }, people: room.people.count,
            label: words("study.left"), over: words("study.over"))
        let buttons =
            room.focusEndsAt == nil
            ? StudyRoom.lengths.map { button(words("study.minutes", $0), $0, .tonal) }
            : [button(words("study.stop"), 0, .tonal)]
        return .section(
            PTSection(
                title: words("study.focus"),
                body: [
                    .island(try PTIsland("study", properties: clock, fallback: until ?? words("study.noFocus"))),
                    .buttons(PTButtonGroup(buttons: buttons)), .text(PTText(words("study.focusTip"), role: .note)),
                ]))
    }

    private func people(
        _ room: StudyRoom, _ people: [UUID: Person], _ membership: ActiveMembership, _ words: Words
    ) -> Component {
        guard !room.people.isEmpty else {
            return .empty(
                PTEmptyState(icon: .people, title: words("study.nobody"), message: words("study.nobodyTip")))
        }
        let cells = room.people.map { person in
            PTListCell(
                id: person.id.text,
                leading: people[person.id].map {
                    .avatar(PTAvatar($0))
                }, title: person.name, subtitle: words("study.work.\(person.work.rawValue)"),
                isEmphasized: person.id == membership.personId)
        }
        return .section(
            PTSection(
                title: words("study.count", room.people.count),
                body: [.list(PTList(cells: cells, label: words("study.people")))]))
    }

    /// The form to enter the room, or to change what the person works on.
    private func enterForm(_ room: StudyRoom, _ own: StudyRoom.Person?, _ request: ScreenRequest) -> PTForm {
        let words = request.words
        let offered = StudyWork.allCases.map {
            PTField.Option(value: $0.rawValue, title: words("study.work.\($0.rawValue)"))
        }
        return request.form(
            EnterStudyRoom.self, ["courseId": room.courseId.text], id: "study",
            fields: [
                PTField(
                    own == nil ? .choice(offered) : .select(offered), name: "work", label: words("study.work"),
                    value: (own?.work ?? .reading).rawValue)
            ],
            submit: SubmitButton(
                title: words(own == nil ? "study.enter" : "study.change"), role: own == nil ? .primary : .tonal),
            to: Self.path(room.courseId), style: .card)
    }
}
