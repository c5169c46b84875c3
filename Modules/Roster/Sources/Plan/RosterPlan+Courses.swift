import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import RosterInterface

extension RosterPlan {
    /// The terms, courses and enrollments of a school with courses.
    struct CourseHoldings: Sendable {
        var terms: [ImportedTerm] = []
        var courses: [ImportedCourse] = []
        /// The first days of the students' places.
        var firstDays: [CoursePlace: Day] = [:]
        var places: Set<CoursePlace> { Set(firstDays.keys) }
        /// The ids of courses that have lessons or times.
        var filled: Set<UUID> = []
        /// Whether courses can have students.
        var takesStudents = true
    }

    /// The courses that a bundle contains.
    ///
    /// A scheduled class is a course of its own. A course without scheduled classes is one course with the people of
    /// all its classes, which are classrooms too.
    struct Sections {
        /// A course of the bundle.
        struct Section {
            let file: RosterFileKind
            let line: Int
            /// The prefixed id: in a bundle a class and a course may have the same id.
            let externalId: String
            let title: String
            /// `nil` leaves the school's value unchanged.
            let subject: String?
            let gradeLevel: String?
            let sessionIds: [String]
            let isToBeDeleted: Bool
        }
        private(set) var all: [Section] = []
        /// The index of the section for each class id.
        private(set) var ofClass: [String: Int] = [:]
        /// The ids of classes that are not classrooms.
        private(set) var scheduled: Set<String> = []
        /// The ids of classes that are courses of the school, which a file of changes need not contain.
        private let known: Set<String>

        /// The external id that the school stores for a class.
        static func externalId(ofClass id: String) -> String {
            // Our export writes a course without a class as a class with this prefix.
            id.hasPrefix("course:") ? id : "class:\(id)"
        }

        /// The id of a course in a bundle. A course without an external id is exported as a class.
        static func key(_ course: ImportedCourse) -> String {
            course.externalId ?? externalId(ofClass: course.id.text)
        }

        /// The id of the class as which a course is exported.
        static func classId(_ course: ImportedCourse) -> String {
            let key = key(course)
            return key.hasPrefix("class:") ? String(key.dropFirst("class:".count)) : key
        }

        /// Whether a class is a course, in the bundle or in the school.
        func isCourse(_ classId: String) -> Bool {
            ofClass[classId] != nil || known.contains(Self.externalId(ofClass: classId))
        }

        init(_ bundle: RosterBundle, classrooms: Set<String>, known: [ImportedCourse]) {
            self.known = Set(known.map(Self.key))
            let courses = Dictionary(bundle.courses.map { ($0.sourcedId, $0) }) { first, _ in first }
            var ofCourse: [String: [RosterBundle.Room]] = [:]
            for room in bundle.rooms {
                // A class that is already a classroom of the school stays one.
                guard room.isScheduled, !classrooms.contains(room.sourcedId) else {
                    ofCourse[room.courseId, default: []].append(room)
                    continue
                }
                let course = courses[room.courseId]
                scheduled.insert(room.sourcedId)
                ofClass[room.sourcedId] = all.count
                all.append(
                    Section(
                        file: .classes, line: room.line, externalId: Self.externalId(ofClass: room.sourcedId),
                        title: room.title,
                        subject: room.subject ?? course?.subject ?? course?.title,
                        gradeLevel: room.gradeLevel ?? course?.gradeLevel, sessionIds: room.sessionIds,
                        isToBeDeleted: room.isToBeDeleted))
            }
            let taught = Set(bundle.rooms.filter { scheduled.contains($0.sourcedId) }.map(\.courseId))
            for course in bundle.courses where !taught.contains(course.sourcedId) {
                let rooms = ofCourse[course.sourcedId] ?? []
                for room in rooms { ofClass[room.sourcedId] = all.count }
                all.append(
                    Section(
                        file: .courses, line: course.line, externalId: "course:\(course.sourcedId)",
                        title: course.title, subject: course.subject ?? rooms.first?.subject ?? course.title,
                        gradeLevel: course.gradeLevel ?? rooms.first?.gradeLevel,
                        sessionIds: (rooms.first?.sessionIds ?? []) + [course.sessionId],
                        isToBeDeleted: course.isToBeDeleted))
            }
        }
    }

    /// The most characters of a course's name, subject and grade level, as in the form.
    private static let longest = (name: 120, subject: 60, gradeLevel: 60)

