import Client
import DesignSystem
import Domain
public import Foundation
import ResidenceModel
public import ScreenUI
public import SwiftUI

/// The page on which a resident records that they came in or went out, with a card at the door or without.
public struct CheckInView: View {
    private let pgId: UUID
    private let handler: any ActionHandler
    @State private var cards = CommandHandler { _ in nil }
    @Environment(\.appStore) private var store
    @Environment(\.design) private var design
    @Environment(\.readCard) private var readCard

    public init(pgId: UUID, handler: any ActionHandler) {
        self.pgId = pgId
        self.handler = handler
    }

    public var body: some View {
        if let store {
            ScreenView(screen: screen(store), handler: cards)
                .onChange(of: readCard == nil, initial: true) { _, _ in cards = reader }
                .task(id: pgId) {
                    // The error is in the store's state.
                    do { try await store.pgStore.loadRecords(pgId: pgId, limit: 20) } catch {}
                }
        }
    }

    /// The field with the number of the card. It is empty in a command that needs a card.
    private static let tag = "nfcTagId"

    /// The handler of the page, which reads a card before a command that needs one.
    private var reader: CommandHandler {
        let (handler, readCard, prompt) = (handler, readCard, design.words("native.card.prompt"))
        return CommandHandler(next: handler) { call in
            guard call.fields[Self.tag] != nil, let readCard else { return nil }
            do {
                guard let number = try await readCard(prompt) else { return .done(nil) }
                var call = call
                call.fields[Self.tag] = number
                return await handler.run(call, with: CommandExtras())
            } catch {
                return .refused(message: error.localizedDescription, fields: [:])
            }
        }
    }

    private func screen(_ store: AppStore) -> Screen {
        let (words, state) = (design.words, store.pgStore.state)
        _ = store.syncSummary
        let records = (store.profileId.flatMap { state.recordsByStudent[$0] } ?? []).suffix(10).reversed()
            .compactMap { state.checkInOutRecords[$0] }
        let isIn = records.first?.type == .checkIn
        let path = "\(NativePage.path(pgId))/\(isIn ? "check-out" : "check-in")"
        let title = words(isIn ? "native.checkOut" : "native.checkIn")
        var buttons = [
            PTButton(
                title: title, icon: .door, role: readCard == nil ? .primary : .neutral, size: .large, isWide: true,
                action: .perform(call(path)))
        ]
        if readCard != nil {
            buttons.insert(
                PTButton(
                    title: words("native.card.use", title), icon: .cards, size: .large, isWide: true,
                    action: .perform(call(path, [Self.tag: ""]))), at: 0)
        }
        return Screen(
            title: words("native.checkIn.title"),
            subtitle: words(
                records.isEmpty
                    ? "native.checkIn.none" : isIn ? "native.status.checkedIn" : "native.status.checkedOut"),
            body: [
                ErrorBanner.component(state.attendanceError, words),
                .buttons(PTButtonGroup(buttons: buttons, arrangement: .stack)),
                records.isEmpty
                    ? nil
                    : .section(
                        PTSection(
                            title: words("native.checkIn.last"),
                            body: [
                                .list(
                                    PTList(
                                        cells: records.map { record in
                                            PTListCell(
                                                id: record.id.text, leading: .icon(.clock, tint: .sand),
                                                title: words(
                                                    record.type == .checkIn
                                                        ? "native.checkedIn" : "native.checkedOut"),
                                                subtitle: words.dateAndTime(record.timestamp, in: .current),
                                                trailing: WaitingTag.tag(
                                                    store.pgStore.syncState(of: record.id), words
                                                ).map { [.badge($0)] } ?? [])
                                        }, label: words("native.checkIn.last")))
                            ])),
            ].compactMap(\.self))
    }
}
