import CoursesInterface
import Domain
import Foundation

/// The state of a student's enrollment.
enum PlaceState: String, Codable, Sendable, Hashable, CaseIterable {
    /// The student is in the course.
    case enrolled
    /// The student has asked to enroll. The request takes a place until it is decided.
    case pending
    /// The student waits for a place.
    case waitlisted

    /// Whether the state takes one of the course's places.
    var holdsPlace: Bool { self != .waitlisted }
}

/// The status of a course for a student.
enum CourseStatus: String, Codable, Sendable, Hashable, CaseIterable {
    case enrolled, pending, available, full, waitlisted
}

/// The numbers of places taken in a course and of students on its waitlist.
struct PlaceCounts: Codable, Sendable, Hashable {
    /// The number of enrolled students.
    var enrolled = 0
    /// The number of undecided requests; each takes a place.
    var pending = 0
    /// The number of students on the waitlist.
    var waiting = 0

    /// The number of places taken.
    var taken: Int { enrolled + pending }
}

/// The rules of capacity, approval and waitlist.
///
/// A request takes a place, so that it can always be approved. No student gets a place before those on the waitlist.
enum Admissions {
    /// The state of a student who enrolls now.
    ///
    /// - Parameter isByLeader: Whether a leader of the course adds the student, which needs no approval.
    static func arrival(at course: Course, _ counts: PlaceCounts, isByLeader: Bool = false) -> PlaceState {
        guard counts.waiting == 0, hasRoom(course, counts) else { return .waitlisted }
        return isByLeader ? .enrolled : admitted(to: course)
    }

    /// The number of places that students get whom a leader adds. The others join the waitlist.
    static func places(in course: Course, _ counts: PlaceCounts, for count: Int) -> Int {
        guard counts.waiting == 0 else { return 0 }
        return min(count, course.capacity.map { max(0, $0 - counts.taken) } ?? count)
    }

    /// The new state of the first student on the waitlist, or `nil` if there is no free place.
    static func promotion(in course: Course, _ counts: PlaceCounts) -> PlaceState? {
        guard !course.isArchived, counts.waiting > 0, hasRoom(course, counts) else { return nil }
        return admitted(to: course)
    }

    /// The status of a course for a student with this state, or without one.
    static func status(of course: Course, _ state: PlaceState?, _ counts: PlaceCounts) -> CourseStatus {
        switch state {
        case .enrolled: .enrolled
        case .pending: .pending
        case .waitlisted: .waitlisted
        case nil: counts.waiting == 0 && hasRoom(course, counts) ? .available : .full
        }
    }

    /// Whether a student may drop the course without approval on this day.
    static func canDropWithoutApproval(_ course: Course, on day: Day) -> Bool {
        course.dropDay.map { day <= $0 } ?? true
    }

    private static func hasRoom(_ course: Course, _ counts: PlaceCounts) -> Bool {
        course.capacity.map { counts.taken < $0 } ?? true
    }

    private static func admitted(to course: Course) -> PlaceState {
        course.admission == .open ? .enrolled : .pending
    }
}
