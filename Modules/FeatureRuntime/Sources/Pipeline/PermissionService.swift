import Domain
public import FeatureKit

/// Checks permissions before a query, a command or a page runs.
///
/// Handlers check only whether the caller may see the one thing that is requested, such as a classroom.
public enum PermissionService {
    /// Checks access to a page or an event stream. API tokens open no page; a device that was narrowed for a child
    /// opens those of its areas. Throws `Problem`.
    /// - Parameter area: the area of the page; `nil` if no narrowed device may show it.
    public static func authorize(page access: Contract.Access, area: String? = nil, _ caller: Caller) throws {
        guard opens(area, caller) else { throw Problem(403, "tokenOnPage") }
        try authorize(access, caller)
    }

    /// Whether the caller's session may open pages of an area. A session with all of the person's rights opens every
    /// page.
    public static func opens(_ area: String?, _ caller: Caller) -> Bool {
        caller.account?.token.map { $0.covers(pageOf: area) } ?? true
    }

    /// Checks access to an endpoint. A token needs its scope, except for `auth.me`, and for signing in on a narrowed
    /// device.
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
