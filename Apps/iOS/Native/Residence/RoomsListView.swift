import Client
import DesignSystem
import Domain
public import Foundation
import ResidenceModel
public import ScreenUI
public import SwiftUI

/// The rooms of a residence, from the store.
public struct RoomsListView: View {
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
                    // The error is in the store's state.
                    do { try await store.pgStore.loadRooms(pgId: pgId) } catch {}
                }
        }
    }

    private func screen(_ store: AppStore) -> Screen {
        let (words, state) = (design.words, store.pgStore.state)
        let (rooms, all) = (state.rooms(of: pgId, matching: query), state.rooms(of: pgId))
        // Read so that a change on its way to the server evaluates the view again.
        _ = store.syncSummary
        let path = "\(NativePage.path(pgId))/rooms"
        let content: Component =
            if all.isEmpty, state.roomsLoading {
                .skeleton(SkeletonView(style: .list, spoken: words("native.loading")))
            } else if rooms.isEmpty {
                .empty(
                    PTEmptyState(
                        icon: .door, title: words(all.isEmpty ? "native.rooms.none" : "native.rooms.noMatch"),
                        message: words(all.isEmpty ? "native.rooms.noneTip" : "native.rooms.noMatchTip")))
            } else {
                .list(
                    PTList(
                        cells: rooms.map { RoomRowView.cell($0, store.pgStore.syncState(of: $0.id), words) },
                        columns: .two, label: words("native.rooms")))
            }
        return Screen(
            title: words("native.rooms"),
            body: [ErrorBanner.component(state.roomsError, words), content].compactMap(\.self),
            floatingButton: PTFloatingActionButton(
                title: words("native.room.add"), action: .present(AddRoomSheet.id)),
            sheets: [AddRoomSheet.sheet(pgId: pgId, words)],
            search: all.isEmpty
                ? nil
                : PTSearchField(
                    path: path, value: query, placeholder: words("native.rooms.search"),
                    label: words("native.rooms.search")))
    }
}

/// The row of a room, which leads to `RoomDetailView`.
enum RoomRowView {
    static func cell(_ room: Room, _ state: RecordSyncState, _ words: Words) -> PTListCell {
        PTListCell(
            id: room.id.text, leading: .icon(.door, tint: .sky), title: words("native.room.named", room.number),
            subtitle: [room.type, words("native.room.beds", room.bedCount, room.occupiedBeds)]
                .joined(separator: " · "),
            trailing: (WaitingTag.tag(state, words).map { [.badge($0)] } ?? []) + [.chevron],
            action: .open("\(NativePage.path(room.pgId))/rooms/\(room.id.text)"))
    }
}

/// The sheet that adds a room.
enum AddRoomSheet {
    static let id = "add-room"

    static func sheet(pgId: UUID, _ words: Words) -> PTBottomSheet {
        PTBottomSheet(
            id: id, title: words("native.room.add"),
            body: [
                .form(
                    form(
                        id: id, path: "\(NativePage.path(pgId))/rooms", of: nil, words("native.room.add"), words))
            ])
    }

    /// The form of a room, a new one or one that is changed.
    static func form(id: String, path: String, of room: Room?, _ submit: String, _ words: Words) -> PTForm {
        PTForm(
            id: id, action: "/api/v1\(path)",
            fields: [
                PTField(
                    name: "number", label: words("native.room.number"), value: room?.number ?? "",
                    isRequired: true, maxLength: 20, width: .half),
                PTField(
                    name: "type", label: words("native.room.type"), value: room?.type ?? "", isRequired: true,
                    maxLength: 40, width: .half),
                PTField(
                    .number, name: "bedCount", label: words("native.room.bedCount"),
                    value: String(room?.bedCount ?? 2), isRequired: true),
                PTField(
                    .multiline, name: "details", label: words("native.room.details"), value: room?.details ?? "",
                    maxLength: 500),
            ], submit: SubmitButton(title: submit), key: id)
    }
}

/// The mark of a record that the server does not have yet.
enum WaitingTag {
    static func tag(_ state: RecordSyncState, _ words: Words) -> PTTag? {
        state == .synced ? nil : PTTag(text: words("native.waits"), tone: .info, icon: .cloudUp)
    }
}

/// The banner of an error that a store shows.
enum ErrorBanner {
    static func component(_ error: StoreError?, _ words: Words) -> Component? {
        error.map {
            .banner(
                PTBanner(
                    tone: $0 == .unreachable ? .info : .warning, icon: $0 == .unreachable ? .cloudOff : .alert,
                    title: $0.message(ClientWords.words(words.language))))
        }
    }
}
