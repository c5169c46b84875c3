public import FeatureKit

/// Counts what a person has not read yet, for the widgets of a device. Implemented by a feature block with messages.
public protocol UnreadCounting: Sendable {
    /// Returns the number of the caller's conversations with unread messages; 0 for a caller without conversations.
    ///
    /// The caller's database transaction must stay short.
    func unread(for context: RequestContext, in sql: any SQLReading) throws -> Int
}
