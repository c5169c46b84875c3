import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

/// The school as files that the import accepts. Importing them again changes nothing.
struct RosterExport: Sendable {
    let organization: Organization
    let today: Day
    let holdings: RosterPlan.Holdings

    /// The text for a missing name, because the standard requires one. The import recognizes it.
    static let noName = "-"
    /// The ids of the year, term and course of all classrooms, because the standard requires them. The import ignores
    /// these rows.
    static let (yearId, termId, courseId) = ("pinktower-year", "pinktower-term", "pinktower-course")

    // MARK: - OneRoster 1.2

    /// The files of a bundle, the manifest first. They are for programs; `plain` is for spreadsheets.
    var bundle: [RosterFile] {
        let school = organization.id.text
        let year = today.month >= 8 ? today.year : today.year - 1
        let (start, end) = ("\(year)-08-01", "\(year + 1)-07-31")
        let sheets: [(kind: RosterFileKind, rows: [[String: String]])] = [
            (.orgs, [["sourcedId": school, "name": organization.name, "type": "school"]]),
            (
                .academicSessions,
                [
                    [
                        "sourcedId": Self.yearId, "title": "\(year)-\(year + 1)", "type": "schoolYear",
                        "startDate": start,
                        "endDate": end, "schoolYear": String(year + 1),
                    ],
                    [
                        "sourcedId": Self.termId, "title": "\(year)-\(year + 1)", "type": "term",
                        "startDate": start,
                        "endDate": end, "parentSourcedId": Self.yearId, "schoolYear": String(year + 1),
                    ],
                ] + terms
            ),
            (
                .courses,
                [
                    [
                        "sourcedId": Self.courseId, "schoolYearSourcedId": Self.yearId, "title": organization.name,
                        "orgSourcedId": school,
                    ]
                ]
            ),
            (.classes, classes(school) + courseClasses(school)), (.users, users(school)), (.roles, roles(school)),
            (.enrollments, enrollments(school) + courseEnrollments(school)),
        ]
        let full = sheets.filter { !$0.rows.isEmpty }
        let manifest =
            [["propertyName", "value"], ["manifest.version", "1.0"], ["oneroster.version", "1.2"]]
            + RosterFileKind.allCases.map { kind in
                ["file.\(kind.rawValue)", full.contains { $0.kind == kind } ? "bulk" : "absent"]
            } + [["source.systemName", "PinkTower"]]
        return [RosterFile(name: "manifest.csv", bytes: Self.csv(manifest))]
            + full.map { kind, rows in
                let names = kind.columns.map(\.name)
                return RosterFile(
                    name: kind.fileName, bytes: Self.csv([names] + rows.map { row in names.map { row[$0] ?? "" } }))
            }
    }

    private func classes(_ school: String) -> [[String: String]] {
        rooms.map { room in
            [
                "sourcedId": Self.id(room), "title": room.name, "courseSourcedId": Self.courseId,
                "classType": "homeroom",
                "schoolSourcedId": school, "termSourcedIds": Self.termId,
            ]
        }
    }

    // MARK: - Courses

    private var terms: [[String: String]] {
        (holdings.courses?.terms ?? []).sorted { $0.id < $1.id }.map { term in
            [
                "sourcedId": Self.id(term), "title": term.name, "type": "term",
                "startDate": term.firstDay.description,
                "endDate": term.lastDay.description,
                "schoolYear": String(term.lastDay.month >= 8 ? term.lastDay.year + 1 : term.lastDay.year),
            ]
        }
    }

    private var courses: [ImportedCourse] {
        (holdings.courses?.courses ?? []).sorted { $0.id < $1.id }
    }

    /// Courses as scheduled classes, which the import recognizes.
    private func courseClasses(_ school: String) -> [[String: String]] {
        let terms = Dictionary((holdings.courses?.terms ?? []).map { ($0.id, Self.id($0)) }) { first, _ in first }
        return courses.map { course in
            [
                "sourcedId": RosterPlan.Sections.classId(course), "title": course.name,
                "grades": course.gradeLevel ?? "", "courseSourcedId": Self.courseId, "classType": "scheduled",
                "schoolSourcedId": school,  // Commas separate subjects.
                "subjects": course.subject.contains(",") ? "" : course.subject,
                "termSourcedIds": course.termId.flatMap { terms[$0] } ?? Self.termId,
            ]
        }
    }

    private func courseEnrollments(_ school: String) -> [[String: String]] {
        let personIds = Dictionary(people.map { ($0.person.id, Self.id($0)) }) { first, _ in first }
        let places = Dictionary(grouping: holdings.courses?.places ?? [], by: \.courseId)
        return courses.flatMap { course -> [[String: String]] in
            let students = (places[course.id] ?? []).map(\.personId).sorted()
            let rows =
                course.teacherIds.enumerated().map { ($1, "teacher", $0 == 0 ? "true" : "false") }
                + students.map { ($0, "student", "") }
            return rows.compactMap { personId, role, primary in
                personIds[personId].map { person in
                    [
                        "sourcedId": "\(course.id.text.suffix(12))-\(personId.text)-\(role)",
                        "classSourcedId": RosterPlan.Sections.classId(course), "schoolSourcedId": school,
                        "userSourcedId": person, "role": role, "primary": primary,
                        "beginDate": role == "student"
                            ? holdings.courses?.firstDays[
                                CoursePlace(courseId: course.id, personId: personId)]?.description ?? "" : "",
                    ]
                }
            }
        }
    }

