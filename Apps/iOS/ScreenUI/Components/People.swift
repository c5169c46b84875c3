import DesignSystem
import DesignTokens
import Domain
import Foundation
import SwiftUI

/// The picture of a person or a thing: a photo, or initials on a tint.
struct AvatarView: View {
    let avatar: PTAvatar
    /// The factor of the person's text size.
    @ScaledMetric(wrappedValue: 1, relativeTo: .body) private var factor: CGFloat
    @Environment(\.design) private var design

    var body: some View {
        Group {
            if let url = avatar.imageURL {
                LoadedPicture(address: url) { initials }
            } else {
                initials
            }
        }
        .frame(width: side, height: side)
        .clipShape(Circle())
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(verbatim: avatar.spoken ?? ""))
        .accessibilityHidden(avatar.spoken == nil)
    }

    private var initials: some View {
        Text(verbatim: avatar.initials)
            .textStyle(avatar.size == .large ? .title2 : .callout, .shade(avatar.tint, 7))
            .lineLimit(1)
            .frame(width: side, height: side)
            .background(.shade(avatar.tint, 3), in: Circle())
    }

    private var side: CGFloat {
        let name: PTSizes.Name =
            switch avatar.size {
            case .small: .avatarSmall
            case .regular: .avatar
            case .large: .avatarLarge
            }
        return design.size(name) * factor
    }
}

/// A control that shows whether a student is present, and changes it with one tap. The tap shows at once.
struct AttendancePillView: View {
    let pill: PTAttendancePill
    /// The state that the person set; `nil` until a tap and after an answer.
    @State private var tapped: PTAttendancePill.State?
    @State private var sync = PTAttendancePill.Sync.none
    @Environment(\.actions) private var actions
    @Environment(\.design) private var design

    var body: some View {
        Button(action: tap) {
            HStack(spacing: design.space(\.snug)) {
                if shownSync == .pending { IconView(icon: .sync) }
                if shownSync == .failed { IconView(icon: .alert) }
                Text(verbatim: label.title).textStyle(.callout, colors.0)
            }
            .foregroundStyle(colors.0)
            .padding(.horizontal, design.space(\.sm))
            .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
            .background(colors.1, in: Capsule())
            .overlay { Capsule().stroke(colors.0, lineWidth: design.size(.hairline)) }
        }
        .buttonStyle(BareButtonStyle())
        .sensoryFeedback(trigger: tapped) { _, tapped in tapped == nil ? nil : Haptics.lightTap().feedback }
        .disabled(!pill.isEnabled)
        .accessibilityLabel(Text(verbatim: label.spoken))
        .accessibilityValue(Text(verbatim: syncText))
        .onChange(of: pill) { _, _ in
            tapped = nil
            sync = .none
        }
    }

    private var state: PTAttendancePill.State { tapped ?? pill.state }
    private var shownSync: PTAttendancePill.Sync { sync == .none ? pill.sync : sync }
    private var label: PTAttendancePill.Label { pill.labels[state] }

    private var syncText: String {
        switch shownSync {
        case .none: ""
        case .pending: design.words("app.pending")
        case .failed: design.words("app.failed")
        }
    }

    private var colors: (TokenStyle, TokenStyle) {
        switch state {
        case .present: (.token(.success), .token(.successMuted))
        case .absent: (.shade(.clay, 6), .shade(.clay, 2))
        case .unset: (.token(.textMuted), .token(.surfaceAlt))
        }
    }

    private func tap() {
        let next: PTAttendancePill.State = state == .present ? .absent : .present
        var call = pill.call
        call.fields[pill.stateField] = pill.labels[next].value ?? next.rawValue
        // Each tap is a call of its own, however often the page was shown.
        call.key = UUID().uuidString
        let tap = call
        actions.confirm(tap) {
            tapped = next
            sync = .pending
            Task {
                switch await actions.run(tap) {
                case .done: sync = .none
                case .waiting: sync = .pending
                case .refused:
                    tapped = nil
                    sync = .failed
                case .canceled:
                    tapped = nil
                    sync = .none
                }
            }
        }
    }
}
