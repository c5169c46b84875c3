import Client
import DesignSystem
import DesignTokens
import Domain
import Foundation
import QuestModel
import ScreenUI
import SwiftUI

/// Does what a child wants.
typealias QuestAct = @MainActor (QuestAction) -> Void

/// A short sentence with an icon.
struct QuestNote: View {
    let icon: PTIcon
    let text: String
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.xs)) {
            IconView(icon: icon).foregroundStyle(.shade(.sky, 6))
            Text(verbatim: text).textStyle(.callout, .token(.textMuted)).multilineTextAlignment(.center)
        }
        .accessibilityElement(children: .combine)
    }
}

/// The title of a step, with its explanation.
struct QuestTitle: View {
    let title: String
    let text: String
    @Environment(\.design) private var design

    var body: some View {
        VStack(spacing: design.space(\.xxs)) {
            Text(verbatim: title).textStyle(.title1).accessibilityAddTraits(.isHeader)
            Text(verbatim: text).textStyle(.title3, .token(.textMuted))
        }
        .multilineTextAlignment(.center)
    }
}

/// The small picture of a task, the same in each quest.
struct QuestThing: View {
    let place: Int
    @Environment(\.design) private var design

    private static let things: [(PTIcon, Tint)] = [
        (.star, .sky), (.leaf, .leaf), (.sun, .clay), (.heart, .berry),
    ]

    var body: some View {
        let (icon, tint) = Self.things[place % Self.things.count]
        IconView(icon: icon)
            .imageScale(.large)
            .foregroundStyle(.shade(tint, 7))
            .frame(width: design.size(.fab), height: design.size(.fab))
            .background(.shade(tint, 2), in: Circle())
            .accessibilityHidden(true)
    }
}

/// The routine, and a cube for each task that is done or begun.
struct QuestKicker: View {
    let quest: CurrentQuest
    let words: QuestWords
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.xs)) {
            Text(verbatim: quest.routineDisplayName).textStyle(.callout, .token(.textMuted))
            ForEach(Array(quest.tasks.indices), id: \.self) { place in
                design.rounded(\.sm).fill(place <= quest.index ? .part(.cubeSide) : .shade(.sky, 3))
                    .frame(width: design.size(.dot), height: design.size(.dot))
            }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(
            Text(
                verbatim:
                    "\(quest.routineDisplayName), \(words("step", ["n": "\(quest.index + 1)", "m": "\(quest.tasks.count)"]))"
            ))
    }
}

/// The head of a task, with the way back to the quests.
struct QuestHead: View {
    let quest: CurrentQuest
    let words: QuestWords
    let leave: @MainActor () -> Void
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.sm)) {
            Button(action: leave) {
                IconView(icon: .chevronLeft)
                    .foregroundStyle(.shade(.sky, 7))
                    .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
            }
            .buttonStyle(BareButtonStyle())
            .accessibilityLabel(Text(verbatim: words("home")))
            QuestThing(place: quest.index)
            VStack(alignment: .leading, spacing: design.space(\.hair)) {
                QuestKicker(quest: quest, words: words)
                Text(verbatim: quest.task?.displayName ?? "").textStyle(.title1)
                    .accessibilityAddTraits(.isHeader)
            }
            Spacer()
        }
    }
}

/// The tower with a cube for each task that is done.
struct QuestTower: View {
    let count: Int
    @Environment(\.design) private var design

    /// The most cubes that are drawn.
    private static let most = 7

    var body: some View {
        let cubes = min(Self.most, max(1, count))
        VStack(spacing: 0) {
            ForEach(Array(0..<cubes), id: \.self) { place in
                design.rounded(\.sm).fill(.part(place.isMultiple(of: 2) ? .cubeTop : .cubeSide))
                    .frame(width: side(of: place, among: cubes), height: side(of: place, among: cubes))
            }
        }
        .accessibilityHidden(true)
    }

    /// The side of a cube. The smallest one is at the top.
    private func side(of place: Int, among cubes: Int) -> CGFloat {
        design.size(.hit) * CGFloat(place + Self.most - cubes + 1) / CGFloat(Self.most)
    }
}

/// A guess and its real time as bars, the longer one over the whole width.
struct QuestBars: View {
    let one: PlayedSession.Estimation
    let words: QuestWords
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            row(words("found.guess"), one.estimatedSeconds, .sky)
            row(words("found.real"), one.actualSeconds, .berry)
        }
    }

    private func row(_ label: String, _ seconds: Double, _ tint: Tint) -> some View {
        VStack(alignment: .leading, spacing: design.space(\.hair)) {
            Text(verbatim: label).textStyle(.callout)
            HStack(spacing: design.space(\.sm)) {
                GeometryReader { proxy in
                    ZStack(alignment: .leading) {
                        Capsule().fill(.shade(tint, 2))
                        Capsule().fill(.shade(tint, 5)).frame(width: proxy.size.width * share(of: seconds))
                    }
                }
                .frame(height: design.size(.icon))
                Text(verbatim: words.short(seconds)).textStyle(.headline).monospacedDigit()
            }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(verbatim: label))
        .accessibilityValue(Text(verbatim: words.long(seconds)))
    }

    /// The part of the longer bar. A short time is still seen.
    private func share(of seconds: Double) -> CGFloat {
        CGFloat(max(0.04, seconds / max(one.estimatedSeconds, one.actualSeconds)))
    }
}

extension PTTag {
    /// The rating of a guess, in words that do not judge.
    init(_ one: PlayedSession.Estimation, words: QuestWords, icon: PTIcon? = nil) {
        let rating = one.result.rating
        self.init(
            text: words("rating.\(rating.rawValue)"),
            tone: rating == .spotOn || rating == .close ? .good : .info, icon: icon)
    }
}
