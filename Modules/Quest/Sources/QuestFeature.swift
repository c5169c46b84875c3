public import AuthInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import ScreenKit

/// The block: children guess how long things take, do them, and discover; a grown-up of their family prepares it.
public enum QuestFeature {
    /// - Parameters:
    ///   - codes: open the parent's side of a device.
    ///   - sessions: of devices that are in a child's hands.
    ///   - publicURL: where people reach this server, for the link in a QR code.
    public static func make(
        codes: any GateCodes, sessions: any NarrowSessions, hasher: any SecretHasher, ids: any IDGenerator,
        qr: any QRCodeEncoder, publicURL: String
    ) throws -> Feature {
        let dependencies = AppDependencies(
            routineRepository: SQLRoutineRepository(), sessionRepository: SQLSessionRepository())
        let players = PlayerHandlers()
        let routines = RoutineHandlers(dependencies: dependencies)
        let play = PlayHandlers(dependencies: dependencies)
        let gate = GateHandlers(codes: codes, sessions: sessions)
        let pairing = PairingHandlers(codes: codes, sessions: sessions, hasher: hasher)
        var feature = Feature("Quest", catalog: try .quest())
        feature.access.permissions = [.manageQuests, .playQuests]
        feature.access.titles = [.manageQuests: "right.quest.manage", .playQuests: "right.quest.play"]
        feature.storage.directoryMigrations = QuestMigrations.directory
        feature.storage.schoolMigrations = QuestMigrations.school
        feature.storage.records = QuestRecordStore.kinds
        feature.endpoints.commands =
            players.commands + routines.commands + play.commands + gate.commands + pairing.commands
        feature.endpoints.queries = players.queries + routines.queries + gate.queries
        // The page of play stands first: there a child's device is at home.
        feature.pages.screens =
            PlayScreen(dependencies: dependencies).routes
            + DashboardScreens(dependencies: dependencies, codes: codes).routes
            + RoutineScreens(dependencies: dependencies).routes + ResultsScreens(dependencies: dependencies).routes
        feature.pages.screens +=
            DevicesScreens(codes: codes, hasher: hasher, ids: ids, qr: qr, publicURL: publicURL).routes
        feature.pages.navigation = [
            NavigationEntry(
                .family, "quest.routines", icon: .timer, path: DashboardScreens.home, order: 50,
                permission: .manageQuests)
        ]
        feature.pages.islands = ["quest": Bundle.module.bundleURL.appending(path: "Resources/island")]
        feature.audit.title = "audit.group.quest"
        // Without names: what a family does at home is not the school's.
        feature.audit.kinds = [
            AuditKind("quest.playerAdded", "audit.quest.playerAdded"),
            AuditKind("quest.playerChanged", "audit.quest.playerChanged"),
            AuditKind("quest.playerDeleted", "audit.quest.playerDeleted"),
            AuditKind("quest.routineChanged", "audit.quest.routineChanged"),
            AuditKind("quest.routineDeleted", "audit.quest.routineDeleted"),
            AuditKind("quest.played", "audit.quest.played"),
        ]
        return feature
    }
}

extension StringCatalog {
    static func quest() throws -> StringCatalog { try StringCatalog(in: .module) }
}
