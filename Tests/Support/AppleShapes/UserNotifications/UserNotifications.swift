// Declarations of UserNotifications, for Linux only. See Tests/Support/AppleShapes/README.md.

/// What an app may do to a person's attention.
///
/// Apple: UNAuthorizationOptions. iOS 10.0.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Apple: UNAuthorizationOptions.badge. iOS 10.0.
    public static let badge = UNAuthorizationOptions(rawValue: 1)
    /// Apple: UNAuthorizationOptions.sound. iOS 10.0.
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    /// Apple: UNAuthorizationOptions.alert. iOS 10.0.
    public static let alert = UNAuthorizationOptions(rawValue: 4)
}

/// The center for the notifications of an app.
///
/// Apple: UNUserNotificationCenter. iOS 10.0.
@MainActor
public final class UNUserNotificationCenter {
    // Singleton: a device has one center for each app.
    private static let shared = UNUserNotificationCenter()
    /// Whether the person allows notifications. A test sets it.
    var isAllowed = false
    /// The number of times that everything was removed.
    var removals = 0

    /// Apple: UNUserNotificationCenter.current(). iOS 10.0.
    public static func current() -> UNUserNotificationCenter { shared }

    /// Apple: UNUserNotificationCenter.delegate. iOS 10.0.
    public weak var delegate: (any UNUserNotificationCenterDelegate)?

    /// Apple: requestAuthorization(options:). iOS 10.0.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { isAllowed }

    /// Apple: removeAllDeliveredNotifications(). iOS 10.0.
    public func removeAllDeliveredNotifications() { removals += 1 }
}

/// A type that learns of notifications that a person taps.
///
/// Apple: UNUserNotificationCenterDelegate. iOS 10.0.
@MainActor @preconcurrency
public protocol UNUserNotificationCenterDelegate: AnyObject {
    /// Apple: userNotificationCenter(_:didReceive:). iOS 10.0.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async
}

/// The person's answer to a notification.
///
/// Apple: UNNotificationResponse. iOS 10.0.
@MainActor
public final class UNNotificationResponse {
    /// Apple: UNNotificationResponse.notification. iOS 10.0.
    public let notification: UNNotification
    init(notification: UNNotification) { self.notification = notification }
}

/// A notification.
///
/// Apple: UNNotification. iOS 10.0.
@MainActor
public final class UNNotification {
    /// Apple: UNNotification.request. iOS 10.0.
    public let request: UNNotificationRequest
    init(request: UNNotificationRequest) { self.request = request }
}

/// A request to show a notification.
///
/// Apple: UNNotificationRequest. iOS 10.0.
@MainActor
public final class UNNotificationRequest {
    /// Apple: UNNotificationRequest.content. iOS 10.0.
    public let content: UNNotificationContent
    init(content: UNNotificationContent) { self.content = content }
}

/// The content of a notification.
///
/// Apple: UNNotificationContent. iOS 10.0.
@MainActor
public final class UNNotificationContent {
    /// Apple: UNNotificationContent.userInfo. iOS 10.0.
    public let userInfo: [AnyHashable: Any]
    init(userInfo: [AnyHashable: Any]) { self.userInfo = userInfo }
}
