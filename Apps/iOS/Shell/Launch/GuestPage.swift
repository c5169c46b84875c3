import Client
import DesignSystem
import Domain
import Foundation
import NativeViews
import Observation
import ScreenUI
import SwiftUI

/// A page of the server for a person who is not signed in, such as that for a new account.
@MainActor @Observable
final class GuestPageModel: ActionHandler {
    let address: String
    /// The page as it was last read.
    private(set) var document: ScreenDocument?
    /// The reason for which the page could not be read.
    private(set) var error: StoreError?
    /// Whether the page came from a newer server, so that the app cannot show it.
    private(set) var isUnreadable = false
    /// The sentence about a sign-in that was refused.
    private(set) var refusal: String?
    @ObservationIgnored private let launch: LaunchModel

    init(_ address: String, _ launch: LaunchModel) {
        self.address = address
        self.launch = launch
    }

    /// Reads the page, unless it was read: its form may have what the person typed.
    func loadOnce() async {
        if document == nil { await reload() }
    }

    func reload() async {
        guard let auth = launch.session.auth else { return }
        do {
            let answer = try await auth.page(at: address, accept: ScreenDocument.accept)
            try Task.checkCancellation()
            error = nil
            guard !LaunchModel.isSignIn(answer.address) else {
                return launch.open(answer.address, isReplacing: false)
            }
            document = try JSONDecoder().decode(ScreenDocument.self, from: answer.body)
        } catch is CancellationError {
            return
        } catch is DecodingError {
            isUnreadable = true
        } catch {
            self.error = StoreError(unsent: error)
        }
    }

    func run(_ call: PTCommandCall, with extras: CommandExtras) async -> Outcome {
        let command = PageCommand(path: call.path, fields: call.fields, lists: extras.lists, key: call.key)
        do {
            return .done(try await launch.run(command, from: address))
        } catch {
            if launch.openPage(about: error) { return .done(nil) }
            return StoreCommands.refusal(StoreError(unsent: error))
        }
    }

    func open(_ path: String, isReplacing: Bool) { launch.open(path, isReplacing: isReplacing) }
    func present(_ path: String) { launch.open(path, isReplacing: false) }

    func leave(for address: String) {
        guard launch.isApple(address) else { return launch.leave(for: address) }
        Task { refusal = await launch.continueWithApple() }
    }

    // Pages before the sign-in have no notifications and no files.
    func allowNotifications() {}
    func choose(_ request: FileRequest) async -> [ChosenFile] { [] }
}

/// A page of the server over the sign-in.
struct GuestPageView: View {
    @State private var model: GuestPageModel
    @Environment(\.design) private var design

    init(_ place: Place, _ launch: LaunchModel) {
        _model = State(initialValue: GuestPageModel(place.address, launch))
    }

    var body: some View {
        ScreenView(screen: screen, handler: model)
            .task(id: model.address) { await model.loadOnce() }
    }

    private var screen: Screen {
        let words = design.words
        guard var screen = model.document?.screen else {
            return Screen(
                title: "", layout: .focused,
                body: [
                    model.isUnreadable
                        ? .newerPage(at: model.address, words)
                        : model.error.map { .unread($0, words) }
                            ?? .skeleton(SkeletonView(style: .list, spoken: words("shell.loading")))
                ])
        }
        if let refusal = model.refusal {
            screen.body.insert(.banner(PTBanner(tone: .warning, icon: .alert, title: refusal)), at: 0)
        }
        return screen
    }
}
