/// The files of OneRoster 1.2 that are read (CSV binding, section 4), with their columns and those of version 1.1.
enum RosterFileKind: String, CaseIterable, Sendable {
    case orgs, academicSessions, courses, classes, users, roles, enrollments

    var fileName: String { "\(rawValue).csv" }

    /// Whether the rows are imported in every school. The others are checked, and imported only with courses.
    var isUsed: Bool {
        switch self {
        case .classes, .users, .roles, .enrollments: true
        case .orgs, .academicSessions, .courses: false
        }
    }

    /// The version of the standard that a bundle follows.
    enum Version: Sendable {
        /// Roles are a column of users.csv, one per person.
        case version11
        /// Roles are rows of roles.csv.
        case version12
    }

    /// The kind of file with this name, in any case.
    init?(fileName: String) {
        let name = fileName.lowercased()
        guard let kind = Self.allCases.first(where: { $0.fileName.lowercased() == name }) else { return nil }
        self = kind
    }

    /// The other files of the standard, none of which is imported.
    static let others: Set<String> = [
        "categories", "classResources", "courseResources", "demographics", "lineItemLearningObjectiveIds",
        "lineItems", "lineItemScoreScales", "resources", "resultLearningObjectiveIds", "results",
        "resultScoreScales", "scoreScales", "userProfiles", "userResources",
    ]

    /// A column of the standard.
    struct Column: Sendable {
        enum Kind: Sendable {
            case id, status, boolean, date, instant, year, email
            case text(max: Int)
            case choice([String])
            case reference(RosterFileKind)
            /// Several ids separated by commas.
            case references(RosterFileKind)
            /// Ids of guardians or children; some may be in no file.
            case agents
        }
        let name: String
        let kind: Kind
        /// Whether the standard requires a value in every row.
        var isRequired = false
        /// Whether the value is imported.
        var isUsed = false
    }

    private static let first = [
        Column(name: "sourcedId", kind: .id, isRequired: true, isUsed: true),
        Column(name: "status", kind: .status, isUsed: true),
        Column(name: "dateLastModified", kind: .instant),
    ]

    private static let text = Column.Kind.text(max: 1000)
    private static let name = Column.Kind.text(max: 200)

    /// The columns of version 1.2, which the export writes.
    var columns: [Column] { Self.table[self] ?? [] }

    /// The columns of a version.
    func columns(_ version: Version) -> [Column] {
        guard version == .version11 else { return columns }
        switch self {
        case .users: return columns.filter { !Self.since12.contains($0.name) } + Self.usersOf11
        case .enrollments:
            return columns.map { column in
                guard column.name == "role" else { return column }
                return Column(name: "role", kind: .choice(Self.rolesOf11), isRequired: true, isUsed: true)
            }
        case .orgs, .academicSessions, .courses, .classes, .roles: return columns
        }
    }

    /// The standard's name of a column, in any case. `grade` is accepted for `grades`, as systems before 1.1 wrote it.
    func columnName(_ header: String) -> String {
        let text = header.trimmed
        let folded = text.lowercased()
        if let name = Self.columnNames[self]?[folded] { return name }
        return self != .roles && folded == "grade" ? "grades" : text
    }

    private static let columnNames: [RosterFileKind: [String: String]] = Dictionary(
        uniqueKeysWithValues: allCases.map { kind in
            let names = (kind.columns + kind.columns(.version11)).map { ($0.name.lowercased(), $0.name) }
            return (kind, Dictionary(names) { first, _ in first })
        })

    private static let since12: Set<String> = [
        "userMasterIdentifier", "resourceSourcedIds", "preferredGivenName", "preferredMiddleName",
        "preferredFamilyName", "primaryOrgSourcedId", "pronouns",
    ]
    private static let rolesOf11 = [
        "administrator", "aide", "guardian", "parent", "proctor", "relative", "student", "teacher",
    ]
    private static let usersOf11 = [
        Column(name: "orgSourcedIds", kind: .references(.orgs), isRequired: true),
        Column(name: "role", kind: .choice(rolesOf11), isRequired: true, isUsed: true),
    ]

