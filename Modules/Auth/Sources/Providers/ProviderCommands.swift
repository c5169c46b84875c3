import AuthInterface
import Domain
import FeatureKit
import Foundation

/// The callback of the provider's authorization page (RFC 6749 section 4.1.2).
struct ReturnFromProvider: Command {
    static let contract = Contract(
        "auth.appleReturn", "/api/v1/auth/apple/return", access: .anyone, store: .directory, replay: .natural,
        bodyLimit: 16 * 1024, acceptsCrossSitePost: true,
        summary: "Apple's callback with a code or a refusal; for browsers only.")

    struct Result: Codable, Sendable, Hashable {
        /// The reason why the person is not signed in; `nil` on success.
        let refusal: ProviderRefusal?
    }

    let state: String?
    let code: String?
    let error: String?
    /// JSON with the person's name, the first time only.
    let user: String?

    init(_ fields: inout FieldReader) {
        state = fields.optionalSecret("state")
        code = fields.optionalSecret("code", max: 2000)
        error = fields.optionalText("error")
        user = fields.optionalText("user", max: 4000, multiline: true)
        // RFC 6749 section 4.1.2: unknown parameters are ignored.
        fields.ignoreOthers()
    }
}

struct SignUpWithProvider: Command {
    static let contract = Contract(
        "auth.appleSignUp", "/api/v1/auth/apple/sign-up", access: .anyone, store: .directory, isCreation: true,
        replay: .natural,
        summary:
            """
            Makes an account for the Apple identity of this browser, or of an app by its signUpToken; a child's needs a \
            parent's consent first.
            """)
    typealias Result = SignInAnswer

    let name: String
    let bornOn: Day
    let parentEmail: String?
    /// The secret of an app's unfinished sign-up; browsers have a cookie instead.
    let signUpToken: String?

    init(_ fields: inout FieldReader) {
        name = fields.name("name", max: 120)
        signUpToken = fields.optionalSecret("signUpToken", max: 100)
        bornOn = fields.day("bornOn")
        parentEmail = fields.optionalEmail("parentEmail")
        let agrees = fields.flag("agrees")
        fields.refuse("agrees", "auth.agreeNeeded", unless: agrees)
    }
}

struct LinkProvider: Command {
    static let contract = Contract(
        "auth.appleLink", "/api/v1/auth/apple/link", access: .account, store: .directory, replay: .natural,
        summary: "Links the Apple identity of this browser with the caller's account, with the password.")
    typealias Result = Done

    let password: String

    init(_ fields: inout FieldReader) { password = fields.currentPassword() }
}

struct UnlinkProvider: Command {
    static let contract = Contract(
        "auth.appleUnlink", "/api/v1/auth/apple/unlink", access: .account, store: .directory, replay: .natural,
        summary: "Unlinks Apple, with the password, and revokes the token there.")
    typealias Result = Done

    let password: String

    init(_ fields: inout FieldReader) { password = fields.currentPassword() }
}

/// A report of the provider that a person has ended their consent or account.
struct ReceiveProviderNotice: Command {
    static let contract = Contract(
        "auth.appleNotice", "/api/v1/auth/apple/notice", access: .anyone, store: .directory, replay: .natural,
        bodyLimit: 16 * 1024,
        summary: "Receives Apple's reports that a person has ended their consent or account.")
    typealias Result = Done

    /// A signed JSON Web Token.
    let payload: String

    init(_ fields: inout FieldReader) {
        payload = fields.text("payload", max: 12_000)
        fields.ignoreOthers()
    }
}

/// Why a person is not signed in after returning from the provider. Each reason has its page.
enum ProviderRefusal: String, Codable, Sendable, Hashable, CaseIterable {
    /// The person declined at the provider.
    case canceled = "cancelled"
    /// The state has expired, was used already, or belongs to another browser.
    case over
    /// The provider cannot be reached or answers with an error.
    case unreachable
    /// The provider's callback is not valid.
    case refused
    /// The provider gave no confirmed address, which an account needs.
    case noAddress
    /// An account has this address but is not linked with the identity.
    case known
    /// The identity is linked with another account.
    case taken
    /// The account waits for its confirmed address (`mail`) or for a parent (`parent`).
    case mail, parent

