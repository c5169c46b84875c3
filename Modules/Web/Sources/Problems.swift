import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A refusal as problem JSON (RFC 9457).
struct ProblemDocument: Codable {
    let type: String
    let title: String
    let status: Int
    let code: String
    let errors: [FieldError]?

    struct FieldError: Codable {
        let field: String
        let code: String
        let message: String
    }

    init(_ problem: Problem, _ words: Words) {
        type = "about:blank"
        title = problem.sentence(words)
        status = problem.status
        code = problem.code
        errors =
            problem.faults.isEmpty
            ? nil
            : problem.faults.map { FieldError(field: $0.field, code: $0.code, message: $0.sentence(words)) }
    }

    static func response(_ problem: Problem, _ words: Words) throws -> Response {
        var response = try Response.json(
            JSON.encode(ProblemDocument(problem, words)), status: problem.status,
            type: "application/problem+json")
        if let seconds = problem.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}

/// Maps every error to a `Problem`. Unexpected errors become "internal", with details in the log only.
enum ProblemTranslation {
    /// - Parameter caller: the caller, whose school and person the log names by their ids.
    static func problem(for error: any Error, _ logger: Logger, _ caller: Caller = .nobody) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as any ProblemConvertible: return error.problem
        case let error as HTTPError:
            switch error.status.code {
            case 404: return .notFound
            case 405: return Problem(405, "methodNotAllowed")
            case 413: return Problem(413, "tooLarge", [.number(256)])
            case 400..<500: return Problem(error.status.code, "badRequest")
            default: break
            }
        case let fault as DatabaseFault:
            if let problem = Pipeline.problem(of: fault) { return problem }
        // The client is gone and the server is not at fault.
        case is ClientDisconnected, is ChannelError, is IOError: return Problem(400, "badRequest")
        default: break
        }
        var metadata: Logger.Metadata = [:]
        if let membership = caller.membership {
            metadata = ["school": "\(membership.organization.id.text)", "actor": "\(membership.personId.text)"]
        }
        logger.error("\(String(reflecting: Swift.type(of: error))) \(detail(of: error))", metadata: metadata)
        return Problem(500, "internal")
    }

    /// Database faults name tables and constraints, never values. Other errors may quote input, so only their type is
    /// logged.
    private static func detail(of error: any Error) -> String {
        (error as? DatabaseFault).map { "\($0)" } ?? ""
    }
}
