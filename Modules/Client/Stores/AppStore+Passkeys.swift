import Foundation

/// The values with which a device creates a passkey (Web Authentication section 5.4), as the server sends them.
public struct PasskeyOptions: Codable, Sendable, Hashable {
    /// The challenge in Base64url.
    public let challenge: String
    /// The domain to which the passkey belongs.
    public let relyingParty: String
    /// The id of the person for the passkey, in Base64url.
    public let userId: String
    /// The name of the account, such as its address.
    public let userName: String
    /// The name of the person.
    public let displayName: String
    /// The passkeys that the account has already, in Base64url.
    public let known: [String]

    public init(
        challenge: String, relyingParty: String, userId: String, userName: String, displayName: String,
        known: [String]
    ) {
        self.challenge = challenge
        self.relyingParty = relyingParty
        self.userId = userId
        self.userName = userName
        self.displayName = displayName
        self.known = known
    }
}

extension AppStore {
    /// Asks the server for what the device needs to create a passkey. Throws `StoreError`.
    ///
    /// - Parameters:
    ///   - path: The path that the form names.
    ///   - password: The person's password, which the server asks for.
    public func startPasskey(at path: String, password: String?) async throws -> PasskeyOptions {
        var fields: [String: String] = [:]
        fields["password"] = password
        return try await send(fields, to: path)
    }
}
