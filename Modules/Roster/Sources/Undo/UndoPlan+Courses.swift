import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import Foundation
import OrganizationInterface
import RosterInterface

extension UndoPlan {
    // MARK: - Courses

    mutating func undoCourses(_ rows: [RosterChange.Kind: [ImportRow]]) {
        guard let held = present.holdings.courses else { return }
        let courses = Dictionary(held.courses.map { ($0.id, $0) }) { first, _ in first }
        undoCoursePlaces(rows[.courseEnrolled] ?? [], courses, held)
        undoCourseDepartures(rows[.courseLeft] ?? [], courses, held)
        let left = Set(
            held.places.subtracting(coursePlaces).union(reopenedCoursePlaces.keys).map(\.courseId))
        for row in rows[.courseCreated] ?? [] {
            guard let course = row.courseId.flatMap({ courses[$0] }) else {
                skipRemoved(row, row.after?.course?.name ?? "")
                continue
            }
            if course != row.after?.course || held.filled.contains(course.id) {
                skip(.edited, course.name)
            } else if left.contains(course.id) || course.teacherIds.contains(where: staying.contains) {
                skip(.courseInUse, course.name)
            } else {
                removedCourses.append(course.id)
                undo(row, .name(course.name))
            }
        }
        for row in rows[.courseUpdated] ?? [] {
            guard let course = row.courseId.flatMap({ courses[$0] }), let before = row.before?.course else {
                skipRemoved(row, row.after?.course?.name ?? "")
                continue
            }
            guard course == row.after?.course else {
                skip(.edited, course.name)
                continue
            }
            restoredCourses.append(before)
            undo(row, .name(course.name))
        }
        undoTerms((rows[.termCreated] ?? []) + (rows[.termUpdated] ?? []), held)
    }

    private mutating func undoCoursePlaces(
        _ rows: [ImportRow], _ courses: [UUID: ImportedCourse], _ held: RosterPlan.CourseHoldings
    ) {
        for row in rows {
            guard let place = row.coursePlace, let person = people[place.personId],
                let course = courses[place.courseId]
            else {
                settled.append(row.number)
                continue
            }
            if staying.contains(place.personId) || stayingStudents.contains(place.personId) { continue }
            if let records = present.traces[place.personId] {
                // Grades or messages since the import may belong to this course.
                skip(.records, person.person.name.display, records: records)
            } else if held.places.contains(place) {
                coursePlaces.append(place)
                undo(row, .name(person.person.name.display), .name(course.name))
            } else {
                skipRemoved(row, "\(person.person.name.display) – \(course.name)")
            }
        }
    }

    /// Restores the places in courses that the import ended, unless the students have them again.
    private mutating func undoCourseDepartures(
        _ rows: [ImportRow], _ courses: [UUID: ImportedCourse], _ held: RosterPlan.CourseHoldings
    ) {
        for row in rows {
            guard let place = row.coursePlace, let values = row.after, let lastDay = values.lastDay,
                let person = people[place.personId], let course = courses[place.courseId]
            else {
                settled.append(row.number)
                continue
            }
            guard !held.places.contains(place) else {
                skipRemoved(row, "\(person.person.name.display) – \(course.name)")
                continue
            }
            reopenedCoursePlaces[place] = values.firstDay ?? lastDay
            undo(row, .name(person.person.name.display), .name(course.name))
        }
    }

    private mutating func undoTerms(_ rows: [ImportRow], _ held: RosterPlan.CourseHoldings) {
        let terms = Dictionary(held.terms.map { ($0.id, $0) }) { first, _ in first }
        let restored = Dictionary(restoredCourses.map { ($0.id, $0) }) { first, _ in first }
        let removed = Set(removedCourses)
        let taught = Set(
            held.courses.lazy.filter { !removed.contains($0.id) }.compactMap { (restored[$0.id] ?? $0).termId })
        for row in rows {
            guard let term = row.courseId.flatMap({ terms[$0] }) else {
                skipRemoved(row, row.after?.term?.name ?? "")
                continue
            }
            if term != row.after?.term {
                skip(.edited, term.name)
            } else if let before = row.before?.term {
                restoredTerms.append(before)
                undo(row, .name(term.name))
            } else if taught.contains(term.id) {
                skip(.termInUse, term.name)
            } else {
                removedTerms.append(term.id)
                undo(row, .name(term.name))
            }
        }
    }
}
