import Domain
import FeatureKit
import Foundation
import OrganizationInterface

struct ReadSchoolDays: Query {
    static let contract = Contract(
        "organization.schoolDays", "/api/v1/organization/days-off", access: .member(.belong),
        summary: "The days of the week with school (1 is Monday), and the days off, the earliest first.")
    typealias Result = SchoolDays

    init(_ fields: inout FieldReader) {}
}

struct AddDaysOff: Command {
    static let contract = Contract(
        "organization.addDaysOff", "/api/v1/organization/days-off", access: .member(.setSchoolDays),
        isCreation: true, summary: "Adds days without school, such as holidays; both days are included.")
    typealias Result = DaysOff

    let name: String
    let firstDay: Day
    let lastDay: Day

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 60)
        firstDay = fields.day("firstDay")
        lastDay = fields.optionalDay("lastDay") ?? firstDay
        fields.refuse("lastDay", "calendar.order", unless: fields.faults.isEmpty ? firstDay <= lastDay : true)
    }
}

struct RemoveDaysOff: Command {
    static let contract = Contract(
        "organization.removeDaysOff", "/api/v1/organization/days-off/{daysOffId}/remove",
        access: .member(.setSchoolDays), summary: "Removes days without school.")
    typealias Result = Done

    let daysOffId: UUID

    init(_ fields: inout FieldReader) { daysOffId = fields.id("daysOffId") }
}

struct SetWeekdays: Command {
    static let contract = Contract(
        "organization.setWeekdays", "/api/v1/organization/weekdays", access: .member(.setSchoolDays),
        replay: .natural, summary: "Says which days of the week have school; 1 is Monday, 7 is Sunday.")
    typealias Result = SchoolDays

    let weekdays: [Int]

    init(_ fields: inout FieldReader) {
        let wanted = fields.texts("weekdays", max: 7)
        weekdays = Set(wanted.compactMap { Int($0) }.filter((1...7).contains)).sorted()
        fields.refuse(
            "weekdays", "calendar.weekdays", unless: !wanted.isEmpty && weekdays.count == wanted.count)
    }
}

/// The commands for the days with and without school, and their page in Settings.
enum CalendarHandlers {
    /// The largest number of entries in the calendar: fifty years of eight holidays.
    static let most = 400

    static let queries: [QueryRegistration] = [
        .handle(ReadSchoolDays.self) { _, context in try await context.school.read { try schoolDays(in: $0) } }
    ]

    static let commands: [CommandRegistration] = [
        .handle(AddDaysOff.self) { command, context in
            try context.checkNear(command.firstDay, "firstDay", years: 20)
            try context.checkNear(command.lastDay, "lastDay", years: 20)
            guard try CalendarRepository.count(in: context.sql) < most else {
                throw Problem(409, "calendar.full", [.number(most)])
            }
            let daysOff = DaysOff(
                id: context.newId(), name: command.name, firstDay: command.firstDay, lastDay: command.lastDay)
            try CalendarRepository.insert(daysOff, in: context.sql)
            context.record(change("organization.daysOffAdded", daysOff))
            context.feedback = Feedback(.toast, context.words("calendar.added", daysOff.name))
            context.destination = CalendarScreen.path
            return daysOff
        },
        .handle(RemoveDaysOff.self) { command, context in
            guard let daysOff = try CalendarRepository.daysOff(command.daysOffId, in: context.sql) else {
                throw Problem.notFound
            }
            try CalendarRepository.remove(daysOff.id, in: context.sql)
            context.record(change("organization.daysOffRemoved", daysOff))
            context.feedback = Feedback(.toast, context.words("calendar.removed", daysOff.name))
            return Done()
        },
        .handle(SetWeekdays.self) { command, context in
            if try CalendarRepository.weekdays(in: context.sql) != command.weekdays {
                try CalendarRepository.setWeekdays(command.weekdays, in: context.sql)
                context.record(
                    Change("organization.weekdaysSet", topics: [SchoolDays.topic], audience: [.school]))
            }
            context.feedback = Feedback(.toast, context.words("calendar.weekdaysSaved"))
            return try schoolDays(in: context.sql)
        },
    ]

    static func schoolDays(in sql: any SQLReading) throws -> SchoolDays {
        SchoolDays(
            weekdays: try CalendarRepository.weekdays(in: sql), daysOff: try CalendarRepository.all(in: sql))
    }

    private static func change(_ kind: String, _ daysOff: DaysOff) -> Change {
        Change(
            kind, topics: [SchoolDays.topic], audience: [.school],
            payload: ["name": daysOff.name, "firstDay": daysOff.firstDay.description])
    }
}