    private static let table: [RosterFileKind: [Column]] = [
        .orgs: first + [
            Column(name: "name", kind: name, isRequired: true),
            Column(
                name: "type", kind: .choice(["department", "school", "district", "local", "state", "national"]),
                isRequired: true),
            Column(name: "identifier", kind: text),
            Column(name: "parentSourcedId", kind: .reference(.orgs)),
        ],
        .academicSessions: first + [
            Column(name: "title", kind: name, isRequired: true, isUsed: true),
            Column(
                name: "type", kind: .choice(["gradingPeriod", "semester", "schoolYear", "term"]), isRequired: true,
                isUsed: true),
            Column(name: "startDate", kind: .date, isRequired: true, isUsed: true),
            Column(name: "endDate", kind: .date, isRequired: true, isUsed: true),
            Column(name: "parentSourcedId", kind: .reference(.academicSessions)),
            Column(name: "schoolYear", kind: .year, isRequired: true),
        ],
        .courses: first + [
            Column(name: "schoolYearSourcedId", kind: .reference(.academicSessions), isUsed: true),
            Column(name: "title", kind: name, isRequired: true, isUsed: true),
            Column(name: "courseCode", kind: text), Column(name: "grades", kind: text, isUsed: true),
            Column(name: "orgSourcedId", kind: .reference(.orgs), isRequired: true),
            Column(name: "subjects", kind: text, isUsed: true), Column(name: "subjectCodes", kind: text),
        ],
        .classes: first + [
            Column(name: "title", kind: name, isRequired: true, isUsed: true),
            Column(name: "grades", kind: text, isUsed: true),
            Column(name: "courseSourcedId", kind: .reference(.courses), isRequired: true, isUsed: true),
            Column(name: "classCode", kind: text),
            Column(name: "classType", kind: .choice(["homeroom", "scheduled"]), isRequired: true, isUsed: true),
            Column(name: "location", kind: text),
            Column(name: "schoolSourcedId", kind: .reference(.orgs), isRequired: true),
            Column(name: "termSourcedIds", kind: .references(.academicSessions), isRequired: true, isUsed: true),
            Column(name: "subjects", kind: text, isUsed: true), Column(name: "subjectCodes", kind: text),
            Column(name: "periods", kind: text),
        ],
        .users: first + [
            Column(name: "enabledUser", kind: .boolean, isRequired: true, isUsed: true),
            Column(name: "username", kind: text, isRequired: true),
            Column(name: "userIds", kind: text),
            Column(name: "givenName", kind: name, isRequired: true, isUsed: true),
            Column(name: "familyName", kind: name, isRequired: true, isUsed: true),
            Column(name: "middleName", kind: name), Column(name: "identifier", kind: text, isUsed: true),
            Column(name: "email", kind: .email, isUsed: true),
            Column(name: "sms", kind: text), Column(name: "phone", kind: text),
            Column(name: "agentSourcedIds", kind: .agents, isUsed: true),
            Column(name: "grades", kind: text, isUsed: true), Column(name: "password", kind: text),
            Column(name: "userMasterIdentifier", kind: text), Column(name: "resourceSourcedIds", kind: text),
            Column(name: "preferredGivenName", kind: name, isUsed: true),
            Column(name: "preferredMiddleName", kind: name), Column(name: "preferredFamilyName", kind: name),
            Column(name: "primaryOrgSourcedId", kind: .reference(.orgs)), Column(name: "pronouns", kind: text),
        ],
        .roles: first + [
            Column(name: "userSourcedId", kind: .reference(.users), isRequired: true, isUsed: true),
            Column(name: "roleType", kind: .choice(["primary", "secondary"]), isRequired: true),
            Column(
                name: "role",
                kind: .choice([
                    "administrator", "aide", "counselor", "districtAdministrator", "guardian", "parent",
                    "principal", "proctor", "relative", "siteAdministrator", "student", "systemAdministrator",
                    "teacher",
                ]), isRequired: true, isUsed: true),
            Column(name: "beginDate", kind: .date), Column(name: "endDate", kind: .date),
            Column(name: "orgSourcedId", kind: .reference(.orgs), isRequired: true),
            Column(name: "userProfileSourcedId", kind: text),
        ],
        .enrollments: first + [
            Column(name: "classSourcedId", kind: .reference(.classes), isRequired: true, isUsed: true),
            Column(name: "schoolSourcedId", kind: .reference(.orgs), isRequired: true),
            Column(name: "userSourcedId", kind: .reference(.users), isRequired: true, isUsed: true),
            Column(
                name: "role", kind: .choice(["administrator", "proctor", "student", "teacher"]), isRequired: true,
                isUsed: true),
            Column(name: "primary", kind: .boolean, isUsed: true),
            Column(name: "beginDate", kind: .date, isUsed: true),
            Column(name: "endDate", kind: .date, isUsed: true),
        ],
    ]
}
