import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Makes the Students page from a class and the marks of a day.
struct RosterViewModel {
    let classroom: Classroom
    let entries: [RosterEntry]
    let today: Day
    /// The school calendar of the days around today.
    let days: SchoolDays
    let timeZone: TimeZone
    let mayMark: Bool
    let mayManage: Bool
    let request: ScreenRequest

    private var words: Words { request.words }
    private var here: String { "/classrooms/\(classroom.id.text)" }

    var screen: Screen {
        Screen(
            title: words("students.title"), live: ["classroom:\(classroom.id.text)", SchoolDays.topic],
            body: entries.isEmpty
                ? [.empty(PTEmptyState(title: words("students.none"), message: words("students.noneForGuide")))]
                : (classroom.cover(words).map { [.image($0)] } ?? []) + [
                    .greeting(greeting)
                ] + dayOff + toolbar + [
                    .list(PTList(cells: entries.map(cell), columns: .two, label: words("students.title")))
                ],
            floatingButton: mayManage
                ? PTFloatingActionButton(
                    title: words("students.create"), action: .present("new-student"))
                : nil,
            sheets: mayManage ? [newStudent] : [])
    }

    private var isDayOff: Bool { !days.isSchoolDay(today) }

    /// Whether the first mark must be confirmed, because today has no school and no student of the class is marked.
    private var asks: Bool { isDayOff && !entries.contains { $0.mark?.classroomId == classroom.id } }

    private var dayOffSentence: String {
        days.daysOff(on: today).map { words("attendance.holiday", $0.name) }
            ?? words("attendance.dayOff", words.weekdayInFull(today))
    }

    private var dayOff: [Component] { isDayOff ? [.text(PTText(dayOffSentence, role: .note))] : [] }

    /// Returns the fields of a mark. If the page asks for confirmation, they include the confirmation.
    private func fields(_ own: [String: String] = [:]) -> [String: String] {
        own.merging(asks ? ["day": today.description, "onDayOff": "true"] : ["day": today.description]) { $1 }
    }

    /// Returns the question before the first mark on a day without school; `nil` on other days.
    private func question(_ title: String, _ confirm: String) -> PTConfirmation? {
        asks ? PTConfirmation(title: title, message: dayOffSentence, confirm: confirm, isDestructive: false) : nil
    }

    /// The links to other blocks' pages about the class.
    private var toolbar: [Component] {
        let chips = request.chips(.classroom, ["classroomId": classroom.id])
        return chips.isEmpty ? [] : [.chips(PTChips(label: words("classrooms.more"), chips: chips))]
    }

    private var greeting: PTGreeting {
        let present = entries.count { $0.mark?.status == .present }
        let absent = entries.count { $0.mark?.status == .absent }
        let open = entries.count - present - absent
        let edit =
            mayManage
            ? [
                PTButton(
                    title: words("classrooms.edit"), icon: .settings, role: .quiet, action: .open("\(here)/edit"))
            ] : []
        let rest =
            mayMark && open > 0
            ? [
                PTButton(
                    title: words("attendance.markRest"), icon: .checks, role: .quiet,
                    action: .perform(
                        request.call(
                            MarkTheRest.self, ["classroomId": classroom.id.text],
                            fields: fields(),
                            confirmation: question(
                                words("attendance.dayOffQuestion", open), words("attendance.markRest")),
                            haptics: .success())))
            ] : []
        return PTGreeting(
            eyebrow: "\(classroom.name), \(words.longDate(today))",
            title: words("attendance.summary", present, entries.count),
            detail: open == 0
                ? words("attendance.allMarked", absent) : words("attendance.counts", absent, open),
            split: PTSplitBar(
                parts: [.init(count: present, tint: .leaf), .init(count: absent, tint: .clay)],
                total: entries.count,
                spoken: words("attendance.spoken", present, absent, open)),
            actions: rest.isEmpty ? edit : rest)
    }

    private func cell(_ entry: RosterEntry) -> PTListCell {
        let student = entry.student
        return PTListCell(
            id: student.id.text, leading: .avatar(student.avatar), title: student.displayName,
            subtitle: subtitle(entry.mark), trailing: [.attendance(pill(entry))],
            action: entry.isMember ? .present("/students/\(student.id.text)") : nil, menu: menu(entry),
            swipe: mayManage && entry.isMember ? [editing(entry), leaving(entry)] : [])
    }

    private func editing(_ entry: RosterEntry) -> PTMenuItem {
        PTMenuItem(
            title: words("students.edit"), icon: .edit, action: .open("/students/\(entry.student.id.text)/edit"))
    }

    private func leaving(_ entry: RosterEntry) -> PTMenuItem {
        PTMenuItem(
            title: words("students.removeFromClass"), icon: .logout,
            action: .perform(
                request.call(
                    RemoveFromClass.self, ["classroomId": classroom.id.text, "studentId": entry.student.id.text],
                    confirmation: PTConfirmation(
                        title: words("students.removeQuestion", entry.student.displayName),
                        message: words("students.removeExplained"),
                        confirm: words("students.removeFromClass")))))
    }

    private func subtitle(_ mark: AttendanceMark?) -> String {
        guard let mark else { return words("attendance.notMarked") }
        return words("attendance.\(mark.status.rawValue)At", words.time(mark.markedAt, in: timeZone))
    }

    private func pill(_ entry: RosterEntry) -> PTAttendancePill {
        let name = entry.student.displayName
        return PTAttendancePill(
            state: entry.mark.map { $0.status == .present ? .present : .absent } ?? .unset,
            labels: .init(
                present: .init(
                    title: words("attendance.present"), spoken: words("attendance.isPresent", name),
                    announced: words("attendance.nowPresent", name)),
                absent: .init(
                    title: words("attendance.absent"), spoken: words("attendance.isAbsent", name),
                    announced: words("attendance.nowAbsent", name)),
                unset: .init(title: words("attendance.mark"), spoken: words("attendance.markPresent", name))),
            call: request.call(
                MarkAttendance.self, ["classroomId": classroom.id.text],
                fields: fields(["studentId": entry.student.id.text]),
                confirmation: question(words("attendance.markAnyway"), words("attendance.markAnywayYes")),
                haptics: .lightTap()),
            isEnabled: mayMark)
    }

    private func menu(_ entry: RosterEntry) -> [PTMenuItem] {
        let id = entry.student.id.text
        var items: [PTMenuItem] = []
        if mayManage && entry.isMember {
            items.append(editing(entry))
        }
        if mayMark && entry.mark != nil {
            items.append(
                PTMenuItem(
                    title: words("attendance.clear"), icon: .retry,
                    action: .perform(
                        request.call(
                            ClearAttendance.self, ["classroomId": classroom.id.text],
                            fields: ["studentId": id, "day": today.description]))))
        }
        if mayManage && entry.isMember {
            items.append(leaving(entry))
            items.append(
                PTMenuItem(
                    title: words("students.delete"), icon: .trash, role: .destructive,
                    action: .perform(StudentsScreens.deletion(entry.student, to: here, request))))
        }
        return items
    }

    private var newStudent: PTBottomSheet {
        StudentsScreens.newStudent([.hidden("classroomId", classroom.id.text)], to: here, request)
    }
}