    /// The refusal as an app gets it.
    var problem: Problem {
        switch self {
        case .unreachable: Problem(503, "auth.apple.unreachable", retryAfter: 60)
        case .over, .canceled: Problem(410, "auth.apple.over")
        case .refused: Problem(401, "auth.apple.refused")
        case .noAddress: Problem(409, "auth.apple.noAddress")
        case .known: Problem(409, "auth.apple.known")
        case .taken: Problem(409, "auth.apple.taken")
        case .mail: Problem(403, "auth.confirmFirst")
        case .parent: Problem(403, "auth.parentFirst")
        }
    }
}

/// The handlers of signing in with a provider.
struct ProviderHandlers: Sendable {
    let auth: AuthService
    let directory: any Database
    let hasher: any SecretHasher
    let service: ProviderService
    let passwords: PasswordCheck
    let links: MailedLinks
    let notices: AccountNotices
    let networkLimit = RateLimiter(limit: 60, period: 3600)

    var provider: any IdentityProvider { service.provider }

    var commands: [CommandRegistration] {
        [
            .handle(ReturnFromProvider.self, prepare: prepare(arrival:_:), run: run(arrival:_:_:)),
            .handle(SignUpWithProvider.self, prepare: prepare(signUp:_:), run: run(signUp:_:_:)),
            .handle(LinkProvider.self, prepare: prepare(link:_:), run: run(link:_:_:)),
            .handle(
                UnlinkProvider.self,
                prepare: { command, context in try await passwords.check(command.password, context) },
                run: { _, _, context in
                    try ProviderService.revoke(context.account.id, in: context)
                    try notices.post(.appleUnlinked, in: context)
                    context.destination = ProviderScreens.settings
                    context.feedback = Feedback(.toast, context.words("auth.apple.unlinked"))
                    return Done()
                }),
            .handle(ReceiveProviderNotice.self, prepare: prepare(notice:_:), run: run(notice:_:_:)),
        ]
    }

    // MARK: - The callback

    /// What follows from an identity that the provider has confirmed, or from its refusal.
    enum Arrival: Sendable {
        case refused(ProviderRefusal)
        case signIn(LinkedIdentity, Account, refreshToken: String?, ProviderDeparture)
        case unknown(ArrivedIdentity)
        case alreadyLinked
    }

    private func prepare(arrival command: ReturnFromProvider, _ context: RequestContext) async throws -> Arrival {
        guard let departure = try await service.takeDeparture(state: command.state, context) else {
            return .refused(.over)
        }
        if let error = command.error {
            return .refused(
                ["user_cancelled_authorize", "access_denied"].contains(error) ? .canceled : .unreachable)
        }
        guard let code = command.code else { return .refused(.refused) }
        return try await place(departure, from: .web, name: Self.name(in: command.user), context) {
            try await provider.identity(
                code: code, nonce: departure.ticket, returnTo: service.returnAddress, at: context.now)
        }
    }

    /// Decides between sign-in, sign-up, linking and refusal for an identity, if the provider confirms it.
    ///
    /// - Parameters:
    ///   - client: the client that the person signs in with.
    ///   - name: the name that the provider sent along, for the form of a new account.
    func place(
        _ departure: ProviderDeparture, from client: IdentityClient, name: String?, _ context: RequestContext,
        confirming: () async throws -> ProvidedIdentity
    ) async throws -> Arrival {
        do {
            return try await place(try await confirming(), departure, client, name: name, context)
        } catch IdentityFault.unreachable {
            return .refused(.unreachable)
        } catch is IdentityFault {
            return .refused(.refused)
        }
    }

