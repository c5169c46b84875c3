public import AuthInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import ScreenKit
import ShellInterface

/// The Auth block: accounts, sign-up, sign-in and sessions.
public enum AuthFeature {
    /// Builds the Auth block.
    ///
    /// - Parameters:
    ///   - publicURL: the address of this server, for links in mails.
    ///   - confirmsMail: whether an email address must be confirmed before the first session.
    ///   - addresses: changes the email addresses of accounts.
    ///   - provider: the identity provider that people can sign in with beside a password.
    ///   - erasing: erases what other feature blocks store about an account; when `nil`, accounts cannot be deleted.
    ///   - allFeatures: the features whose endpoints the scopes of API tokens cover.
    public static func make(
        auth: AuthService, directory: any Database, hasher: any SecretHasher, ids: any IDGenerator,
        mailer: any Mailer, outbox: any MailOutbox, cryptography: any Cryptography, qr: any QRCodeEncoder,
        publicURL: String, confirmsMail: Bool, addresses: AddressChanges, provider: (any IdentityProvider)? = nil,
        erasing: (any AccountErasing)?, allFeatures: AllFeatures
    ) throws -> Feature {
        let lockOuts = LockOuts(directory: directory)
        let limits = SignInLimits(hasher: hasher, lockOuts: lockOuts)
        let check = PasswordCheck(directory: directory, hasher: hasher, limits: limits)
        let factors = SecondFactorService(
            directory: directory, hasher: hasher, cryptography: cryptography, lockOuts: lockOuts)
        let webAuthn = WebAuthn(publicURL: publicURL, cryptography)
        let notices = AccountNotices(mailer: mailer, publicURL: publicURL)
        let rule = PasswordRule()
        let secondFactor = SecondFactorHandlers(
            auth: auth, directory: directory, factors: factors, passwords: check, notices: notices)
        let passkeys = PasskeyHandlers(
            auth: auth, directory: directory, passwords: check, notices: notices, webAuthn: webAuthn)
        let gates = GateCodeHandlers(
            codes: GateCodeService(directory: directory, hasher: hasher), passwords: check)
        let links = MailedLinks(
            directory: directory, hasher: hasher, ids: ids, mailer: mailer, publicURL: publicURL,
            confirmsMail: confirmsMail)
        let handlers = AuthHandlers(
            auth: auth, directory: directory, hasher: hasher, signInLimits: limits, links: links)
        let signUp = SignUpHandlers(
            auth: auth, directory: directory, hasher: hasher, signInLimits: limits, links: links,
            addresses: addresses, rule: rule)
        let passwords = PasswordHandlers(
            auth: auth, directory: directory, hasher: hasher, ids: ids, mailer: mailer, publicURL: publicURL,
            passwords: check, rule: rule, notices: notices)
        let profile = Profile(auth: auth, passwords: check, addresses: addresses)
        let devices = DeviceHandlers(auth: auth, directory: directory)
        let tokens = TokenHandlers(hasher: hasher, allFeatures: allFeatures)
        let outboxScreens = OutboxScreens(auth: auth, outbox: outbox)
        var feature = Feature("Auth", catalog: try StringCatalog(in: .module))
        // API tokens get no scopes for the account and for tokens themselves.
        feature.access.personalAreas = ["auth", "tokens"]
        feature.access.permissions = [.readOutbox]
        feature.access.titles = [.readOutbox: "auth.right.readOutbox"]
        feature.storage.directoryMigrations =
            AuthMigrations.directory + SecurityMigrations.directory + ProviderMigrations.directory
        feature.storage.records = AuthRecordStore.kinds + ProviderRecordStore.kinds
        feature.endpoints.commands = handlers.commands + signUp.commands + passwords.commands + devices.commands
        feature.endpoints.commands += secondFactor.commands + passkeys.commands + gates.commands + tokens.commands
        feature.endpoints.commands += profile.commands
        feature.endpoints.commands.append(ConsentWithdrawal(auth: auth, hasher: hasher, erasing: erasing).command)
        feature.endpoints.queries =
            [.handle(WhoAmI.self) { _, context in SessionState(context.caller) }] + devices.queries
        feature.endpoints.queries += passkeys.queries + gates.queries + tokens.queries
        feature.pages.screens =
            SignInScreens(
                hasPasskeys: webAuthn != nil, hasApple: provider != nil,
                hasAppleInApp: provider?.hasApp == true, confirmsMail: confirmsMail
            ).routes
            + ConfirmationScreens(hasher: hasher).routes + LegalScreens.routes
            + SecurityScreens(devices: devices, hasher: hasher).routes
        feature.pages.screens +=
            SecondFactorScreens(auth: auth, factors: factors, qr: qr, hasPasskeys: webAuthn != nil).routes
            + TokenScreens(handlers: tokens, ids: ids).routes + outboxScreens.routes + [profile.route]
        feature.pages.navigation = [
            NavigationEntry(.settings, "auth.profile.title", icon: .person, path: Profile.path, order: 12),
            NavigationEntry(.security, "auth.password.title", icon: .lock, path: "/settings/password", order: 10),
            NavigationEntry(
                .security, "auth.secondFactor.title", icon: .passkey, path: SecondFactorScreens.home, order: 15),
            NavigationEntry(.security, "auth.devices.title", icon: .phone, path: "/settings/devices", order: 20),
            NavigationEntry(.security, "auth.tokens.title", icon: .lock, path: TokenScreens.path, order: 30),
            NavigationEntry(
                .records, "auth.outbox.title", icon: .mail, path: OutboxScreens.path, order: 80,
                permission: .readOutbox),
            NavigationEntry(
                .account, "auth.signOut", icon: .logout, path: SignOut.contract.path, order: 90, isCommand: true),
        ]
        feature.pages.entryStates[OutboxScreens.path] = { context, _ in try outboxScreens.state(context) }
        // API tokens are meant for a school's programs, so families and students do not see the entry.
        feature.pages.entryStates[TokenScreens.path] = { context, _ in
            EntryState(isShown: !context.caller.isFamilyOrStudent)
        }
        if webAuthn != nil {
            feature.pages.navigation.append(
                NavigationEntry(
                    .device, "auth.passkey.offer", icon: .passkey, path: SecondFactorScreens.newPasskeyPath,
                    order: 10, tip: "auth.passkey.offer.tip"))
        }
        if let provider {
            let service = ProviderService(
                provider: provider, directory: directory, hasher: hasher, cryptography: cryptography,
                publicURL: publicURL)
            let handlers = ProviderHandlers(
                auth: auth, directory: directory, hasher: hasher, service: service, passwords: check,
                links: links, notices: notices)
            feature.endpoints.commands += handlers.commands + (provider.hasApp ? handlers.appCommands : [])
            feature.pages.screens += ProviderScreens(service: service).routes
            feature.jobs.append(service.job)
            feature.pages.navigation.append(
                NavigationEntry(
                    .security, "auth.apple.signIn", icon: .apple, path: ProviderScreens.settings, order: 16))
        }
        feature.jobs.append(OutboxScreens.expiry(of: outbox))
        if let erasing {
            let deletion = AccountDeletion(auth: auth, passwords: check, erasing: erasing, outbox: outbox)
            feature.endpoints.commands += deletion.commands
            feature.pages.screens += deletion.routes
            feature.pages.navigation.append(
                NavigationEntry(
                    .security, "auth.delete.title", icon: .trash, path: AccountDeletion.path, order: 90))
        }
        return feature
    }
}
