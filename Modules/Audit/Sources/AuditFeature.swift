import DesignSystem
public import Domain
public import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

extension Permission {
    /// Allows reading and exporting the audit log and verifying its hash chain.
    public static let viewAudit = Permission("audit.view", [.superAdmin, .admin])
    /// Allows seeing the permissions of each role.
    public static let viewRoles = Permission("roles.view", [.superAdmin, .admin])
}

/// The audit log of a school, and the table of permissions.
public enum AuditFeature {
    /// Builds the feature block of the audit log.
    ///
    /// - Parameter others: The other blocks, whose changes and permissions are shown.
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
                .records, "audit.title", icon: .eye, path: AuditScreen.path, order: 50, permission: .viewAudit),
            NavigationEntry(
                .members, "roles.title", icon: .people, path: RolesScreen.path, order: 10, permission: .viewRoles),
        ]
        return feature
    }
}
