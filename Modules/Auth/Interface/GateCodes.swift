public import FeatureKit
public import Foundation

/// The short code with which a grown-up opens what a device keeps closed to a child. One per account and
/// device; of the code only a slow salted hash is kept.
public protocol GateCodes: Sendable {
    func isSet(for account: SignedInAccount) async throws -> Bool
    /// Until when no code is looked at; `nil` where one may be tried.
    func lockedUntil(for account: SignedInAccount, at now: Date) async throws -> Date?
    /// Throws `Problem`: 409 where no code is set, 422 for a wrong one, 429 while wrong ones lock it out.
    func check(_ code: String, for account: SignedInAccount, at now: Date) async throws
    /// Sets the first code of the device. Throws `Problem` 409 where there is one, 422 unless it has four
    /// digits.
    func set(_ code: String, for account: SignedInAccount, at now: Date) async throws
    /// Replaces the code for whoever knows the present one; throws what `check` throws.
    func change(_ current: String, to code: String, for account: SignedInAccount, at now: Date) async throws
}
