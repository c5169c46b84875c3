import AuthInterface
import Domain
public import FeatureKit
import Foundation

/// The block: accounts, sign-up, sign-in and sessions.
public enum AuthFeature {
    /// - Parameter publicURL: where people reach this server, for links in mails.
    public static func make(
        auth: AuthService, directory: any Database, hasher: any SecretHasher, ids: any IDGenerator,
        mailer: any Mailer, publicURL: String
    ) throws -> Feature {
        let limits = SignInLimits(hasher: hasher)
        let handlers = AuthHandlers(
            auth: auth, directory: directory, hasher: hasher, signInLimits: limits,
            signUpLimit: RateLimiter(limit: 60, period: 3600))
        let passwords = PasswordHandlers(
            auth: auth, directory: directory, hasher: hasher, ids: ids, mailer: mailer, publicURL: publicURL,
            signInLimits: limits)
        let devices = DeviceHandlers(auth: auth, directory: directory)
        var feature = Feature("Auth", catalog: try StringCatalog(in: .module))
        feature.directoryMigrations = AuthMigrations.directory
        feature.records = AuthRecordStore.kinds
        feature.commands = handlers.commands + passwords.commands + devices.commands
        feature.queries = [.handle(WhoAmI.self) { _, context in SessionState(context.caller) }] + devices.queries
        feature.screens = SignInScreens.routes + SecurityScreens(devices: devices, hasher: hasher).routes
        feature.navigation = [
            NavigationEntry(.security, "auth.password.title", icon: "lock", path: "/settings/password", order: 10),
            NavigationEntry(.security, "auth.devices.title", icon: "phone", path: "/settings/devices", order: 20),
            NavigationEntry(
                .account, "auth.signOut", icon: "logout", path: SignOut.contract.path, order: 90, isCommand: true),
        ]
        return feature
    }
}
