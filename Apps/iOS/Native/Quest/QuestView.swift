import Client
public import DesignSystem
import DesignTokens
import Domain
import Foundation
import QuestModel
import ScreenUI
public import SwiftUI

/// The child's page: guess, do, compare. It is drawn from the properties of the island `quest` and works without a
/// network.
public struct QuestView: View {
    private let page: PlayProperties
    /// The player who looks at the home view during their quest.
    @State private var visitor: String?
    /// The sentence about a step that the device could not store.
    @State private var fault: String?
    @State private var keypad: QuestKeypad?
    @Environment(\.appDependencies) private var dependencies
    @Environment(\.actions) private var actions
    @Environment(\.design) private var design
    @Environment(\.scenePhase) private var phase

    /// Returns `nil` for the island of a newer server, whose script is in the web view.
    public init?(island: PTIsland) {
        do {
            page = try JSONDecoder().decode(PlayProperties.self, from: Data(island.properties.utf8))
        } catch {
            return nil
        }
    }

    public var body: some View {
        if let dependencies {
            let sessions = dependencies.sessionRepository
            VStack(spacing: design.space(\.lg)) {
                view(dependencies, sessions.quest(of: page.player.id))
                if let fault { QuestNote(icon: .alert, text: fault) }
            }
            .frame(maxWidth: .infinity)
            .sheet(item: $keypad) { keypad in
                QuestKeypadView(page: page, keypad: keypad, sessions: sessions, handler: actions.handler)
            }
            .sensoryFeedback(trigger: sessions.quest(of: page.player.id)?.estimations.count ?? 0) { old, new in
                new > old ? .success : nil
            }
            .task(id: page.player.id) { await prepare(dependencies) }
            .onChange(of: phase) { _, phase in
                // The system may end an app that is not in front.
                if phase != .active { act(.readClocks) }
            }
        }
    }

    @ViewBuilder
    private func view(_ dependencies: AppDependencies, _ quest: CurrentQuest?) -> some View {
        let words = QuestWords(page)
        if let quest, visitor != page.player.id {
            switch quest.step {
            case .guess: QuestGuessView(quest: quest, words: words, act: act, leave: leave)
            case .run, .pause: QuestRunView(quest: quest, words: words, act: act, leave: leave)
            case .told: QuestToldView(quest: quest, words: words, act: act)
            case .found: QuestDiscoveryView(quest: quest, words: words, act: act)
            case .path:
                QuestPathView(
                    quest: quest, delivery: dependencies.sessionRepository.delivery(of: page.player.id),
                    words: words, act: act)
            }
        } else {
            QuestHomeView(
                page: page, quest: quest, routines: dependencies.routineRepository.fetchActiveForToday(in: page),
                waiting: dependencies.sessionRepository.waiting(in: page), words: words, act: act,
                goOn: { visitor = nil }, openKeypad: { Task { await openKeypad(dependencies) } })
        }
    }

    /// Begins in player mode, and reads the pages of all players.
    private func prepare(_ dependencies: AppDependencies) async {
        await dependencies.sessionRepository.closeGate(of: page)
        guard page.players.count > 1 else { return }
        await dependencies.routineRepository.readAhead(
            page.players.map { PlayProperties.address(of: $0.id) }, accept: ScreenDocument.accept)
    }

    private func act(_ action: QuestAction) {
        do {
            try dependencies?.sessionRepository.perform(action, in: page)
            fault = nil
            if case .start = action { visitor = nil }
        } catch {
            fault = StoreError(error).message(ClientWords.words(design.words.language))
        }
    }

    /// Goes to the home view. A running task pauses meanwhile.
    private func leave() {
        visitor = page.player.id
        if dependencies?.sessionRepository.quest(of: page.player.id)?.step == .run { act(.pause) }
    }

    private func openKeypad(_ dependencies: AppDependencies) async {
        switch await dependencies.sessionRepository.gate(of: page) {
        case .signIn: actions.handler?.open(page.gate.signIn, isReplacing: false)
        case .code(let wait): keypad = QuestKeypad(wait: Int(wait.rounded(.up)))
        }
    }
}
