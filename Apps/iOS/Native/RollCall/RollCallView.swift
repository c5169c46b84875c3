import Client
public import DesignSystem
import DesignTokens
import Domain
import Foundation
import ResidenceModel
import ScreenUI
public import SwiftUI

/// The roll call of an evening, room by room: the native half of the island `rollcall`.
///
/// Marks and the closing go through the queue of `PageStore`, so that it works without a network. Each part of it is a row of the
/// page's list.
public struct RollCallView: View {
    private let page: RollCallPage
    @State private var model: RollCallModel
    @Environment(\.appStore) private var store
    @Environment(\.pageReading) private var reading
    @Environment(\.actions) private var actions

    /// Creates the view of an island. Returns `nil` for properties that this version of the app does not know.
    public init?(island: PTIsland) {
        do {
            self.init(page: try JSONDecoder().decode(RollCallPage.self, from: Data(island.properties.utf8)))
        } catch {
            // A newer server sends others: the web view has the script that knows them.
            return nil
        }
    }

    init(page: RollCallPage) {
        self.page = page
        _model = State(initialValue: RollCallModel(page))
    }

    public var body: some View {
        if let store {
            let context = RollCallContext(store: store, actions: actions)
            let state = model.state(page, readAt: reading?.readAt ?? .distantPast, in: store.pageStore)
            let summary = store.syncSummary
            let changing = model.changing
            Group {
                // Not while marks are sent for the first time, or the banner would appear and disappear with each tap.
                if state.waiting > 0, summary.isOffline || summary.failing > 0 || summary.needsSignIn {
                    WaitingView(state: state)
                }
                RollCallSummaryView(state: state, context: context, model: model)
                if let room = state.room(model.chosenRoom) {
                    RoomStripView(chips: chips(state, room), label: page.word("rooms"), model: model)
                    RoomHeaderView(room: room, state: state, context: context, model: model)
                    ForEach(state.entries(in: room)) { entry in
                        ResidentView(
                            entry: entry, page: page, isChanging: changing == entry.id, model: model,
                            context: context
                        ) { present(entry.resident, context) }
                        .equatable()
                    }
                    RoomDockView(room: room, state: state, model: model)
                }
            }
            .onChange(of: page, initial: true) { _, page in model.show(page, room: state.room(model.chosenRoom)) }
            .onChange(of: store.notices) { old, new in showRefusal(new.filter { !old.contains($0) }, context) }
        }
    }

    private func chips(_ state: RollCallState, _ current: RollCallPage.Room) -> [RoomStripView.Chip] {
        page.rooms.map { room in
            RoomStripView.Chip(room: room, left: state.missing(in: room).count, isCurrent: room == current)
        }
    }

    /// Asks why a resident is out and who said so.
    private func present(_ resident: RollCallPage.Resident, _ context: RollCallContext) {
        context.page?.sheet = PresentedSheet(
            id: "out-\(resident.id)", OutSheetView(resident: resident, model: model))
    }

    /// Shows why marks that had waited were refused. They are no longer in the queue, and so no longer on the page.
    private func showRefusal(_ notices: [SyncNotice], _ context: RollCallContext) {
        guard let notice = notices.last(where: { $0.code?.hasPrefix(Self.problems) == true }),
            let sentence = notice.sentence
        else { return }
        context.showFailure(sentence)
    }

    /// The beginning of the codes of the server's problems with roll calls.
    private static let problems = "residence.rollCall"
}

/// How much waits on the device.
private struct WaitingView: View {
    let state: RollCallState

    var body: some View {
        ComponentView(
            component: .banner(
                PTBanner(
                    icon: .cloudOff,
                    title: state.isClosingWaiting
                        ? state.page.word("closing")
                        : state.page.word("waits", ["count": String(state.waiting)]))))
    }
}

/// How many residents are accounted for, and the button that closes the roll call.
private struct RollCallSummaryView: View {
    let state: RollCallState
    let context: RollCallContext
    let model: RollCallModel
    @Environment(\.design) private var design

    var body: some View {
        let (page, entries) = (state.page, state.entries)
        let counts = RollCall.Status.allCases.map { status in entries.count { $0.mark.status == status } }
        let accounted = counts.reduce(0, +)
        let line = page.word(
            "counts", ["here": String(counts[0]), "onLeave": String(counts[1]), "out": String(counts[2])])
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            ComponentView(
                component: .greeting(
                    PTGreeting(
                        eyebrow: page.date,
                        title: page.word(
                            "accounted", ["count": String(accounted), "total": String(entries.count)]),
                        detail: line,
                        split: PTSplitBar(
                            parts: zip(counts, [Tint.leaf, .sky, .clay]).map { .init(count: $0, tint: $1) },
                            total: entries.count, spoken: line))))
            Button {
                if accounted == entries.count {
                    model.close(context)
                } else {
                    context.page?.sheet = PresentedSheet(id: "gap", GapSheetView(model: model))
                }
            } label: {
                TitleView(title: page.word("close"), icon: .lock)
            }
            .buttonStyle(RoleButtonStyle(role: accounted == entries.count ? .primary : .tonal))
            .disabled(state.isClosing)
            .accessibilityValue(Text(verbatim: state.isClosingWaiting ? page.word("closing") : ""))
        }
    }
}

/// The name of the room, and the button that notes everyone in it as here.
private struct RoomHeaderView: View {
    let room: RollCallPage.Room
    let state: RollCallState
    let context: RollCallContext
    let model: RollCallModel
    @Environment(\.design) private var design

    var body: some View {
        let missing = state.missing(in: room)
        HStack(spacing: design.space(\.sm)) {
            Text(verbatim: room.title).textStyle(.title3).accessibilityAddTraits(.isHeader)
            Spacer()
            if missing.count > 1 {
                Button {
                    model.note(missing, .here, haptics: .success(), context)
                } label: {
                    TitleView(title: state.page.word("allHere"), icon: .checks)
                }
                .buttonStyle(RoleButtonStyle(role: .quiet))
                .accessibilityLabel(Text(verbatim: "\(room.title), \(state.page.word("allHere"))"))
            }
        }
        .frame(minHeight: design.size(.hit))
    }
}

/// The buttons to the room before and to the next in which a resident is missing.
private struct RoomDockView: View {
    let room: RollCallPage.Room
    let state: RollCallState
    let model: RollCallModel
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.sm)) {
            if let before = state.room(before: room) {
                Button {
                    model.show(room: before)
                } label: {
                    TitleView(title: before.number, icon: .chevronLeft)
                }
                .buttonStyle(RoleButtonStyle(role: .neutral, size: .large))
                .accessibilityLabel(Text(verbatim: "\(state.page.word("previous")), \(before.title)"))
            }
            if let after = state.room(after: room) {
                Button {
                    model.show(room: after)
                } label: {
                    HStack(spacing: design.space(\.xs)) {
                        Text(verbatim: after.title)
                        IconView(icon: .chevronRight)
                    }
                }
                .buttonStyle(
                    RoleButtonStyle(
                        role: state.missing(in: room).isEmpty ? .primary : .tonal, size: .large, isWide: true)
                )
                .accessibilityLabel(Text(verbatim: "\(state.page.word("next")), \(after.title)"))
            }
        }
    }
}
