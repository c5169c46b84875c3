public import DesignSystem
public import Domain
public import FeatureKit
import FeatureRuntime
public import Foundation
public import ScreenKit
import Synchronization

/// The ports of blocks in a `TestEnvironment`.
public struct TestPorts: Sendable {
    public let directory: any Database
    public let schools: any SchoolDatabases
    public let files: any SchoolFiles
    public let blobs: any SchoolBlobs
    public let hasher = FastHasher()
    public let clock: FixedClock
    public let ids: CountingIDs
    public let mailer: RememberingMailer
    public let cryptography = TestCryptography()
    /// The features that the environment is made with, once they are made.
    public let allFeatures: AllFeatures
}

/// A mailer that records mails instead of sending them.
public final class RememberingMailer: Mailer {
    private let recorded = Mutex<[Mail]>([])

    public init() {}

    /// All mails, oldest first.
    public var mails: [Mail] { recorded.withLock { $0 } }
    public func post(_ mail: Mail) { recorded.withLock { $0.append(mail) } }
}

/// A database that lets a test act between a read and its result, as another request might.
public final class InterruptedDatabase: Database {
    private let database: any Database
    private let interruption = Mutex<(@Sendable () async throws -> Void)?>(nil)

    public init(_ database: any Database) { self.database = database }

    /// Runs `work` once, after the next read and before its result is returned.
    public func afterNextRead(_ work: @escaping @Sendable () async throws -> Void) {
        interruption.withLock { $0 = work }
    }

    public func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        let value = try await database.read(work)
        let interrupt = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        try await interrupt?()
        return value
    }

    @discardableResult
    public func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLWriting) throws -> Value
    ) async throws -> Value {
        try await database.write(work)
    }
}

/// Requests pages of an environment.
extension TestEnvironment {
    public func screen(
        _ path: String, as caller: Caller, query: [String: String] = [:], language: Language = .english,
        refused: RefusedForm? = nil, ticket: String? = nil, lastStudent: UUID? = nil, isApp: Bool = false
    ) async throws -> ScreenAnswer {
        // A literal part of a path takes precedence over a parameter, as in the router.
        let routes = features.flatMap(\.pages.screens).sorted {
            $0.path.count { $0 == "{" } < $1.path.count { $0 == "{" }
        }
        for route in routes {
            guard let parameters = route.parameters(of: path) else { continue }
            let context = try await context(of: caller, language: language, ticket: ticket)
            try PermissionService.authorize(page: route.access, caller)
            let navigation = features.flatMap(\.pages.navigation).filter { $0.permission.map(caller.may) ?? true }
                .sorted { ($0.order, $0.path) < ($1.order, $1.path) }
            let request = ScreenRequest(
                context: context, path: path, parameters: parameters, query: query, refused: refused,
                navigation: navigation,
                sections: features.flatMap(\.pages.sections).filter { caller.may($0.permission) }
                    .sorted { $0.order < $1.order },
                agenda: features.flatMap(\.pages.agenda).filter { caller.may($0.permission) },
                lastStudent: lastStudent, isApp: isApp)
            let answer = try await route.make(request)
            guard case .screen(let screen) = answer else { return answer }
            return .screen(request.withSidebar(screen, tab: route.tab, of: features))
        }
        throw Unknown(description: "no page of \(features.map(\.id)) has the path \(path)")
    }

    /// Returns a page. Throws if the answer is another address.
    public func page(
        _ path: String, as caller: Caller, query: [String: String] = [:], language: Language = .english,
        refused: RefusedForm? = nil, ticket: String? = nil, lastStudent: UUID? = nil, isApp: Bool = false
    ) async throws -> Screen {
        switch try await screen(
            path, as: caller, query: query, language: language, refused: refused, ticket: ticket,
            lastStudent: lastStudent, isApp: isApp)
        {
        case .screen(let screen): return screen
        case .redirect(let target): throw Unknown(description: "\(path) leads to \(target)")
        case .leave(let departure): throw Unknown(description: "\(path) leaves for \(departure.address)")
        }
    }

    /// Returns the outline of a page. Throws if the answer is another address.
    public func outline(
        _ path: String, as caller: Caller, query: [String: String] = [:], language: Language = .english,
        refused: RefusedForm? = nil, ticket: String? = nil, lastStudent: UUID? = nil, isApp: Bool = false
    ) async throws -> Outline {
        try await Outline(
            page(
                path, as: caller, query: query, language: language, refused: refused, ticket: ticket,
                lastStudent: lastStudent, isApp: isApp))
    }

    /// Returns the outline of the blocks' sections about a subject, and the entries of the agenda for a week.
    ///
    /// - Parameters:
    ///   - subject: the subject of the page.
    ///   - monday: the first day of the week.
    public func sections(
        about subject: PageSubject, as caller: Caller, from monday: Day? = nil, language: Language = .english
    ) async throws -> (outline: Outline, agenda: [AgendaEntry]) {
        let request = ScreenRequest(
            context: try await context(of: caller, language: language), path: "/home", parameters: [:], query: [:],
            sections: features.flatMap(\.pages.sections).filter { caller.may($0.permission) }
                .sorted { $0.order < $1.order },
            agenda: features.flatMap(\.pages.agenda).filter { caller.may($0.permission) })
        var entries: [AgendaEntry] = []
        if let monday {
            for source in request.agenda {
                entries += try await source.entries(monday...monday.adding(days: 6), request)
            }
        }
        let body = try await request.sections(about: subject, caller.membership?.personId ?? UUID())
        return (Outline(body), entries)
    }

    /// Returns the path to which a page redirects; `nil` if it does not.
    public func redirect(_ path: String, as caller: Caller, query: [String: String] = [:]) async throws -> String? {
        if case .redirect(let target) = try await screen(path, as: caller, query: query) { return target }
        return nil
    }
}

/// Returns the problem that `work` throws; `nil` if it succeeds. Other errors are rethrown.
public func problem(_ work: () async throws -> Void) async throws -> Problem? {
    do {
        try await work()
        return nil
    } catch let problem as Problem {
        return problem
    }
}
