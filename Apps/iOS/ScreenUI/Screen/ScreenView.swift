public import DesignSystem
import DesignTokens
import Domain
import Foundation
public import SwiftUI

/// A page of the product: its components as rows, its search, its floating button, its sheets and its feedback.
///
/// The frame around it, such as tabs and the Back button, belongs to the app's navigation.
public struct ScreenView: View {
    private let screen: Screen
    private let handler: any ActionHandler
    @State private var page = PageState()
    @State private var files = PageFiles()
    @State private var query: String
    /// Whether the person typed into the search field.
    @State private var hasTyped = false
    @Environment(\.design) private var design

    /// Creates the view of a screen. Tools, players and pictures come from `hosting(_:)`; without it, fallbacks
    /// are shown.
    ///
    /// - Parameter handler: carries out what people do on the page.
    public init(screen: Screen, handler: any ActionHandler) {
        self.screen = screen
        self.handler = handler
        _query = State(initialValue: screen.search?.value ?? "")
    }

    public var body: some View {
        List {
            Group {
                ScreenHeaderView(screen: screen)
                ComponentsView(components: screen.body)
            }
            .pageRow(design)
        }
        .listStyle(.plain)
        .scrollContentBackground(.hidden)
        .background(.token(.background))
        .refreshable { await handler.reload() }
        .navigationTitle(Text(verbatim: screen.title))
        .toolbar {
            ToolbarItem(placement: .primaryAction) {
                if let more = screen.more {
                    IconButtonView(
                        button: PTButton(title: more.title, icon: more.icon ?? .more, action: more.action))
                }
            }
        }
        .searched(by: screen.search, query: $query, hasTyped: $hasTyped)
        .overlay(alignment: .bottomTrailing) {
            if let button = screen.floatingButton { FloatingButtonView(button: button) }
        }
        .overlay(alignment: .bottom) { FeedbackView(page: page) }
        .sheet(item: $page.sheet) { sheet in
            switch sheet.content {
            case .described(let sheet): SheetView(sheet: sheet)
            case .view(let view): view
            }
        }
        .sensoryFeedback(trigger: page.sheet) { _, sheet in
            sheet == nil ? Haptics.impact(.soft).feedback : nil
        }
        .modifier(Confirmation(page: page))
        .onChange(of: screen, initial: true) { _, screen in page.sheets = screen.sheets }
        .environment(\.actions, Actions(handler: handler, page: page))
        .environment(\.pageFiles, files)
    }
}

/// The picture, subtitle and person of a page, which the navigation bar has no room for.
private struct ScreenHeaderView: View {
    let screen: Screen
    @Environment(\.design) private var design

    var body: some View {
        if let hero = screen.hero { IllustrationView(illustration: hero) }
        if screen.avatar != nil || screen.subtitle != nil {
            HStack(spacing: design.space(\.sm)) {
                if let avatar = screen.avatar { AvatarView(avatar: avatar) }
                if let subtitle = screen.subtitle {
                    Text(verbatim: subtitle).textStyle(.callout, .token(.textMuted))
                }
            }
        }
        if let sidebar = screen.sidebar, sidebar.isFirst { SidebarView(sidebar: sidebar) }
    }
}

/// The grouped list of pages on the first of them.
private struct SidebarView: View {
    let sidebar: PTSidebar

    var body: some View {
        ForEach(Numbered.all(sidebar.groups)) { group in
            Section {
                ForEach(Numbered.all(group.value.entries, id: \.path)) { entry in
                    ListRowView(
                        cell: PTListCell(
                            id: entry.value.path, leading: .icon(entry.value.icon, tint: .sand),
                            title: entry.value.title, isCurrent: entry.value.isCurrent, trailing: [.chevron],
                            action: .open(entry.value.path))
                    ).equatable()
                }
            } header: {
                SectionHeaderView(header: PTSectionHeader(title: group.value.title))
            }
        }
    }
}

extension View {
    /// Gives a row of a page the background and the distances of the design.
    fileprivate func pageRow(_ design: Design) -> some View {
        listRowSeparator(.hidden)
            .listRowBackground(Rectangle().fill(.token(.background)))
            .listRowInsets(
                EdgeInsets(
                    top: design.space(\.xs), leading: design.space(\.md), bottom: design.space(\.xs),
                    trailing: design.space(\.md)))
    }

    /// Adds the search field of a page, if it has one.
    @ViewBuilder
    fileprivate func searched(by field: PTSearchField?, query: Binding<String>, hasTyped: Binding<Bool>)
        -> some View
    {
        if let field {
            modifier(ScreenSearch(field: field, query: query, hasTyped: hasTyped))
        } else {
            self
        }
    }
}

