import AppShell
import AppleTools
import AuthenticationServices
import Client
import Domain
import ScreenUI
import SwiftUI
import Widgets

/// The app out of its parts: the one place that names the implementations of what the shell asks for.
@MainActor
final class AppComposition {
    let session: AppSession
    let design: Design
    let tools: DeviceTools
    let signIn: DeviceSignIn
    let system: SystemContent

    /// - Parameters:
    ///   - parts: the parts that depend on the device or the network. The abilities are added here.
    ///   - widgets: the file that the app shares with its widgets; `nil` without a group of both.
    init(_ parts: AppParts, design: Design, widgets: WidgetContainer?) {
        let (tools, signIn) = (DeviceTools(), DeviceSignIn())
        var parts = parts
        parts.abilities = Abilities(
            cards: DeviceCardReader(), codes: DeviceCodeScanner(tools), apple: signIn, passkeys: signIn,
            files: tools)
        parts.content = { DeviceContent(around: $0, files: $0, tools: tools) }
        self.tools = tools
        self.signIn = signIn
        self.design = design
        session = AppSession(parts)
        let (system, clock) = (SystemContent(widgets: widgets), parts.environment.clock)
        self.system = system
        session.onChange.append { system.refresh($0, at: clock.now) }
        session.onSignOut.append { await system.clear() }
    }
}

/// The root of a window: the app's own root, with the tools and the sheets of the device.
struct ComposedView: View {
    let composition: AppComposition
    @Environment(\.authorizationController) private var authorization

    init(composition: AppComposition) { self.composition = composition }

    var body: some View {
        AppRootView(session: composition.session, design: composition.design)
            .deviceTools(composition.tools)
            .environment(\.design, composition.design)
            .onAppear { composition.signIn.use(authorization) }
            .onContinueUserActivity(SpotlightIndex.activityType) { activity in
                guard let identifier = SpotlightIndex.identifier(of: activity.userInfo) else { return }
                composition.session.open(payload: identifier)
            }
    }
}
