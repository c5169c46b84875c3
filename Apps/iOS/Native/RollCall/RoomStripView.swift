import DesignSystem
import DesignTokens
import Foundation
import ResidenceModel
import ScreenUI
import SwiftUI

/// The rooms side by side, each with the number of residents who are missing.
struct RoomStripView: View {
    struct Chip: Hashable, Identifiable {
        let room: RollCallPage.Room
        /// The number of residents who are missing.
        let left: Int
        let isCurrent: Bool
        var id: String { room.number }
    }

    let chips: [Chip]
    /// The name of the strip for screen readers.
    let label: String
    let model: RollCallModel
    @Environment(\.design) private var design
    @Environment(\.accessibilityReduceMotion) private var isReduced

    var body: some View {
        ScrollViewReader { proxy in
            ScrollView(.horizontal) {
                HStack(spacing: design.space(\.xs)) {
                    ForEach(chips) { RoomChipView(chip: $0, model: model).equatable() }
                }
            }
            .onChange(of: chips.first(where: \.isCurrent)?.id, initial: true) { _, number in
                guard let number else { return }
                withAnimation(design.animation(\.springMedium, isReduced: isReduced)) {
                    proxy.scrollTo(number, anchor: .center)
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: label))
    }
}

/// One room of the strip. It is compared by its content, so that a mark evaluates the chip of its room alone.
private struct RoomChipView: View, Equatable {
    let chip: RoomStripView.Chip
    let model: RollCallModel
    @Environment(\.design) private var design

    nonisolated static func == (left: RoomChipView, right: RoomChipView) -> Bool { left.chip == right.chip }

    var body: some View {
        let (room, left) = (chip.room, chip.left)
        Button {
            model.show(room: room)
        } label: {
            ChipLabel(isSelected: chip.isCurrent) {
                HStack(spacing: design.space(\.xxs)) {
                    if left == 0 { IconView(icon: .check).foregroundStyle(.token(.success)) }
                    Text(verbatim: room.number).bold().monospacedDigit()
                    if left > 0 { Text(verbatim: String(left)).monospacedDigit() }
                }
            }
        }
        .buttonStyle(BareButtonStyle())
        .accessibilityLabel(Text(verbatim: room.title))
        .accessibilityValue(
            Text(
                verbatim: left > 0
                    ? model.page.word("left", ["count": String(left)]) : model.page.word("done"))
        )
        .accessibilityAddTraits(chip.isCurrent ? .isSelected : [])
    }
}
