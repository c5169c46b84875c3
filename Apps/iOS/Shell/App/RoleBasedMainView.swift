import Client
import DesignSystem
import DesignTokens
import Domain
import Foundation
import NativeViews
import ScreenUI
public import SwiftUI

/// The pages of the signed-in person, with the tabs that the server sends for their role.
public struct RoleBasedMainView: View {
    private let person: SignedIn
    @Bindable private var session: AppSession
    @Bindable private var navigator: Navigator
    @Environment(\.design) private var design
    @Environment(\.openURL) private var openURL

    public init(session: AppSession, person: SignedIn) {
        self.person = person
        _session = Bindable(wrappedValue: session)
        _navigator = Bindable(wrappedValue: person.navigator)
    }

    public var body: some View {
        VStack(spacing: 0) {
            SyncStateView(store: person.store)
            if navigator.tabs.isEmpty {
                TabStack(root: Place("/"), person: person)
            } else {
                TabView(selection: $navigator.selected) {
                    ForEach(navigator.tabs, id: \.path) { tab in
                        TabStack(root: Place(tab.path), person: person)
                            .tabItem {
                                Label {
                                    Text(verbatim: tab.title)
                                } icon: {
                                    IconView(icon: tab.icon)
                                }
                            }
                            .badge(tab.unread)
                            .tag(tab.path)
                    }
                }
            }
        }
        .sheet(item: $navigator.sheet) { PresentedPage(place: $0, person: person) }
        .sheet(item: $session.expiry) { _ in
            // The pages stay below, with everything that was typed.
            SmartLaunchView(session: session, words: design.words)
                .interactiveDismissDisabled()
        }
        .onChange(of: navigator.outside) { _, address in
            guard let address else { return }
            openURL(address)
            navigator.outside = nil
        }
        .onChange(of: person.store.syncSummary.unsent) { old, new in
            // The server has changes that waited.
            if new < old { session.noteChange() }
        }
        .hosting(person.content)
    }
}

/// The pages of one tab, one on top of the other.
private struct TabStack: View {
    let root: Place
    let person: SignedIn
    @Bindable private var navigator: Navigator

    init(root: Place, person: SignedIn) {
        self.root = root
        self.person = person
        _navigator = Bindable(wrappedValue: person.navigator)
    }

    var body: some View {
        NavigationStack(path: $navigator.stacks[tab: root.address]) {
            PageView(root, person, isRoot: true)
                .navigationDestination(for: Place.self) { PageView($0, person) }
        }
    }
}

extension Dictionary<String, [Place]> {
    /// The pages of a tab; none if nothing was opened in it.
    subscript(tab path: String) -> [Place] {
        get { self[path] ?? [] }
        set { self[path] = newValue }
    }
}

/// A page in a sheet over the others.
private struct PresentedPage: View {
    let place: Place
    let person: SignedIn
    @Environment(\.design) private var design
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        VStack(spacing: 0) {
            ComponentView(
                component: .button(
                    PTButton(
                        title: design.words("app.close"), role: .quiet,
                        action: .perform(PTCommandCall(path: "close", key: "close"))))
            )
            .handled(
                by: CommandHandler { _ in
                    dismiss()
                    return .done(nil)
                })
            PageView(place, person)
        }
        .presentingTools()
        .presentationDetents([.large])
        .presentationDragIndicator(.visible)
    }
}

/// How many changes wait on the device, and which were not applied.
struct SyncStateView: View {
    private let store: AppStore
    @State private var notices: Place?
    @State private var handler: CommandHandler
    @Environment(\.design) private var design

    private static let retry = PTCommandCall(path: "retry", key: "retry")
    private static let show = PTCommandCall(path: "show", key: "show")

    init(store: AppStore) {
        self.store = store
        _handler = State(
            initialValue: CommandHandler { _ in
                store.retry()
                return .done(nil)
            })
    }

    var body: some View {
        let (summary, words) = (store.syncSummary, design.words)
        VStack(spacing: 0) {
            // A change that is on its way for the first time is no news: the banner would come and go with each tap.
            if summary.failing > 0 || summary.isOffline {
                ComponentView(
                    component: .banner(
                        PTBanner(
                            icon: summary.isOffline ? .cloudOff : .cloudUp,
                            title: summary.unsent > 0
                                ? words("shell.sync.waiting", summary.unsent) : words("shell.sync.offline"),
                            action: PTButton(
                                title: words("shell.sync.retry"), role: .quiet, action: .perform(Self.retry))))
                )
                .handled(by: handler)
            }
            if summary.notices > 0 {
                ComponentView(
                    component: .banner(
                        PTBanner(
                            tone: .warning, icon: .alert, title: words("shell.sync.notices", summary.notices),
                            action: PTButton(
                                title: words("shell.sync.show"), role: .quiet, action: .perform(Self.show))))
                )
                .handled(
                    by: CommandHandler { _ in
                        notices = Place(Self.show.path)
                        return .done(nil)
                    })
            }
        }
        .sheet(item: $notices) { _ in NoticesView(store: store) }
    }
}

/// The changes that the server refused, with what the person had typed, so that nothing is lost.
struct NoticesView: View {
    private let store: AppStore
    @State private var handler: CommandHandler
    @Environment(\.design) private var design

    init(store: AppStore) {
        self.store = store
        _handler = State(
            initialValue: CommandHandler { call in
                do {
                    if let id = UUID(uuidString: call.path) { try store.dismiss(id) }
                    return .done(nil)
                } catch {
                    return StoreCommands.refusal(StoreError(error))
                }
            })
    }

    var body: some View { ScreenView(screen: screen, handler: handler) }

    private var screen: Screen {
        let words = design.words
        func items(_ texts: [String: String], _ title: String) -> [PTDefinitionList.Item] {
            texts.sorted { $0.key < $1.key }.map { .init(term: words(title), value: $0.value) }
        }
        return Screen(
            title: words("shell.sync.title"),
            body: store.notices.map { notice in
                .section(
                    PTSection(
                        title: notice.sentence
                            ?? words(notice.kind == .mergedOver ? "shell.sync.merged" : "shell.sync.notApplied"),
                        detail: words.dateAndTime(notice.at, in: .current),
                        body: [
                            .definitionList(
                                PTDefinitionList(
                                    items: items(notice.localText, "shell.sync.yours")
                                        + items(notice.otherText, "shell.sync.theirs"))),
                            .button(
                                PTButton(
                                    title: words("shell.sync.dismiss"), role: .neutral,
                                    action: .perform(
                                        PTCommandCall(path: notice.id.uuidString, key: notice.id.uuidString)))),
                        ]))
            })
    }
}
