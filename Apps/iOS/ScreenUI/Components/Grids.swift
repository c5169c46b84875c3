import DesignSystem
import DesignTokens
import Domain
import Foundation
import SwiftUI

/// A grid of as many equal columns as the width has room for.
private struct CardColumns<Content: View>: View {
    let minimum: CGFloat
    let content: Content
    @Environment(\.design) private var design

    init(minimum: CGFloat, @ViewBuilder content: () -> Content) {
        self.minimum = minimum
        self.content = content()
    }

    var body: some View {
        LazyVGrid(
            columns: [GridItem(.adaptive(minimum: minimum), spacing: design.space(\.sm))],
            spacing: design.space(\.sm)
        ) { content }
    }
}

struct CardGridView: View {
    let grid: PTCardGrid
    @ScaledMetric(wrappedValue: 1, relativeTo: .body) private var factor: CGFloat
    @Environment(\.design) private var design

    var body: some View {
        CardColumns(minimum: design.size(.rail) * factor * (grid.isSmall ? 1 : 2)) {
            ForEach(Numbered.all(grid.items, id: \.id)) { CardItemView(item: $0.value) }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: grid.label ?? ""))
    }
}

private struct CardItemView: View {
    let item: PTCardGrid.Item
    @Environment(\.design) private var design

    var body: some View {
        Pressable(action: item.action) {
            VStack(alignment: .leading, spacing: design.space(\.xs)) {
                if let picture = item.picture { PictureView(image: picture.withoutLarge) }
                if let leading = item.leading { LeadingView(leading: leading) }
                Text(verbatim: item.title).textStyle(.headline).multilineTextAlignment(.leading)
                if let subtitle = item.subtitle {
                    Text(verbatim: subtitle).textStyle(.callout, .token(.textMuted))
                }
                if let tag = item.tag { TagView(tag: tag) }
            }
            .frame(minHeight: design.size(.hit))
            .card(design)
        }
        .accessibilityAddTraits(item.isCurrent ? .isSelected : [])
        .menu(item.menu)
    }
}

struct ProgressCardsView: View {
    let row: PTProgressCards
    @Environment(\.design) private var design

    var body: some View {
        Group {
            if row.isGrid {
                CardColumns(minimum: width) {
                    ForEach(Numbered.all(row.cards, id: \.id)) { ProgressCardView(card: $0.value) }
                }
            } else {
                ScrollView(.horizontal) {
                    HStack(alignment: .top, spacing: design.space(\.sm)) {
                        ForEach(Numbered.all(row.cards, id: \.id)) { card in
                            ProgressCardView(card: card.value).frame(width: width)
                        }
                    }
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: row.label))
    }

    private var width: CGFloat { design.size(.rail) * 2 }
}

private struct ProgressCardView: View {
    let card: PTProgressCards.Card
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            Pressable(action: card.action) {
                VStack(alignment: .leading, spacing: design.space(\.xs)) {
                    ProgressRingView(ring: card.ring)
                    Text(verbatim: card.title).textStyle(.headline).multilineTextAlignment(.leading)
                    Text(verbatim: card.detail).textStyle(.callout, .token(.textMuted))
                    if let tag = card.tag { TagView(tag: tag) }
                    if let chart = card.chart { ChartView(chart: chart) }
                }
            }
            if let next = card.next { ButtonView(button: next) }
        }
        .card(design)
    }
}

/// A ring that shows how much of something is done.
struct ProgressRingView: View {
    let ring: PTProgressRing
    @ScaledMetric(wrappedValue: 1, relativeTo: .body) private var factor: CGFloat
    @Environment(\.design) private var design

    var body: some View {
        ZStack {
            Circle().stroke(.token(.outlineSubtle), lineWidth: design.size(.ring) * 2)
            Circle().trim(from: 0, to: min(max(ring.value, 0), 1))
                .stroke(.shade(ring.tint, 5), style: StrokeStyle(lineWidth: design.size(.ring) * 2))
                // A circle begins at the right; the ring begins at the top.
                .rotationEffect(.degrees(-90))
            Text(verbatim: ring.text).textStyle(.callout).lineLimit(1)
        }
        .frame(width: design.size(.avatarLarge) * factor, height: design.size(.avatarLarge) * factor)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(verbatim: ring.spoken))
    }
}

/// A table as a grid where the screen is wide, and as a list of rows with the names of their columns on a phone.
struct TableView: View {
    let table: PTDataTable
    @Environment(\.horizontalSizeClass) private var width
    @Environment(\.dynamicTypeSize) private var textSize
    @Environment(\.design) private var design

