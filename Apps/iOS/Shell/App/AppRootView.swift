import Client
public import DesignTokens
public import Domain
import Foundation
import NativeViews
public import ScreenUI
public import SwiftUI

/// The root of the app: the pages of the signed-in person, or else the sign-in (PG-4.05).
public struct AppRootView: View {
    @State private var session: AppSession
    private let design: Design
    @Environment(\.scenePhase) private var phase

    public init(session: AppSession, design: Design) {
        _session = State(initialValue: session)
        self.design = design
    }

    public var body: some View {
        Group {
            switch session.phase {
            case .starting: ProgressView()
            case .signedOut: SmartLaunchView(session: session, words: design.words)
            case .signedIn(let person):
                RoleBasedMainView(session: session, person: person)
                    .environment(\.authManager, person.auth)
                    .environment(\.appStore, person.store)
                    .environment(\.appDependencies, person.dependencies)
                    .environment(\.readCard, cards)
            }
        }
        .environment(\.design, design)
        .task(id: session.server) {
            if case .starting = session.phase { await session.start() }
        }
        .onOpenURL { session.open($0) }
        .onChange(of: phase) { _, phase in
            // The network may have returned while the app was not in front.
            guard phase == .active else { return }
            session.signedIn?.store.retry()
            session.noteChange()
        }
    }

    private var cards: CardReading? {
        guard let reader = session.parts.abilities.cards, reader.isAvailable else { return nil }
        return { try await reader.read(prompt: $0) }
    }
}

extension Design {
    /// The look of the app with the texts of all its parts. Throws `TokenError`, or the fault of a catalog.
    public static func ofApp(theme: PTTheme = .pinktower, language: Language) throws -> Design {
        try Design(
            theme: theme, language: language,
            catalogs: [try NativeWords.catalog(), try StringCatalog(in: Bundle.module)])
    }
}
