import CoursesInterface
import Domain
import Foundation
import TestKit
import Testing

@testable import Enrollment

@Suite("Admission to a course")
struct AdmissionsTests {
    private static func course(
        _ capacity: Int?, _ admission: Course.Admission = .open, dropDay: Day? = nil, isArchived: Bool = false
    ) -> Course {
        Course(
            id: UUID(), name: "Algebra", subject: "Mathematics", teacherIds: [], capacity: capacity,
            admission: admission, dropDay: dropDay, tint: .leaf, isArchived: isArchived,
            createdAt: Date(timeIntervalSince1970: 0))
    }

    struct Arrival: Sendable, CustomTestStringConvertible {
        let capacity: Int?
        let admission: Course.Admission
        let seats: PlaceCounts
        var isByLeader = false
        let becomes: PlaceState
        var testDescription: String { "\(admission), \(capacity as Any), \(seats) → \(becomes)" }
    }

    @Test(
        "a student gets a place, requests one, or joins the waitlist",
        .requirement("WW-7.09.a"),
        arguments: [
            Arrival(capacity: nil, admission: .open, seats: PlaceCounts(enrolled: 900), becomes: .enrolled),
            Arrival(capacity: 2, admission: .open, seats: PlaceCounts(enrolled: 1), becomes: .enrolled),
            Arrival(capacity: 2, admission: .open, seats: PlaceCounts(enrolled: 2), becomes: .waitlisted),
            Arrival(capacity: 2, admission: .approval, seats: PlaceCounts(enrolled: 1), becomes: .pending),
            // A request takes its place.
            Arrival(
                capacity: 2, admission: .approval, seats: PlaceCounts(enrolled: 1, pending: 1), becomes: .waitlisted
            ),
            // Students on the waitlist come first, even if there is room.
            Arrival(
                capacity: 9, admission: .open, seats: PlaceCounts(enrolled: 1, waiting: 1), becomes: .waitlisted),
            Arrival(capacity: 2, admission: .approval, seats: PlaceCounts(), isByLeader: true, becomes: .enrolled),
            Arrival(
                capacity: 1, admission: .approval, seats: PlaceCounts(enrolled: 1), isByLeader: true,
                becomes: .waitlisted
            ),
            Arrival(capacity: 0, admission: .open, seats: PlaceCounts(), becomes: .waitlisted),
        ])
    func arrival(_ arrival: Arrival) {
        let course = Self.course(arrival.capacity, arrival.admission)
        #expect(Admissions.arrival(at: course, arrival.seats, isByLeader: arrival.isByLeader) == arrival.becomes)
    }

    @Test("a free place goes to the waitlist, in an approval course as a request", .requirement("WW-7.10.c"))
    func promotion() {
        let waiting = PlaceCounts(enrolled: 1, waiting: 3)
        #expect(Admissions.promotion(in: Self.course(2), waiting) == .enrolled)
        #expect(Admissions.promotion(in: Self.course(2, .approval), waiting) == .pending)
        #expect(Admissions.promotion(in: Self.course(1), waiting) == nil)
        #expect(Admissions.promotion(in: Self.course(2), PlaceCounts(enrolled: 1)) == nil)
        #expect(Admissions.promotion(in: Self.course(2, isArchived: true), waiting) == nil)
    }

    @Test("a course has one of five statuses for a student", .requirement("WW-7.05.a"))
    func status() {
        let course = Self.course(1)
        #expect(Admissions.status(of: course, .enrolled, PlaceCounts(enrolled: 1)) == .enrolled)
        #expect(Admissions.status(of: course, .pending, PlaceCounts(pending: 1)) == .pending)
        #expect(Admissions.status(of: course, .waitlisted, PlaceCounts(enrolled: 1, waiting: 1)) == .waitlisted)
        #expect(Admissions.status(of: course, nil, PlaceCounts()) == .available)
        #expect(Admissions.status(of: course, nil, PlaceCounts(enrolled: 1)) == .full)
    }

    @Test("a student drops without approval until the drop date", .requirement("WW-7.08.b"))
    func dropDay() throws {
        let day = try #require(Day("2026-10-01"))
        #expect(Admissions.canDropWithoutApproval(Self.course(nil), on: day))
        #expect(Admissions.canDropWithoutApproval(Self.course(nil, dropDay: day), on: day))
        #expect(!Admissions.canDropWithoutApproval(Self.course(nil, dropDay: day), on: day.adding(days: 1)))
    }
}
