import Client
import DesignSystem
import Foundation
import Observation
import ResidenceModel
import ScreenUI

/// What a warden does in a roll call, and where in it they are.
///
/// The marks are in the page and in the commands of `PageStore`. The model has no copy of them.
@MainActor @Observable
final class RollCallModel {
    /// The page, for the sheets over it.
    private(set) var page: RollCallPage
    /// The number of the room that is shown; `nil` before the page appeared.
    private(set) var chosenRoom: String?
    /// The id of the marked resident whose mark is being changed.
    private(set) var changing: String?
    /// The commands that were read from JSON, by their keys.
    @ObservationIgnored private var read: [String: RollCallCommand?] = [:]

    init(_ page: RollCallPage) { self.page = page }

    /// The roll call with the commands of the store over a page that was read at a time.
    func state(_ page: RollCallPage, readAt: Date, in store: PageStore) -> RollCallState {
        let recent = store.state.commands
        let waiting = Set(recent.filter { $0.answeredAt == nil }.map(\.command.key))
        let missing = store.state.commands(missingSince: readAt)
        let commands = missing.compactMap { command in
            self.command(command, on: page).map { (command: $0, isWaiting: waiting.contains(command.key)) }
        }
        let known = Set(missing.map(\.key))
        read = read.filter { known.contains($0.key) }
        return RollCallState(page, commands)
    }

    private func command(_ command: PageCommand, on page: RollCallPage) -> RollCallCommand? {
        if let known = read[command.key] { return known }
        let found = RollCallCommand(command, on: page)
        read[command.key] = .some(found)
        return found
    }

    /// Takes a page that was read, and the room that is shown first. It stays in front until the warden chooses another one.
    func show(_ page: RollCallPage, room: RollCallPage.Room?) {
        if page.day != self.page.day { read = [:] }
        if page != self.page { self.page = page }
        if chosenRoom == nil { chosenRoom = room?.number }
    }

    func show(room: RollCallPage.Room) {
        chosenRoom = room.number
        changing = nil
    }

    /// Shows the choices for a resident who is marked, or hides them.
    func change(_ resident: RollCallPage.Resident) {
        changing = changing == resident.id ? nil : resident.id
    }

    // MARK: - Commands

    /// Notes where residents are; without a status, takes the notes back.
    func note(
        _ residents: [RollCallPage.Resident], _ status: RollCall.Status?, reason: String? = nil,
        saidBy: String? = nil, haptics: Haptics = .lightTap(), _ context: RollCallContext
    ) {
        changing = nil
        // The marks show before the server has answered, and so the device gives its feedback at once.
        context.page?.show(nil, haptics: haptics)
        send(
            "notes",
            RollCallNote(
                day: page.day, residentIds: residents.map(\.id), status: status, reason: reason, saidBy: saidBy,
                recordedAt: context.store.now), context)
    }

    func close(_ context: RollCallContext) { send("close", RollCallEnd(day: page.day), context) }

    private func send(_ path: String, _ arguments: some Encodable & Sendable, _ context: RollCallContext) {
        do {
            let command = try PageCommand(path: "\(page.api)/\(path)", json: arguments, key: UUID())
            Task { await run(command, context) }
        } catch {
            context.showFailure(StoreError(error))
        }
    }

    /// Runs a command, and shows why the server refuses it: another warden closed the roll call, or a resident is missing.
    private func run(_ command: PageCommand, _ context: RollCallContext) async {
        do {
            // What waits is shown on the page and above the tabs.
            guard case .answered(let answer) = try await context.store.pageStore.run(command, isQueued: true),
                let feedback = answer.feedback
            else { return }
            context.page?.show(StoreCommands.feedback(feedback), haptics: .success())
        } catch {
            context.showFailure(StoreError(error))
        }
    }
}

/// What the commands of a roll call need: the stores, and the page that shows messages and sheets.
@MainActor
struct RollCallContext {
    let store: AppStore
    let actions: Actions

    var page: PageState? { actions.page }

    func showFailure(_ error: StoreError) { showFailure(error.message(ClientWords.current)) }

    func showFailure(_ message: String) {
        page?.show(.toast(PTToast(message, tone: .failure)), haptics: .warning())
    }

    /// Calls a number.
    func call(_ number: String) {
        // RFC 3966: only these characters of a number are dialed.
        actions.perform(.external("tel:\(number.filter { "+0123456789".contains($0) })"))
    }
}
