import Client
import DesignSystem
import DesignTokens
import Domain
import Foundation
import QuestModel
import ScreenUI
import SwiftUI

/// The question how long a task will take.
struct QuestGuessView: View {
    let quest: CurrentQuest
    let words: QuestWords
    let act: QuestAct
    let leave: @MainActor () -> Void

    var body: some View {
        QuestHead(quest: quest, words: words, leave: leave)
        Text(verbatim: words("ask")).textStyle(.title3).multilineTextAlignment(.center)
        QuestDial(seconds: quest.guess, label: words("guess"), words: words) { act(.guess($0)) }
        ToolButton(title: words("start"), icon: .play, role: .primary) { act(.begin) }
        ToolButton(title: words("skip"), role: .quiet) { act(.next) }
    }
}

/// A task that runs or pauses: the time is a number on a sun, and nothing runs out.
struct QuestRunView: View {
    let quest: CurrentQuest
    let words: QuestWords
    let act: QuestAct
    let leave: @MainActor () -> Void
    @Environment(\.design) private var design

    var body: some View {
        QuestHead(quest: quest, words: words, leave: leave)
        ZStack {
            Circle().fill(.shade(.clay, 3))
            Circle().fill(.shade(.clay, 2)).padding(.all, design.space(\.xl))
            VStack(spacing: design.space(\.hair)) {
                Text(verbatim: words.counting(quest.spent)).textStyle(.display).monospacedDigit()
                Text(verbatim: words(isRunning ? "counting" : "resting")).textStyle(.headline, .shade(.clay, 7))
            }
        }
        .opacity(isRunning ? 1 : Self.resting)
        .aspectRatio(1, contentMode: .fit)
        .frame(maxWidth: design.size(.panel))
        .accessibilityElement(children: .combine)
        .accessibilityAddTraits(.updatesFrequently)
        Text(verbatim: words("guessed", ["time": words.long(quest.guess)])).textStyle(.title3)
            .multilineTextAlignment(.center)
        ToolButton(title: words("done"), icon: .check, role: .primary) { act(.end) }
        if isRunning {
            ToolButton(title: words("pause"), icon: .pause, role: .quiet) { act(.pause) }
        } else {
            ToolButton(title: words("goOn"), icon: .play, role: .quiet) { act(.resume) }
        }
        ToolButton(title: words("forgot"), role: .quiet) { act(.forget) }
    }

    /// The opacity of the sun during a pause.
    private static let resting = 0.7

    private var isRunning: Bool { quest.step == .run }
}

/// The question for the real time, which no clock measured for certain.
struct QuestToldView: View {
    let quest: CurrentQuest
    let words: QuestWords
    let act: QuestAct
    /// The time on the dial. The child's guess is the best estimate for now.
    @State private var told: Double

    init(quest: CurrentQuest, words: QuestWords, act: @escaping QuestAct) {
        self.quest = quest
        self.words = words
        self.act = act
        _told = State(initialValue: quest.guess)
    }

    var body: some View {
        QuestKicker(quest: quest, words: words)
        if quest.question == .quick {
            // Nothing was done that could be compared, so the child continues or leaves the task out.
            QuestTitle(title: words("quick.title"), text: words("quick.text"))
            ToolButton(title: words("goOn"), icon: .play, role: .primary) { act(.resume) }
        } else {
            QuestTitle(title: words("told.title"), text: words(reason))
            QuestDial(seconds: told, label: words("told.label"), words: words) { told = $0 }
            ToolButton(title: words("told.take"), icon: .check, role: .primary) { act(.tell(told)) }
            if quest.canTakeMeasured {
                ToolButton(title: words("told.measured", ["time": words.long(quest.spent)]), role: .quiet) {
                    act(.takeMeasured)
                }
            }
        }
        ToolButton(title: words("told.leave"), role: .quiet) { act(.next) }
    }

    private var reason: String {
        switch quest.question {
        case .clock: "told.clock"
        case .long: "told.long"
        case .forgot, .quick, nil: "told.ask"
        }
    }
}
