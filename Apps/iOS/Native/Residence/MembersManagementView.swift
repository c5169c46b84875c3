import Client
import DesignSystem
import Domain
public import Foundation
import ResidenceModel
public import ScreenUI
public import SwiftUI

/// The residents of a residence with their rooms, from the store.
public struct MembersManagementView: View {
    private let pgId: UUID
    private let query: String
    private let handler: any ActionHandler
    @Environment(\.appStore) private var store
    @Environment(\.design) private var design

    public init(pgId: UUID, query: String = "", handler: any ActionHandler) {
        self.pgId = pgId
        self.query = query
        self.handler = handler
    }

    public var body: some View {
        if let store {
            ScreenView(screen: screen(store), handler: handler)
                .task(id: pgId) {
                    // The errors are in the store's state.
                    do {
                        try await store.pgStore.loadStudents(pgId: pgId)
                        try await store.pgStore.loadRooms(pgId: pgId)
                    } catch {}
                }
        }
    }

    private func screen(_ store: AppStore) -> Screen {
        let (words, state) = (design.words, store.pgStore.state)
        _ = store.syncSummary
        let all = state.students(of: pgId)
        let shown = all.filter { query.isEmpty || $0.name.localizedStandardContains(query) }
        let content: Component =
            if all.isEmpty, state.studentsLoading {
                .skeleton(SkeletonView(style: .list, spoken: words("native.loading")))
            } else if shown.isEmpty {
                .empty(
                    PTEmptyState(
                        icon: .people, title: words(all.isEmpty ? "native.members.none" : "native.members.noMatch"),
                        message: words(all.isEmpty ? "native.members.noneTip" : "native.members.noMatchTip")))
            } else {
                .list(
                    PTList(
                        cells: shown.map { member in
                            MemberRow.cell(
                                member, in: member.roomId.flatMap { state.rooms[$0] },
                                store.pgStore.syncState(of: member.id), words)
                        }, columns: .two, label: words("native.residents")))
            }
        return Screen(
            title: words("native.residents"),
            body: [ErrorBanner.component(state.studentsError, words), content].compactMap(\.self),
            floatingButton: all.isEmpty
                ? nil
                : PTFloatingActionButton(
                    icon: .bed, title: words("native.member.move"), action: .present(Self.move)),
            sheets: all.isEmpty ? [] : [moving(all, state, words)],
            search: all.isEmpty
                ? nil
                : PTSearchField(
                    path: "\(NativePage.path(pgId))/residents", value: query,
                    placeholder: words("native.members.search"), label: words("native.members.search")))
    }

    private static let move = "move-member"

    private func moving(_ all: [ResidenceMember], _ state: PGStoreState, _ words: Words) -> PTBottomSheet {
        let rooms = state.rooms(of: pgId).filter { $0.availableBeds > 0 }.map {
            PTField.Option(value: $0.id.text, title: words("native.room.named", $0.number))
        }
        return PTBottomSheet(
            id: Self.move, title: words("native.member.move"),
            body: [
                .form(
                    PTForm(
                        id: Self.move, action: "/api/v1\(NativePage.path(pgId))/students/room",
                        fields: [
                            PTField(
                                .select(all.map { PTField.Option(value: $0.id.text, title: $0.name) }),
                                name: "studentId", label: words("native.resident"), value: all[0].id.text,
                                isRequired: true),
                            PTField(
                                .select([PTField.Option(value: "", title: words("native.member.noRoom"))] + rooms),
                                name: "roomId", label: words("native.room"), value: rooms.first?.value ?? ""),
                        ], submit: SubmitButton(title: words("native.member.move")), key: Self.move))
            ])
    }
}

/// The row of a resident.
enum MemberRow {
    static func cell(
        _ member: ResidenceMember, in room: Room?, _ state: RecordSyncState, _ words: Words
    ) -> PTListCell {
        PTListCell(
            id: member.id.text, leading: .avatar(avatar(member)), title: member.name,
            subtitle: [
                room.map { words("native.room.named", $0.number) }, member.checkInStatus.map { status($0, words) },
            ]
            .compactMap(\.self).joined(separator: " · "),
            trailing: (WaitingTag.tag(state, words).map { [.badge($0)] } ?? []) + [.chevron],
            action: .open("\(NativePage.path(member.pgId))/residents/\(member.id.text)"))
    }

    static func avatar(_ member: ResidenceMember) -> PTAvatar {
        let initials = member.name.split(separator: " ").prefix(2).compactMap(\.first).map { String($0) }.joined()
        return PTAvatar(initials: initials, id: member.id)
    }

    private static func status(_ status: CheckInStatus, _ words: Words) -> String {
        switch status {
        case .checkedIn: words("native.status.checkedIn")
        case .checkedOut: words("native.status.checkedOut")
        case .onLeave: words("native.status.onLeave")
        }
    }
}
