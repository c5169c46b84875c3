import AppShell
import Domain
import Foundation
import ScreenUI
public import SwiftUI
import Widgets

/// The app. The program in the folder `App` starts it.
public struct PinkTowerApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    private let composition: AppComposition

    public init() {
        composition = AppComposition(
            AppParts(
                folder: URL.homeDirectory.appending(path: "Library/Application Support/PinkTower"),
                tokens: KeychainSession(service: "PinkTower"), notifications: DeviceNotifications()),
            design: Self.design(),
            widgets: WidgetContainer(
                group: Bundle.main.object(forInfoDictionaryKey: WidgetContainer.groupKey) as? String))
        delegate.begin(composition.session)
    }

    public var body: some Scene {
        WindowGroup { ComposedView(composition: composition) }
    }

    /// The texts and colors are files of the app: without them nothing could be shown.
    private static func design() -> Design {
        do {
            return try Design.ofApp(
                language: Language(acceptLanguage: Locale.preferredLanguages.joined(separator: ",")))
        } catch {
            preconditionFailure("the app was built without its tokens or texts: \(error)")
        }
    }
}
