import DesignSystem
import DesignTokens
import Domain
import Foundation
import QuestModel
import ScreenUI
import SwiftUI

/// The dial of a time: from five seconds to an hour in one turn, in small steps at first.
///
/// It is turned with a finger, adjusted with a screen reader, or changed with the buttons below it.
struct QuestDial: View {
    let seconds: Double
    let label: String
    let words: QuestWords
    let changed: @MainActor (Double) -> Void
    @Environment(\.design) private var design

    var body: some View {
        let place = Guesses.nearest(seconds)
        VStack(spacing: design.space(\.md)) {
            GeometryReader { proxy in
                face(place)
                    .contentShape(Circle())
                    .gesture(
                        // A press anywhere on the ring selects that position.
                        DragGesture(minimumDistance: 0).onChanged {
                            follow($0.location, in: proxy.size, from: place)
                        }
                    )
                    .accessibilityElement(children: .ignore)
                    .accessibilityLabel(Text(verbatim: label))
                    .accessibilityValue(Text(verbatim: words.long(Guesses.all[place])))
                    .accessibilityAdjustableAction { direction in
                        set(direction == .increment ? place + 1 : place - 1, from: place)
                    }
            }
            .aspectRatio(1, contentMode: .fit)
            .frame(maxWidth: design.size(.panel))
            HStack(spacing: design.space(\.xl)) {
                button(.minus, words("less")) { set(place - 1, from: place) }
                button(.plus, words("more")) { set(place + 1, from: place) }
            }
        }
    }

    private func face(_ place: Int) -> some View {
        ZStack {
            Circle().stroke(.part(.cloud), lineWidth: design.size(.hit))
            Circle().trim(from: 0, to: Guesses.angle(of: place) / Self.turn)
                .stroke(.shade(.sky, 5), style: StrokeStyle(lineWidth: design.size(.hit)))
                // A circle begins at the right; the dial begins at the top.
                .rotationEffect(.degrees(-Self.turn / 4))
            VStack(spacing: 0) {
                Circle().fill(.token(.surface))
                    .overlay { Circle().stroke(.shade(.sky, 5), lineWidth: design.size(.ring)) }
                    .frame(width: design.size(.hit), height: design.size(.hit))
                Spacer()
            }
            .rotationEffect(.degrees(Guesses.angle(of: place)))
            number(place)
        }
        .padding(.all, design.space(\.lg))
    }

    private func number(_ place: Int) -> some View {
        let dialed = words.dialed(Guesses.all[place])
        return VStack(spacing: design.space(\.hair)) {
            Text(verbatim: dialed.number).textStyle(.display).monospacedDigit()
            Text(verbatim: dialed.unit).textStyle(.headline, .token(.textMuted))
        }
    }

    /// The degrees of a circle.
    private static let turn = 360.0

    private func button(_ icon: PTIcon, _ title: String, _ action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) {
            IconView(icon: icon)
                .foregroundStyle(.shade(.sky, 7))
                .frame(width: design.size(.fab), height: design.size(.fab))
                .background(.token(.surface), in: Circle())
        }
        .buttonStyle(BareButtonStyle())
        .accessibilityLabel(Text(verbatim: title))
    }

    private func follow(_ location: CGPoint, in size: CGSize, from place: Int) {
        let (right, up) = (location.x - size.width / 2, size.height / 2 - location.y)
        // In the middle a small movement would be half a turn.
        guard hypot(right, up) > size.width / 8 else { return }
        set(Guesses.place(at: atan2(right, up) * Self.turn / 2 / .pi, from: place), from: place)
    }

    private func set(_ wanted: Int, from place: Int) {
        let bounded = min(max(wanted, 0), Guesses.all.count - 1)
        if bounded != place { changed(Guesses.all[bounded]) }
    }
}
