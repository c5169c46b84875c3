extension UIApplication {
    /// The number of times that the app registered for push notifications.
    public var recordedRegistrations: Int { registrations }
}
