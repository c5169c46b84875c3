public import FeatureKit
public import Foundation

/// Changes the e-mail address that an account signs in with.
public protocol AddressChanging: Sendable {
    /// Gives an account another address, in the directory's transaction. Where addresses are confirmed, a link is mailed
    /// to the new one, and the account has its old address until the link is used. The old address is told of the change;
    /// sessions stay.
    ///
    /// Throws `Problem` 404 for an unknown account, and 409 where another person asks it for the account that runs the
    /// server.
    func changeAddress(of accountId: UUID, to email: String, in context: CommandContext) throws -> AddressChange
}

/// The state of an account's change of e-mail address.
public enum AddressChange: Hashable, Sendable {
    /// The change is complete, and the account has the new address.
    case done
    /// The link that was mailed to the new address has to be used first.
    case waiting
}
