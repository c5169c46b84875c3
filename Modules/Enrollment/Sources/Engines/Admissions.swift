import CoursesInterface
import Domain
import Foundation

/// What a student's row in a course says.
enum PlaceState: String, Codable, Sendable, Hashable, CaseIterable {
    /// In the course.
    case enrolled
    /// Asked to come in; the place is held until somebody decides.
    case pending
    /// Waits for a place.
    case waitlisted

    /// Whether it takes one of the course's places.
    var holdsPlace: Bool { self != .waitlisted }
}

/// How a course stands to one student.
enum CourseStatus: String, Codable, Sendable, Hashable, CaseIterable {
    case enrolled, pending, available, full, waitlisted
}

/// How many places of a course are taken, and how many students wait for one.
struct Seats: Codable, Sendable, Hashable {
    /// Students who are in it.
    var enrolled = 0
    /// Requests that nobody has decided; each holds a place.
    var pending = 0
    var waiting = 0

    var taken: Int { enrolled + pending }
}

/// Who comes into a course: the rules of capacity, approval and waitlist.
///
/// A request holds a place, so that whoever decides can always agree. Nobody passes those who wait.
enum Admissions {
    /// What becomes of a student who comes now.
    /// - Parameter isByLeader: whether whoever leads the course brings them, who need not ask themselves.
    static func arrival(at course: Course, _ seats: Seats, isByLeader: Bool = false) -> PlaceState {
        guard seats.waiting == 0, hasRoom(course, seats) else { return .waitlisted }
        return isByLeader ? .enrolled : admitted(to: course)
    }

    /// How many of some students whom a leader brings get a place; the others wait.
    static func places(in course: Course, _ seats: Seats, for count: Int) -> Int {
        guard seats.waiting == 0 else { return 0 }
        return min(count, course.capacity.map { max(0, $0 - seats.taken) } ?? count)
    }

    /// What becomes of the student who has waited longest; `nil` while there is no place.
    static func promotion(in course: Course, _ seats: Seats) -> PlaceState? {
        guard !course.isArchived, seats.waiting > 0, hasRoom(course, seats) else { return nil }
        return admitted(to: course)
    }

    /// How the course stands to a student with this row, or without one.
    static func status(of course: Course, _ state: PlaceState?, _ seats: Seats) -> CourseStatus {
        switch state {
        case .enrolled: .enrolled
        case .pending: .pending
        case .waitlisted: .waitlisted
        case nil: seats.waiting == 0 && hasRoom(course, seats) ? .available : .full
        }
    }

    /// Whether a student drops the course alone on this day; afterwards an administrator is asked.
    static func dropsAlone(_ course: Course, on day: Day) -> Bool { course.dropDay.map { day <= $0 } ?? true }

    private static func hasRoom(_ course: Course, _ seats: Seats) -> Bool {
        course.capacity.map { seats.taken < $0 } ?? true
    }

    private static func admitted(to course: Course) -> PlaceState {
        course.admission == .open ? .enrolled : .pending
    }
}
