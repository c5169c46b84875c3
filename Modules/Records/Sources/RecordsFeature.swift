import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import RecordsInterface

/// The block: what a school keeps, for how long, and how it is taken home, brought back and erased.
public enum RecordsFeature {
    /// - Parameters:
    ///   - others: the blocks whose records it keeps an eye on; its own are added.
    ///   - uploadLimit: bytes of a backup that a browser may send.
    public static func make(
        others: [Feature], keeper: SchoolKeeper, people: any PeopleService, roles: any RoleAssigning,
        directory: any Database, uploadLimit: Int
    ) throws -> Feature {
        let kinds = kinds(with: others)
        let prepared = PreparedFiles(folder: keeper.folder, directory: directory)
        let export = SchoolExport(
            kinds: kinds, archives: keeper.archives, folder: keeper.folder, directory: directory)
        let person = PersonRecords(
            kinds: kinds, people: people, register: keeper.register, accounts: keeper.accounts,
            archives: keeper.archives)
        let retention = RetentionService(kinds: kinds)
        var feature = Feature("Records", needs: ["Auth", "Organization"], catalog: try StringCatalog(in: .module))
        feature.permissions = [.keepSchool, .setRetention, .managePersonRecords]
        feature.permissionTitles = [
            .keepSchool: "right.records.school", .setRetention: "right.records.retention",
            .managePersonRecords: "right.records.person",
        ]
        feature.auditTitle = "records.title"
        feature.auditKinds = [
            AuditKind("records.personExported", "audit.records.personExported", .name("person", of: "person")),
            AuditKind("records.personErased", "audit.records.personErased", .name("person", of: "person")),
            AuditKind("records.retentionSet", "audit.records.retentionSet"),
            AuditKind("records.expired", "audit.records.expired"),
            AuditKind("records.backedUp", "audit.records.backedUp"),
            AuditKind("records.exported", "audit.records.exported"),
            AuditKind("records.restored", "audit.records.restored"),
            AuditKind("records.restoredBeside", "audit.records.restoredBeside"),
        ]
        feature.directoryMigrations = RecordsMigrations.directory
        feature.schoolMigrations = RecordsMigrations.school
        feature.records = RecordsRecordStore.kinds
        feature.jobs = retention.jobs + [prepared.job]
        feature.downloads = [prepared.download]
        feature.commands =
            SchoolFileHandlers(keeper: keeper, export: export, prepared: prepared, uploadLimit: uploadLimit)
            .commands
            + PersonHandlers(records: person, prepared: prepared, roles: roles).commands
            + RetentionHandlers(retention: retention).commands
        feature.queries = RetentionHandlers(retention: retention).queries
        feature.screens =
            SchoolFileScreen(prepared: prepared).routes + PersonScreen(records: person, prepared: prepared).routes
            + RetentionScreen(retention: retention).routes + InventoryScreen(inventory: retention).routes
        feature.navigation = [
            NavigationEntry(
                .legal, "records.inventory.title", icon: "file", path: InventoryScreen.path, order: 10),
            NavigationEntry(
                .school, "records.title", icon: "clock", path: RetentionScreen.path, order: 60,
                permission: .managePersonRecords),
            NavigationEntry(
                .school, "records.schoolFile", icon: "download", path: SchoolFileScreen.path, order: 70,
                permission: .keepSchool),
            NavigationEntry(
                .person, "records.person.link", icon: "file", path: PersonScreen.route, order: 10,
                permission: .managePersonRecords),
        ]
        return feature
    }

    /// Every kind of record of the kernel, of these blocks and of this one.
    public static func kinds(with others: [Feature]) -> [RecordKind] {
        others.records + RecordsRecordStore.kinds
    }
}
