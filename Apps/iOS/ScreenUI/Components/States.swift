import DesignSystem
import DesignTokens
import Foundation
import SwiftUI

struct BannerView: View {
    let banner: PTBanner
    @Environment(\.design) private var design

    var body: some View {
        HStack(alignment: .top, spacing: design.space(\.sm)) {
            if let icon = banner.icon { IconView(icon: icon).foregroundStyle(colors.0) }
            VStack(alignment: .leading, spacing: design.space(\.xxs)) {
                Text(verbatim: banner.title).textStyle(.headline)
                if let message = banner.message { Text(verbatim: message).textStyle(.callout) }
                if let action = banner.action { ButtonView(button: action) }
            }
        }
        .padding(.all, design.space(\.md))
        .frame(maxWidth: .infinity, alignment: .leading)
        .background(colors.1, in: design.rounded(\.md))
        .accessibilityElement(children: .contain)
    }

    private var colors: (TokenStyle, TokenStyle) {
        switch banner.tone {
        case .info: (.token(.info), .token(.infoMuted))
        case .success: (.token(.success), .token(.successMuted))
        case .warning: (.token(.warning), .token(.warningMuted))
        case .danger: (.token(.danger), .token(.dangerMuted))
        }
    }
}

struct EmptyStateView: View {
    let state: PTEmptyState
    @Environment(\.design) private var design

    var body: some View {
        VStack(spacing: design.space(\.sm)) {
            if let icon = state.icon {
                IconView(icon: icon).imageScale(.large).foregroundStyle(.token(.textMuted))
            } else {
                IllustrationView(illustration: state.illustration)
            }
            Text(verbatim: state.title).textStyle(.title3).accessibilityAddTraits(.isHeader)
            Text(verbatim: state.message).textStyle(.body, .token(.textMuted))
            if let action = state.action { ButtonView(button: action) }
            if let secondary = state.secondary {
                ButtonView(button: PTButton(title: secondary.title, role: .quiet, action: secondary.action))
            }
        }
        .multilineTextAlignment(.center)
        .padding(.vertical, design.space(\.xl))
        .frame(maxWidth: .infinity)
    }
}

struct ErrorView: View {
    let state: ErrorStateView
    @Environment(\.design) private var design

    var body: some View {
        VStack(spacing: design.space(\.sm)) {
            IconView(icon: state.icon ?? .alert).imageScale(.large).foregroundStyle(.token(.danger))
            Text(verbatim: state.title).textStyle(.title3).accessibilityAddTraits(.isHeader)
            if let message = state.message { Text(verbatim: message).textStyle(.body, .token(.textMuted)) }
            if let retry = state.retry { ButtonView(button: retry) }
        }
        .multilineTextAlignment(.center)
        .padding(.vertical, design.space(\.xl))
        .frame(maxWidth: .infinity)
    }
}

/// A placeholder in the shape of content that is loading.
struct SkeletonShapes: View {
    let skeleton: SkeletonView
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            ForEach(Numbered.all(Array(repeating: skeleton.style, count: max(0, skeleton.count)))) { _ in
                design.rounded(\.md).fill(.token(.surfaceAlt)).frame(height: design.size(height))
            }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(verbatim: skeleton.spoken))
    }

    private var height: PTSizes.Name {
        switch skeleton.style {
        case .list: .row
        case .cards: .rail
        case .text: .iconSmall
        }
    }
}

/// A short message. As the feedback of a command, it disappears by itself.
struct ToastView: View {
    let toast: PTToast
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.sm)) {
            IconView(icon: icon).foregroundStyle(color)
            Text(verbatim: toast.text).textStyle(.callout)
            if let action = toast.action { ButtonView(button: action) }
        }
        .padding(.horizontal, design.space(\.md))
        .padding(.vertical, design.space(\.xs))
        .frame(minHeight: design.size(.hit))
        .background(.token(.surface), in: Capsule())
        .overlay { Capsule().stroke(.token(.outlineSubtle), lineWidth: design.size(.hairline)) }
        .accessibilityElement(children: .contain)
    }

    private var icon: PTIcon {
        switch toast.tone {
        case .success: .check
        case .info: .info
        case .failure: .alert
        }
    }

    private var color: TokenStyle {
        switch toast.tone {
        case .success: .token(.success)
        case .info: .token(.info)
        case .failure: .token(.danger)
        }
    }
}

/// The small celebration after something was created or completed.
struct BurstView: View {
    let burst: PTCheckmarkBurst
    @Environment(\.design) private var design
    @Environment(\.accessibilityReduceMotion) private var isReduced

    var body: some View {
        VStack(spacing: design.space(\.sm)) {
            IconView(icon: .check)
                .imageScale(.large)
                .foregroundStyle(.token(.onPrimary))
                .frame(width: design.size(.avatarLarge), height: design.size(.avatarLarge))
                .background(.token(.success), in: Circle())
                .transition(design.transition(\.checkPop, isReduced: isReduced))
            Text(verbatim: burst.title).textStyle(.title3).multilineTextAlignment(.center)
            if let message = burst.message {
                Text(verbatim: message).textStyle(.body, .token(.textMuted)).multilineTextAlignment(.center)
            }
        }
        .padding(.all, design.space(\.lg))
        .background(.token(.surface), in: design.rounded(\.xl))
        .accessibilityElement(children: .combine)
    }
}
