import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The page Settings > Organization > Days without school.
enum CalendarScreen {
    static let path = "/settings/organization/days"

    static let routes = [
        ScreenRoute(path, access: .member(.setSchoolDays), tab: "/settings") { request in
            let days = try await request.context.school.read { try CalendarHandlers.schoolDays(in: $0) }
            return .screen(screen(days, request))
        },
        ScreenRoute("\(path)/new", access: .member(.setSchoolDays), tab: "/settings") { .screen(form($0)) },
    ]

    /// The days off, for the agenda of the home page.
    static let agenda = AgendaSource(permission: .belong, topics: [SchoolDays.topic]) { days, request in
        let found = try await request.context.school.read {
            try SQLSchoolCalendar().schoolDays(from: days.lowerBound, through: days.upperBound, in: $0)
        }
        return stride(from: days.lowerBound.number, through: days.upperBound.number, by: 1).compactMap { number in
            let day = Day(number: number)
            return found.daysOff(on: day).map {
                AgendaEntry(
                    day: day, title: $0.name, detail: request.words("calendar.noSchool"), tint: .sand,
                    isDayOff: true)
            }
        }
    }

    private static func screen(_ days: SchoolDays, _ request: ScreenRequest) -> Screen {
        let words = request.words
        return Screen(
            title: words("calendar.title"), back: "/settings", live: [SchoolDays.topic],
            body: [
                .text(PTText(words("calendar.explained"), role: .note)),
                .section(
                    PTSection(
                        title: words("calendar.daysOff"),
                        body: [
                            days.daysOff.isEmpty
                                ? .empty(
                                    PTEmptyState(
                                        icon: .calendar, title: words("calendar.none"),
                                        message: words("calendar.noneTip")))
                                : .list(
                                    PTList(
                                        cells: days.daysOff.map { cell($0, request) },
                                        label: words("calendar.daysOff")))
                        ])),
                .section(
                    PTSection(
                        title: words("calendar.weekdays"),
                        body: [
                            .form(
                                request.form(
                                    SetWeekdays.self, id: "weekdays",
                                    fields: [
                                        PTField(
                                            .multipleChoice((1...7).map { weekday($0, words) }), name: "weekdays",
                                            label: words("calendar.weekdaysLabel"),
                                            values: days.weekdays.map(String.init))
                                    ],
                                    submit: SubmitButton(title: words("settings.save")), style: .card))
                        ])),
            ],
            floatingButton: PTFloatingActionButton(title: words("calendar.add"), action: .open("\(path)/new")))
    }

    private static func cell(_ daysOff: DaysOff, _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        return PTListCell(
            id: daysOff.id.text, leading: .icon(.calendar, tint: .sky), title: daysOff.name,
            subtitle: daysOff.firstDay == daysOff.lastDay
                ? words.shortDate(daysOff.firstDay)
                : "\(words.shortDate(daysOff.firstDay)) – \(words.shortDate(daysOff.lastDay))",
            menu: [
                PTMenuItem(
                    title: words("calendar.remove"), icon: .trash, role: .destructive,
                    action: .perform(
                        request.call(
                            RemoveDaysOff.self, ["daysOffId": daysOff.id.text],
                            confirmation: PTConfirmation(
                                title: words("calendar.removeQuestion", daysOff.name),
                                message: words("calendar.removeMessage"), confirm: words("calendar.remove")))))
            ])
    }

    private static func weekday(_ number: Int, _ words: Words) -> PTField.Option {
        // 5 January 1970, day 4, was a Monday.
        .init(value: String(number), title: words.weekdayInFull(Day(number: 3 + number)).capitalized)
    }

    private static func form(_ request: ScreenRequest) -> Screen {
        let words = request.words
        return Screen(
            title: words("calendar.add"), back: path,
            body: [
                .form(
                    request.form(
                        AddDaysOff.self, id: "days-off",
                        fields: [
                            PTField(
                                name: "name", label: words("calendar.name"), isRequired: true, maxLength: 60,
                                placeholder: words("calendar.nameExample")),
                            PTField(
                                .date, name: "firstDay", label: words("calendar.firstDay"), isRequired: true,
                                width: .half),
                            PTField(
                                .date, name: "lastDay", label: words("calendar.lastDay"),
                                hint: words("calendar.lastDayHint"), width: .half),
                        ],
                        submit: SubmitButton(title: words("settings.save")), to: path))
            ])
    }
}