private struct ScreenSearch: ViewModifier {
    let field: PTSearchField
    @Binding var query: String
    @Binding var hasTyped: Bool
    @Environment(\.actions) private var actions

    func body(content: Content) -> some View {
        content
            .searchable(text: $query, prompt: Text(verbatim: field.placeholder))
            .onChange(of: query) { _, _ in hasTyped = true }
            .searches(hasTyped ? query : nil) { actions.open(field.address(for: query), isReplacing: true) }
    }
}

/// Asks the question of a command before it runs.
private struct Confirmation: ViewModifier {
    @State var page: PageState
    @Environment(\.design) private var design

    init(page: PageState) { _page = State(initialValue: page) }

    func body(content: Content) -> some View {
        let question = page.question
        content.confirmationDialog(
            Text(verbatim: question?.confirmation.title ?? ""), isPresented: $page.isAsking,
            titleVisibility: .visible
        ) {
            if let question {
                Button(role: question.confirmation.isDestructive ? .destructive : nil) {
                    question.run()
                } label: {
                    Text(verbatim: question.confirmation.confirm)
                }
                Button(role: .cancel) {
                } label: {
                    Text(verbatim: design.words("app.cancel"))
                }
            }
        } message: {
            if let message = question?.confirmation.message { Text(verbatim: message) }
        }
    }
}

/// The round button above the page, with one action or a few that fan out.
struct FloatingButtonView: View {
    let button: PTFloatingActionButton
    @State private var isOpen = false
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions
    @Environment(\.accessibilityReduceMotion) private var isReduced

    var body: some View {
        VStack(alignment: .trailing, spacing: design.space(\.sm)) {
            if isOpen {
                ForEach(Numbered.all(button.fan)) { item in
                    Button {
                        toggle()
                        actions.perform(item.value.action)
                    } label: {
                        TitleView(title: item.value.title, icon: item.value.icon)
                    }
                    .buttonStyle(RoleButtonStyle(role: item.value.role == .destructive ? .destructive : .neutral))
                    .transition(design.transition(\.scaleIn, isReduced: isReduced))
                }
            }
            Button {
                if button.fan.isEmpty { actions.perform(button.action) } else { toggle() }
            } label: {
                IconView(icon: isOpen ? .x : button.icon)
                    .imageScale(.large)
                    .foregroundStyle(.token(.onPrimary))
                    .frame(width: design.size(.fab), height: design.size(.fab))
                    .background(.token(.primary), in: Circle())
            }
            .buttonStyle(BareButtonStyle())
            .accessibilityLabel(Text(verbatim: button.title))
            .accessibilityValue(
                Text(verbatim: button.fan.isEmpty ? "" : design.words(isOpen ? "app.unfolded" : "app.folded")))
        }
        .padding(.all, design.space(\.md))
    }

    private func toggle() {
        withAnimation(design.animation(\.springMedium, isReduced: isReduced)) { isOpen.toggle() }
    }
}

/// The feedback after a command, which disappears by itself, with its haptics.
struct FeedbackView: View {
    let page: PageState
    @Environment(\.design) private var design
    @Environment(\.accessibilityReduceMotion) private var isReduced

    var body: some View {
        VStack {
            switch page.feedback {
            case .toast(let toast):
                ToastView(toast: toast).transition(design.transition(\.fadeUp, isReduced: isReduced))
            case .burst(let burst):
                BurstView(burst: burst).transition(design.transition(\.scaleIn, isReduced: isReduced))
            case nil:
                if page.isWaiting {
                    ToastView(toast: PTToast(design.words("app.waiting"), tone: .info))
                        .transition(design.transition(\.fadeUp, isReduced: isReduced))
                }
            }
        }
        .padding(.all, design.space(\.md))
        .animation(design.animation(\.easeOutSoft, isReduced: isReduced), value: page.answers)
        .sensoryFeedback(trigger: page.answers) { _, _ in page.haptics?.feedback }
        .task(id: page.answers) {
            guard page.feedback != nil || page.isWaiting else { return }
            do {
                try await Task.sleep(for: design.delay(page.feedback?.delay ?? "toast"))
                page.feedback = nil
                page.isWaiting = false
            } catch {
                // Newer feedback replaced this one.
            }
        }
    }
}

extension PTFeedback {
    /// The name of the time in the tokens for which the feedback is shown.
    fileprivate var delay: String {
        switch self {
        case .toast: "toast"
        case .burst: "burst"
        }
    }
}

extension Haptics {
    /// The feedback of the device.
    var feedback: SensoryFeedback {
        switch kind {
        case .success: .success
        case .warning: .warning
        case .lightTap: .impact(weight: .light)
        case .softImpact: .impact(flexibility: .soft)
        }
    }
}
