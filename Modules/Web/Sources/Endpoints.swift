import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import ScreenKit

/// Serves queries and commands.
struct Endpoints: Sendable {
    let dependencies: WebDependencies
    let gate: SessionGate
    let pages: Pages
    /// Renders the page of a refused form again, with its input and faults.
    let renderAgain: @Sendable (String, RefusedForm, Request, WebContext) async throws -> Response

    // MARK: - Queries

    func respond(_ query: QueryRegistration, _ request: Request, _ context: WebContext) async throws -> Response {
        var words = dependencies.words(Language(acceptLanguage: request.headers[.acceptLanguage] ?? ""))
        var identity = SessionGate.Identity(caller: .nobody)
        do {
            identity = try await gate.identity(of: request)
            words = try await pages.display(for: identity.caller, request).words
            let requestContext = try await gate.requestContext(identity.caller, words, request, context)
            var pairs: [(name: String, value: InputValue)] = try FormDecoding.pairs(
                urlEncoded: (request.uri.query ?? "").utf8)
            for (name, value) in context.parameters { pairs.append((String(name), .text(String(value)))) }
            let body = try await dependencies.pipeline.answer(query, InputValue(form: pairs), in: requestContext)
            var response =
                query.contract.fileName.map { Response.file(body, named: Self.fileName($0, requestContext)) }
                ?? Response.json(body)
            gate.updateCookies(of: identity, on: &response)
            return response
        } catch {
            var response = try ProblemDocument.response(problem(error, identity.caller, context), words)
            gate.updateCookies(of: identity, on: &response)
            return response
        }
    }

    /// Adds the school and the day to the name of an exported file, so that two exports differ:
    /// `Maple Montessori people 2026-11-26.csv`.
    private static func fileName(_ name: String, _ context: FeatureKit.RequestContext) -> String {
        guard let school = context.caller.membership?.organization.name else { return name }
        let parts = name.split(separator: ".")
        return DownloadedFile.fileName(
            from: "\(school) \(parts.dropLast().joined(separator: ".")) \(context.today).\(parts.last ?? "")")
    }

    // MARK: - Commands

    func respond(_ command: CommandRegistration, _ request: Request, _ context: WebContext) async throws -> Response
    {
        var words = dependencies.words(Language(acceptLanguage: request.headers[.acceptLanguage] ?? ""))
        var identity = SessionGate.Identity(caller: .nobody)
        let intake = BodyIntake(request, command.contract, dependencies, context)
        defer { intake.release() }
        var body: CommandBody?
        // Whether the request comes from our own pages; forms of other sites are not shown again.
        var isOurs = false
        do {
            // A form of another site is handled without an account: a signed-in person has not asked for it.
            if !command.contract.acceptsCrossSitePost {
                try SessionGate.refuseCrossSite(request)
                identity = try await gate.identity(of: request)
                isOurs = true
            }
            words = try await pages.display(for: identity.caller, request).words
            // The caller, rights, school and size are checked before the body is read.
            try dependencies.pipeline.authorize(command, identity.caller)
            try intake.check()
            if intake.isCounted { _ = try await gate.requestContext(identity.caller, words, request, context) }
            let read = try await intake.read()
            body = read
            let outcome = try await dependencies.pipeline.execute(
                command, read.input.adding(context.parameters), isForm: read.isForm,
                key: request.headers[.idempotencyKey] ?? read.field("_key"),
                in: gate.requestContext(identity.caller, words, request, context))
            var response = try answer(outcome, read, command.contract, request)
            gate.updateCookies(of: identity, on: &response)
            switch outcome.session {
            case .start(let tokens): gate.set(tokens, on: &response)
            case .end:
                gate.clear(on: &response)
                // After sign-out no cached data stays in a shared browser.
                response.headers[.clearSiteData] = "\"cache\""
            case nil: break
            }
            if let display = outcome.display { gate.set(display, on: &response) }
            return response
        } catch let error as HTTPParserError {
            // The body is malformed HTTP. Hummingbird answers 400 and closes the connection.
            throw error
        } catch {
            let problem = problem(error, identity.caller, context)
            if body == nil, isOurs, intake.isSmallForm, !wantsJSON(request) { body = try await formAgain(intake) }
            var response = try await refusal(problem, command, body, intake, words, identity, request, context)
            gate.updateCookies(of: identity, on: &response)
            return response
        }
    }

    /// The input of a small form whose request was refused before its body was read; `nil` when it is malformed.
    private func formAgain(_ intake: BodyIntake) async throws -> CommandBody? {
        do {
            return try await intake.read()
        } catch is Problem {
            // The first refusal is the one to show.
            return nil
        }
    }