    var body: some View {
        Group {
            if width == .regular, !textSize.isAccessibilitySize { grid } else { rows }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: table.label))
    }

    private var grid: some View {
        ScrollView(.horizontal) {
            Grid(
                alignment: .leading, horizontalSpacing: design.space(\.md), verticalSpacing: design.space(\.sm)
            ) {
                GridRow {
                    ForEach(Numbered.all(table.columns)) { column in
                        VStack(alignment: .leading, spacing: 0) {
                            Text(verbatim: column.value.title).textStyle(.caption, .token(.textMuted))
                            if let detail = column.value.detail {
                                Text(verbatim: detail).textStyle(.caption, .token(.textMuted))
                            }
                        }
                        .accessibilityAddTraits(.isHeader)
                    }
                }
                ForEach(Numbered.all(table.rows, id: \.id)) { row in
                    GridRow {
                        TableHeaderCell(row: row.value)
                        ForEach(Numbered.all(row.value.cells)) { CellView(cell: $0.value) }
                    }
                }
            }
        }
    }

    private var rows: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            ForEach(Numbered.all(table.rows, id: \.id)) { row in
                VStack(alignment: .leading, spacing: design.space(\.xxs)) {
                    TableHeaderCell(row: row.value)
                    ForEach(Numbered.all(row.value.cells)) { cell in
                        if cell.value != .empty {
                            HStack(alignment: .firstTextBaseline, spacing: design.space(\.sm)) {
                                Text(verbatim: title(of: cell.id)).textStyle(.callout, .token(.textMuted))
                                Spacer()
                                CellView(cell: cell.value)
                            }
                            .accessibilityElement(children: .combine)
                        }
                    }
                }
                .card(design)
            }
        }
    }

    /// The name of the column of a cell. The first column is the header of the row.
    private func title(of place: String) -> String {
        guard let place = Int(place), table.columns.indices.contains(place + 1) else { return "" }
        return table.columns[place + 1].title
    }
}

private struct TableHeaderCell: View {
    let row: PTDataTable.Row
    @Environment(\.design) private var design

    var body: some View {
        Pressable(action: row.action) {
            HStack(spacing: design.space(\.xs)) {
                if let avatar = row.avatar { AvatarView(avatar: avatar) }
                Text(verbatim: row.header).textStyle(.headline)
            }
            .frame(minHeight: design.size(.hit))
        }
    }
}

private struct CellView: View {
    let cell: PTDataTable.Cell

    var body: some View {
        switch cell {
        case .text(let text): Text(verbatim: text).textStyle(.body).monospacedDigit()
        case .tag(let tag): TagView(tag: tag)
        case .check(let isOn, let spoken):
            Image(systemName: isOn ? PTIcon.check.symbol : PTIcon.minus.symbol)
                .foregroundStyle(isOn ? .token(.success) : .token(.textMuted))
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(Text(verbatim: spoken))
        case .empty: Text(verbatim: "")
        }
    }
}

/// A grid of progress. A cell is a box with more of its shape filled for each level.
struct ProgressGridView: View {
    let grid: PTProgressGrid
    @Environment(\.design) private var design

    var body: some View {
        ScrollView(.horizontal) {
            Grid(alignment: .leading, horizontalSpacing: design.space(\.xs), verticalSpacing: design.space(\.xs)) {
                GridRow {
                    Text(verbatim: grid.corner).textStyle(.caption, .token(.textMuted))
                    ForEach(Numbered.all(grid.columns, id: \.id)) { column in
                        Text(verbatim: column.value.title).textStyle(.caption, .token(.textMuted))
                            .accessibilityAddTraits(.isHeader)
                    }
                }
                ForEach(Numbered.all(grid.rows, id: \.id)) { row in
                    GridRow {
                        Pressable(action: row.value.action) {
                            Text(verbatim: row.value.title).textStyle(.callout).frame(minHeight: design.size(.hit))
                        }
                        ForEach(cells(of: row.value)) { cell($0.value) }
                    }
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: grid.label))
    }

    private struct Cell {
        let level: PTProgressGrid.Level
        let action: PTAction?
        /// The child, the thing and the level, for a screen reader.
        let spoken: String
    }

    private func cells(of row: PTProgressGrid.Row) -> [Numbered<Cell>] {
        Numbered.all(
            zip(grid.columns, row.levels).map { column, level in
                let path = grid.path?.replacing("{row}", with: row.id).replacing("{column}", with: column.id)
                return Cell(
                    level: level, action: path.map { .open($0) },
                    spoken: [row.title, column.title, grid.title(of: level)].joined(separator: ", "))
            })
    }

    private func cell(_ cell: Cell) -> some View {
        Pressable(action: cell.action, spoken: cell.spoken) {
            design.rounded(\.sm).fill(.token(.surfaceAlt))
                .overlay(alignment: .bottom) {
                    design.rounded(\.sm).fill(.shade(.leaf, 5))
                        .frame(height: design.size(.hit) * CGFloat(cell.level.rawValue) / 3)
                }
                .frame(width: design.size(.hit), height: design.size(.hit))
        }
    }
}

struct RoomGridView: View {
    let grid: PTRoomGrid
    @ScaledMetric(wrappedValue: 1, relativeTo: .body) private var factor: CGFloat
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            HStack(spacing: design.space(\.md)) {
                legend(grid.takenTitle, isTaken: true)
                legend(grid.freeTitle, isTaken: false)
            }
            CardColumns(minimum: design.size(.rail) * factor) {
                ForEach(Numbered.all(grid.rooms, id: \.id)) { room in
                    Pressable(action: room.value.action, spoken: room.value.spoken) { card(of: room.value) }
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: grid.label))
    }