    /// Adds the changes of terms, courses and enrollments in courses.
    mutating func compareCourses(
        _ bundle: RosterBundle, _ people: People, _ sections: Sections, _ present: CourseHoldings,
        _ enrollments: Enrollments, _ newId: () -> UUID
    ) {
        let terms = compareTerms(bundle, present.terms, newId)
        var teachers: [Int: [(isPrimary: Bool, personId: UUID)]] = [:]
        for row in enrollments.open where row.role == "teacher" {
            guard let section = sections.ofClass[row.roomId], let person = people[row.userId] else { continue }
            teachers[section, default: []].append((row.isPrimary, person.id))
        }
        let known = Dictionary(present.courses.map { (Sections.key($0), $0) }) { first, _ in first }
        var courseOf: [Int: ImportedCourse] = [:]
        for (place, section) in sections.all.enumerated() {
            let before = known[section.externalId]
            if section.isToBeDeleted {
                courseOf[place] = before
                continue
            }
            var course =
                before
                ?? ImportedCourse(
                    id: newId(), name: "", subject: "", gradeLevel: nil, termId: nil, teacherIds: [],
                    externalId: section.externalId)
            course.name = String(section.title.prefix(Self.longest.name))
            let subject = section.subject ?? (course.subject.isEmpty ? section.title : course.subject)
            course.subject = String(subject.prefix(Self.longest.subject))
            course.gradeLevel =
                section.gradeLevel.map { String($0.prefix(Self.longest.gradeLevel)) } ?? course.gradeLevel
            course.termId = section.sessionIds.lazy.compactMap { terms[$0] }.first ?? course.termId
            let named = teachers[place] ?? []
            for id in named.filter(\.isPrimary).map(\.personId) + named.filter({ !$0.isPrimary }).map(\.personId)
            where !course.teacherIds.contains(id) {
                course.teacherIds.append(id)
            }
            courseOf[place] = course
            if let before {
                guard course != before else { continue }
                changedCourses.append(Difference(before: before, after: course))
                step(
                    .courseUpdated, section.file.fileName, section.line, .name(course.name),
                    fields: Self.fields(before, course))
            } else {
                newCourses.append(course)
                step(.courseCreated, section.file.fileName, section.line, .name(course.name))
            }
        }
        guard present.takesStudents else { return }
        func place(of row: RosterBundle.Enrollment) -> (CoursePlace, Person, ImportedCourse)? {
            let named = sections.ofClass[row.roomId].flatMap { courseOf[$0] }
            guard row.role == "student", let person = people[row.userId],
                let course = named ?? known[Sections.externalId(ofClass: row.roomId)]
            else { return nil }
            return (CoursePlace(courseId: course.id, personId: person.id), person, course)
        }
        let open = enrollments.open.compactMap { row in place(of: row).map { (row, $0) } }
        comparePlaces(open, present)
        let stillOpen = Set(open.map(\.1.0))
        compareEnds(
            enrollments.ended.compactMap { row in place(of: row).map { (row, $0) } }
                .filter { !stillOpen.contains($0.1.0) }, present)
    }

    /// Adds the enrollments in courses.
    private mutating func comparePlaces(
        _ rows: [(RosterBundle.Enrollment, (CoursePlace, Person, ImportedCourse))], _ present: CourseHoldings
    ) {
        var seen = present.places
        for (row, (place, person, course)) in rows where seen.insert(place).inserted {
            coursePlaces.append(place)
            courseFirstDays[place] = row.begin
            step(
                .courseEnrolled, RosterFileKind.enrollments.fileName, row.line, .name(person.name.display),
                .name(course.name),
                fields: row.begin.map { [.init(column: "beginDate", before: "", after: $0.description)] } ?? [])
        }
    }

    /// Ends the places of students whose enrollment in a course has ended before the end of the school year.
    private mutating func compareEnds(
        _ rows: [(RosterBundle.Enrollment, (CoursePlace, Person, ImportedCourse))], _ present: CourseHoldings
    ) {
        for (row, (place, person, course)) in rows {
            // A place that began after the end is another one.
            guard let end = row.end, let first = present.firstDays[place], first <= end,
                courseDepartures.updateValue(end, forKey: place) == nil
            else { continue }
            formerFirstDays[place] = first
            unusedEnds[row.line] = nil
            step(
                .courseLeft, RosterFileKind.enrollments.fileName, row.line, .name(person.name.display),
                .name(course.name), fields: [.init(column: "endDate", before: "", after: end.description)])
        }
    }

