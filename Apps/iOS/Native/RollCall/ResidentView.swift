import DesignSystem
import DesignTokens
import Domain
import Foundation
import ResidenceModel
import ScreenUI
import SwiftUI

/// A resident with their mark and the choices for it. It is compared by its content, so that a mark evaluates its row alone.
struct ResidentView: View, Equatable {
    let entry: RollCallState.Entry
    let page: RollCallPage
    /// Whether the choices are shown although the resident is marked.
    var isChanging = false
    /// Whether the row is in the list of those who are missing in all rooms: with the room and the numbers of all contacts.
    var isInGap = false
    let model: RollCallModel
    let context: RollCallContext
    /// Asks why the resident is out.
    let askOut: @MainActor () -> Void
    @Environment(\.design) private var design

    nonisolated static func == (left: ResidentView, right: ResidentView) -> Bool {
        left.entry == right.entry && left.isChanging == right.isChanging && left.page.words == right.page.words
    }

    var body: some View {
        let (resident, mark) = (entry.resident, entry.mark)
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            HStack(spacing: design.space(\.sm)) {
                person
                if let status = mark.status {
                    pill(status)
                } else if !isInGap {
                    TagView(tag: PTTag(text: page.word("notYet"), tone: resident.isLate ? .danger : .neutral))
                    if let call = resident.calls.first { callButton(call) }
                }
            }
            if isInGap {
                ForEach(resident.calls, id: \.self) { call in
                    Button {
                        context.call(call.number)
                    } label: {
                        TitleView(title: call.title, icon: .phone)
                    }
                    .buttonStyle(RoleButtonStyle(role: .tonal, isWide: true))
                    .accessibilityLabel(Text(verbatim: page.word("call", ["name": call.title])))
                }
            }
            if mark.status == nil || isChanging {
                ViewThatFits(in: .horizontal) {
                    HStack(spacing: design.space(\.xs)) { buttons }
                    VStack(spacing: design.space(\.xs)) { buttons }
                }
            }
        }
        .frame(minHeight: design.size(.row))
        .contextMenu {
            choiceButtons
            ForEach(resident.calls, id: \.self) { call in
                Button {
                    context.call(call.number)
                } label: {
                    TitleView(title: page.word("call", ["name": call.title]), icon: .phone)
                }
            }
        }
        .swipeActions(edge: .trailing, allowsFullSwipe: false) { choiceButtons }
    }

    // MARK: - The resident

    private var person: some View {
        let resident = entry.resident
        return HStack(spacing: design.space(\.sm)) {
            ComponentView(
                component: .avatar(
                    PTAvatar(
                        initials: resident.initials, tint: resident.tint,
                        shape: PTAvatar.Shape(rawValue: resident.shape) ?? .a, imageURL: resident.image)))
            VStack(alignment: .leading, spacing: design.space(\.hair)) {
                Text(verbatim: resident.name).textStyle(.headline)
                if let line {
                    Text(verbatim: line).textStyle(
                        .callout, resident.isLate && entry.mark.status == nil ? .token(.danger) : .token(.textMuted)
                    )
                }
            }
            Spacer()
        }
        .frame(minHeight: design.size(.hit))
        .accessibilityElement(children: .combine)
    }

    /// The room where it is not said above, and the reason, the leave, or the time.
    private var line: String? {
        let (resident, mark) = (entry.resident, entry.mark)
        if isInGap {
            return [entry.room.title, resident.line].compactMap(\.self).joined(separator: " · ")
        }
        if mark.status == .out, let reason = mark.reason {
            return page.word("said", ["reason": reason, "source": mark.saidBy ?? ""])
        }
        return mark.status == .onLeave ? resident.leave ?? resident.line : resident.line
    }

    private func callButton(_ call: RollCallPage.Call) -> some View {
        Button {
            context.call(call.number)
        } label: {
            IconView(icon: .phone)
                .foregroundStyle(.token(.textMuted))
                .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
        }
        .buttonStyle(BareButtonStyle())
        .accessibilityLabel(Text(verbatim: page.word("call", ["name": call.title])))
    }

    /// The mark, with whether it waits. A tap shows the choices.
    private func pill(_ status: RollCall.Status) -> some View {
        let (color, back) = Self.colors(of: status)
        return Button {
            model.change(entry.resident)
        } label: {
            HStack(spacing: design.space(\.snug)) {
                IconView(icon: entry.mark.isWaiting ? .sync : Self.icon(of: status))
                Text(verbatim: page.word(status.rawValue)).textStyle(.callout, color)
            }
            .foregroundStyle(color)
            .padding(.horizontal, design.space(\.sm))
            .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
            .background(back, in: Capsule())
            .overlay { Capsule().stroke(color, lineWidth: design.size(.hairline)) }
        }
        .buttonStyle(BareButtonStyle())
        .accessibilityLabel(
            Text(
                verbatim: page.word(
                    "change", ["name": entry.resident.name, "status": page.word(status.rawValue)]))
        )
        .accessibilityValue(Text(verbatim: entry.mark.isWaiting ? design.words("app.pending") : ""))
        .accessibilityAddTraits(isChanging ? .isSelected : [])
    }

    // MARK: - Choices

    /// The statuses that can be noted; `nil` takes the note back.
    private var choices: [RollCall.Status?] {
        let (resident, now) = (entry.resident, entry.mark.status)
        let all: [RollCall.Status?] =
            [.here] + (resident.leave == nil ? [] : [.onLeave]) + [.out]
            + (now != nil && resident.leave == nil ? [nil] : [])
        // The reason of a resident who is out can be corrected.
        return all.filter { $0 != now || now == .out || now == nil }
    }

    private func choose(_ status: RollCall.Status?) {
        if status == .out { askOut() } else { model.note([entry.resident], status, context) }
    }

    private var buttons: some View {
        ForEach(choices, id: \.self) { status in
            Button {
                choose(status)
            } label: {
                TitleView(title: title(of: status), icon: status.map(Self.icon))
            }
            .buttonStyle(RoleButtonStyle(role: .neutral, size: .large, isWide: true))
            .tint(status.map { Self.colors(of: $0).0 } ?? .token(.text))
            .accessibilityLabel(Text(verbatim: "\(entry.resident.name), \(title(of: status))"))
        }
    }

    /// The same choices in the menu of a long press and behind a swipe.
    private var choiceButtons: some View {
        ForEach(choices, id: \.self) { status in
            Button {
                choose(status)
            } label: {
                TitleView(title: title(of: status), icon: status.map(Self.icon))
            }
            .tint(status.map { Self.colors(of: $0).0 } ?? .token(.textMuted))
        }
    }

    private func title(of status: RollCall.Status?) -> String { page.word(status?.rawValue ?? "takeBack") }

    private static func icon(of status: RollCall.Status) -> PTIcon {
        switch status {
        case .here: .check
        case .onLeave: .calendar
        case .out: .logout
        }
    }

    private static func colors(of status: RollCall.Status) -> (TokenStyle, TokenStyle) {
        switch status {
        case .here: (.token(.success), .token(.successMuted))
        case .onLeave: (.shade(.sky, 6), .shade(.sky, 2))
        case .out: (.shade(.clay, 6), .shade(.clay, 2))
        }
    }
}
