import DesignSystem
public import Domain
public import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

extension Permission {
    /// Read the audit trail, export it and check its chain.
    public static let viewAudit = Permission("audit.view", [.superAdmin, .admin])
    /// See what each role may do.
    public static let viewRoles = Permission("roles.view", [.superAdmin, .admin])
}

/// The block: who saw or changed what, and who may do what.
public enum AuditFeature {
    /// - Parameter others: the blocks whose changes and permissions it tells.
    public static func make(others: [Feature]) throws -> Feature {
        var feature = Feature("Audit", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.viewAudit, .viewRoles]
        feature.access.titles = [.viewAudit: "right.audit.view", .viewRoles: "right.roles.view"]
        feature.audit.title = "audit.group.audit"
        feature.audit.kinds = [
            AuditKind("audit.exported", "audit.exported"), AuditKind("audit.seen", "audit.seen"),
        ]
        let trail = AuditTrail(others + [feature])
        feature.endpoints.queries = AuditHandlers(trail: trail).queries
        feature.pages.screens =
            AuditScreen(trail: trail).routes + [RolesScreen(features: others + [feature]).route]
        feature.pages.navigation = [
            NavigationEntry(
                .settings, "audit.title", icon: .eye, path: AuditScreen.path, order: 60, permission: .viewAudit),
            NavigationEntry(
                .members, "roles.title", icon: .people, path: RolesScreen.path, order: 10, permission: .viewRoles),
        ]
        return feature
    }
}
