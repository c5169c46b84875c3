import Domain
import RosterInterface

/// The rows of a OneRoster 1.1 or 1.2 CSV bundle that become something in a school, and all that is wrong with it. A
/// plain list becomes one too, once it is known who of its people the school has (`PeopleList`).
struct RosterBundle: Sendable {
    struct User: Sendable {
        let line: Int
        let sourcedId: String
        /// What the bundle says; a blank name or address says nothing.
        let given: String
        let family: String
        let preferred: String?
        var email: String?
        var number: String?
        var gradeLevel: String?
        /// The ids of those who look after this person, or whom this person looks after.
        var agents: [String] = []
        var isEnabled = true
        var isToBeDeleted = false
        /// Whether the id is another system's, to be kept with a new person.
        var keepsId = true
    }
    struct Room: Sendable {
        let line: Int
        let sourcedId: String
        let title: String
        var isToBeDeleted = false
        var keepsId = true
        /// Whether it is a course with its own times, not the class in which children are.
        var isScheduled = false
        var courseId = ""
        var sessionIds: [String] = []
        var gradeLevel: String?
        var subject: String?
    }
    /// A row of academicSessions.csv: a school year, a term, or a part of one.
    struct Session: Sendable {
        let line: Int
        let sourcedId: String
        let title: String
        let isYear: Bool
        let first: Day
        let last: Day
        var isToBeDeleted = false
    }
    /// A row of courses.csv: what is taught, without when and by whom.
    struct CourseRow: Sendable {
        let line: Int
        let sourcedId: String
        let title: String
        let gradeLevel: String?
        let subject: String?
        let sessionId: String
        var isToBeDeleted = false
    }
    struct RoleRow: Sendable {
        let line: Int
        let userId: String
        let role: String
        var isToBeDeleted = false
    }
    struct Enrollment: Sendable {
        let line: Int
        let roomId: String
        let userId: String
        let role: String
        /// Whether the person is the first of the teachers.
        var isPrimary = false
        /// The first and the last day; a blank one is open.
        var begin: Day?
        var end: Day?
        var isToBeDeleted = false
    }

    /// The one file that all rows are of, where it is a plain list.
    var listFile: String?
    /// Whether a person who is not in it has left: a list without ids may be of a few people only.
    var isComplete = true
    /// The files that hold only what changed: what they refer to may be in the school alone.
    var deltas: Set<RosterFileKind> = []
    /// The file in which roles stand.
    var roleFile = RosterFileKind.roles
    var users: [User] = []
    var rooms: [Room] = []
    var sessions: [Session] = []
    var courses: [CourseRow] = []
    /// The files that are read for courses alone.
    var courseFiles: [RosterFileKind] = []
    var roles: [RoleRow] = []
    var enrollments: [Enrollment] = []
    var findings = Findings()

    /// A value of a row; a blank one says nothing.
    static func said(_ text: String) -> String? {
        let text = text.trimmed
        return text.isEmpty ? nil : text
    }

    /// What a report calls the file of these rows.
    func file(_ kind: RosterFileKind) -> String { listFile ?? kind.fileName }

    /// Reads all files and finds all faults. What is found together with faults is not to be used.
    static func parse(_ files: [RosterFile], limits: CSVReader.Limits = CSVReader.Limits()) -> RosterBundle {
        var parser = BundleParser(limits: limits)
        return parser.parse(files)
    }
}
