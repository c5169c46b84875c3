public import AuthInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import ScreenKit

/// Quest: children guess how long tasks take, do them and compare, with routines that an adult of the family prepares.
public enum QuestFeature {
    /// Builds the Quest feature block.
    ///
    /// - Parameters:
    ///   - codes: the codes that open the parent mode of devices.
    ///   - sessions: the sessions of children's devices.
    ///   - publicURL: the public address of this server, for the link in a QR code.
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
        // The play page comes first, because it is the start page of a child's device.
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
        // Without names, because the school does not see what a family does at home.
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
