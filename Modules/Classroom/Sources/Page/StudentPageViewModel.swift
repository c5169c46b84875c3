import ClassroomInterface
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Makes the page of a child from the child's records: first the things to do, then the observations.
struct StudentPageViewModel {
    let data: StudentPageData
    let timeZone: TimeZone
    /// Whether a recording may be stored with its text.
    let canKeepVoice: Bool
    /// The sections of other blocks about the child.
    let others: [Component]
    let request: ScreenRequest

    private var words: Words { request.words }
    private var id: String { data.student.id.text }
    private var here: String { "/students/\(id)" }
    private var mayKeep: Bool { request.context.caller.may(.keepRecords) }
    private var today: Day { request.context.today }

    var screen: Screen {
        var body: [Component] = []
        if mayKeep {
            body.append(.form(capture))
            let cards = VoiceCards(request: request, timeZone: timeZone)
            body += data.voiceNotes.map { cards.card($0, author: data.names.people[$0.createdByGuideId]) }
        }
        body += [.section(habits), .section(work(.lesson)), .section(work(.task))]
        body += others
        body += [.section(observations), .section(contacts), .disclosure(attendance)]
        if let notes = data.student.notes {
            body.append(.section(PTSection(title: words("students.notes"), body: [.text(PTText(notes))])))
        }
        if request.context.caller.may(.manageStudents) {
            body.append(
                .button(
                    PTButton(
                        title: words("students.edit"), icon: .edit, role: .quiet,
                        action: .open("\(here)/edit"))))
        }
        return Screen(
            title: data.student.displayName, subtitle: subtitle, avatar: data.student.avatar,
            back: data.rooms.first.map { "/classrooms/\($0.id.text)" } ?? "/homeroom",
            live: [StudentAccess.topic(data.student.id)] + data.rooms.map { "classroom:\($0.id.text)" },
            body: body, floatingButton: mayKeep ? fan : nil)
    }

    private var subtitle: String {
        let rooms = [data.rooms.map(\.name).joined(separator: ", "), data.student.gradeLevel ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " · ")
        guard let mark = data.marks.first, mark.day == today else { return rooms }
        let state = words("attendance.\(mark.status.rawValue)At", words.time(mark.markedAt, in: timeZone))
        return rooms.isEmpty ? state : "\(rooms) · \(state)"
    }

    // MARK: - Quick Capture

    private var capture: PTForm {
        let kind = Capture.Kind(rawValue: request.query["kind"] ?? "") ?? .observation
        var fields = [
            PTField(
                .choice(
                    Capture.Kind.allCases.map { .init(value: $0.rawValue, title: words("capture.\($0.rawValue)")) }),
                name: "kind", label: words("capture.kind"), value: kind.rawValue),
            PTField(
                .multiline, name: "content", label: words("capture.note"), isRequired: true,
                maxLength: Observation.maxLength, placeholder: words("capture.placeholder")),
        ]
        fields += ObservationFields(
            tags: data.tags, classmates: data.classmates, words: words, day: words("capture.day")
        ).fields(nil).map { field in
            var field = field
            field.isFolded = true
            return field
        }
        fields.append(.photos(words))
        var form = request.form(
            Capture.self, ["studentId": id], id: "capture", fields: fields,
            submit: SubmitButton(title: words("capture.save"), role: .tonal), to: here, style: .capture)
        form.foldTitle = words("capture.more")
        form.voice = PTVoiceInput(
            action: RecordVoice.contract.path(filling: ["studentId": id]), canKeep: canKeepVoice)
        return form
    }

    /// The floating button, with a choice of the kind of note to write.
    private var fan: PTFloatingActionButton {
        let kinds: [(Capture.Kind, PTIcon)] = [(.observation, .eye), (.lesson, .book), (.task, .task)]
        return PTFloatingActionButton(
            title: words("capture.add", data.student.displayName), label: words("capture.addShort"),
            fan: kinds.map { kind, icon in
                PTMenuItem(
                    title: words("capture.\(kind.rawValue)"), icon: icon,
                    action: .open("\(here)?kind=\(kind.rawValue)#form-capture"))
            } + [
                PTMenuItem(
                    title: words("voice.record"), icon: .mic, action: .open("\(here)?record=1#form-capture"))
            ] + request.menuItems(.child, ["studentId": data.student.id]))
    }

    // MARK: - Habits

    private var habits: PTSection {
        PTSection(
            title: words("habit.today"),
            action: mayKeep
                ? PTButton(title: words("habit.manage"), role: .quiet, action: .open("\(here)/habits")) : nil,
            body: data.habits.isEmpty
                ? [.text(PTText(words("habit.none"), role: .note))]
                : [
                    .list(
                        PTList(
                            cells: data.habits.map { cell($0.habit, $0.streak) },
                            label: words("habit.today")))
                ]
                    + (data.habits.count == data.habitCount
                        ? []
                        : [
                            .button(
                                PTButton(
                                    title: words("habit.all", data.habitCount), role: .neutral,
                                    action: .open("\(here)?habits=all")))
                        ]))
    }

