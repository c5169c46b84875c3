import Domain
import FeatureKit
import Foundation

/// The mode of a device.
enum AppRole: String, Codable, CaseIterable, Sendable {
    case player, parent
}

/// The mode that a device shows. Each launch starts in player mode.
struct RoleState: Codable, Hashable, Sendable {
    /// Seconds until the parent mode closes by itself.
    static let openFor: TimeInterval = 15 * 60
    /// The rights of a child's device, and those that the code opens in addition.
    static let playing: Set<TokenScope> = [TokenScope(area: PlayScreen.area, mayChange: true)]
    static let preparing: Set<TokenScope> = [TokenScope(area: DashboardScreens.area, mayChange: true)]

    private(set) var currentRole = AppRole.player
    private(set) var showingPINEntry = false

    /// Shows the entry of the code.
    mutating func requestParentAccess() { showingPINEntry = currentRole == .player }

    /// Switches to parent mode after a correct code.
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
    /// The state of a session: a child's device is in parent mode while the code's rights are open.
    init(of account: SignedInAccount) {
        if account.token?.scopes.isSuperset(of: Self.preparing) == true { grantParentAccess() }
    }
}

extension Permission {
    /// Preparing routines for players of one's own family. Other families are not visible.
    static let manageQuests = Permission("quest.manage", [.superAdmin, .admin, .guide, .parent])
    /// Playing the routines of one's own family.
    static let playQuests = Permission("quest.play", [.superAdmin, .admin, .guide, .parent])
}
