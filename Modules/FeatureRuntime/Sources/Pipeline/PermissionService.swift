import Domain
public import FeatureKit

/// Decides who may. Every query, command and page passes here before anything of it runs; what a handler
/// checks beyond it is about this one thing (this classroom, this child).
public enum PermissionService {
    /// A page or a stream, which are a person's alone; a narrowed device shows the pages of its areas.
    /// - Parameter area: to which scope the page belongs, where it may be shown on a narrowed device.
    public static func authorize(page access: Contract.Access, area: String? = nil, _ caller: Caller) throws {
        guard opens(area, caller) else { throw Problem(403, "tokenOnPage") }
        try authorize(access, caller)
    }

    /// Whether the caller's session reaches pages of that area at all; a person's own reaches every page.
    public static func opens(_ area: String?, _ caller: Caller) -> Bool {
        caller.account?.token.map { $0.covers(pageOf: area) } ?? true
    }

    /// An endpoint. A program's token must cover it; what it reads of its own account it may always read. On a
    /// narrowed device somebody may sign in as on any other.
    static func authorize(_ contract: Contract, isCommand: Bool, _ caller: Caller) throws {
        if let token = caller.account?.token, contract.name != "auth.me",
            !(token.isDevice && contract.access == .anyone),
            !token.scopes.contains(where: { $0.covers(contract, isCommand: isCommand) })
        {
            let needed = TokenScope(area: contract.area, mayChange: isCommand)
            throw Problem(403, "tokenScope", [.text(needed.text)])
        }
        try authorize(contract.access, caller)
    }

    private static func authorize(_ access: Contract.Access, _ caller: Caller) throws {
        switch access {
        case .anyone: return
        case .account:
            guard caller.account != nil else { throw Problem.signInNeeded }
        case .member(let permission):
            guard caller.account != nil else { throw Problem.signInNeeded }
            guard let membership = caller.membership else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            if let day = membership.deletesOn, !permission.holdsWhileClosed {
                throw Problem(
                    423, "schoolClosed", [.text(membership.organization.name), .day(day)])
            }
            guard permission.isGiven(to: membership.roles) else { throw Problem.notAllowed }
        }
    }
}
