public import Domain
public import Foundation

/// A kind of record that a feature block stores: what it says about people, how long it is stored, how it is exported
/// and erased.
///
/// Retention, the export and the erasure of one person, the export of a school and the data inventory all read this
/// declaration. A table that no kind names fails a test.
public struct RecordKind: Sendable {
    /// The database that contains the tables of a kind of record: the server's directory database or the school's own.
    public enum Store: String, Sendable, Hashable, Codable { case directory, school }

    /// Kinds of data about a person that a record may contain.
    public enum Personal: String, Sendable, Hashable, Codable, CaseIterable {
        case name, email, role, places = "enrolment", attendance, notes, credentials, devices, activity,
            consents, choices
        case files
        /// Facts about a person's health, such as an allergy or a mood.
        case health
        /// The coordinates of a device.
        case location
    }

    /// The time for which records are stored.
    public enum Retention: Sendable, Hashable {
        /// The records are stored as long as the things that they belong to.
        case whileNeeded
        /// The records are stored for a number of days, which a school may change within a range. Kinds of record in
        /// the server's directory database are shared by all schools of a server and always have the standard number.
        case days(Int, in: ClosedRange<Int>)
    }

    /// The event that ends the storage of records.
    public enum Erasure: String, Sendable, Hashable, Codable {
        /// The records are deleted with the person.
        case withPerson
        /// The records stay because others cite them; name, address and links are removed.
        case tombstone
        /// The records belong to the account and are deleted with it.
        case withAccount
        /// The records are deleted with the school.
        case withSchool
        /// The records are deleted when their retention is over.
        case withTime
    }

    /// The name of the kind of record, which never changes: `classroom.attendance`.
    public let id: String
    /// The key of the kind's title in the feature block's string catalog.
    public let title: String
    public let store: Store
    /// The kinds of data about a person that the records may contain.
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

/// One table of a kind of record, and the statements that export and erase its rows.
public struct RecordTable: Sendable {
    public let name: String
    /// The statement that exports the rows of a school; `nil` if the table is not content of the school (secrets,
    /// passing state). Its argument is the school's id.
    public let export: (@Sendable (UUID) -> SQL)?
    /// The statement that returns the rows about one person; `nil` if no row is about a person.
    public let about: (@Sendable (RecordSubject) -> SQL)?
    /// The statement that returns the ids of all people about whom the table has rows, in one column; `nil` if `about`
    /// is quick.
    ///
    /// Given if no index finds one person's rows, so that a caller who asks about many people reads the table once.
    public let subjects: SQL?
    /// The statement that erases what the table says about one person; `nil` if there is nothing to erase.
    public let erase: (@Sendable (RecordSubject) -> SQL)?
    /// The statement that returns the ids, in one column, of people who are in the school only because of one person.
    /// They have no account and are erased with that person. `nil` if the table names no such people.
    public let dependents: (@Sendable (RecordSubject) -> SQL)?
    /// The statement that erases a school's rows in the server's directory database when the school is deleted; `nil`
    /// without such rows.
    public let eraseSchool: (@Sendable (UUID) -> SQL)?
    /// The statement that erases an account's rows in the server's directory database when the account is deleted;
    /// `nil` without such rows.
    public let eraseAccount: (@Sendable (UUID) -> SQL)?
    /// The rule that deletes the table's rows when their retention is over; `nil` if they stay.
    public let expiry: Expiry?

    /// The statement that returns the hashes of the uploaded files to which the table refers; `nil` if it refers to
    /// none. Every column of every row is a hash, or null.
    public let files: SQL?
    /// The columns of free text in which other people may be named; `nil` if there are none.
    public let texts: Texts?

    /// The columns of a table with free text, in which people may be named.
    public struct Texts: Sendable {
        public let table: SQL
        public let columns: [SQL]
        /// The text columns that identify a row of the table.
        public let key: [SQL]

        public init(of table: SQL, columns: [SQL], key: [SQL] = ["id"]) {
            self.table = table
            self.columns = columns
            self.key = key
        }
    }

    /// A rule that deletes the rows of a table whose retention is over.
    public struct Expiry: Sendable {
        /// The statement that returns a row if any row is due. It runs as a read, so it may scan the whole table.
        public let isDue: @Sendable (Date) -> SQL
        /// The statement that deletes a portion of the rows that are due, so that no command waits long.
        public let delete: @Sendable (Date) -> SQL

        public init(
            isDue: @escaping @Sendable (Date) -> SQL, delete: @escaping @Sendable (Date) -> SQL
        ) {
            self.isDue = isDue
            self.delete = delete
        }

        /// Creates the rule for a table whose rows are dated by one column.
        /// - Parameter key: the columns that identify a row.
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

/// The school's consent log, for feature blocks that store a kind of record only with consent.
public protocol ConsentNoting: Sendable {
    /// Adds an entry to the consent log: who allowed a kind of record about a person. Time and author are the
    /// command's.
    /// - Parameter giver: who gave the consent, in words.
    func note(_ giver: String, allowing kindId: String, about personId: UUID, in context: inout CommandContext)
        throws
}

/// The person whose records an SQL statement reads, exports or erases.
public struct RecordSubject: Sendable, Hashable {
    public let schoolId: UUID
    /// The person's id as SQL, to be written into a statement.
    public let personId: SQL
    /// The account of the person; `nil` if there is none.
    public let accountId: UUID?
    /// The text that replaces a removed name.
    public let placeholder: String
    /// The person's email address, for records that identify the person only by it; `nil` if there is none.
    public let email: String?

    public init(schoolId: UUID, personId: UUID, accountId: UUID?, placeholder: String, email: String? = nil) {
        self.email = email
        self.schoolId = schoolId
        self.personId = "\(personId)"
        self.accountId = accountId
        self.placeholder = placeholder
    }

    /// Creates a subject whose id is a column of a surrounding SQL statement, so that one statement covers many people.
    /// The account and the email address are `nil`.
    /// - Parameter column: the column of the surrounding statement with the people's ids, such as `asked.person_id`.
    public init(schoolId: UUID, eachOf column: SQL) {
        self.schoolId = schoolId
        personId = column
        accountId = nil
        placeholder = ""
        email = nil
    }
}

extension SQL {
    /// The number of rows that one portion of an expiry deletes.
    public static let expiryPortion = 500
}

extension Sequence<RecordKind> {
    /// Returns the hash of every uploaded file that a row of a school's database refers to.
    public func citedFiles(in sql: any SQLReading) throws -> Set<BlobHash> {
        var cited: Set<BlobHash> = []
        for table in flatMap(\.tables) {
            guard let statement = table.files else { continue }
            for row in try sql.rows(statement) { cited.formUnion(row.values.compactMap(BlobHash.init(sqlValue:))) }
        }
        return cited
    }
}
