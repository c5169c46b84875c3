import Domain
import FeatureKit
import Foundation

/// The error of a command-line task that was not done. Its description is the reason, as a sentence to print.
public struct TaskRefused: Error, CustomStringConvertible {
    public let description: String

    static func without(_ block: String) -> TaskRefused {
        TaskRefused(description: "The block \(block) is not part of this server, or is switched off.")
    }
}

/// Builds the server for one task and closes it afterwards. Refusals are reported in the language of the terminal.
func within<Value>(
    _ settings: ServerSettings, _ work: (ServerComposition) async throws -> Value
) async throws -> Value {
    let composition = try await ServerComposition.build(settings)
    let value: Value
    do {
        value = try await work(composition)
    } catch {
        try await composition.close()
        switch error {
        case let error as any ProblemConvertible:
            throw TaskRefused(description: error.problem.sentence(composition.terminalWords))
        case let problem as Problem: throw TaskRefused(description: problem.sentence(composition.terminalWords))
        default: throw error
        }
    }
    try await composition.close()
    return value
}

extension ServerComposition {
    /// The texts in the language of the terminal.
    var terminalWords: Words {
        words[Language(acceptLanguage: ProcessInfo.processInfo.environment["LANG"] ?? "")] ?? Words(.english, [])
    }

    /// Finds a school by name or id; without a name, the only school.
    func school(named name: String?) async throws -> Organization {
        let all = try await blocks.schools?.schools() ?? []
        let fitting = all.filter { one in
            guard let name else { return true }
            return one.id.text == name.lowercased() || NameFolding.fold(one.name) == NameFolding.fold(name)
        }
        guard let organization = fitting.first, fitting.count == 1 else {
            let names = all.map { "  \($0.id.text)  \($0.name)" }.joined(separator: "\n")
            throw TaskRefused(
                description: all.isEmpty
                    ? "There is no school yet: start the server and found one, or run `pinktower demo`."
                    : "Say which school is meant, by name or id:\n\(names)")
        }
        return organization
    }
}

/// Makes an account the server's operator, who sees the unsent mails, or only finds out who it is; returns the line to
/// print.
///
/// A running server shows the page of unsent mails to that account from then on.
/// - Parameter email: the address of the account; `nil` changes nothing.
public func serverOperator(_ email: String?, _ settings: ServerSettings) async throws -> String {
    try await within(settings) { composition in
        if let email {
            guard try await composition.blocks.accounts?.nameOperator(email: email) ?? false else {
                throw TaskRefused(description: "Nobody has an account with the address \(email).")
            }
        }
        guard let named = try await composition.blocks.accounts?.operatorAddress() else {
            return
                "Nobody is named as the operator of this server. Name someone: pinktower operator ana@maple.example"
        }
        return "\(named) is the operator of this server."
    }
}

extension ServerComposition {
    /// Whether mails stay in the data folder and nobody can read them, because no operator is named.
    func lacksOperator(_ settings: ServerSettings) async throws -> Bool {
        guard settings.sendmail == nil, let accounts = blocks.accounts, try await accounts.hasAccounts() else {
            return false
        }
        return try await accounts.operatorAddress() == nil
    }
}

/// Removes all second factors from an account and ends its sessions; returns the line to print.
///
/// For holders who have lost them. On a running server, sign-ins work at once; existing sessions end within a quarter
/// of an hour.
public func removeSecondFactors(of email: String, _ settings: ServerSettings) async throws -> String {
    try await within(settings) { composition in
        guard try await composition.blocks.accounts?.removeSecondFactors(email: email) ?? false else {
            throw TaskRefused(description: "Nobody has an account with the address \(email).")
        }
        return "\(email) signs in with the password alone now. Ask them to set up a second step again."
    }
}
