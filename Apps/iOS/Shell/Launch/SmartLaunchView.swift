public import Domain
import Foundation
import ScreenUI
public import SwiftUI

/// The pages for a person who is not signed in: the school's server, and the sign-in (PG-4.05).
public struct SmartLaunchView: View {
    @State private var model: LaunchModel
    @Environment(\.openURL) private var openURL

    /// - Parameter words: The texts of the app.
    public init(session: AppSession, words: Words) {
        _model = State(initialValue: LaunchModel(session, words))
    }

    public var body: some View {
        NavigationStack(path: $model.pages) {
            ScreenView(screen: model.screen, handler: model)
                .navigationDestination(for: Place.self) { GuestPageView($0, model) }
        }
        .task(id: model.step) { await model.findOffers() }
        .onChange(of: model.outside) { _, address in
            guard let address else { return }
            openURL(address)
            model.outside = nil
        }
    }
}