    private func users(_ school: String) -> [[String: String]] {
        let ids = Dictionary(people.map { ($0.person.id, Self.id($0)) }) { first, _ in first }
        let guardians = Dictionary(grouping: holdings.families, by: \.childId)
            .mapValues { links in links.compactMap { ids[$0.guardianId] }.sorted().joined(separator: ",") }
        return people.map { one in
            let name = one.person.name
            return [
                "sourcedId": Self.id(one), "enabledUser": "true", "username": Self.id(one),
                "givenName": name.given.isEmpty ? Self.noName : name.given,
                "familyName": name.family.isEmpty ? Self.noName : name.family,
                "identifier": one.person.number ?? "", "grades": one.person.gradeLevel ?? "",
                "email": one.person.email ?? "", "agentSourcedIds": guardians[one.person.id] ?? "",
                "preferredGivenName": name.preferred ?? "",
                "primaryOrgSourcedId": school,
            ]
        }
    }

    private func roles(_ school: String) -> [[String: String]] {
        let names = PeopleSheet(holdings).roleNames
        return people.flatMap { one in
            (names[one.person.id] ?? []).sorted().enumerated().map { number, role in
                [
                    "sourcedId": "\(Self.id(one))-\(role)", "userSourcedId": Self.id(one),
                    "roleType": number == 0 ? "primary" : "secondary", "role": role, "orgSourcedId": school,
                ]
            }
        }
    }

    private func enrollments(_ school: String) -> [[String: String]] {
        let places =
            holdings.classrooms.guidePlaces.map { ($0, "teacher") }
            + holdings.classrooms.studentPlaces.map { ($0, "student") }
        let personIds = Dictionary(people.map { ($0.person.id, Self.id($0)) }) { first, _ in first }
        let roomIds = Dictionary(rooms.map { ($0.id, Self.id($0)) }) { first, _ in first }
        return places.compactMap { place, role -> [String: String]? in
            guard let person = personIds[place.personId], let room = roomIds[place.classroomId] else { return nil }
            return [
                "sourcedId": "\(place.classroomId.text.suffix(12))-\(place.personId.text)-\(role)",
                "classSourcedId": room, "schoolSourcedId": school, "userSourcedId": person, "role": role,
                "beginDate": role == "student" ? holdings.classrooms.firstDays[place]?.description ?? "" : "",
            ]
        }.sorted { ($0["sourcedId"] ?? "") < ($1["sourcedId"] ?? "") }
    }

    // MARK: - Plain CSV

    /// One row per person with names, address, roles and classrooms, for a spreadsheet. A semicolon in a classroom's
    /// name is doubled. The last column tells the import which values were edited in the file (`ExportedValues`).
    var plain: [UInt8] {
        let sheet = PeopleSheet(holdings)
        let rows = people.map { one -> [String] in
            let values = sheet.values(of: one)
            let exported = ExportedValues(
                Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }),
                source: organization.id.text)
            return [Self.id(one)] + PeopleSheet.columns.map { values[$0.column] ?? "" } + [exported.text]
        }
        let header = ["sourcedId"] + PeopleSheet.columns.map(\.header) + ["exported (do not change)"]
        return Array("\u{FEFF}".utf8) + ([header] + rows).flatMap { CSVField.line($0).utf8 }
    }

    // MARK: - Helpers

    /// Sorted by creation, so that two exports of the same school are identical.
    private var people: [ImportedPerson] { holdings.people.sorted { $0.person.id < $1.person.id } }
    private var rooms: [ImportedClassroom] {
        holdings.classrooms.classrooms.sorted { $0.id < $1.id }
    }

    /// The other system's id, or ours. The import knows both.
    private static func id(_ one: ImportedPerson) -> String { one.externalId ?? one.person.id.text }
    private static func id(_ term: ImportedTerm) -> String { term.externalId ?? term.id.text }
    private static func id(_ room: ImportedClassroom) -> String { room.externalId ?? room.id.text }

    /// RFC 4180 without a guard against formulas: the standard has none, and other systems would take it as part of the
    /// value.
    private static func csv(_ rows: [[String]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for row in rows {
            for (place, field) in row.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                if field.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) {
                    bytes += Array("\"\(field.replacing("\"", with: "\"\""))\"".utf8)
                } else {
                    bytes += Array(field.utf8)
                }
            }
            bytes += [0x0D, 0x0A]
        }
        return bytes
    }
}

/// Downloads the OneRoster bundle.
struct ExportRoster: Query {
    static let contract = Contract(
        "roster.export", "/api/v1/roster/export", access: .member(.importPeople),
        seen: Seen("people.exported", isExport: true), fileName: "oneroster.zip",
        summary: "The people, classrooms and enrollments as a OneRoster 1.2 CSV bundle in a ZIP file.")
    typealias Result = FileBody

    init(_ fields: inout FieldReader) {}
}

/// Downloads the people as a plain list.
struct ExportPeople: Query {
    static let contract = Contract(
        "roster.exportPeople", "/api/v1/roster/people", access: .member(.importPeople),
        seen: Seen("people.exported", isExport: true), fileName: "people.csv",
        summary: "The people as one plain CSV file with their roles and classrooms.")
    typealias Result = FileBody

    init(_ fields: inout FieldReader) {}
}