    private func answer(
        _ outcome: Pipeline.Outcome, _ body: CommandBody, _ contract: Contract, _ request: Request
    ) throws -> Response {
        guard body.isForm, !wantsJSON(request) else {
            var response = Response.json(outcome.body, status: outcome.status)
            if outcome.isReplay { response.headers[.idempotencyReplayed] = "true" }
            // A native app shows what a browser's next page shows, and opens the page that a browser is sent to.
            if request.headers[.pinkTower] == "app" {
                if let feedback = outcome.feedback { response.headers[.feedback] = try Pages.flashText(feedback) }
                if let next = outcome.detour ?? outcome.destination { response.headers[.location] = next }
            }
            return response
        }
        // Another site's form cannot choose the next page.
        let wanted = contract.acceptsCrossSitePost ? nil : LocalPath.checked(body.field("_to"))
        let next = wanted ?? outcome.destination ?? LocalPath.checked(body.field("_from")) ?? "/"
        let detour = outcome.detour.map { path in wanted.map { "\(path)?next=\(Pages.escape($0))" } ?? path }
        var response = Response.seeOther(detour ?? next)
        if let feedback = outcome.feedback {
            // A form may ask for less than a burst.
            let style = body.field("_feedback") == "toast" ? .toast : feedback.style
            try response.setCookie(Pages.flash(Feedback(style, feedback.text)))
        }
        return response
    }

    private func refusal(
        _ problem: Problem, _ command: CommandRegistration, _ body: CommandBody?, _ intake: BodyIntake,
        _ words: Words, _ identity: SessionGate.Identity, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let from = body == nil ? page(of: request) : LocalPath.checked(body?.field("_from"))
        if command.contract.acceptsCrossSitePost, !wantsJSON(request) {
            return try await pages.failure(problem, request, context)
        }
        guard intake.isForm, !wantsJSON(request) else { return try ProblemDocument.response(problem, words) }
        if problem.code == Problem.signInNeeded.code {
            let place = "\(WebSettings.signInPath)?next=\(Pages.escape(from ?? "/"))"
            guard request.headers[.pinkTower] != nil else { return .seeOther(place) }
            // The page runtime stores the input and opens the sign-in page itself.
            var response = try ProblemDocument.response(problem, words)
            response.headers[.location] = place
            return response
        }
        if problem.code == Problem.secondFactorNeeded.code { return .seeOther(WebSettings.secondFactorPath) }
        guard let body else { return try await refusalUnread(problem, words, identity, request, context) }
        guard let from else { return try ProblemDocument.response(problem, words) }
        // Secrets are not filled in again.
        let secrets = Set(command.input.filter { $0.type == .secret }.map(\.name))
        let typed = body.typed.filter { name, _ in !name.hasPrefix("_") && !secrets.contains(name) }
        let refused = RefusedForm(command: request.uri.path, typed: typed, problem: problem)
        var response = try await renderAgain(from, refused, request, context)
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// The page that the request comes from, by its `Referer`. A form that was read names its page itself.
    private func page(of request: Request) -> String? {
        guard let address = request.headers[.referer].flatMap(URLComponents.init(string:)) else { return nil }
        return LocalPath.checked(
            address.percentEncodedPath + (address.percentEncodedQuery.map { "?\($0)" } ?? ""))
    }

    /// The refusal of a form that was not read, so that its page cannot be filled in again.
    private func refusalUnread(
        _ problem: Problem, _ words: Words, _ identity: SessionGate.Identity, _ request: Request,
        _ context: WebContext
    ) async throws -> Response {
        // The page runtime keeps the page and shows the problem.
        guard request.headers[.pinkTower] == nil else { return try ProblemDocument.response(problem, words) }
        let display = try await pages.display(for: identity.caller, request)
        var response = try await pages.failure(
            problem, identity.caller, display, request, context,
            chrome: pages.frame(identity.caller, display, request, context))
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// Whether the client wants JSON. Browsers and the page runtime ask for pages; other clients that send a form get
    /// JSON.
    private func wantsJSON(_ request: Request) -> Bool {
        !(request.headers[.accept]?.contains("text/html") ?? false)
    }

    private func problem(_ error: any Error, _ caller: Caller, _ context: WebContext) -> Problem {
        ProblemTranslation.problem(for: error, context.logger, caller)
    }
}

extension InputValue {
    /// Adds the variables of the path as fields, which take precedence over the body's.
    func adding(_ parameters: Parameters) -> InputValue {
        guard case .object(var object) = self, parameters.makeIterator().next() != nil else { return self }
        for (name, value) in parameters { object[String(name)] = .text(String(value)) }
        return .object(object)
    }
}

extension Parameters {
    fileprivate func makeIterator() -> AnyIterator<(Substring, Substring)> {
        var all: [(Substring, Substring)] = []
        for (name, value) in self { all.append((name, value)) }
        return AnyIterator(all.makeIterator())
    }
}