    /// Adds the changes of terms. Returns the ids of terms by their ids in the bundle.
    private mutating func compareTerms(
        _ bundle: RosterBundle, _ present: [ImportedTerm], _ newId: () -> UUID
    ) -> [String: UUID] {
        let known = Dictionary(present.map { ($0.externalId ?? $0.id.text, $0) }) { first, _ in first }
        var ids = known.mapValues(\.id)
        for session in bundle.sessions where !session.isToBeDeleted {
            let before = known[session.sourcedId]
            var term =
                before
                ?? ImportedTerm(
                    id: newId(), name: "", firstDay: session.first, lastDay: session.last,
                    externalId: session.sourcedId)
            term.name = String(session.title.prefix(60))
            (term.firstDay, term.lastDay) = (session.first, session.last)
            ids[session.sourcedId] = term.id
            let file = RosterFileKind.academicSessions.fileName
            if let before {
                guard term != before else { continue }
                changedTerms.append(Difference(before: before, after: term))
                let columns = [
                    ("title", before.name, term.name),
                    ("startDate", before.firstDay.description, term.firstDay.description),
                    ("endDate", before.lastDay.description, term.lastDay.description),
                ]
                step(
                    .termUpdated, file, session.line, .name(term.name),
                    fields: columns.filter { $0.1 != $0.2 }.map { .init(column: $0.0, before: $0.1, after: $0.2) })
            } else {
                newTerms.append(term)
                step(.termCreated, file, session.line, .name(term.name))
            }
        }
        return ids
    }

    private static func fields(_ before: ImportedCourse, _ after: ImportedCourse) -> [RosterChange.Field] {
        let columns = [
            ("title", before.name, after.name), ("subjects", before.subject, after.subject),
            ("grades", before.gradeLevel ?? "", after.gradeLevel ?? ""),
        ]
        return columns.filter { $0.1 != $0.2 }.map { .init(column: $0.0, before: $0.1, after: $0.2) }
    }

    // MARK: - Days

    /// The enrollments of a bundle, grouped by whether they are current.
    ///
    /// Enrollments of one person in one class that overlap or follow each other are merged.
    struct Enrollments {
        private(set) var open: [RosterBundle.Enrollment] = []
        private(set) var ended: [RosterBundle.Enrollment] = []
        /// Enrollments that begin in the future.
        private(set) var upcoming: [RosterBundle.Enrollment] = []

        private struct Key: Hashable {
            let userId: String
            let roomId: String
            let role: String
        }

        /// - Parameter today: The school's current day. An enrollment that ended with the school year counts as current.
        init(_ bundle: RosterBundle, today: Day) {
            let years = bundle.sessions.filter(\.isYear)
            let yearEnds = Set((years.isEmpty ? bundle.sessions : years).map(\.last))
            var order: [Key] = []
            var rows: [Key: [RosterBundle.Enrollment]] = [:]
            for row in bundle.enrollments where !row.isToBeDeleted {
                let key = Key(userId: row.userId, roomId: row.roomId, role: row.role)
                if rows[key] == nil { order.append(key) }
                rows[key, default: []].append(row)
            }
            for key in order {
                let stays = Self.merged(rows[key] ?? [])
                func hasEnded(_ row: RosterBundle.Enrollment) -> Bool {
                    row.end.map { $0 < today && !yearEnds.contains($0) } ?? false
                }
                let begun = stays.filter { $0.begin.map { $0 <= today } ?? true }
                if let current = begun.last(where: { !hasEnded($0) }) {
                    open.append(current)
                } else if let last = begun.last {
                    ended.append(last)
                }
                upcoming += stays.filter { $0.begin.map { $0 > today } ?? false }
            }
        }

        /// Merges overlapping and adjacent rows, the earliest first. A missing day is open on that side.
        private static func merged(_ rows: [RosterBundle.Enrollment]) -> [RosterBundle.Enrollment] {
            guard rows.count > 1 else { return rows }
            var stays: [RosterBundle.Enrollment] = []
            for row in rows.sorted(by: { ($0.begin?.number ?? .min) < ($1.begin?.number ?? .min) }) {
                guard var last = stays.last, last.end.map({ (row.begin ?? $0) <= $0.adding(days: 1) }) ?? true
                else {
                    stays.append(row)
                    continue
                }
                last.end = last.end.flatMap { end in row.end.map { max(end, $0) } }
                last.isPrimary = last.isPrimary || row.isPrimary
                stays[stays.count - 1] = last
            }
            return stays
        }
    }
}
