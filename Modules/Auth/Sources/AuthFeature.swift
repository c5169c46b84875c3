import AuthInterface
import Domain
public import FeatureKit
import Foundation

/// The block: accounts, sign-up, sign-in and sessions.
public enum AuthFeature {
    public static func make(
        auth: AuthService, directory: any Database, hasher: any SecretHasher
    ) throws -> Feature {
        let handlers = AuthHandlers(
            auth: auth, directory: directory, hasher: hasher, signInLimits: SignInLimits(),
            signUpLimit: RateLimiter(limit: 60, period: 3600))
        var feature = Feature("Auth", catalog: try StringCatalog(in: .module))
        feature.directoryMigrations = AuthMigrations.directory
        feature.commands = handlers.commands
        feature.queries = [.handle(WhoAmI.self) { _, context in SessionState(context.caller) }]
        feature.screens = SignInScreens.routes
        feature.navigation = [
            NavigationEntry(
                .account, "auth.signOut", icon: "logout", path: SignOut.contract.path, order: 90, isCommand: true)
        ]
        return feature
    }
}
