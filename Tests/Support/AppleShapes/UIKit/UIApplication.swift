public import Foundation

// Declarations of UIKit, for Linux only: as far as push notifications need it.

/// The running app.
///
/// Apple: UIApplication. iOS 2.0.
@MainActor
public final class UIApplication {
    /// A reason for which an app was launched.
    ///
    /// Apple: UIApplication.LaunchOptionsKey. iOS 3.0.
    public struct LaunchOptionsKey: Hashable, Sendable {}

    // Singleton: a process has one app.
    /// Apple: UIApplication.shared. iOS 2.0.
    public static let shared = UIApplication()
    /// The number of registrations for push notifications.
    var registrations = 0

    /// Apple: registerForRemoteNotifications(). iOS 8.0.
    public func registerForRemoteNotifications() { registrations += 1 }
}

/// A type that learns of the events of an app.
///
/// Apple: UIApplicationDelegate. iOS 2.0.
@MainActor @preconcurrency
public protocol UIApplicationDelegate: NSObject {
    /// On Apple systems, the app's class has this initializer from `NSObject`.
    init()
    /// Apple: application(_:didFinishLaunchingWithOptions:). iOS 3.0.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Apple: application(_:didRegisterForRemoteNotificationsWithDeviceToken:). iOS 3.0.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    /// Apple: application(_:didFailToRegisterForRemoteNotificationsWithError:). iOS 3.0.
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
}
