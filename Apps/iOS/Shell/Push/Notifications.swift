public import Foundation
public import UIKit
public import UserNotifications

/// Asks the person for notifications, and removes those that were shown.
@MainActor
public protocol NotificationAccess: AnyObject, Sendable {
    /// Asks for permission, and registers the device if the person agrees.
    func ask() async
    /// Registers the device again, without a question to the person.
    func renew()
    /// Removes the notifications that the device shows, when a person has signed out.
    func removeAll()
}

/// The notifications of this device.
@MainActor
public final class DeviceNotifications: NotificationAccess {
    public init() {}

    public func ask() async {
        do {
            let isAllowed = try await UNUserNotificationCenter.current().requestAuthorization(
                options: [.alert, .badge, .sound])
            // The token arrives at the app's delegate.
            if isAllowed { renew() }
        } catch {
            // The person can allow them later in the device's settings.
        }
    }

    public func renew() { UIApplication.shared.registerForRemoteNotifications() }

    public func removeAll() { UNUserNotificationCenter.current().removeAllDeliveredNotifications() }
}

/// Receives the device token of Apple's push service, and the notifications that a person taps.
@MainActor
public final class AppDelegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    /// The field of a notification with the address of its page (`ApplePush` of the server).
    private static let address = "url"
    /// The field of a notification with the account that it is for.
    private static let account = "account"

    private var session: AppSession?

    /// Connects the delegate with the app's state.
    public func begin(_ session: AppSession) { self.session = session }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }

    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        Task { await session?.signedIn?.register(token: deviceToken) }
    }

    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        // The next start registers again; until then the device gets no notifications.
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let payload = response.notification.request.content.userInfo
        guard let path = payload[Self.address] as? String else { return }
        // A notification for the person who was signed in before opens nothing.
        if let account = payload[Self.account] as? String, let person = session?.signedIn,
            person.account != UUID(uuidString: account)
        {
            return
        }
        session?.open(payload: path)
    }
}
