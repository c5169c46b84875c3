import CourseworkModel
import Domain
import FeatureKit
import Foundation

/// How much space the files of assignments may take. The sizes are in megabytes of 1,048,576 bytes.
struct StorageLimits: Codable, Sendable, Hashable {
    /// 2 GB for a student, 100 GB for the school.
    static let standard = StorageLimits(personMegabytes: 2 << 10, schoolMegabytes: 100 << 10)
    /// The largest limit: 10 million MB.
    static let largest = 10_000_000

    /// The limit for the files of each student; `nil` for none.
    let personMegabytes: Int?
    /// The limit for the files of the school; `nil` for none.
    let schoolMegabytes: Int?

    /// The version of the fields that the form of the limits edits.
    var version: ContentVersion {
        ContentVersion([personMegabytes, schoolMegabytes].map { String($0 ?? 0) })
    }
}

/// The space that files take, and its limit.
struct StorageUse: Codable, Sendable, Hashable {
    /// The share of a limit from which people are told, in percent.
    private static let nearPercent = 80

    let usedBytes: Int
    /// `nil` for no limit.
    let limitBytes: Int?

    init(usedBytes: Int, limitMegabytes: Int?) {
        self.usedBytes = usedBytes
        limitBytes = limitMegabytes.map { $0 << 20 }
    }

    /// The share of the limit that is used, in whole percent, rounded down; `nil` without a limit.
    var percent: Int? { limitBytes.map { usedBytes / max(1, $0 / 100) } }
    var isNear: Bool { percent.map { $0 >= Self.nearPercent } ?? false }
    var isFull: Bool { limitBytes.map { usedBytes >= $0 } ?? false }

    /// Whether more bytes fit.
    func hasRoom(for bytes: Int) -> Bool { limitBytes.map { usedBytes + bytes <= $0 } ?? true }
}

/// The space that one student's files take.
struct PersonStorage: Codable, Sendable, Hashable {
    let personId: UUID
    let files: Int
    let bytes: Int
}

/// Sets the limits for files.
struct SetStorageLimits: Command {
    static let contract = Contract(
        "coursework.setLimits", "/api/v1/storage/limits", access: .member(.manageStorage),
        summary: """
            Sets how many megabytes the files of each student and of the school may take; 0 for no limit. Refused with 409 if \
            a version is given and someone has changed them since.
            """)
    typealias Result = StorageLimits

    let limits: StorageLimits
    /// The version of the limits that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        let range = 0...StorageLimits.largest
        let standard = StorageLimits.standard
        let person = fields.integer("personMegabytes", in: range, default: standard.personMegabytes ?? 0)
        let school = fields.integer("schoolMegabytes", in: range, default: standard.schoolMegabytes ?? 0)
        limits = StorageLimits(
            personMegabytes: person == 0 ? nil : person, schoolMegabytes: school == 0 ? nil : school)
        version = fields.contentVersion()
    }
}

/// Lists the space that files take, by person.
struct ListStorage: Query {
    static let contract = Contract(
        "coursework.storage", "/api/v1/storage", access: .member(.manageStorage),
        summary: "The space that the files of assignments take in the school, and by student, the most first.")
    typealias Result = StorageReport

    init(_ fields: inout FieldReader) {}
}

/// The space that the files of a school's assignments take.
struct StorageReport: Codable, Sendable, Hashable {
    let limits: StorageLimits
    let school: StorageUse
    /// The students whose files take the most space, at most `StorageRepository.most`.
    let people: [PersonStorage]
}

/// The command and the query of limits for files.
enum StorageHandlers {
    static let topic = "coursework:storage"
    static let changed = "coursework.limitsChanged"

    static var queries: [QueryRegistration] {
        [
            .handle(ListStorage.self) { _, context in
                try await context.school.read { try StorageRepository.report(in: $0) }
            }
        ]
    }

    static var commands: [CommandRegistration] {
        [
            .handle(SetStorageLimits.self) { command, context in
                try StorageRepository.limits(in: context.sql).version.check(command.version)
                try StorageRepository.set(command.limits, in: context.sql)
                context.record(
                    Change(
                        changed, topics: [topic], audience: Audience.roles([.superAdmin, .admin]),
                        payload: ["school": try context.membership.organization.id.text]))
                context.feedback = Feedback(.toast, context.words("coursework.said.limits"))
                return command.limits
            }
        ]
    }
}

extension Permission {
    /// Seeing how much space files take, and limiting it.
    static let manageStorage = Permission("coursework.storage", [.superAdmin, .admin])
}

