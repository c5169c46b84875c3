public import DesignSystem
import DesignTokens
import Domain
import Foundation
public import SwiftUI

/// A sheet of the page: nine tenths of the screen or all of it, with a grabber.
public struct SheetView: View {
    private let sheet: PTBottomSheet

    /// Creates the view of a sheet, which the app also shows for a page that is presented over another.
    public init(sheet: PTBottomSheet) { self.sheet = sheet }

    public var body: some View {
        SheetFrame(
            title: sheet.title, subtitle: sheet.subtitle, leading: sheet.leading, detents: sheet.detents
        ) {
            ComponentsView(components: sheet.body)
        }
        .overlay(alignment: .bottomTrailing) {
            if let button = sheet.floatingButton { FloatingButtonView(button: button) }
        }
    }
}

/// The frame of a sheet: its title, the button that closes it, and the rows below.
package struct SheetFrame<Content: View>: View {
    private let title: String
    private let subtitle: String?
    private let leading: PTListCell.Leading?
    private let detents: [PTBottomSheet.Detent]
    private let content: Content
    @Environment(\.design) private var design
    @Environment(\.dismiss) private var dismiss

    package init(
        title: String, subtitle: String? = nil, leading: PTListCell.Leading? = nil,
        detents: [PTBottomSheet.Detent] = [.fraction90, .large], @ViewBuilder content: () -> Content
    ) {
        self.title = title
        self.subtitle = subtitle
        self.leading = leading
        self.detents = detents
        self.content = content()
    }

    package var body: some View {
        List {
            Group {
                HStack(spacing: design.space(\.sm)) {
                    if let leading { LeadingView(leading: leading) }
                    VStack(alignment: .leading, spacing: design.space(\.hair)) {
                        Text(verbatim: title).textStyle(.title2).accessibilityAddTraits(.isHeader)
                        if let subtitle {
                            Text(verbatim: subtitle).textStyle(.callout, .token(.textMuted))
                        }
                    }
                    Spacer()
                    Button {
                        dismiss()
                    } label: {
                        IconView(icon: .x)
                            .foregroundStyle(.token(.textMuted))
                            .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                    }
                    .buttonStyle(BareButtonStyle())
                    .accessibilityLabel(Text(verbatim: design.words("app.close")))
                }
                content
            }
            .listRowSeparator(.hidden)
            .listRowBackground(Rectangle().fill(.token(.surface)))
        }
        .listStyle(.plain)
        .scrollContentBackground(.hidden)
        .background(.token(.surface))
        .presentingTools()
        .presentationDetents(Set(detents.map(\.presentation)))
        .presentationDragIndicator(.visible)
    }
}

extension PTBottomSheet.Detent {
    /// The height in the system's terms.
    var presentation: PresentationDetent {
        switch self {
        case .fitted: .medium
        // Nine tenths of the screen, as the name of the case says.
        case .fraction90: .fraction(0.9)
        case .large: .large
        }
    }
}
