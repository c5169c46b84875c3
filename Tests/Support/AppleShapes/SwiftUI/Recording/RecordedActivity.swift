extension RecordedModifier {
    /// Continues what a person did outside of the app, as the system does.
    public func continueActivity(_ userInfo: [AnyHashable: Any]) {
        guard let action: @MainActor (NSUserActivity) -> Void = value("perform") else {
            preconditionFailure("\(name) continues no activity")
        }
        action(NSUserActivity(userInfo: userInfo))
    }
}