    private func cell(_ habit: Habit, _ streak: HabitStreak) -> PTListCell {
        let inRow = words("habit.streak.\(habit.cadence.rawValue)", streak.length)
        return PTListCell(
            id: habit.id.text,
            leading: .check(
                PTCheck(
                    isOn: streak.isDone, spoken: words("habit.doneSpoken", habit.name),
                    call: mayKeep
                        ? request.call(
                            ToggleHabit.self, ["habitId": habit.id.text], fields: ["day": today.description],
                            haptics: .lightTap()) : nil)),
            title: habit.name,
            subtitle: streak.length > 0 ? inRow : words("habit.notYet.\(habit.cadence.rawValue)"),
            trailing: habit.cadence == .daily && !streak.recent.isEmpty
                ? [
                    .streak(
                        PTStreak(
                            days: streak.recent,
                            spoken: words("habit.recent", streak.recent.count { $0 }, streak.recent.count)))
                ] : [])
    }

    // MARK: - Lessons and tasks

    private func work(_ kind: StudentWork.Kind) -> PTSection {
        let cells = WorkCells(request: request, timeZone: timeZone, mayKeep: mayKeep)
        let (open, done) = (data.open[kind] ?? [], data.done[kind] ?? [])
        let rows = open.prefix(StudentPageData.workCount) + done.prefix(StudentPageData.doneCount)
        let all = PTButton(
            title: words("work.\(kind.rawValue).all"), role: .quiet,
            action: .open("\(here)/plans?kind=\(kind.rawValue)"))
        return PTSection(
            title: words("work.\(kind.rawValue).title"),
            action: rows.count < open.count + done.count ? all : nil,
            body: rows.isEmpty
                ? [.text(PTText(words("work.\(kind.rawValue).none"), role: .note))]
                : [.list(PTList(cells: rows.map { cells.cell($0) }, label: words("work.\(kind.rawValue).title")))])
    }

    // MARK: - Observations

    private var observations: PTSection {
        let notes = ObservationNotes(
            names: data.names, studentId: data.student.id, timeZone: timeZone, request: request, mayKeep: mayKeep)
        var body = data.observations.map { Component.note(notes.note($0)) }
        if body.isEmpty { body = [.text(PTText(words("observation.none"), role: .note))] }
        if data.hasMoreObservations {
            body.append(
                .button(
                    PTButton(
                        title: words("observation.all"), role: .neutral, action: .open("\(here)/observations"))))
        }
        return PTSection(
            title: words("observation.title"),
            action: data.observations.isEmpty
                ? nil
                : PTButton(
                    title: words("observation.filter"), icon: .filter, role: .quiet,
                    action: .open("\(here)/observations")),
            body: body)
    }

    // MARK: - Attendance

    private var attendance: PTDisclosure {
        PTDisclosure(
            title: words("attendance.history"),
            body: data.marks.isEmpty
                ? [.text(PTText(words("attendance.noHistory"), role: .note))]
                : [
                    .list(
                        PTList(
                            cells: data.marks.map { mark in
                                PTListCell(
                                    id: mark.day.description,
                                    leading: .icon(
                                        mark.status == .present ? .check : .minus,
                                        tint: mark.status == .present ? .leaf : .clay),
                                    title: words("attendance.\(mark.status.rawValue)"),
                                    subtitle: words.longDate(mark.day))
                            }))
                ])
    }

    // MARK: - Contacts

    private var contacts: PTSection {
        PTSection(
            title: words("contact.title"),
            action: mayKeep
                ? PTButton(title: words("contact.manage"), role: .quiet, action: .open("\(here)/contacts")) : nil,
            body: data.contacts.isEmpty
                ? [.text(PTText(words("contact.none"), role: .note))]
                : [
                    .list(
                        PTList(
                            cells: data.contacts.map { contact in
                                PTListCell(
                                    id: contact.id.text, title: contact.fullName,
                                    subtitle: [contact.phone, contact.email].compactMap(\.self)
                                        .joined(separator: " · "),
                                    trailing: ContactScreen.actions(contact, words))
                            }, label: words("contact.title")))
                ])
    }
}

/// Rows of lessons and tasks, which look the same on every page.
struct WorkCells {
    let request: ScreenRequest
    let timeZone: TimeZone
    let mayKeep: Bool

    private var words: Words { request.words }