/// Reads and checks how much space files take, in the school's database. Uploads that are under way count with their
/// whole size.
enum StorageRepository {
    /// The most students of a report.
    static let most = 200

    static let migration = Migration(
        "008-storage",
        """
        CREATE TABLE coursework_limits (
            id INTEGER PRIMARY KEY NOT NULL,
            person_megabytes BIGINT,
            school_megabytes BIGINT
        );
        CREATE INDEX coursework_files_size ON coursework_files (student_id, size);
        CREATE INDEX coursework_uploads_size ON coursework_uploads (student_id, size);
        """)

    static let records = RecordKind(
        "coursework.limits", "coursework.records.limits", personal: [], erasure: .withSchool,
        tables: [
            RecordTable(
                "coursework_limits",
                export: { _ in "SELECT id, person_megabytes, school_megabytes FROM coursework_limits ORDER BY id" })
        ])

    static func limits(in sql: any SQLReading) throws -> StorageLimits {
        guard let row = try sql.row("SELECT * FROM coursework_limits WHERE id = 1") else { return .standard }
        return try StorageLimits(
            personMegabytes: row.optional("person_megabytes"), schoolMegabytes: row.optional("school_megabytes"))
    }

    static func set(_ limits: StorageLimits, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_limits (id, person_megabytes, school_megabytes)
            VALUES (1, \(limits.personMegabytes), \(limits.schoolMegabytes))
            ON CONFLICT (id) DO UPDATE
                SET person_megabytes = excluded.person_megabytes, school_megabytes = excluded.school_megabytes
            """)
    }

    /// The space that a student's files take.
    static func use(by studentId: UUID, in sql: any SQLReading) throws -> StorageUse {
        let bytes = try sum(use(by: studentId), in: sql)
        return StorageUse(usedBytes: bytes, limitMegabytes: try limits(in: sql).personMegabytes)
    }

    static func use(by studentId: UUID) -> SQL {
        """
        SELECT (SELECT COALESCE(SUM(size), 0) FROM coursework_files WHERE student_id = \(studentId))
            + (SELECT COALESCE(SUM(size), 0) FROM coursework_uploads WHERE student_id = \(studentId)) AS bytes
        """
    }

    /// The space that all files of the school's assignments take.
    static func use(in sql: any SQLReading) throws -> StorageUse {
        let bytes = try sum(
            """
            SELECT (SELECT COALESCE(SUM(size), 0) FROM coursework_files)
                + (SELECT COALESCE(SUM(size), 0) FROM coursework_uploads)
                + (SELECT COALESCE(SUM(size), 0) FROM coursework_attachments) AS bytes
            """, in: sql)
        return StorageUse(usedBytes: bytes, limitMegabytes: try limits(in: sql).schoolMegabytes)
    }

    private static func sum(_ statement: SQL, in sql: any SQLReading) throws -> Int {
        try sql.row(statement)?.get("bytes") ?? 0
    }

    static func report(in sql: any SQLReading) throws -> StorageReport {
        let people = try sql.rows(
            """
            SELECT student_id, COUNT(*) AS files, SUM(size) AS bytes FROM coursework_files
            GROUP BY student_id ORDER BY bytes DESC, student_id LIMIT \(most)
            """
        ).map { row in
            try PersonStorage(personId: row.get("student_id"), files: row.get("files"), bytes: row.get("bytes"))
        }
        return StorageReport(limits: try limits(in: sql), school: try use(in: sql), people: people)
    }

    /// Throws a fault unless there is room for more bytes of a student, or of an assignment's own files.
    /// - Parameters:
    ///   - studentId: the student to whom the bytes belong; `nil` for files of an assignment.
    ///   - field: the field of the fault.
    static func checkRoom(
        for bytes: Int, of studentId: UUID?, field: String, _ text: WorkWords, in sql: any SQLReading
    ) throws {
        guard bytes > 0 else { return }
        if let studentId {
            let own = try use(by: studentId, in: sql)
            guard own.hasRoom(for: bytes) else {
                throw Problem.invalid(
                    field, "coursework.personFull",
                    [.text(text.size(own.usedBytes)), .text(text.size(own.limitBytes ?? 0))])
            }
        }
        let all = try use(in: sql)
        guard all.hasRoom(for: bytes) else {
            throw Problem.invalid(field, "coursework.schoolFull", [.text(text.size(all.limitBytes ?? 0))])
        }
    }
}
