import AuthInterface
import Domain
import FeatureKit
import Foundation

struct SignUp: Command {
    static let contract = Contract(
        "auth.signUp", "/api/v1/auth/sign-up", access: .anyone, store: .directory, isCreation: true,
        replay: .natural,
        summary: """
            Makes an account and starts a session, unless the address has to be confirmed or a parent has to agree \
            first. Repeated with the same password it signs in. Where addresses are confirmed, one that has an account \
            already is answered like a new one, and its owner gets a mail.
            """)
    typealias Result = SignInAnswer

    let name: String
    let email: String
    let password: String
    let bornOn: Day
    let parentEmail: String?

    init(_ fields: inout FieldReader) {
        name = fields.name("name", max: 120)
        email = fields.email("email")
        password = fields.secret("password", min: PasswordRule.shortest, max: 200)
        bornOn = fields.day("bornOn")
        parentEmail = fields.optionalEmail("parentEmail")
        let agrees = fields.flag("agrees")
        fields.refuse("agrees", "auth.agreeNeeded", unless: agrees)
    }
}

struct ConfirmAddress: Command {
    static let contract = Contract(
        "auth.confirmAddress", "/api/v1/auth/confirm", access: .anyone, store: .directory, replay: .natural,
        summary: """
            Confirms an e-mail address with the secret of a mailed link, once: that of a new account, or a new one of an \
            account.
            """)
    typealias Result = Done

    let token: String

    init(_ fields: inout FieldReader) { token = fields.secret("token", max: 100) }
}

struct AnswerForChild: Command {
    static let contract = Contract(
        "auth.answerForChild", "/api/v1/auth/parental-consent", access: .anyone, store: .directory,
        replay: .natural,
        summary: "A parent's answer to a child's sign-up, once. A refusal deletes the child's account.")
    typealias Result = Done

    enum Answer: String, CaseIterable { case agree, refuse }
    let token: String
    let answer: Answer

    init(_ fields: inout FieldReader) {
        token = fields.secret("token", max: 100)
        answer = fields.choice("answer")
        let isParent = fields.flag("isParent")
        fields.refuse("isParent", "auth.parentOnly", unless: isParent || answer == .refuse)
    }
}

/// The handlers of sign-up and of the confirmations that it may need.
struct SignUpHandlers: Sendable {
    let auth: AuthService
    let directory: any Database
    let hasher: any SecretHasher
    let signInLimits: SignInLimits
    let links: MailedLinks
    let addresses: AddressChanges
    let rule: PasswordRule
    let networkLimit = RateLimiter(limit: 60, period: 3600)

    var commands: [CommandRegistration] {
        [
            .handle(SignUp.self, prepare: prepare(signUp:_:), run: run(signUp:_:_:)),
            .handle(ConfirmAddress.self) { command, context in
                // The reader of the mail is not signed in: another person may have created the account and know its
                // password.
                context.destination = "/sign-in"
                if let accountId = try MailedLinkRepository.take(
                    hasher.fingerprint(command.token), .confirmAddress, at: context.now, in: context.sql)
                {
                    try AccountRepository.confirm(accountId, at: context.now, in: context.sql)
                    context.feedback = Feedback(.toast, context.words("auth.confirmed"))
                } else if try addresses.confirm(command.token, in: context) {
                    if context.caller.account != nil { context.destination = "/settings" }
                    context.feedback = Feedback(.toast, context.words("auth.profile.addressChanged"))
                } else {
                    throw Problem(410, "auth.linkOver")
                }
                return Done()
            },
            .handle(AnswerForChild.self, run(answer:_:)),
        ]
    }

    private enum Plan: Sendable {
        case create(hash: String, AccountConfirmations)
        case existing(Account)
        /// The address has an account, which the answer must not reveal.
        case hidden(Account, MailedLinks.UnconfirmedAccount?, AccountConfirmations)
    }

