public import AuthInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import RecordsInterface
import ScreenKit

/// The records of a school: inventory, retention, backup, export, consents and erasure.
public enum RecordsFeature {
    /// Builds the Records feature block.
    ///
    /// - Parameters:
    ///   - erasure: The erasure of accounts, with the record kinds of all blocks.
    ///   - prepared: The prepared files. Their store must be among those of `erasure`.
    ///   - agreements: The consents that account holders have given.
    ///   - uploadLimit: The largest backup that a browser may upload, in bytes.
    public static func make(
        erasure: AccountErasure, prepared: PreparedFiles, agreements: any ConsentRecording, backups: SchoolBackups,
        roles: any RoleAssigning,
        directory: any Database, uploadLimit: Int
    ) throws -> Feature {
        let person = erasure.records
        let completion = erasure.completion
        let export = SchoolExport(
            kinds: person.kinds, archives: backups.archives, folder: backups.folder, directory: directory,
            blobs: backups.blobs)
        let retention = RetentionService(kinds: person.kinds)
        let consents = ConsentHandlers(records: person)
        var feature = Feature("Records", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.manageSchoolFiles, .setRetention, .managePersonRecords]
        feature.access.titles = [
            .manageSchoolFiles: "right.records.school", .setRetention: "right.records.retention",
            .managePersonRecords: "right.records.person",
        ]
        feature.audit.title = "records.title"
        feature.audit.kinds = [
            AuditKind("records.personExported", "audit.records.personExported", .name("person", of: "person")),
            AuditKind("records.personErased", "audit.records.personErased", .name("person", of: "person")),
            AuditKind("records.accountDeleted", "audit.records.accountDeleted", .name("person", of: "person")),
            AuditKind(
                "records.consentGiven", "audit.records.consentGiven", .name("person", of: "person"), .value("kind")),
            AuditKind(
                "records.consentTakenBack", "audit.records.consentTakenBack", .name("person", of: "person"),
                .value("kind")),
            AuditKind("records.retentionSet", "audit.records.retentionSet"),
            AuditKind("records.expired", "audit.records.expired"),
            AuditKind("records.backedUp", "audit.records.backedUp"),
            AuditKind("records.exported", "audit.records.exported"),
            AuditKind("records.restored", "audit.records.restored"),
            AuditKind("records.restoredBeside", "audit.records.restoredBeside"),
        ]
        feature.storage.directoryMigrations = RecordsMigrations.directory
        feature.storage.schoolMigrations = RecordsMigrations.school
        feature.storage.records = RecordsRecordStore.kinds
        feature.storage.stores = [prepared.store]
        feature.jobs = retention.jobs + [prepared.job, completion.job, erasure.job, completion.sweep.job]
        feature.endpoints.downloads = [prepared.download]
        feature.endpoints.commands =
            SchoolFileHandlers(backups: backups, export: export, prepared: prepared, uploadLimit: uploadLimit)
            .commands
            + PersonHandlers(records: person, prepared: prepared, roles: roles, completion: completion).commands
            + RetentionHandlers(retention: retention).commands + consents.commands
        feature.endpoints.queries = RetentionHandlers(retention: retention).queries + consents.queries
        feature.pages.screens =
            SchoolFileScreen(prepared: prepared).routes
            + PersonScreen(records: person, prepared: prepared, consents: consents).routes
            + RetentionScreen(retention: retention).routes + InventoryScreen(inventory: retention).routes
            + ConsentScreen(handlers: consents, register: person.register, agreements: agreements).routes
        feature.pages.navigation = [
            NavigationEntry(
                .legal, "records.inventory.title", icon: .file, path: InventoryScreen.path, order: 10),
            NavigationEntry(
                .records, "records.title", icon: .clock, path: RetentionScreen.path, order: 60,
                permission: .managePersonRecords),
            NavigationEntry(
                .records, "records.consents", icon: .check, path: ConsentScreen.path, order: 65,
                permission: .managePersonRecords),
            NavigationEntry(
                .records, "records.schoolFile", icon: .download, path: SchoolFileScreen.path, order: 70,
                permission: .manageSchoolFiles),
            NavigationEntry(
                .person, "records.person.link", icon: .file, path: PersonScreen.route, order: 10,
                permission: .managePersonRecords),
        ]
        return feature
    }
}