    /// Returns the row of a lesson or task.
    ///
    /// - Parameter child: the child that it is for, on pages about several children.
    func cell(_ work: StudentWork, child: Student? = nil) -> PTListCell {
        PTListCell(
            id: work.id.text,
            leading: .check(
                PTCheck(
                    isOn: work.completedAt != nil, spoken: words("work.doneSpoken", work.title), shape: .square,
                    call: mayKeep
                        ? request.call(CompleteWork.self, ["workId": work.id.text], haptics: .success()) : nil)),
            title: work.title, subtitle: subtitle(work, child), details: work.details,
            isDone: work.completedAt != nil,
            trailing: badge(work),
            menu: mayKeep ? menu(work) : [])
    }

    private func subtitle(_ work: StudentWork, _ child: Student?) -> String {
        let when =
            if let done = work.completedAt {
                words("work.doneOn", words.longDate(Day(done, in: timeZone)))
            } else if let day = work.scheduledFor {
                words.longDate(day)
            } else {
                words("work.noDate")
            }
        return child.map { "\($0.displayName) · \(when)" } ?? when
    }

    private func badge(_ work: StudentWork) -> [PTListCell.Trailing] {
        guard work.completedAt == nil, let day = work.scheduledFor else { return [] }
        if day == request.context.today {
            return [.badge(PTTag(text: words("work.dueToday"), tone: .warning))]
        }
        return day < request.context.today ? [.badge(PTTag(text: words("work.overdue"), tone: .attention))] : []
    }

    private func menu(_ work: StudentWork) -> [PTMenuItem] {
        [
            PTMenuItem(
                title: words("work.edit"), icon: .edit,
                action: .open("/students/\(work.studentId.text)/plans/\(work.id.text)"))
        ]
    }
}

/// Cards of observations, which look the same on every page.
struct ObservationNotes {
    let names: RecordNames
    let studentId: UUID
    let timeZone: TimeZone
    let request: ScreenRequest
    let mayKeep: Bool

    func note(_ observation: Observation) -> PTNote {
        let words = request.words
        let author = names.people[observation.createdByGuideId]
        let day = Day(observation.createdAt, in: timeZone)
        let when =
            day == request.context.today
            ? words("observation.todayAt", words.time(observation.createdAt, in: timeZone)) : words.longDate(day)
        var tags = observation.tagIds.compactMap { names.tags[$0] }.map { tag in
            PTTag(text: tag.name, tone: tag.kind == .subject ? .info : tag.kind == .material ? .good : .neutral)
        }
        tags += ([observation.primaryStudentId] + observation.taggedStudentIds).filter { $0 != studentId }
            .compactMap { names.people[$0]?.display }.map { PTTag(text: $0, icon: .person) }
        if let day = observation.followUpOn, observation.followedUpAt == nil {
            tags.append(
                PTTag(text: words("observation.lookAgain", words.longDate(day)), tone: .warning, icon: .eye))
        }
        let isOwn = observation.primaryStudentId == studentId
        return PTNote(
            id: "observation-\(observation.id.text)", text: observation.content,
            avatar: author.map {
                PTAvatar(
                    initials: $0.initials, tint: Tint(for: observation.createdByGuideId),
                    id: observation.createdByGuideId)
            },
            byline: [author?.display, when].compactMap(\.self).joined(separator: ", "), tags: tags,
            photos: observation.images(for: studentId, words),
            action: mayKeep && isOwn
                ? PTButton(
                    title: words("observation.edit"), icon: .edit, role: .quiet,
                    action: .open("/students/\(studentId.text)/observations/\(observation.id.text)")) : nil)
    }
}

extension PTField {
    static func photos(_ words: Words) -> PTField {
        PTField(
            .photos(side: Photo.side, max: Photo.limit), name: "photos", label: words("photo.add"), isMultiple: true
        )
    }
}

/// The fields of an observation besides its text.
struct ObservationFields {
    let tags: [Tag]
    let classmates: [Student]
    let words: Words
    /// The label of the date's field on this page.
    let day: String

    func fields(_ observation: Observation?) -> [PTField] {
        let chosen: [(TagKind, String, UUID?)] = [
            (.subject, "subjectTag", observation?.subjectTag), (.material, "materialTag", observation?.materialTag),
            (.app, "appTag", observation?.appTag),
        ]
        var fields: [PTField] = chosen.compactMap { kind, name, value in
            let options = tags.filter { $0.kind == kind }
            guard !options.isEmpty else { return nil }
            return PTField(
                .select(options.map { .init(value: $0.id.text, title: $0.name) }), name: name,
                label: words("tag.\(kind.rawValue)"), value: value?.text ?? "", placeholder: words("tag.none"))
        }
        if !classmates.isEmpty {
            fields.append(
                PTField(
                    .multipleChoice(classmates.map { .init(value: $0.id.text, title: $0.displayName) }),
                    name: "taggedStudentIds", label: words("observation.with"),
                    values: observation?.taggedStudentIds.map(\.text) ?? []))
        }
        fields.append(
            PTField(
                .date, name: "followUpOn", label: day, value: observation?.followUpOn?.description ?? "",
                hint: words("capture.dayHint")))
        return fields
    }
}
