import DesignSystem
import DesignTokens
import Foundation
import SwiftUI

/// The days of a week as a row, with the events of the selected day below.
struct AgendaView: View {
    let agenda: PTAgenda
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            ScrollView(.horizontal) {
                HStack(spacing: design.space(\.xxs)) {
                    ForEach(Numbered.all(agenda.days)) { day($0.value) }
                }
            }
            .accessibilityElement(children: .contain)
            .accessibilityLabel(Text(verbatim: agenda.label))
            if agenda.items.isEmpty { Text(verbatim: agenda.empty).textStyle(.callout, .token(.textMuted)) }
            ForEach(Numbered.all(agenda.items)) { item in
                Pressable(action: item.value.action) { AgendaItemView(item: item.value) }
            }
        }
    }

    private func day(_ day: PTAgenda.Day) -> some View {
        Button {
            actions.open(day.path, isReplacing: true)
        } label: {
            VStack(spacing: design.space(\.hair)) {
                Text(verbatim: day.title).textStyle(.caption, color(of: day))
                Text(verbatim: day.number).textStyle(.headline, color(of: day))
                Circle().fill(day.isBusy ? color(of: day) : TokenStyle(name: .none))
                    .frame(width: design.space(\.snug), height: design.space(\.snug))
            }
            .frame(minWidth: design.size(.hit), minHeight: design.size(.control))
            .background(day.isSelected ? .token(.primary) : .token(.surfaceAlt), in: design.rounded(\.md))
        }
        .buttonStyle(BareButtonStyle())
        .accessibilityLabel(Text(verbatim: day.spoken))
        .accessibilityAddTraits(day.isSelected ? .isSelected : [])
    }

    private func color(of day: PTAgenda.Day) -> TokenStyle { day.isSelected ? .token(.onPrimary) : .token(.text) }
}

private struct AgendaItemView: View {
    let item: PTAgenda.Item
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.sm)) {
            Capsule().fill(.shade(item.tint, 5)).frame(width: design.size(.ring))
            VStack(alignment: .leading, spacing: design.space(\.hair)) {
                if let time = item.time { Text(verbatim: time).textStyle(.caption, .token(.textMuted)) }
                Text(verbatim: item.title).textStyle(.headline)
                if let detail = item.detail { Text(verbatim: detail).textStyle(.callout, .token(.textMuted)) }
            }
            Spacer()
            if let now = item.now { TagView(tag: PTTag(text: now, tone: .accent)) }
        }
        .frame(minHeight: design.size(.hit))
        .card(design)
    }
}

/// The days of a week with their rows: side by side on a wide screen, else one below the other.
struct WeekView: View {
    let week: PTWeek
    @Environment(\.design) private var design
    @Environment(\.horizontalSizeClass) private var width

    var body: some View {
        if width == .regular {
            HStack(alignment: .top, spacing: design.space(\.sm)) {
                ForEach(Numbered.all(week.days, id: \.id)) { day in
                    VStack(alignment: .leading, spacing: design.space(\.xs)) { WeekDayView(day: day.value) }
                        .frame(maxWidth: .infinity, alignment: .leading)
                }
            }
            .accessibilityElement(children: .contain)
            .accessibilityLabel(Text(verbatim: week.label))
        } else {
            ForEach(Numbered.all(week.days.filter { !$0.isPast }, id: \.id)) { WeekDayView(day: $0.value) }
        }
    }
}

private struct WeekDayView: View {
    let day: PTWeek.Day

    var body: some View {
        Text(verbatim: day.title)
            .textStyle(.headline, day.isToday ? .token(.primary) : .token(.text))
            .accessibilityAddTraits(.isHeader)
        if let detail = day.detail { Text(verbatim: detail).textStyle(.caption, .token(.textMuted)) }
        ListView(list: PTList(cells: day.cells, more: day.action))
    }
}
