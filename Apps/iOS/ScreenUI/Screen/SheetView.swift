public import DesignSystem
import DesignTokens
import Domain
import Foundation
public import SwiftUI

/// A sheet of the page: nine tenths of the screen or all of it, with a grabber.
public struct SheetView: View {
    private let sheet: PTBottomSheet
    @Environment(\.design) private var design
    @Environment(\.dismiss) private var dismiss

    /// Creates the view of a sheet, which the app also shows for a page that is presented over another.
    public init(sheet: PTBottomSheet) { self.sheet = sheet }

    public var body: some View {
        List {
            Group {
                HStack(spacing: design.space(\.sm)) {
                    if let leading = sheet.leading { LeadingView(leading: leading) }
                    VStack(alignment: .leading, spacing: design.space(\.hair)) {
                        Text(verbatim: sheet.title).textStyle(.title2).accessibilityAddTraits(.isHeader)
                        if let subtitle = sheet.subtitle {
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
                ComponentsView(components: sheet.body)
            }
            .listRowSeparator(.hidden)
            .listRowBackground(Rectangle().fill(.token(.surface)))
        }
        .listStyle(.plain)
        .scrollContentBackground(.hidden)
        .background(.token(.surface))
        .overlay(alignment: .bottomTrailing) {
            if let button = sheet.floatingButton { FloatingButtonView(button: button) }
        }
        .presentingTools()
        .presentationDetents(Set(sheet.detents.map(\.presentation)))
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
