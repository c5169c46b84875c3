public import Foundation

/// Small things that the product remembers for a person of a school, each under a name of the block that keeps it
/// (`video_progress_…`). A person need have no account. Within the caller's own transaction. Implemented by Preferences.
public protocol PersonalPreferences: Sendable {
    func value(_ name: String, of personId: UUID, in sql: any SQLReading) throws -> String?
    /// Keeps a value in the place of the one before; `nil` forgets it.
    func set(_ value: String?, for name: String, of personId: UUID, in sql: any SQLWriting) throws
    /// Forgets a name for everybody: what it was about is gone.
    func remove(_ name: String, in sql: any SQLWriting) throws
}
