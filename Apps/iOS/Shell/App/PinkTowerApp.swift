import Client
import Domain
import Foundation
import ScreenUI
public import SwiftUI

/// The app. The target of the Xcode project that contains it calls `PinkTowerApp.main()`.
public struct PinkTowerApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    private let session: AppSession
    private let design: Design

    /// The abilities of the device that other parts of the app implement. They are set before the app starts.
    // Singleton: the system makes the app without arguments.
    public static var abilities = Abilities()

    public init() {
        let notifications = DeviceNotifications()
        session = AppSession(
            AppParts(
                folder: URL.homeDirectory.appending(path: "Library/Application Support/PinkTower"),
                tokens: KeychainSession(service: "PinkTower"), abilities: Self.abilities,
                notifications: notifications))
        design = Self.design()
        delegate.begin(session)
    }

    public var body: some Scene {
        WindowGroup { AppRootView(session: session, design: design) }
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
