import Foundation
public import RosterInterface

/// A small, valid OneRoster 1.2 bundle that tests modify.
///
/// It has one administrator, a teacher in each room, and students with a parent each. The names are of many scripts.
/// In `users.csv` line 2 is the administrator. Then follow, room by room, the teacher and, in turn, students and
/// parents.
public struct RosterSample: Sendable {
    /// The text of each file of the bundle by its name.
    public var files: [String: String]

    public init(rooms: Int = 2, studentsPerRoom: Int = 3) {
        var users = [
            Self.userHeader, Self.user("admin-1", "Oluwaseun", "Berg-de", email: "head@maple.example", "Olu"),
        ]
        var roles = [Self.roleHeader, Self.role("admin-1", "systemAdministrator")]
        var classes = [
            "sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods"
        ]
        var enrollments = [Self.enrollmentHeader]
        var number = 0
        for room in 0..<rooms {
            classes.append("class-\(room),,,Casa \(room),,course-1,M\(room),homeroom,,school-1,term-1,Montessori,,")
            let guide = "guide-\(room)"
            let name = Self.name(number)
            users.append(Self.user(guide, name.given, name.family, email: "\(guide)@maple.example"))
            roles.append(Self.role(guide, "teacher"))
            enrollments.append(Self.enrollment("class-\(room)", guide, "teacher"))
            for place in 0..<studentsPerRoom {
                number += 1
                let (child, parent) = ("student-\(room)-\(place)", "parent-\(room)-\(place)")
                let (young, old) = (Self.name(number), Self.name(number + 7))
                users.append(
                    Self.user(
                        child, young.given, young.family, number: "M-\(room)-\(place)", grade: "0\(place % 9)",
                        agents: parent))
                users.append(
                    Self.user(parent, old.given, young.family, email: "\(parent)@home.example", agents: child))
                roles += [Self.role(child, "student"), Self.role(parent, "parent")]
                enrollments.append(Self.enrollment("class-\(room)", child, "student"))
            }
        }
        files = [
            "manifest.csv": """
            propertyName,value
            manifest.version,1.0
            oneroster.version,1.2
            file.academicSessions,bulk
            file.classes,bulk
            file.courses,bulk
            file.demographics,absent
            file.enrollments,bulk
            file.orgs,bulk
            file.roles,bulk
            file.users,bulk
            source.systemName,Maple SIS

            """,
            "orgs.csv": """
            sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId
            school-1,,,École des Érables / Maple School,school,QC-0417,

            """,
            "academicSessions.csv": """
            sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear
            year-1,,,2026-2027,schoolYear,2026-08-24,2027-06-30,,2027
            term-1,,,Automne / Fall,term,2026-08-24,2026-12-20,year-1,2027

            """,
            "courses.csv": """
            sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes
            course-1,,,year-1,Casa,M00,,school-1,Montessori,

            """,
            "classes.csv": classes.joined(separator: "\r\n") + "\r\n",
            "users.csv": users.joined(separator: "\r\n") + "\r\n",
            "roles.csv": roles.joined(separator: "\n") + "\n",
            "enrollments.csv": enrollments.joined(separator: "\n") + "\n",
        ]
    }

    /// The files of the bundle as they are uploaded.
    public var bundle: [RosterFile] {
        files.sorted { $0.key < $1.key }.map { RosterFile(name: $0.key, bytes: Array($0.value.utf8)) }
    }

    /// Replaces the first occurrence of a text in a file. The sample must contain `old`, or the test would prove
    /// nothing.
    public mutating func replace(_ old: String, with new: String, in file: String) {
        guard let text = files[file], let range = text.range(of: old) else {
            preconditionFailure("\(file) of the sample does not contain \(old)")
        }
        files[file] = text.replacingCharacters(in: range, with: new)
    }

    public mutating func append(_ row: String, to file: String) { files[file, default: ""] += row + "\n" }

    // MARK: - Rows

    public static let userHeader =
        "sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns"
    static let roleHeader =
        "sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId"
    static let enrollmentHeader =
        "sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate"

    /// Returns a row of `users.csv` about one person.
    public static func user(
        _ id: String, _ given: String, _ family: String, email: String = "", _ preferred: String = "",
        number: String = "", grade: String = "", agents: String = "", status: String = "", enabled: String = "true"
    ) -> String {
        "\(id),\(status),,\(enabled),\(id),,\(given),\(family),,\(number),\(email),,,\(agents),\(grade),,,\(preferred),,,school-1,"
    }

    /// Returns a row of `roles.csv` that gives a user a role.
    public static func role(_ user: String, _ role: String) -> String {
        "role-\(user)-\(role),,,\(user),primary,\(role),,,school-1,"
    }

    /// Returns a row of `enrollments.csv` that puts a user into a room.
    public static func enrollment(_ room: String, _ user: String, _ role: String) -> String {
        "enr-\(room)-\(user)-\(role),,,\(room),school-1,\(user),\(role),\(role == "teacher"),2026-08-24,2027-06-30"
    }

    private static let names: [(given: String, family: String)] = [
        ("Chloé", "Côté"), ("يوسف", "الخطيب"), ("小雨", "王"), ("さくら", "Bouchard"), ("Δάφνη", "Παπαδόπουλος"),
        ("נועה", "כהן"), ("Đức", "Nguyễn"), ("Łukasz", "Żółć"), ("Sinéad", "O'Neill"), ("Мария", "Иванова"),
        ("अनन्या", "शर्मा"), ("Mary-Jane", "Ångström"), ("ณัฐ", "สุขใจ"),
    ]

    private static func name(_ number: Int) -> (given: String, family: String) { names[number % names.count] }
}
