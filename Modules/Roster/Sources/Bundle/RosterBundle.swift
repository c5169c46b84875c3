import Domain
import RosterInterface

/// The rows of a OneRoster 1.2 CSV bundle that become something in a school, and all that is wrong with it.
struct RosterBundle: Sendable {
    struct User: Sendable {
        let line: Int
        let sourcedId: String
        /// What the bundle says; an absent preferred name or address says nothing.
        let given: String
        let family: String
        let preferred: String?
        let email: String?
        let isEnabled: Bool
        let isToBeDeleted: Bool
    }
    struct Room: Sendable {
        let line: Int
        let sourcedId: String
        let title: String
        let isToBeDeleted: Bool
    }
    struct RoleRow: Sendable {
        let line: Int
        let userId: String
        let role: String
        let isToBeDeleted: Bool
    }
    struct Enrollment: Sendable {
        let line: Int
        let roomId: String
        let userId: String
        let role: String
        let isToBeDeleted: Bool
    }

    var users: [User] = []
    var rooms: [Room] = []
    var roles: [RoleRow] = []
    var enrollments: [Enrollment] = []
    var findings = Findings()

    /// Reads all files and finds all faults. What is found together with faults is not to be used.
    static func parse(_ files: [RosterFile], limits: CSVReader.Limits = CSVReader.Limits()) -> RosterBundle {
        var parser = BundleParser(limits: limits)
        return parser.parse(files)
    }
}
