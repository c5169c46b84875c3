import Domain
import Foundation
import ResidenceModel
import Testing

/// Builds passages of one resident.
struct PassageMaker {
    let studentId = UUID()
    let pgId = UUID()

    func record(
        _ type: RecordType, _ time: String, plus seconds: Double = 0, by method: CheckInMethod = .nfc
    ) throws -> CheckInOutRecord {
        CheckInOutRecord(
            id: UUID(), studentId: studentId, pgId: pgId, method: method, type: type,
            timestamp: try Paris.at(time).addingTimeInterval(seconds))
    }

    func log(_ passages: [(RecordType, String)]) throws -> PassageLog {
        PassageLog(try passages.map { try record($0.0, $0.1) })
    }
}

@Suite("A resident's passages")
struct PassageLogTests {
    private let make = PassageMaker()

    @Test("any order and number of arrivals gives the same single open stay")
    func order() throws {
        let records = try [
            make.record(.checkIn, "2026-11-12 08:00"), make.record(.checkOut, "2026-11-12 16:00"),
            make.record(.checkIn, "2026-11-12 18:42"), make.record(.checkIn, "2026-11-12 19:00"),
        ]
        let expected = PassageLog(records)
        #expect(expected.stays.count == 2)
        #expect(expected.stays.count { $0.to == nil } == 1)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let arrivals = (records + records.prefix(Int.random(in: 0...4, using: &generator)))
                .shuffled(using: &generator)
            #expect(PassageLog(arrivals) == expected)
        }
    }

    @Test("two reads within 10 s are one passage, whatever direction the second has")
    func repeats() throws {
        let log = PassageLog(
            try [
                make.record(.checkIn, "2026-11-12 18:42"), make.record(.checkOut, "2026-11-12 18:42", plus: 9.9),
                make.record(.checkIn, "2026-11-12 18:42", plus: 4),
            ])
        #expect(log.passages.map(\.type) == [.checkIn])
        let apart = PassageLog(
            try [
                make.record(.checkIn, "2026-11-12 18:42"), make.record(.checkOut, "2026-11-12 18:42", plus: 10),
            ])
        #expect(apart.passages.map(\.type) == [.checkIn, .checkOut])
    }

    @Test("a warden's two directions within 10 s both count, and the same direction twice is one")
    func manual() throws {
        let log = PassageLog(
            try [
                make.record(.checkIn, "2026-11-12 18:42", by: .manual),
                make.record(.checkIn, "2026-11-12 18:42", plus: 2, by: .manual),
                make.record(.checkOut, "2026-11-12 18:42", plus: 5, by: .manual),
            ])
        #expect(log.passages.map(\.type) == [.checkIn, .checkOut])
    }

    @Test("a check-in while in is kept as seen again and flips nothing")
    func seenAgain() throws {
        let log = try make.log([
            (.checkIn, "2026-11-12 08:00"), (.checkIn, "2026-11-12 18:00"), (.checkOut, "2026-11-12 19:00"),
        ])
        #expect(log.passages.map(\.isSeenAgain) == [false, true, false])
        #expect(try log.isIn(at: Paris.at("2026-11-12 18:30")))
        #expect(try log.changed(at: Paris.at("2026-11-12 18:30")) == Paris.at("2026-11-12 08:00"))
        #expect(log.stays.map(\.from) == [try Paris.at("2026-11-12 08:00")])
    }

    @Test("a resident without a passage is out")
    func none() {
        #expect(!PassageLog([]).isIn(at: .now))
        #expect(PassageLog([]).stays.isEmpty)
    }

    @Test("a passage that was taken back does not count, and the latest correction wins")
    func corrections() throws {
        let (came, went) = try (
            make.record(.checkIn, "2026-11-12 08:00"), make.record(.checkOut, "2026-11-12 16:00")
        )
        func correction(_ change: RecordCorrection.Change, _ time: String) throws -> RecordCorrection {
            RecordCorrection(
                id: UUID(), recordId: went.id, change: change, reason: "Wrong tag", by: UUID(),
                at: try Paris.at(time))
        }
        let taken = try correction(.taken, "2026-11-12 17:00")
        #expect(PassageLog([came, went], corrections: [taken]).passages.map(\.type) == [.checkIn])
        let later = try correction(
            .replaced(type: .checkOut, timestamp: Paris.at("2026-11-12 07:00")), "2026-11-12 17:05")
        let log = PassageLog([came, went], corrections: [later, taken])
        #expect(log.passages.map(\.type) == [.checkOut, .checkIn])
        #expect(log.passages.map(\.isCorrected) == [true, false])
    }

    @Test("a device whose clock is a day off records the right time, and nothing older than two weeks is accepted")
    func wrongClock() throws {
        let now = try Paris.at("2026-11-12 18:42")
        let dayOff = now.addingTimeInterval(-86_400)
        let sent = PassageClock.timestamp(recordedAt: dayOff.addingTimeInterval(-90), sentAt: dayOff, now: now)
        #expect(sent == now.addingTimeInterval(-90))
        #expect(PassageClock.timestamp(recordedAt: dayOff, sentAt: dayOff.addingTimeInterval(-60), now: now) == now)
        let old = dayOff.addingTimeInterval(-PassageClock.longestDelay - 1)
        #expect(PassageClock.timestamp(recordedAt: old, sentAt: dayOff, now: now) == nil)
    }
}