    private func place(
        _ identity: ProvidedIdentity, _ departure: ProviderDeparture, _ client: IdentityClient, name: String?,
        _ context: RequestContext
    ) async throws -> Arrival {
        let provider = provider.name
        let email = identity.email.map { $0.lowercased() }.flatMap { EmailAddress.isValid($0) ? $0 : nil }
        let found = try await directory.read { sql in
            let linked = try ProviderRepository.identity(provider: provider, subject: identity.subject, in: sql)
            let account = try linked.flatMap {
                try AccountRepository.credential(id: $0.accountId, in: sql)?.account
            }
            let isKnown = try email.map { try AccountRepository.credential(email: $0, in: sql) != nil } ?? false
            return (linked: linked, account: account, isKnown: isKnown)
        }
        if let linked = found.linked, let account = found.account {
            if let linking = departure.accountId {
                return linking == linked.accountId ? .alreadyLinked : .refused(.taken)
            }
            do {
                try await links.requireConfirmed(account, context)
            } catch let problem as Problem where problem.code == "auth.confirmFirst" {
                return .refused(.mail)
            } catch let problem as Problem where problem.code == "auth.parentFirst" {
                return .refused(.parent)
            }
            service.succeed(context)
            return .signIn(linked, account, refreshToken: identity.refreshToken, departure)
        }
        if departure.accountId == nil {
            guard email != nil else { return .refused(.noAddress) }
            // Never linked automatically: the holder of the address at the provider may not be the owner of the
            // account.
            guard !found.isKnown else { return .refused(.known) }
        }
        let id = context.ids.id(at: context.now)
        return .unknown(
            ArrivedIdentity(
                ticket: departure.ticket, id: id, accountId: departure.accountId, subject: identity.subject,
                email: email, name: name,
                sealedToken: try service.seal(identity.refreshToken, of: client, for: id), next: departure.next,
                expiresAt: context.now.addingTimeInterval(ProviderService.arrivedLifetime)))
    }

    private struct User: Decodable {
        struct Name: Decodable {
            let firstName: String?
            let lastName: String?
        }
        let name: Name?
    }

    /// The name that the provider's page sent along. It is not signed, so it only prefills the form.
    static func name(in user: String?) -> String? {
        guard let user else { return nil }
        do {
            let name = try JSONDecoder().decode(User.self, from: Data(user.utf8)).name
            let full = [name?.firstName, name?.lastName].compactMap(\.self).joined(separator: " ")
            let clean = full.trimmingCharacters(in: .whitespacesAndNewlines).prefix(120)
            return clean.isEmpty ? nil : String(clean)
        } catch {
            // The form stays empty and the person types the name.
            return nil
        }
    }

    private func run(
        arrival command: ReturnFromProvider, _ arrival: Arrival, _ context: inout CommandContext
    ) throws -> ReturnFromProvider.Result {
        switch arrival {
        case .refused(let refusal):
            context.destination = ProviderScreens.path(of: refusal)
            return ReturnFromProvider.Result(refusal: refusal)
        case .alreadyLinked: context.destination = ProviderScreens.settings
        case .unknown(let arrived):
            try ProviderRepository.insert(arrived, provider: provider.name, in: context.sql)
            context.destination = arrived.accountId == nil ? ProviderScreens.signUp : ProviderScreens.settings
        case .signIn(let linked, let account, let refreshToken, let departure):
            try service.touch(linked.id, refreshToken, of: .web, in: context)
            // A form post from another site carries no device cookie; the departure stored the device.
            context.deviceId = departure.deviceId
            _ = try begin(account, with: linked.id, next: departure.next, &context)
        }
        return ReturnFromProvider.Result(refusal: nil)
    }

    /// Starts a session or its second step, then continues to the page that was requested first.
    func begin(
        _ account: Account, with identity: UUID, next: String?, _ context: inout CommandContext
    ) throws -> SignInAnswer {
        let answer = try auth.begin(account, through: identity, &context)
        if let next, answer.waitsFor == nil {
            context.destination = next
            context.detour = context.detour.map { "\($0)?next=\(QueryValue.escaped(next))" }
        }
        return answer
    }

    // MARK: - Signing up

    private struct NewAccount: Sendable {
        let arrived: ArrivedIdentity
        let email: String
        let hash: String
        let confirmations: AccountConfirmations
    }

    private func prepare(signUp command: SignUpWithProvider, _ context: RequestContext) async throws -> NewAccount {
        try networkLimit.take(["sign-up \(context.remoteAddress)"], at: context.now)
        guard let arrived = try await service.arrived(context, ticket: command.signUpToken),
            arrived.accountId == nil, let email = arrived.email
        else { throw Problem(410, "auth.apple.over") }
        let thirteenOn = try AgeGate.thirteenOn(bornOn: command.bornOn, today: context.today)
        let parent = try AgeGate.parent(
            command.parentEmail, of: email, isNeeded: thirteenOn != nil)
        // The account gets the hash of a random secret, so no password works.
        let hash = try await hasher.hash(password: context.ids.token())
        return NewAccount(
            arrived: arrived, email: email, hash: hash,
            confirmations: AccountConfirmations(
                confirmedAt: context.now, thirteenOn: thirteenOn, parentEmail: parent))
    }