    private func prepare(signUp command: SignUp, _ context: RequestContext) async throws -> Plan {
        try networkLimit.take(["sign-up \(context.remoteAddress)"], at: context.now)
        try rule.check(command.password, of: [command.email, command.name])
        let thirteenOn = try AgeGate.thirteenOn(bornOn: command.bornOn, today: context.today)
        let parent = try AgeGate.parent(command.parentEmail, of: command.email, isNeeded: thirteenOn != nil)
        let confirmations = AccountConfirmations(
            confirmedAt: links.confirmsMail ? nil : context.now, thirteenOn: thirteenOn, parentEmail: parent)
        let known = try await directory.read { try AccountRepository.credential(email: command.email, in: $0) }
        // Where addresses are confirmed, a sign-up counts as an attempt for every address, known or not.
        let attempt =
            links.confirmsMail || known != nil ? try await signInLimits.take(command.email, context) : nil
        guard let known else {
            return .create(hash: try await hasher.hash(password: command.password), confirmations)
        }
        let isRight = try await hasher.verify(password: command.password, against: known.hash)
        if links.confirmsMail {
            let unconfirmed = isRight ? try await links.unconfirmed(known.account, context) : nil
            guard isRight, unconfirmed == nil else { return .hidden(known.account, unconfirmed, confirmations) }
        } else if !isRight {
            throw Problem.invalid("email", "auth.emailTaken")
        }
        if let attempt { try await signInLimits.succeed(attempt) }
        try await links.requireConfirmed(known.account, context)
        return .existing(known.account)
    }

    private func run(signUp command: SignUp, _ plan: Plan, _ context: inout CommandContext) throws -> SignInAnswer {
        switch plan {
        case .existing(let known): return try auth.begin(known, &context)
        case .hidden(let known, let unconfirmed, let confirmations):
            try links.answerSecondSignUp(known, unconfirmed, in: context)
            return answer(unconfirmed: confirmations, &context)
        case .create(let hash, let confirmations):
            if links.confirmsMail,
                let known = try AccountRepository.credential(email: command.email, in: context.sql)?.account
            {
                // Another sign-up created the account since `prepare` ran.
                try links.answerSecondSignUp(known, nil, in: context)
                return answer(unconfirmed: confirmations, &context)
            }
            let account = Account(id: context.newId(), email: command.email, name: command.name)
            try AccountRepository.insert(
                account, passwordHash: hash, confirmations: confirmations, at: context.now, in: context.sql)
            try auth.cacheOperator(in: context.sql)
            try Agreement.record([.terms, .privacy], of: account.id, context)
            guard
                let missing = confirmations.missingConfirmation(
                    on: Day(context.now, in: .gmt), confirmsMail: links.confirmsMail)
            else { return try auth.begin(account, &context) }
            try links.send(missing, account, confirmations, context.words, at: context.now, in: context.sql)
            return answer(missing, &context)
        }
    }

    /// The answer that a new account with these confirmations would get, where every new account needs one.
    private func answer(unconfirmed confirmations: AccountConfirmations, _ context: inout CommandContext)
        -> SignInAnswer
    {
        answer(
            confirmations.missingConfirmation(on: Day(context.now, in: .gmt), confirmsMail: true) ?? .mail, &context
        )
    }

    private func answer(
        _ missing: AccountConfirmations.Confirmation, _ context: inout CommandContext
    ) -> SignInAnswer {
        context.destination = "/sign-up/\(missing.rawValue)"
        return SignInAnswer(waitsFor: missing)
    }

    private func run(answer command: AnswerForChild, _ context: inout CommandContext) throws -> Done {
        guard
            let accountId = try MailedLinkRepository.take(
                hasher.fingerprint(command.token), .parentalConsent, at: context.now, in: context.sql),
            let confirmations = try AccountRepository.confirmations(accountId, in: context.sql)
        else { throw Problem(410, "auth.linkOver") }
        switch command.answer {
        case .agree:
            try AccountRepository.parentAgreed(accountId, at: context.now, in: context.sql)
            // The parent received the link, so the address that the child gave is confirmed too.
            try AccountRepository.confirm(accountId, at: context.now, in: context.sql)
            try Agreement.record(
                [.childAccount, .terms, .privacy], of: accountId, by: confirmations.parentEmail, context)
            if let account = try AccountRepository.credential(id: accountId, in: context.sql)?.account {
                try links.sendWithdrawalLink(
                    account, confirmations, context.words, at: context.now, in: context.sql)
            }
            context.destination = "/consent/done?answer=agree"
        case .refuse:
            try auth.endAll(of: accountId, except: nil, in: context)
            try ProviderService.revoke(accountId, in: context)
            try AccountRepository.delete(accountId, in: context.sql)
            context.destination = "/consent/done?answer=refuse"
        }
        return Done()
    }
}
