public import FeatureKit
public import Foundation

/// Changes the email address that an account signs in with.
public protocol AddressChanging: Sendable {
    /// Gives an account another email address, in the transaction of the server's directory database. If the server
    /// confirms addresses, it mails a link to the new address, and the account has its old address until that link is
    /// used. A mail to the old address reports the change. Sessions stay valid.
    ///
    /// Throws `Problem` 404 for an unknown account, and 409 if another person requests it for the account that runs the
    /// server.
    func changeAddress(of accountId: UUID, to email: String, in context: CommandContext) throws -> AddressChange
}

/// The state of an account's change of email address.
public enum AddressChange: Hashable, Sendable {
    /// The change is complete, and the account has the new address.
    case done
    /// The link that was mailed to the new address has to be used first.
    case waiting
}
