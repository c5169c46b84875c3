public import Client
public import ScreenUI

/// Reads cards and badges that are held to the device. The part that uses Core NFC implements it.
@MainActor
public protocol CardReader: AnyObject {
    /// Whether this device can read cards.
    var isAvailable: Bool { get }
    /// Waits for one card and returns its number in hexadecimal; `nil` if the person canceled.
    ///
    /// - Parameter prompt: The sentence that the system shows meanwhile.
    func read(prompt: String) async throws -> String?
}

/// Reads a code through the camera. The part that uses VisionKit implements it.
@MainActor
public protocol CodeScanner: AnyObject {
    /// Whether this device can scan codes, and the person has not refused the camera.
    var isAvailable: Bool { get }
    /// Waits for one QR code and returns its text; `nil` if the person canceled.
    func scan() async throws -> String?
}

/// Sign in with Apple. The part that uses Authentication Services implements it.
@MainActor
public protocol AppleSignIn: AnyObject {
    /// Asks the person for their Apple account; `nil` if the person canceled. Throws the system's error.
    ///
    /// - Parameter nonce: The value that the identity token must contain, so that it is used once.
    func signIn(nonce: String) async throws -> AppleCredential?
}

/// The credential that Apple returns after Sign in with Apple.
public struct AppleCredential: Hashable, Sendable {
    /// Apple's id of the person, which is the same at every sign-in.
    public let user: String
    /// The identity token, a JSON Web Token (RFC 7519) that names the account.
    public let identityToken: String
    /// The code that the server exchanges, so that it can take back the grant when the account ends.
    public let authorizationCode: String?
    /// The person's name, which Apple returns only the first time.
    public let name: String?

    public init(user: String, identityToken: String, authorizationCode: String? = nil, name: String? = nil) {
        self.user = user
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.name = name
    }
}

/// Creates passkeys and signs in with them. The part that uses Authentication Services implements it.
@MainActor
public protocol PasskeySignIn: AnyObject {
    /// Asks the person for a passkey of a server and returns its answer; `nil` if the person canceled.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge in Base64url.
    ///   - relyingParty: The domain of the server, to which the passkey belongs.
    func signIn(challenge: String, relyingParty: String) async throws -> PasskeyAssertion?
    /// Creates a passkey on the device or on a security key; `nil` if the person canceled. Throws the system's error.
    func create(_ options: PasskeyOptions) async throws -> PasskeyRegistration?
}

/// A new passkey's answer to a challenge (Web Authentication section 5.2.1). All values are in Base64url.
public struct PasskeyRegistration: Hashable, Sendable {
    public let clientData: String
    /// The attestation object, which contains the public key.
    public let attestation: String

    public init(clientData: String, attestation: String) {
        self.clientData = clientData
        self.attestation = attestation
    }

    /// The fields of the command that stores the passkey, by their names in docs/api.md.
    var fields: [String: String] { ["clientData": clientData, "attestation": attestation] }
}

/// A passkey's answer to a challenge (Web Authentication section 5.2.2). All values are in Base64url.
public struct PasskeyAssertion: Hashable, Sendable {
    public let passkeyId: String
    public let clientData: String
    public let authenticatorData: String
    public let signature: String
    public let userHandle: String?

    public init(
        passkeyId: String, clientData: String, authenticatorData: String, signature: String, userHandle: String?
    ) {
        self.passkeyId = passkeyId
        self.clientData = clientData
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }

    /// The fields of the command that signs in, by their names in docs/api.md.
    var fields: [String: String] {
        var fields = [
            "passkeyId": passkeyId, "clientData": clientData, "authenticatorData": authenticatorData,
            "signature": signature,
        ]
        fields["userHandle"] = userHandle
        return fields
    }
}

/// Lets a person choose files and photos. The part that uses the system's pickers implements it.
@MainActor
public protocol FileChooser: AnyObject {
    /// Waits for the choice and returns copies that belong to the app; none if the person canceled.
    func chooseFiles(_ request: FileRequest) async -> [PickedFile]
}

/// The abilities of a device that the app uses where they exist. A missing one is `nil`, and its control is not shown.
@MainActor
public struct Abilities {
    public var cards: (any CardReader)?
    public var codes: (any CodeScanner)?
    public var apple: (any AppleSignIn)?
    public var passkeys: (any PasskeySignIn)?
    public var files: (any FileChooser)?

    public init(
        cards: (any CardReader)? = nil, codes: (any CodeScanner)? = nil, apple: (any AppleSignIn)? = nil,
        passkeys: (any PasskeySignIn)? = nil, files: (any FileChooser)? = nil
    ) {
        self.cards = cards
        self.codes = codes
        self.apple = apple
        self.passkeys = passkeys
        self.files = files
    }
}
