import AuthInterface
import Domain
public import FeatureKit
import Foundation

/// The block: accounts, sign-up, sign-in and sessions.
public enum AuthFeature {
    /// - Parameter publicURL: where people reach this server, for links in mails.
    public static func make(
        auth: AuthService, directory: any Database, hasher: any SecretHasher, ids: any IDGenerator,
        mailer: any Mailer, cryptography: any Cryptography, qr: any QRCodeEncoder, publicURL: String
    ) throws -> Feature {
        let lockOuts = LockOuts(directory: directory)
        let limits = SignInLimits(hasher: hasher, lockOuts: lockOuts)
        let check = PasswordCheck(directory: directory, hasher: hasher, limits: limits)
        let factors = SecondFactorService(
            directory: directory, hasher: hasher, cryptography: cryptography, lockOuts: lockOuts)
        let webAuthn = WebAuthn(publicURL: publicURL, cryptography)
        let secondFactor = SecondFactorHandlers(
            auth: auth, directory: directory, factors: factors, passwords: check)
        let passkeys = PasskeyHandlers(auth: auth, directory: directory, passwords: check, webAuthn: webAuthn)
        let gates = GateCodeHandlers(
            codes: GateCodeService(directory: directory, hasher: hasher), passwords: check)
        let handlers = AuthHandlers(
            auth: auth, directory: directory, hasher: hasher, signInLimits: limits,
            signUpLimit: RateLimiter(limit: 60, period: 3600))
        let passwords = PasswordHandlers(
            auth: auth, directory: directory, hasher: hasher, ids: ids, mailer: mailer, publicURL: publicURL,
            signInLimits: limits)
        let devices = DeviceHandlers(auth: auth, directory: directory)
        var feature = Feature("Auth", catalog: try StringCatalog(in: .module))
        feature.directoryMigrations = AuthMigrations.directory + SecurityMigrations.directory
        feature.commands = handlers.commands + passwords.commands + devices.commands
        feature.commands += secondFactor.commands + passkeys.commands + gates.commands
        feature.queries = [.handle(WhoAmI.self) { _, context in SessionState(context.caller) }] + devices.queries
        feature.queries += passkeys.queries + gates.queries
        feature.screens =
            SignInScreens(hasPasskeys: webAuthn != nil).routes
            + SecurityScreens(devices: devices, hasher: hasher).routes
        feature.screens +=
            SecondFactorScreens(auth: auth, factors: factors, qr: qr, hasPasskeys: webAuthn != nil).routes
        feature.navigation = [
            NavigationEntry(.security, "auth.password.title", icon: "lock", path: "/settings/password", order: 10),
            NavigationEntry(
                .security, "auth.secondFactor.title", icon: "passkey", path: SecondFactorScreens.home, order: 15),
            NavigationEntry(.security, "auth.devices.title", icon: "phone", path: "/settings/devices", order: 20),
            NavigationEntry(
                .account, "auth.signOut", icon: "logout", path: SignOut.contract.path, order: 90, isCommand: true),
        ]
        return feature
    }
}
