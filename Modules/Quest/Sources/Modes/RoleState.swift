import Domain
import FeatureKit
import Foundation

/// In whose hands a device is.
enum AppRole: String, Codable, CaseIterable, Sendable {
    case player, parent
}

/// Which side of the game a device shows. Every launch starts with the player's.
struct RoleState: Codable, Hashable, Sendable {
    /// How long the parent's side stays open without Done.
    static let openFor: TimeInterval = 15 * 60
    /// What a child's device may do, and what a grown-up's code opens beside it.
    static let playing: Set<TokenScope> = [TokenScope(area: PlayScreen.area, mayChange: true)]
    static let preparing: Set<TokenScope> = [TokenScope(area: DashboardScreens.area, mayChange: true)]

    private(set) var currentRole = AppRole.player
    private(set) var showingPINEntry = false

    /// Somebody made the gesture.
    mutating func requestParentAccess() { showingPINEntry = currentRole == .player }

    /// Somebody knew the code.
    mutating func grantParentAccess() {
        currentRole = .parent
        showingPINEntry = false
    }

    mutating func exitParentMode() {
        currentRole = .player
        showingPINEntry = false
    }
}

extension RoleState {
    /// As the session has it: a child's device shows the parent's side for as long as it is open.
    init(of account: SignedInAccount) {
        if account.token?.scopes.isSuperset(of: Self.preparing) == true { grantParentAccess() }
    }
}

extension Permission {
    /// Whoever may prepare quests for children of their own family; nobody sees those of another.
    static let manageQuests = Permission("quest.manage", [.superAdmin, .admin, .guide, .parent])
    static let playQuests = Permission("quest.play", [.superAdmin, .admin, .guide, .parent])
}
