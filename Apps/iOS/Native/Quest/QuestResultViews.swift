import Client
import DesignSystem
import DesignTokens
import Domain
import Foundation
import QuestModel
import ScreenUI
import SwiftUI

/// A guess beside its real time, which is called a discovery.
struct QuestDiscoveryView: View {
    let quest: CurrentQuest
    let words: QuestWords
    let act: QuestAct
    @Environment(\.design) private var design

    var body: some View {
        QuestKicker(quest: quest, words: words)
        if let one = quest.estimations.last {
            VStack(spacing: design.space(\.lg)) {
                QuestTower(count: quest.estimations.count)
                QuestTitle(
                    title: words("found.title"),
                    text: (quest.message?.text ?? "").replacing("{task}", with: one.taskDisplayName))
                QuestBars(one: one, words: words)
                TagView(
                    tag: PTTag(
                        one, words: words, icon: quest.message.flatMap { PTIcon(rawValue: $0.icon) } ?? .star))
                Text(verbatim: words("cube")).textStyle(.callout)
            }
            .card(design)
        }
        ToolButton(title: words(quest.isLast ? "finish" : "next"), icon: .arrowRight, role: .primary) { act(.next) }
    }
}

/// The summary of a quest.
struct QuestPathView: View {
    let quest: CurrentQuest
    let delivery: QuestDelivery
    let words: QuestWords
    let act: QuestAct
    @Environment(\.design) private var design

    var body: some View {
        QuestKicker(quest: quest, words: words)
        VStack(spacing: design.space(\.lg)) {
            QuestTower(count: quest.estimations.count)
            QuestTitle(title: words("path.title"), text: words("path.text"))
            ForEach(quest.estimations, id: \.orderIndex) { one in
                VStack(alignment: .leading, spacing: design.space(\.xs)) {
                    HStack(spacing: design.space(\.xs)) {
                        Text(verbatim: one.taskDisplayName).textStyle(.headline)
                        Spacer()
                        TagView(tag: PTTag(one, words: words))
                    }
                    QuestBars(one: one, words: words)
                }
            }
            if let calibration { QuestNote(icon: .leaf, text: calibration) }
            switch delivery {
            case .sent: QuestNote(icon: .check, text: words("sent"))
            case .waiting: QuestNote(icon: .cloudUp, text: words("kept"))
            case .refused: QuestNote(icon: .moon, text: words("resting.here"))
            }
        }
        .card(design)
        ToolButton(title: words("home"), icon: .home, role: .primary) { act(.leave) }
    }

    /// The sentence about the quests in which the child's times are still unknown.
    private var calibration: String? {
        guard CalibrationTracker.isCalibrationSession(completedSessionCount: quest.completed) else { return nil }
        let left = CalibrationTracker.calibrationSessionsRemaining(completedSessionCount: quest.completed + 1)
        return left > 0 ? words.count("calibration", left) : words("calibration.last")
    }
}
