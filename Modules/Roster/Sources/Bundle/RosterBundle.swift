import Domain
import RosterInterface

/// The rows of a OneRoster 1.1 or 1.2 CSV bundle that are imported, and the findings about it.
///
/// A plain list is converted to a bundle when it is compared with the school (`PeopleList`).
struct RosterBundle: Sendable {
    /// A row of users.csv.
    struct User: Sendable {
        let line: Int
        let sourcedId: String
        /// The values of the bundle. A blank one leaves the school's value unchanged.
        let given: String
        let family: String
        let preferred: String?
        var email: String?
        var number: String?
        var gradeLevel: String?
        /// The ids of the person's guardians or children.
        var agents: [String] = []
        var isEnabled = true
        var isToBeDeleted = false
        /// Whether the id belongs to another system and is stored with a new person.
        var keepsId = true
    }
    /// A row of classes.csv: a classroom, or a course with its own times.
    struct Room: Sendable {
        let line: Int
        let sourcedId: String
        let title: String
        var isToBeDeleted = false
        var keepsId = true
        /// Whether the class is a course with its own times, not the children's classroom.
        var isScheduled = false
        var courseId = ""
        var sessionIds: [String] = []
        var gradeLevel: String?
        var subject: String?
    }
    /// A row of academicSessions.csv: a school year, a term or a grading period.
    struct Session: Sendable {
        let line: Int
        let sourcedId: String
        let title: String
        let isYear: Bool
        let first: Day
        let last: Day
        var isToBeDeleted = false
    }
    /// A row of courses.csv: what is taught, without times and teachers.
    struct CourseRow: Sendable {
        let line: Int
        let sourcedId: String
        let title: String
        let gradeLevel: String?
        let subject: String?
        let sessionId: String
        var isToBeDeleted = false
    }
    /// A role of a person, from roles.csv or users.csv.
    struct RoleRow: Sendable {
        let line: Int
        let userId: String
        let role: String
        var isToBeDeleted = false
    }
    /// A row of enrollments.csv.
    struct Enrollment: Sendable {
        let line: Int
        let roomId: String
        let userId: String
        let role: String
        /// Whether the person is the primary teacher.
        var isPrimary = false
        /// The first and the last day; `nil` is open.
        var begin: Day?
        var end: Day?
        var isToBeDeleted = false
    }

    /// The file of all rows if they come from a plain list.
    var listFile: String?
    /// Whether a missing person has left. A list without ids may contain only a few people.
    var isComplete = true
    /// The files with changes only, whose rows may refer to people and classes of the school.
    var deltas: Set<RosterFileKind> = []
    /// The file that contains the roles.
    var roleFile = RosterFileKind.roles
    var users: [User] = []
    var rooms: [Room] = []
    var sessions: [Session] = []
    var courses: [CourseRow] = []
    /// The files that are needed only for courses.
    var courseFiles: [RosterFileKind] = []
    var roles: [RoleRow] = []
    var enrollments: [Enrollment] = []
    var findings = Findings()

    /// Returns the text without white space around it, or `nil` if it is blank.
    static func nonBlank(_ text: String) -> String? {
        let text = text.trimmed
        return text.isEmpty ? nil : text
    }

    /// The name of the file of such rows in the report.
    func file(_ kind: RosterFileKind) -> String { listFile ?? kind.fileName }

    /// Reads all files and finds all faults. A bundle with faults must not be imported.
    static func parse(_ files: [RosterFile], limits: CSVReader.Limits = CSVReader.Limits()) -> RosterBundle {
        var parser = BundleParser(limits: limits)
        return parser.parse(files)
    }
}
