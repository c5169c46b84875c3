public import Domain
public import Foundation

/// A kind of record that a block stores: what of it is about people, how long it is kept, how it is exported
/// and erased.
///
/// Retention, the export and the erasure of one person, the export of a school and the data inventory all
/// read this one declaration. A table that no kind names fails a test.
public struct RecordKind: Sendable {
    /// Where its tables stand.
    public enum Store: String, Sendable, Hashable, Codable { case directory, school }

    /// What a record may tell about a person.
    public enum Personal: String, Sendable, Hashable, Codable, CaseIterable {
        case name, email, role, enrolment, attendance, notes, credentials, devices, activity, consents, choices
        case files
    }

    public enum Retention: Sendable, Hashable {
        /// As long as what it belongs to.
        case whileNeeded
        /// A number of days, which a school may change within bounds. A kind of the directory belongs to all
        /// schools of a server and keeps the standard.
        case days(Int, in: ClosedRange<Int>)
    }

    public enum Erasure: String, Sendable, Hashable, Codable {
        /// Deleted with the person.
        case withPerson
        /// The record stays where others cite it; name, address and links are taken out of it.
        case tombstone
        /// It is the account holder's own and goes with the account.
        case withAccount
        /// It goes with the school.
        case withSchool
        /// It goes when its time is over.
        case withTime
    }

    /// Stable: `classroom.attendance`.
    public let id: String
    /// Key of its name in the block's catalog.
    public let title: String
    public let store: Store
    public let personal: Set<Personal>
    public let retention: Retention
    public let erasure: Erasure
    public let tables: [RecordTable]

    public init(
        _ id: String, _ title: String, store: Store = .school, personal: Set<Personal>,
        retention: Retention = .whileNeeded, erasure: Erasure, tables: [RecordTable]
    ) {
        self.id = id
        self.title = title
        self.store = store
        self.personal = personal
        self.retention = retention
        self.erasure = erasure
        self.tables = tables
    }
}

/// One table of a kind of record, with the statements that act on it.
public struct RecordTable: Sendable {
    public let name: String
    /// What a school's export has of it, given the school's id; `nil` where it is no content of the school
    /// (secrets, passing state).
    public let export: (@Sendable (UUID) -> SQL)?
    /// The rows about one person; `nil` where none are.
    public let about: (@Sendable (RecordSubject) -> SQL)?
    /// The ids of all whom it has rows about, one column: given where no index leads to one person's, so that whoever
    /// asks about many goes through the table once.
    public let subjects: SQL?
    /// Erases what is about one person.
    public let erase: (@Sendable (RecordSubject) -> SQL)?
    /// The ids, one column, of the people who are known to the school for one person's sake alone and have no account: they
    /// are erased with that person.
    public let dependents: (@Sendable (RecordSubject) -> SQL)?
    /// Erases what is a school's, in the directory, when the school is deleted.
    public let eraseSchool: (@Sendable (UUID) -> SQL)?
    /// Erases what is an account's, in the directory, when the account is deleted.
    public let eraseAccount: (@Sendable (UUID) -> SQL)?
    /// Ends what is older than an instant.
    public let expiry: Expiry?

    /// The hashes of the files that rows cite: every column of every row of this statement is one, or nothing.
    public let files: SQL?
    /// What people write freely in it, where others may be named; `nil` where nobody does.
    public let texts: Texts?

    /// Columns of free text in a table.
    public struct Texts: Sendable {
        public let table: SQL
        public let columns: [SQL]
        /// The columns, of text, that tell one row from another.
        public let key: [SQL]

        public init(of table: SQL, columns: [SQL], key: [SQL] = ["id"]) {
            self.table = table
            self.columns = columns
            self.key = key
        }
    }

    /// How rows end by themselves.
    public struct Expiry: Sendable {
        /// Asks whether there is any such row; runs beside the readers, so it may look at all of them.
        public let isDue: @Sendable (Date) -> SQL
        /// Deletes a portion of them, so that no command waits for long.
        public let delete: @Sendable (Date) -> SQL

        public init(
            isDue: @escaping @Sendable (Date) -> SQL, delete: @escaping @Sendable (Date) -> SQL
        ) {
            self.isDue = isDue
            self.delete = delete
        }

        /// Rows of a table that are dated by one column.
        /// - Parameter key: the columns that tell one row from another.
        public init(of table: SQL, by column: SQL, key: SQL) {
            self.init(isDue: { "SELECT 1 FROM \(table) WHERE \(column) < \($0) LIMIT 1" }) {
                """
                DELETE FROM \(table) WHERE (\(key)) IN (
                    SELECT \(key) FROM \(table) WHERE \(column) < \($0) LIMIT \(SQL.expiryPortion))
                """
            }
        }
    }

    public init(
        _ name: String, export: (@Sendable (UUID) -> SQL)? = nil,
        about: (@Sendable (RecordSubject) -> SQL)? = nil, subjects: SQL? = nil,
        erase: (@Sendable (RecordSubject) -> SQL)? = nil, dependents: (@Sendable (RecordSubject) -> SQL)? = nil,
        eraseSchool: (@Sendable (UUID) -> SQL)? = nil, eraseAccount: (@Sendable (UUID) -> SQL)? = nil,
        expiry: Expiry? = nil, files: SQL? = nil, texts: Texts? = nil
    ) {
        self.name = name
        self.export = export
        self.about = about
        self.subjects = subjects
        self.erase = erase
        self.dependents = dependents
        self.eraseSchool = eraseSchool
        self.eraseAccount = eraseAccount
        self.expiry = expiry
        self.files = files
        self.texts = texts
    }
}

/// The school's consent log, for blocks that keep something only where somebody has allowed it.
public protocol ConsentNoting: Sendable {
    /// Adds a line: who allowed a kind of record about a person, and why; by whom and when is the command's.
    func note(_ giver: String, allowing kindId: String, about personId: UUID, in context: inout CommandContext)
        throws
}

/// The person whose records are asked for, exported or erased.
public struct RecordSubject: Sendable, Hashable {
    public let schoolId: UUID
    /// The person's id as a statement names it.
    public let personId: SQL
    /// The account that is linked to the person, where one is.
    public let accountId: UUID?
    /// What stands in the place of a name that was taken out.
    public let placeholder: String
    /// The person's mail address, for records that name the person by it and by nothing else.
    public let email: String?

    public init(schoolId: UUID, personId: UUID, accountId: UUID?, placeholder: String, email: String? = nil) {
        self.email = email
        self.schoolId = schoolId
        self.personId = "\(personId)"
        self.accountId = accountId
        self.placeholder = placeholder
    }

    /// Each of the people of a statement around it.
    /// - Parameter column: where that statement has their ids: `asked.person_id`.
    public init(schoolId: UUID, eachOf column: SQL) {
        self.schoolId = schoolId
        personId = column
        accountId = nil
        placeholder = ""
        email = nil
    }
}

extension SQL {
    /// How many rows one portion of an expiry deletes.
    public static let expiryPortion = 500
}

extension Sequence<RecordKind> {
    /// Every file that rows of a school cite.
    public func citedFiles(in sql: any SQLReading) throws -> Set<BlobHash> {
        var cited: Set<BlobHash> = []
        for table in flatMap(\.tables) {
            guard let statement = table.files else { continue }
            for row in try sql.rows(statement) { cited.formUnion(row.values.compactMap(BlobHash.init(sqlValue:))) }
        }
        return cited
    }
}
