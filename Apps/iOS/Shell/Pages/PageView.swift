import Client
import DesignSystem
import Domain
import Foundation
import NativeViews
import ScreenUI
import SwiftUI

/// A page of the app: drawn from the stores if the app has a view of its own for it, and else as the server describes it.
struct PageView: View {
    @State private var model: PageModel
    private let person: SignedIn
    private let isRoot: Bool
    @Environment(\.design) private var design

    init(_ place: Place, _ person: SignedIn, isRoot: Bool = false) {
        self.person = person
        self.isRoot = isRoot
        _model = State(initialValue: PageModel(place.address, person, isRoot: isRoot))
    }

    var body: some View {
        Group {
            if let page = NativePage(model.address, in: person.store) {
                NativePageView(page: page, handler: model)
            } else if let address = model.webAddress {
                WebPageView(address: address, person: person)
                    .navigationTitle(Text(verbatim: model.document?.screen.title ?? ""))
            } else {
                ScreenView(screen: screen, handler: model)
                    .environment(\.pageReading, model.reading)
                    .task(id: model.version) { await model.load() }
            }
        }
        .toolbar {
            ToolbarItem(placement: .topBarLeading) {
                if isRoot, let chrome = person.navigator.chrome { AccountMenu(chrome: chrome, person: person) }
            }
        }
        .handled(by: model)
        .confirmationDialog(
            Text(verbatim: design.words("shell.signOut.ask")), isPresented: $model.asksAboutUnsent,
            titleVisibility: .visible
        ) {
            Button(role: .destructive) {
                Task { await model.signOut(discardingUnsent: true) }
            } label: {
                Text(verbatim: design.words("shell.signOut.discard"))
            }
            Button(role: .cancel) {
            } label: {
                Text(verbatim: design.words("app.cancel"))
            }
        } message: {
            Text(verbatim: StoreError.unsentChanges(model.unsent ?? 0).message(ClientWords.current))
        }
    }

    /// The page with a banner about its state, or what is shown in its place.
    private var screen: Screen {
        let words = design.words
        guard var screen = model.document?.screen else {
            return Screen(title: "", body: [placeholder])
        }
        // A page that is an island alone says itself what waits.
        if let error = model.error, screen.layout != .stage {
            screen.body.insert(
                .banner(
                    PTBanner(
                        tone: .info, icon: .cloudOff, title: words("shell.page.stored"),
                        message: error.message(ClientWords.words(words.language)))), at: 0)
        }
        if let address = model.fullAddress {
            screen.body.append(
                .button(
                    PTButton(title: words("shell.web"), icon: .globe, role: .quiet, action: .open(address))))
        }
        return screen
    }

    private var placeholder: Component {
        let words = design.words
        if model.isUnreadable { return .newerPage(at: model.address, words) }
        if let error = model.error { return .unread(error, words) }
        return .skeleton(SkeletonView(style: .list, spoken: words("shell.loading")))
    }
}

extension Component {
    /// What is shown in the place of a page that only a newer app can show.
    static func newerPage(at address: String, _ words: Words) -> Component {
        .error(
            ErrorStateView(
                icon: .globe, title: words("shell.page.newer"),
                retry: PTButton(title: words("shell.browser"), action: .external(address))))
    }

    /// What is shown in the place of a page that could not be read.
    static func unread(_ error: StoreError, _ words: Words) -> Component {
        .error(
            ErrorStateView(
                icon: [.unreachable, .notSent].contains(error) ? .cloudOff : .alert,
                title: error.message(ClientWords.words(words.language)), message: words("shell.page.pull")))
    }
}

extension PageModel {
    /// Whether the question about unsent changes is shown.
    var asksAboutUnsent: Bool {
        get { unsent != nil }
        set { if !newValue { unsent = nil } }
    }
}

/// The menu with everything that has no tab: further pages, notifications, search, the account.
struct AccountMenu: View {
    let chrome: PageChrome
    let person: SignedIn
    @Environment(\.design) private var design

    var body: some View {
        MenuButtonView(items: items, subject: chrome.account.name, icon: .person)
    }

    private var items: [PTMenuItem] {
        let words = design.words
        let residence = person.store.currentPgId.map { NativePage.checkInPath($0) }
        let tabs = Set(chrome.navigation.map(\.path))
        let pages = (chrome.rail.leading + chrome.beside + chrome.more + chrome.rail.trailing)
            .filter { !tabs.contains($0.path) }
        var seen: Set<String> = []
        return [
            chrome.notificationsPath.map {
                PTMenuItem(
                    title: chrome.unread > 0
                        ? words("shell.notifications.unread", chrome.unread) : words("shell.notifications"),
                    icon: .bell, action: .open($0))
            },
            chrome.searchPath.map { PTMenuItem(title: words("shell.search"), icon: .search, action: .open($0)) },
            // Wardens record passages of others; a resident lives in the residence and records their own.
            person.store.userRole.contains(Self.student)
                ? residence.map { PTMenuItem(title: words("shell.checkIn"), icon: .door, action: .open($0)) } : nil,
        ].compactMap(\.self)
            + pages.filter { seen.insert($0.path).inserted }.map {
                PTMenuItem(title: $0.title, icon: $0.icon, action: .open($0.path))
            } + chrome.account.items
    }

    private static let student = "student"
}
