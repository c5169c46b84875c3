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

/// The handlers of sign-up and of what it may wait for.
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
                // Not signed in: who made the account knows its password, and that need not be who read the mail.
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
        case create(hash: String, AccountStanding)
        case existing(Account)
        /// The caller must not learn that there is an account.
        case hidden(Account, MailedLinks.WaitingAccount?, AccountStanding)
    }

    private func prepare(signUp command: SignUp, _ context: RequestContext) async throws -> Plan {
        try networkLimit.take(["sign-up \(context.remoteAddress)"], at: context.now)
        try rule.check(command.password, of: [command.email, command.name])
        let thirteenOn = try AgeGate.thirteenOn(bornOn: command.bornOn, today: context.today)
        let parent = try AgeGate.parent(command.parentEmail, of: command.email, isNeeded: thirteenOn != nil)
        let standing = AccountStanding(
            confirmedAt: links.confirmsMail ? nil : context.now, thirteenOn: thirteenOn, parentEmail: parent)
        let known = try await directory.read { try AccountRepository.credential(email: command.email, in: $0) }
        // Where addresses are confirmed a sign-up is a try at the address, whether it has an account or not.
        let attempt =
            links.confirmsMail || known != nil ? try await signInLimits.take(command.email, context) : nil
        guard let known else {
            return .create(hash: try await hasher.hash(password: command.password), standing)
        }
        let isRight = try await hasher.verify(password: command.password, against: known.hash)
        if links.confirmsMail {
            let waiting = isRight ? try await links.waiting(known.account, context) : nil
            guard isRight, waiting == nil else { return .hidden(known.account, waiting, standing) }
        } else if !isRight {
            throw Problem.invalid("email", "auth.emailTaken")
        }
        if let attempt { try await signInLimits.succeed(attempt) }
        try await links.refuseIfWaiting(known.account, context)
        return .existing(known.account)
    }

    private func run(signUp command: SignUp, _ plan: Plan, _ context: inout CommandContext) throws -> SignInAnswer {
        switch plan {
        case .existing(let known): return try auth.begin(known, &context)
        case .hidden(let known, let waiting, let standing):
            try links.answerSecondSignUp(known, waiting, in: context)
            return answer(waitingAs: standing, &context)
        case .create(let hash, let standing):
            if links.confirmsMail,
                let known = try AccountRepository.credential(email: command.email, in: context.sql)?.account
            {
                // Two sign-ups at the same moment.
                try links.answerSecondSignUp(known, nil, in: context)
                return answer(waitingAs: standing, &context)
            }
            let account = Account(id: context.newId(), email: command.email, name: command.name)
            try AccountRepository.insert(
                account, passwordHash: hash, standing: standing, at: context.now, in: context.sql)
            try auth.rememberOperator(in: context.sql)
            try Agreement.record([.terms, .privacy], of: account.id, context)
            guard
                let waiting = standing.waitsFor(
                    on: Day(context.now, in: .gmt), confirmsMail: links.confirmsMail)
            else { return try auth.begin(account, &context) }
            try links.send(waiting, account, standing, context.words, at: context.now, in: context.sql)
            return answer(waiting, &context)
        }
    }

    /// What a new account with this standing is answered, where every new account waits for something.
    private func answer(waitingAs standing: AccountStanding, _ context: inout CommandContext) -> SignInAnswer {
        answer(standing.waitsFor(on: Day(context.now, in: .gmt), confirmsMail: true) ?? .mail, &context)
    }

    private func answer(
        _ waiting: AccountStanding.Waiting, _ context: inout CommandContext
    ) -> SignInAnswer {
        context.destination = "/sign-up/\(waiting.rawValue)"
        return SignInAnswer(waitsFor: waiting)
    }

    private func run(answer command: AnswerForChild, _ context: inout CommandContext) throws -> Done {
        guard
            let accountId = try MailedLinkRepository.take(
                hasher.fingerprint(command.token), .parentalConsent, at: context.now, in: context.sql),
            let standing = try AccountRepository.standing(accountId, in: context.sql)
        else { throw Problem(410, "auth.linkOver") }
        switch command.answer {
        case .agree:
            try AccountRepository.parentAgreed(accountId, at: context.now, in: context.sql)
            // The child gave the address of the parent only, so the parent's mail has confirmed what there is.
            try AccountRepository.confirm(accountId, at: context.now, in: context.sql)
            try Agreement.record(
                [.childAccount, .terms, .privacy], of: accountId, by: standing.parentEmail, context)
            if let account = try AccountRepository.credential(id: accountId, in: context.sql)?.account {
                try links.sendWayBack(account, standing, context.words, at: context.now, in: context.sql)
            }
            context.destination = "/consent/done?answer=agree"
        case .refuse:
            try auth.endAll(of: accountId, but: nil, in: context)
            try ProviderService.revoke(accountId, in: context)
            try AccountRepository.delete(accountId, in: context.sql)
            context.destination = "/consent/done?answer=refuse"
        }
        return Done()
    }
}
