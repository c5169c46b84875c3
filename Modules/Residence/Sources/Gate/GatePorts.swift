public import AuthInterface
public import FeatureKit

/// The ports that the devices at doors (gates) and the residents' badges need.
public struct GatePorts: Sendable {
    let sessions: any NarrowSessions
    let hasher: any SecretHasher
    let ids: any IDGenerator
    let qr: any QRCodeEncoder
    let codes: any QRCodeDecoder
    let publicURL: String

    /// Creates the ports for the devices at doors.
    ///
    /// - Parameters:
    ///   - sessions: The sessions of the devices at doors.
    ///   - codes: Reads codes in the pictures of cameras.
    ///   - publicURL: The public address of this server, for the link in a pairing code.
    public init(
        sessions: any NarrowSessions, hasher: any SecretHasher, ids: any IDGenerator, qr: any QRCodeEncoder,
        codes: any QRCodeDecoder, publicURL: String
    ) {
        self.sessions = sessions
        self.hasher = hasher
        self.ids = ids
        self.qr = qr
        self.codes = codes
        self.publicURL = publicURL
    }
}
