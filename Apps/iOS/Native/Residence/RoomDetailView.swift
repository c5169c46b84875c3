import Client
import DesignSystem
import Domain
public import Foundation
import ResidenceModel
public import ScreenUI
public import SwiftUI

/// One room with its residents and free beds, from the store.
public struct RoomDetailView: View {
    private let pgId: UUID
    private let roomId: UUID
    private let handler: any ActionHandler
    @Environment(\.appStore) private var store
    @Environment(\.design) private var design

    public init(pgId: UUID, roomId: UUID, handler: any ActionHandler) {
        self.pgId = pgId
        self.roomId = roomId
        self.handler = handler
    }

    public var body: some View {
        if let store {
            ScreenView(screen: screen(store), handler: handler)
                .task(id: roomId) {
                    // The error is in the store's state.
                    do {
                        try await store.pgStore.loadRoomDetail(pgId: pgId, roomId: roomId)
                        if store.pgStore.state.students(of: pgId).isEmpty {
                            try await store.pgStore.loadStudents(pgId: pgId)
                        }
                    } catch {}
                }
        }
    }

    private func screen(_ store: AppStore) -> Screen {
        let (words, state) = (design.words, store.pgStore.state)
        _ = store.syncSummary
        // A room that was added here has another id once the server has it.
        guard let room = state.rooms[store.pgStore.currentId(of: roomId)] else {
            return Screen(
                title: words("native.room"),
                body: [ErrorBanner.component(state.roomsError, words)].compactMap(\.self) + [
                    state.roomsError == nil
                        ? .skeleton(SkeletonView(style: .list, spoken: words("native.loading")))
                        : .empty(
                            PTEmptyState(
                                icon: .door, title: words("native.room.gone"), message: words("native.room.goneTip")
                            ))
                ])
        }
        let residents = state.students(of: pgId, in: room.id)
        let cells = residents.map { MemberRow.cell($0, in: nil, store.pgStore.syncState(of: $0.id), words) }
        let free = (0..<max(0, room.bedCount - max(residents.count, room.occupiedBeds))).map { place in
            PTListCell(id: "free-\(place)", leading: .icon(.bed, tint: .sand), title: words("native.bed.free"))
        }
        let path = "\(NativePage.path(pgId))/rooms/\(room.id.text)"
        return Screen(
            title: words("native.room.named", room.number), subtitle: room.type,
            body: [
                ErrorBanner.component(state.roomsError, words), room.details.map { .text(PTText($0)) },
                .section(
                    PTSection(
                        title: words("native.residents"),
                        detail: words("native.room.beds", room.bedCount, room.occupiedBeds),
                        body: [.list(PTList(cells: cells + free, label: words("native.residents")))])),
                .buttons(
                    PTButtonGroup(buttons: [
                        PTButton(
                            title: words("native.room.edit"), icon: .edit, role: .neutral,
                            action: .present(Self.edit)),
                        deletion(of: room, path, state, words),
                    ])),
            ].compactMap(\.self),
            sheets: [
                PTBottomSheet(
                    id: Self.edit, title: words("native.room.edit"),
                    body: [
                        .form(
                            AddRoomSheet.form(id: Self.edit, path: path, of: room, words("native.save"), words))
                    ]),
                moving(of: room, path, state, words),
            ])
    }

    private static let edit = "edit-room"
    private static let delete = "delete-room"

    /// Asks before an empty room is deleted. The residents of another one need a room to move to first.
    private func deletion(of room: Room, _ path: String, _ state: PGStoreState, _ words: Words) -> PTButton {
        let question = PTConfirmation(
            title: words("native.room.delete.ask", room.number), confirm: words("native.room.delete"))
        return PTButton(
            title: words("native.room.delete"), role: .neutral,
            action: room.occupiedBeds > 0
                ? .present(Self.delete)
                : .perform(call("\(path)/delete", asking: question, to: "\(NativePage.path(pgId))/rooms")))
    }

    private func moving(of room: Room, _ path: String, _ state: PGStoreState, _ words: Words) -> PTBottomSheet {
        let others = state.rooms(of: pgId).filter { $0.id != room.id && $0.availableBeds >= room.occupiedBeds }
        guard !others.isEmpty else {
            return PTBottomSheet(
                id: Self.delete, title: words("native.room.delete"),
                body: [.text(PTText(words("native.room.delete.noRoom")))])
        }
        return PTBottomSheet(
            id: Self.delete, title: words("native.room.delete"),
            body: [
                .form(
                    PTForm(
                        id: Self.delete, action: "/api/v1\(path)/delete",
                        fields: [
                            PTField(
                                .select(
                                    others.map {
                                        PTField.Option(
                                            value: $0.id.text, title: words("native.room.named", $0.number))
                                    }), name: "moveTo", label: words("native.room.moveTo"),
                                value: others[0].id.text, isRequired: true)
                        ], submit: SubmitButton(title: words("native.room.delete"), role: .destructive),
                        key: Self.delete, to: "\(NativePage.path(pgId))/rooms"))
            ])
    }
}
