import Foundation
import UIKit

@testable import AppShell

// What the shape of UIKit recorded. This file does not import Testing, which has an overlay for the real UIKit.

/// The system around the app, as the shapes recorded it.
@MainActor
enum RecordedSystem {
    /// The number of times that the app registered for push notifications.
    static var registrations: Int { UIApplication.shared.recordedRegistrations }

    /// The protection of an item that is there after the first unlock, on this device only.
    static let protection = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly

    /// The item of the keychain that a session's tokens are in.
    static func keychainItem(service: String) -> (data: Data, protection: String)? {
        Keychain.recorded(service: service, account: "session")
    }
}

extension AppDelegate {
    /// Launches the app, as the system does.
    func launch() -> Bool { application(.shared, didFinishLaunchingWithOptions: nil) }

    /// Hands the app its device token, as the system does.
    func receive(token: Data) { application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: token) }
}
