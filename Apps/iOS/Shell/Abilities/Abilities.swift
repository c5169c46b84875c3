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
    /// Asks the person for their Apple account; `nil` if the person canceled.
    ///
    /// - Parameter nonce: The value that the identity token must contain, so that it is used once.
    func signIn(nonce: String) async throws -> AppleCredential?
}

/// The credential that Apple returns after Sign in with Apple.
public struct AppleCredential: Hashable, Sendable {
    /// The identity token, a JSON Web Token (RFC 7519) that names the account.
    public let identityToken: String
    /// The person's name, which Apple returns only the first time.
    public let name: String?

    public init(identityToken: String, name: String? = nil) {
        self.identityToken = identityToken
        self.name = name
    }
}

/// Signs in with a passkey. The part that uses Authentication Services implements it.
@MainActor
public protocol PasskeySignIn: AnyObject {
    /// Asks the person for a passkey of a server and returns its answer; `nil` if the person canceled.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge in Base64url.
    ///   - relyingParty: The domain of the server, to which the passkey belongs.
    func signIn(challenge: String, relyingParty: String) async throws -> PasskeyAssertion?
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
