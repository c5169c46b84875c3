import CoursesInterface
import Domain
import Foundation
import TestKit
import Testing

@testable import Courses

@Suite("The text of schedules")
struct ScheduleTextTests {
    @Test(
        "a line has a day in either language, times in several notations, and an optional room",
        arguments: [
            ("Mon 9:00-10:15 Room 12", CoursePeriod(weekday: 0, start: 540, end: 615, room: "Room 12")),
            ("Fri 18:00-24:00", CoursePeriod(weekday: 4, start: 1080, end: 1440)),
            ("ven. 18h-0h Salle 3", CoursePeriod(weekday: 4, start: 1080, end: 1440, room: "Salle 3")),
            ("jeu. 14h-15h30", CoursePeriod(weekday: 3, start: 840, end: 930)),
            ("Dimanche 8 – 9, Gymnase", CoursePeriod(weekday: 6, start: 480, end: 540, room: "Gymnase")),
            ("friday 13:05 - 14:00 3", CoursePeriod(weekday: 4, start: 785, end: 840, room: "3")),
            ("MARDI 9h05–9h50", CoursePeriod(weekday: 1, start: 545, end: 590)),
        ])
    func lines(_ text: String, _ period: CoursePeriod) throws { #expect(try ScheduleText.parse(text) == [period]) }

    @Test("periods are sorted in the order of the week, and empty lines are ignored")
    func order() throws {
        let periods = try ScheduleText.parse("\nWed 9-10\n\nMon 10-11\nMon 9-10\n")
        #expect(periods.map(\.weekday) == [0, 0, 2])
        #expect(try ScheduleText.parse("").isEmpty)
    }

    @Test(
        "a faulty line is reported with its number",
        arguments: [
            ("Mon 9-10\nXyz 9-10", ScheduleText.Fault.weekday(line: 2)), ("Mon", .times(line: 1)),
            ("Mon 10-9", .times(line: 1)), ("Mon 9-9", .times(line: 1)), ("Mon 25:00-26:00", .times(line: 1)),
            ("Mon 9:60-10", .times(line: 1)), ("Mon 9", .times(line: 1)), ("Mon 9-10-11", .times(line: 1)),
            ("\n\nMon nine-ten", .times(line: 3)), (String(repeating: "Mon 9-10\n", count: 31), .tooMany),
        ])
    func faults(_ text: String, _ fault: ScheduleText.Fault) {
        #expect(throws: fault) { try ScheduleText.parse(text) }
    }

    @Test("a schedule that is written as text can be read again", arguments: Language.allCases)
    func again(_ language: Language) throws {
        let words = Words(language, [])
        let periods = (0..<7).map { CoursePeriod(weekday: $0, start: 545, end: 600, room: $0 == 2 ? "B 12" : nil) }
        #expect(try ScheduleText.parse(ScheduleText.text(periods, words)) == periods)
    }

    @Test(
        "credits are exact, with a point or a comma",
        arguments: [
            ("1", 100), ("1.5", 150), ("0,25", 25), ("0", 0), ("100", 10_000), ("100.01", nil), ("-1", nil),
            ("1.234", nil),
            ("1.", nil), (".5", nil), ("1e2", nil), ("١", nil), ("", nil),
        ] as [(String, Int?)])
    func credits(_ text: String, _ hundredths: Int?) { #expect(CreditText.parse(text) == hundredths) }

    @Test(
        "the time left is the sum of the lessons' minutes, with the average for lessons without a time",
        .requirement("WW-12.05"))
    func left() {
        let ids = (0..<4).map { _ in UUID() }
        let lessons = zip(ids, [10, 20, nil, 30]).map { LessonProgress.Step(id: $0, title: "", minutes: $1) }
        let some = LessonProgress(of: lessons, done: [ids[0], UUID()])
        #expect((some.total, some.completed, some.next?.id, some.minutesLeft) == (4, 1, ids[1], 70))
        #expect(LessonProgress(of: lessons, done: Set(ids)).minutesLeft == nil)
        #expect(LessonProgress(of: lessons, done: Set(ids)).next == nil)
        #expect(LessonProgress(of: [lessons[2]], done: []).minutesLeft == nil)
        #expect(LessonProgress(of: [], done: []).total == 0)
    }
}
