import Client
import DesignSystem
import Domain
public import Foundation
import ResidenceModel
public import ScreenUI
public import SwiftUI

/// The day of a residence: the five counts and the residents, from the store.
public struct DailyAttendanceView: View {
    private let pgId: UUID
    private let handler: any ActionHandler
    @Environment(\.appStore) private var store
    @Environment(\.design) private var design

    public init(pgId: UUID, handler: any ActionHandler) {
        self.pgId = pgId
        self.handler = handler
    }

    public var body: some View {
        if let store {
            ScreenView(screen: screen(store), handler: handler)
                .task(id: pgId) { await DayLoad.load(pgId, in: store) }
        }
    }

    private func screen(_ store: AppStore) -> Screen {
        let (words, state) = (design.words, store.pgStore.state)
        _ = store.syncSummary
        let path = NativePage.path(pgId)
        let links = Component.list(
            PTList(
                cells: [
                    (PTIcon.door, "native.attendance", NativePage.attendancePath(pgId)),
                    (.bed, "native.rooms", "\(path)/rooms"), (.people, "native.residents", "\(path)/residents"),
                    (.checks, "native.rollCall", "\(path)/roll-call"), (.leaf, "native.leave", "\(path)/leave"),
                    (.meal, "native.meals", "\(path)/meals"), (.lock, "native.gates", "\(path)/gates"),
                ].map { icon, title, address in
                    PTListCell(
                        id: address, leading: .icon(icon, tint: .sand), title: words(title), trailing: [.chevron],
                        action: .open(address))
                }, columns: .two, label: words("native.residence")))
        guard let day = state.attendance(of: pgId, today: store.pgStore.today) else {
            return Screen(
                title: words("native.day"),
                body: [
                    ErrorBanner.component(state.attendanceError, words),
                    state.attendanceError == nil
                        ? .skeleton(SkeletonView(style: .list, spoken: words("native.loading"))) : nil, links,
                ].compactMap(\.self))
        }
        let summary = day.summary
        let counts: [(String, Int)] = [
            ("native.count.total", summary.total), ("native.status.checkedIn", summary.checkedIn),
            ("native.status.checkedOut", summary.checkedOut), ("native.status.notReturned", summary.notReturned),
            ("native.status.absent", summary.absent),
        ]
        return Screen(
            title: words("native.day"), subtitle: words.longDate(day.date),
            body: [
                ErrorBanner.component(state.attendanceError, words),
                .definitionList(
                    PTDefinitionList(
                        items: counts.map { .init(term: words($0.0), value: $0.1.shown(in: words.locale)) })),
                links,
                .section(
                    PTSection(
                        title: words("native.residents"),
                        body: [
                            .list(
                                PTList(
                                    cells: day.students.compactMap { student in
                                        state.students[student.id].map { AttendanceRow.cell($0, student, words) }
                                    }, columns: .two, label: words("native.residents")))
                        ])),
            ].compactMap(\.self))
    }
}

/// The residents with a button for the passage that comes next, recorded by a warden.
public struct AttendanceView: View {
    private let pgId: UUID
    private let handler: any ActionHandler
    @Environment(\.appStore) private var store
    @Environment(\.design) private var design

    public init(pgId: UUID, handler: any ActionHandler) {
        self.pgId = pgId
        self.handler = handler
    }

    public var body: some View {
        if let store {
            ScreenView(screen: screen(store), handler: handler)
                .task(id: pgId) { await DayLoad.load(pgId, in: store) }
        }
    }

    private func screen(_ store: AppStore) -> Screen {
        let (words, state) = (design.words, store.pgStore.state)
        _ = store.syncSummary
        let students = state.students(of: pgId)
        let cells = students.map { member in
            let isIn = member.checkInStatus == .checkedIn
            let title = words(isIn ? "native.checkOut" : "native.checkIn")
            let last = state.recordsByStudent[member.id]?.last
            let tag = last.flatMap { WaitingTag.tag(store.pgStore.syncState(of: $0), words) }
            return PTListCell(
                id: member.id.text, leading: .avatar(MemberRow.avatar(member)), title: member.name,
                subtitle: words(isIn ? "native.status.checkedIn" : "native.status.checkedOut"),
                trailing: (tag.map { [.badge($0)] } ?? []) + [
                    .button(
                        PTButton(
                            title: title, role: .tonal,
                            action: .perform(
                                call(
                                    "\(NativePage.path(pgId))/passages",
                                    [
                                        "studentId": member.id.text,
                                        "type": (isIn ? RecordType.checkOut : .checkIn).rawValue,
                                    ])), spoken: words("native.passage.spoken", title, member.name)))
                ])
        }
        return Screen(
            title: words("native.attendance"),
            body: [
                ErrorBanner.component(state.attendanceError, words),
                students.isEmpty
                    ? state.studentsLoading
                        ? .skeleton(SkeletonView(style: .list, spoken: words("native.loading")))
                        : .empty(
                            PTEmptyState(
                                icon: .people, title: words("native.members.none"),
                                message: words("native.members.noneTip")))
                    : .list(PTList(cells: cells, columns: .two, label: words("native.residents"))),
            ].compactMap(\.self))
    }
}

/// Loads what the pages of a day show. Errors are in the store's state.
private enum DayLoad {
    @MainActor
    static func load(_ pgId: UUID, in store: AppStore) async {
        do {
            try await store.pgStore.loadStudents(pgId: pgId)
            try await store.pgStore.loadAttendance(pgId: pgId, date: store.pgStore.today)
        } catch {}
    }
}

/// The row of a resident on a day.
private enum AttendanceRow {
    static func cell(_ member: ResidenceMember, _ student: AttendanceStudent, _ words: Words) -> PTListCell {
        PTListCell(
            id: member.id.text, leading: .avatar(MemberRow.avatar(member)), title: member.name,
            trailing: [.badge(tag(student, words))],
            action: .open("\(NativePage.path(member.pgId))/residents/\(member.id.text)"))
    }

    private static func tag(_ student: AttendanceStudent, _ words: Words) -> PTTag {
        switch (student.status, student.absence) {
        case (.checkedIn, _): PTTag(text: words("native.status.checkedIn"), tone: .good)
        case (.checkedOut, _): PTTag(text: words("native.status.checkedOut"), tone: .info)
        case (.notReturned, _): PTTag(text: words("native.status.notReturned"), tone: .danger)
        case (.absent, .onLeave): PTTag(text: words("native.status.onLeave"))
        case (.absent, _): PTTag(text: words("native.status.absent"), tone: .warning)
        }
    }
}
