public import Foundation

/// Small values that the product stores for the people of a school, such as the position in a video. Implemented by
/// Preferences.
///
/// Each value has a name of the feature block that stores it (`video_progress_…`). The person need not have an account.
/// All calls run in the caller's database transaction.
public protocol PersonalPreferences: Sendable {
    /// Returns the value that is stored for a person under a name; `nil` if there is none.
    func value(_ name: String, of personId: UUID, in sql: any SQLReading) throws -> String?
    /// Sets the value that is stored for a person under a name; `nil` removes it.
    func set(_ value: String?, for name: String, of personId: UUID, in sql: any SQLWriting) throws
    /// Removes the values of all people under a name, because what they were about is gone.
    func remove(_ name: String, in sql: any SQLWriting) throws
}
