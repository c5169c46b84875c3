public import FeatureKit
public import Foundation

/// The four-digit gate codes with which adults unlock what a shared device hides from children.
///
/// There is one code for each account and device, stored as a slow salted hash.
public protocol GateCodes: Sendable {
    /// Whether the account has set a gate code, the adults' four-digit code, on its device.
    func isSet(for account: SignedInAccount) async throws -> Bool
    /// Returns the end of the lock after too many wrong gate codes; `nil` if a code can be tried.
    func lockedUntil(for account: SignedInAccount, at now: Date) async throws -> Date?
    /// Checks a gate code that was typed. Throws `Problem`: 409 if none is set, 422 for a wrong one, 429 while the
    /// code is locked.
    func check(_ code: String, for account: SignedInAccount, at now: Date) async throws
    /// Sets the first gate code, the adults' four-digit code, of a device. Throws `Problem`: 409 if there is one, 422
    /// unless it has four digits.
    func set(_ code: String, for account: SignedInAccount, at now: Date) async throws
    /// Replaces the adults' four-digit gate code of a device. Throws `Problem`: 409 if none is set, 422 for a wrong
    /// one, 429 while the code is locked.
    func change(_ current: String, to code: String, for account: SignedInAccount, at now: Date) async throws
}
