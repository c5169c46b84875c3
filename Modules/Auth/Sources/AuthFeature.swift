public import AuthInterface
import Domain
public import FeatureKit
import Foundation

/// The block: accounts, sign-up, sign-in and sessions.
public enum AuthFeature {
    /// - Parameters:
    ///   - publicURL: where people reach this server, for links in mails.
    ///   - confirmsMail: whether an address has to be confirmed before its first session.
    ///   - provider: with whom people may sign in beside their password.
    public static func make(
        auth: AuthService, directory: any Database, hasher: any SecretHasher, ids: any IDGenerator,
        mailer: any Mailer, cryptography: any Cryptography, qr: any QRCodeEncoder, publicURL: String,
        confirmsMail: Bool, provider: (any IdentityProvider)? = nil
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
            auth: auth, directory: directory, hasher: hasher, signInLimits: limits, links: links, rule: rule)
        let passwords = PasswordHandlers(
            auth: auth, directory: directory, hasher: hasher, ids: ids, mailer: mailer, publicURL: publicURL,
            passwords: check, rule: rule, notices: notices)
        let devices = DeviceHandlers(auth: auth, directory: directory)
        var feature = Feature("Auth", catalog: try StringCatalog(in: .module))
        // Nobody hands a program the account itself.
        feature.personalAreas = ["auth", "tokens"]
        feature.permissions = [.readOutbox]
        feature.permissionTitles = [.readOutbox: "auth.right.readOutbox"]
        feature.directoryMigrations =
            AuthMigrations.directory + SecurityMigrations.directory + ProviderMigrations.directory
        feature.records = AuthRecordStore.kinds + ProviderRecordStore.kinds
        feature.commands = handlers.commands + signUp.commands + passwords.commands + devices.commands
        feature.commands += secondFactor.commands + passkeys.commands + gates.commands
        feature.queries = [.handle(WhoAmI.self) { _, context in SessionState(context.caller) }] + devices.queries
        feature.queries += passkeys.queries + gates.queries
        feature.screens =
            SignInScreens(hasPasskeys: webAuthn != nil, hasApple: provider != nil, confirmsMail: confirmsMail)
            .routes
            + StandingScreens(hasher: hasher).routes
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
        if webAuthn != nil {
            feature.navigation.append(
                NavigationEntry(
                    .device, "auth.passkey.offer", icon: "passkey", path: SecondFactorScreens.newPasskeyPath,
                    order: 10, tip: "auth.passkey.offer.tip"))
        }
        if let provider {
            let service = ProviderService(
                provider: provider, directory: directory, hasher: hasher, cryptography: cryptography,
                publicURL: publicURL)
            feature.commands +=
                ProviderHandlers(
                    auth: auth, directory: directory, hasher: hasher, service: service, passwords: check,
                    links: links, notices: notices
                ).commands
            feature.screens += ProviderScreens(service: service).routes
            feature.jobs.append(service.job)
            feature.navigation.append(
                NavigationEntry(
                    .security, "auth.apple.signIn", icon: "apple", path: ProviderScreens.settings, order: 16))
        }
        return feature
    }

    /// Adds what needs to know all blocks, of which none may come later: API tokens, whose scopes are the areas of
    /// their endpoints, and the deletion of an account with all that blocks keep for it.
    /// - Parameter erasing: without it nobody can delete their account.
    public static func complete(
        _ features: inout [Feature], auth: AuthService, directory: any Database, hasher: any SecretHasher,
        ids: any IDGenerator, outbox: any MailOutbox, erasing: (any AccountErasing)?
    ) {
        guard let own = features.firstIndex(where: { $0.id == "Auth" }) else { return }
        let tokens = TokenHandlers(hasher: hasher, offered: features.tokenScopes.sorted())
        let outboxScreens = OutboxScreens(auth: auth, outbox: outbox)
        features[own].commands += tokens.commands
        features[own].queries += tokens.queries
        features[own].screens +=
            TokenScreens(handlers: tokens, ids: ids).routes
            + outboxScreens.routes
        features[own].entryStates[OutboxScreens.path] = { context, _ in try outboxScreens.state(context) }
        // What programs of a school are given is nothing that a family is asked to understand.
        features[own].entryStates[TokenScreens.path] = { context, _ in
            EntryState(isShown: !context.caller.isFamilyOrStudent)
        }
        features[own].jobs.append(OutboxScreens.expiry(of: outbox))
        features[own].navigation += [
            NavigationEntry(.security, "auth.tokens.title", icon: "lock", path: TokenScreens.path, order: 30),
            NavigationEntry(
                .security, "auth.outbox.title", icon: "mail", path: OutboxScreens.path, order: 40,
                permission: .readOutbox),
        ]
        features[own].commands.append(ConsentWithdrawal(auth: auth, hasher: hasher, erasing: erasing).command)
        guard let erasing else { return }
        let limits = SignInLimits(hasher: hasher, lockOuts: LockOuts(directory: directory))
        let deletion = AccountDeletion(
            auth: auth, passwords: PasswordCheck(directory: directory, hasher: hasher, limits: limits),
            erasing: erasing, outbox: outbox)
        features[own].commands += deletion.commands
        features[own].screens += deletion.routes
        features[own].navigation.append(
            NavigationEntry(.security, "auth.delete.title", icon: "trash", path: AccountDeletion.path, order: 90))
    }
}