    private func run(
        signUp command: SignUpWithProvider, _ new: NewAccount, _ context: inout CommandContext
    ) throws -> SignInAnswer {
        let (arrived, confirmations) = (new.arrived, new.confirmations)
        guard try ProviderRepository.useArrived(ticket: arrived.ticket, in: context.sql) else {
            throw Problem(410, "auth.apple.over")
        }
        let account = Account(id: context.newId(), email: new.email, name: command.name)
        try AccountRepository.insert(
            account, passwordHash: new.hash, confirmations: confirmations, at: context.now, in: context.sql)
        try AccountRepository.markWithoutPassword(account.id, in: context.sql)
        try auth.cacheOperator(in: context.sql)
        try link(arrived, to: account.id, context)
        try Agreement.record([.terms, .privacy], of: account.id, context)
        guard
            let missing = confirmations.missingConfirmation(
                on: Day(context.now, in: .gmt), confirmsMail: links.confirmsMail)
        else { return try begin(account, with: arrived.id, next: arrived.next, &context) }
        try links.send(missing, account, confirmations, context.words, at: context.now, in: context.sql)
        context.destination = "/sign-up/\(missing.rawValue)"
        return SignInAnswer(waitsFor: missing)
    }

    private func link(_ arrived: ArrivedIdentity, to accountId: UUID, _ context: CommandContext) throws {
        do {
            try ProviderRepository.link(
                arrived, provider: provider.name, to: accountId, at: context.now, in: context.sql)
        } catch DatabaseFault.notUnique {
            throw Problem(409, "auth.apple.taken")
        }
    }

    // MARK: - Linking

    private func prepare(link command: LinkProvider, _ context: RequestContext) async throws -> ArrivedIdentity {
        // Only an identity that this account asked for: otherwise another person's identity could be linked and used to
        // sign in.
        guard let arrived = try await service.arrived(context), try arrived.accountId == context.account.id else {
            throw Problem(410, "auth.apple.over")
        }
        try await passwords.check(command.password, context)
        return arrived
    }

    private func run(
        link command: LinkProvider, _ arrived: ArrivedIdentity, _ context: inout CommandContext
    ) throws -> Done {
        guard try ProviderRepository.useArrived(ticket: arrived.ticket, in: context.sql) else {
            throw Problem(410, "auth.apple.over")
        }
        try link(arrived, to: context.account.id, context)
        try notices.post(.appleLinked, in: context)
        context.destination = ProviderScreens.settings
        context.feedback = Feedback(.toast, context.words("auth.apple.linked"))
        return Done()
    }

    // MARK: - Reports of the provider

    private func prepare(notice command: ReceiveProviderNotice, _ context: RequestContext) async throws
        -> IdentityNotice
    {
        do {
            return try await provider.notice(command.payload, at: context.now)
        } catch IdentityFault.unreachable {
            // The provider's keys cannot be fetched now; it will send the report again.
            throw Problem(503, "auth.apple.unreachable", retryAfter: 60)
        } catch is IdentityFault {
            throw Problem(422, "auth.apple.refused")
        }
    }

    private func run(
        notice command: ReceiveProviderNotice, _ notice: IdentityNotice, _ context: inout CommandContext
    ) throws -> Done {
        guard notice.kind == .ended,
            let linked = try ProviderRepository.identity(
                provider: provider.name, subject: notice.subject, in: context.sql),
            // A report from before the link is ignored, also when it is sent again.
            linked.linkedAt <= notice.at.addingTimeInterval(ProviderService.skew)
        else { return Done() }
        for session in try SessionRepository.open(through: linked.id, in: context.sql) {
            try auth.end(session, in: context)
        }
        try ProviderRepository.unlink(linked.id, in: context.sql)
        return Done()
    }
}
