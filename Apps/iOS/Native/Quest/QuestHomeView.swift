import Client
import DesignSystem
import DesignTokens
import Domain
import Foundation
import QuestModel
import ScreenUI
import SwiftUI

/// The quests of today, the players, the discoveries, and what waits to be sent.
struct QuestHomeView: View {
    let page: PlayProperties
    let quest: CurrentQuest?
    let routines: [PlayProperties.RoutineItem]
    let waiting: Int
    let words: QuestWords
    let act: QuestAct
    let goOn: @MainActor () -> Void
    let openKeypad: @MainActor () -> Void
    @Environment(\.actions) private var actions
    @Environment(\.design) private var design

    var body: some View {
        VStack(spacing: design.space(\.xxs)) {
            Text(verbatim: words("title")).textStyle(.display)
                .accessibilityAddTraits(.isHeader)
                // The way to the parent's side, which nothing on the screen mentions.
                .onTapGesture(count: 3) { openKeypad() }
                .accessibilityAction(.magicTap) { openKeypad() }
            Text(verbatim: words("hello", ["name": page.player.name])).textStyle(.title3)
        }
        if page.players.count > 1 { players }
        if let quest {
            VStack(spacing: design.space(\.md)) {
                Text(verbatim: words("goOn.title", ["routine": quest.routineDisplayName])).textStyle(.title3)
                    .accessibilityAddTraits(.isHeader)
                ToolButton(title: words("goOn"), icon: .play, role: .primary, action: goOn)
                ToolButton(title: words("drop"), role: .quiet) { act(.leave) }
            }
            .card(design)
        } else if routines.isEmpty {
            Text(verbatim: words("none")).textStyle(.title3).card(design)
        } else {
            Text(verbatim: words("today")).textStyle(.title3).accessibilityAddTraits(.isHeader)
            ForEach(Array(routines.indices), id: \.self) { row(routines[$0], place: $0) }
        }
        if waiting > 0 { QuestNote(icon: .cloudUp, text: words("kept")) }
        if !page.discoveries.isEmpty { discoveries }
    }

    private var players: some View {
        ComponentView(
            component: .chips(
                PTChips(
                    label: words("who"),
                    chips: page.players.map { player in
                        let address = PlayProperties.address(of: player.id)
                        return PTChips.Chip(
                            title: player.name, isSelected: player.id == page.player.id,
                            action: .perform(PTCommandCall(path: address, key: address)))
                    }))
        )
        .handled(
            by: CommandHandler {
                [handler = actions.handler, address = PlayProperties.address(of: page.player.id)] call in
                if call.path != address { handler?.open(call.path, isReplacing: true) }
                return .done(nil)
            })
    }

    private func row(_ routine: PlayProperties.RoutineItem, place: Int) -> some View {
        Button {
            act(.start(routine))
        } label: {
            HStack(spacing: design.space(\.sm)) {
                QuestThing(place: place)
                VStack(alignment: .leading, spacing: design.space(\.hair)) {
                    Text(verbatim: routine.displayName).textStyle(.title3)
                    Text(verbatim: words.count("tasks", routine.tasks.count))
                        .textStyle(.callout, .token(.textMuted))
                }
                .multilineTextAlignment(.leading)
                Spacer()
                IconView(icon: .play).foregroundStyle(.token(.primary))
            }
            .card(design)
        }
        .buttonStyle(BareButtonStyle())
    }

    private var discoveries: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            Text(verbatim: words("discoveries")).textStyle(.title3).accessibilityAddTraits(.isHeader)
            ForEach(Array(page.discoveries.indices), id: \.self) { place in
                HStack(spacing: design.space(\.xs)) {
                    IconView(icon: .sparkle).foregroundStyle(.shade(.clay, 6))
                    Text(verbatim: page.discoveries[place]).textStyle(.body)
                }
            }
        }
        .card(design)
    }
}
