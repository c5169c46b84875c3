public import Domain
import Foundation
import ScreenUI
public import SwiftUI

/// The pages for a person who is not signed in: the school's server, and the sign-in (PG-4.05).
public struct SmartLaunchView: View {
    @State private var model: LaunchModel

    /// - Parameter words: The texts of the app.
    public init(session: AppSession, words: Words) {
        _model = State(initialValue: LaunchModel(session, words))
    }

    public var body: some View {
        ScreenView(screen: model.screen, handler: model)
            .task(id: model.step) { await model.findOffers() }
    }
}