    private func legend(_ title: String, isTaken: Bool) -> some View {
        HStack(spacing: design.space(\.snug)) {
            dot(isTaken: isTaken)
            Text(verbatim: title).textStyle(.caption, .token(.textMuted))
        }
    }

    private func card(of room: PTRoomGrid.Room) -> some View {
        VStack(alignment: .leading, spacing: design.space(\.xxs)) {
            Text(verbatim: room.number).textStyle(.headline)
            Text(verbatim: room.type).textStyle(.callout, .token(.textMuted))
            HStack(spacing: design.space(\.hair)) {
                ForEach(Numbered.all((0..<max(0, room.bedCount)).map { $0 < room.occupiedBeds })) {
                    dot(isTaken: $0.value)
                }
            }
            Text(verbatim: room.note).textStyle(.caption, .token(room.isFree ? .success : .textMuted))
        }
        .frame(minHeight: design.size(.hit))
        .card(design)
    }

    private func dot(isTaken: Bool) -> some View {
        Group {
            if isTaken {
                Circle().fill(.shade(.clay, 5))
            } else {
                Circle().stroke(.token(.outline), lineWidth: design.size(.hairline))
            }
        }
        .frame(width: design.size(.dot), height: design.size(.dot))
    }
}

/// A chart of a value over time. Its numbers are also in words.
struct ChartView: View {
    let chart: PTChart
    @Environment(\.design) private var design

    var body: some View {
        Group {
            switch chart.style {
            case .bars: ChartBars(chart: chart).fill(.shade(chart.tint, 5))
            case .line: ChartLine(chart: chart).stroke(.shade(chart.tint, 5), lineWidth: design.size(.ring))
            }
        }
        .frame(minHeight: design.size(.avatarLarge))
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(verbatim: chart.spoken))
        .accessibilityValue(
            Text(verbatim: chart.points.map { "\($0.label): \($0.text)" }.joined(separator: ", "))
        )
        .accessibilityAddTraits(.isImage)
    }
}

/// The bars of a chart, from its baseline.
struct ChartBars: Shape {
    let chart: PTChart

    nonisolated func path(in rect: CGRect) -> Path {
        var path = Path()
        let step = rect.width / CGFloat(max(1, chart.points.count))
        let base = rect.maxY - rect.height * CGFloat(chart.height(of: chart.baseline))
        for (place, point) in chart.points.enumerated() {
            let top = rect.maxY - rect.height * CGFloat(chart.height(of: point.value))
            // Two thirds of the step are the bar, one third the space between bars.
            path.addRect(
                CGRect(
                    x: rect.minX + step * (CGFloat(place) + 1 / 6), y: min(top, base), width: step * 2 / 3,
                    height: abs(top - base)))
        }
        return path
    }
}

/// The line of a chart.
struct ChartLine: Shape {
    let chart: PTChart

    nonisolated func path(in rect: CGRect) -> Path {
        var path = Path()
        let step = rect.width / CGFloat(max(1, chart.points.count - 1))
        for (place, point) in chart.points.enumerated() {
            let end = CGPoint(
                x: rect.minX + step * CGFloat(place),
                y: rect.maxY - rect.height * CGFloat(chart.height(of: point.value)))
            if place == 0 { path.move(to: end) } else { path.addLine(to: end) }
        }
        return path
    }
}
