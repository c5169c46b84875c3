extension UNUserNotificationCenter {
    /// Decides whether the person allows notifications.
    public func allow(_ isAllowed: Bool) { self.isAllowed = isAllowed }

    /// The number of times that the app removed its notifications.
    public var recordedRemovals: Int { removals }

    /// Taps a notification with a payload, as a person does.
    public func tap(userInfo: [AnyHashable: Any]) async {
        let content = UNNotificationContent(userInfo: userInfo)
        let notification = UNNotification(request: UNNotificationRequest(content: content))
        await delegate?.userNotificationCenter(
            self, didReceive: UNNotificationResponse(notification: notification))
    }
}
