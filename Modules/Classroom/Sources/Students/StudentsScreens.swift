import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The view models of the Students page, of a student, and of the pages that manage students.
struct StudentsScreens: Sendable {
    let classrooms: any ClassroomService
    let students: any StudentService
    let calendar: any SchoolCalendar

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/classrooms/{classroomId}", access: .member(.viewClassrooms), tab: "/homeroom",
                freshness: .untilChange, isPlace: true, roster),
            ScreenRoute(
                "/classrooms/{classroomId}/students/new", access: .member(.manageStudents), tab: "/homeroom", create
            ),
            ScreenRoute(
                "/students/{studentId}/edit", access: .member(.manageStudents), tab: "/homeroom",
                seen: Seen("student.seen", "studentId"), edit),
            ScreenRoute(
                "/settings/students", access: .member(.manageStudents), tab: "/settings",
                seen: Seen("students.seen"), all),
        ]
    }

    // MARK: - Students page

    /// The Students page with today's attendance of the class (`HomeroomView` of the ledger).
    @Sendable
    private func roster(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let id = try request.id("classroomId")
        let membership = try request.context.membership
        let today = request.context.today
        let (classroom, entries, days) = try await request.context.school.read { sql in
            (
                try classrooms.classroom(id, visibleTo: membership, in: sql),
                try AttendanceRepository.roster(of: id, day: today, orgId: membership.organization.id, in: sql),
                try calendar.schoolDays(from: today, through: today, in: sql)
            )
        }
        let mayManage = request.context.caller.may(.manageStudents)
        if entries.isEmpty && mayManage { return .redirect("/classrooms/\(id.text)/students/new") }
        return .screen(
            RosterViewModel(
                classroom: classroom, entries: entries, today: today, days: days, timeZone: membership.timeZone,
                mayMark: request.context.caller.may(.markAttendance), mayManage: mayManage, request: request
            ).screen)
    }

    // MARK: - New students

    /// The page that creates students (`CreateStudentView` of the ledger). It stays open after a save, for the next
    /// child.
    @Sendable
    private func create(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("classroomId")
        let membership = try request.context.membership
        let (classroom, present) = try await request.context.school.read { sql in
            (
                try classrooms.classroom(id, visibleTo: membership, in: sql),
                try students.students(of: id, orgId: membership.organization.id, in: sql)
            )
        }
        let here = "/classrooms/\(id.text)/students/new"
        var body: [Component] = [
            .form(
                request.form(
                    CreateStudent.self, id: "create-student",
                    fields: StudentsScreens.fields(nil, request) + PictureFields.student(hasPicture: false, words)
                        + [.hidden("classroomId", id.text)],
                    submit: SubmitButton(
                        title: words(present.isEmpty ? "students.create" : "students.addAnother"),
                        role: present.isEmpty ? .primary : .tonal, icon: .plus),
                    to: here, style: .card))
        ]
        if !present.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("students.soFar"), detail: words("classrooms.studentCount", present.count),
                        body: [
                            .list(
                                PTList(
                                    cells: present.map {
                                        PTListCell(
                                            id: $0.id.text, leading: .avatar($0.avatar), title: $0.displayName)
                                    }))
                        ])))
            body.append(
                .actionBar(
                    PTActionBar(
                        next: PTButton(title: words("students.done"), action: .open("/classrooms/\(id.text)")))))
        }
        return .screen(
            Screen(
                title: words("students.whoIsIn", classroom.name), subtitle: words("students.startWithAFew"),
                layout: .focused, back: present.isEmpty ? "/classrooms" : "/classrooms/\(id.text)",
                live: ["classroom:\(id.text)"], body: body))
    }

    static func fields(_ student: Student?, _ request: ScreenRequest) -> [PTField] {
        let words = request.words
        return [
            PTField(
                name: "firstName", label: words("students.firstName"), value: student?.firstName ?? "",
                hint: words("students.oneName"), autocomplete: "off", maxLength: 100, width: .half),
            PTField(
                name: "lastName", label: words("students.lastName"), value: student?.lastName ?? "",
                autocomplete: "off", maxLength: 100, width: .half),
            .tint(
                name: "avatarTint", label: words("students.picture"), initials: student?.avatar.initials ?? "",
                from: ["firstName", "lastName"], value: student?.avatarTint ?? .leaf, titles: tintTitles(words)),
        ]
    }

    /// Returns the sheet that creates a student. It closes when the student is saved.
    /// - Parameter fields: further fields besides name and picture.
    static func newStudent(_ fields: [PTField], to path: String, _ request: ScreenRequest) -> PTBottomSheet {
        let words = request.words
        var form = request.form(
            CreateStudent.self, id: "new-student-form",
            fields: StudentsScreens.fields(nil, request) + PictureFields.student(hasPicture: false, words) + fields,
            submit: SubmitButton(title: words("students.create")), to: path)
        form.celebrates = false
        return PTBottomSheet(id: "new-student", title: words("students.create"), body: [.form(form)])
    }

    // MARK: - One student

    /// The form with a student's data for the office (`StudentDetailView` of the ledger). The page of the child is
    /// another one.
    @Sendable
    private func edit(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("studentId")
        let membership = try request.context.membership
        let (student, rooms, mine, stays) = try await request.context.school.read { sql in
            (
                try students.student(id, visibleTo: membership, in: sql),
                try classrooms.classrooms(visibleTo: membership, in: sql),
                Set(try ClassroomRepository.classroomIds(ofStudent: id, in: sql)),
                try StayRepository.stays(ofStudents: [id], in: sql)
            )
        }
        var fields = StudentsScreens.fields(student, request)
        fields.insert(
            PTField(
                name: "displayName", label: words("students.calledName"),
                value: student.name.preferred ?? "", hint: words("students.calledNameHint"),
                autocomplete: "off", maxLength: 100), at: 2)
        fields += [
            PTField(
                name: "number", label: words("students.number"), value: student.number ?? "",
                hint: words("students.numberHint"), autocomplete: "off", maxLength: 60, width: .half),
            PTField(
                name: "gradeLevel", label: words("students.gradeLevel"), value: student.gradeLevel ?? "",
                hint: words("students.gradeLevelHint"), autocomplete: "off", maxLength: 60, width: .half),
            PTField(
                .email, name: "email", label: words("students.email"), value: student.email ?? "",
                autocomplete: "off", maxLength: 254),
        ]
        fields.append(
            PTField(
                .multiline, name: "notes", label: words("students.notes"), value: student.notes ?? "",
                hint: words("students.notesHint"), maxLength: 4000))
        fields += PictureFields.student(hasPicture: student.imageURL != nil, words)
        fields.append(.version(student.version))
        let theirs = [student.name.display, student.number, student.gradeLevel, student.email, student.notes]
        var body = try await request.savedMeanwhile(
            "students.changed", ["student.updated"], of: id, theirs.compactMap(\.self).joined(separator: "\n"))
        if let address = student.imageURL {
            body.append(
                .image(
                    PTImage(
                        url: address, width: 128, height: 128, alt: words("picture.of", student.displayName),
                        shape: .circle)))
        }
        body += [
            .form(
                request.form(
                    UpdateStudent.self, ["studentId": id.text], id: "edit-student", fields: fields,
                    submit: SubmitButton(title: words("classrooms.save")), to: "/students/\(id.text)", style: .card)
            )
        ]
        let open = rooms.filter { !mine.contains($0.id) }
        if !rooms.isEmpty {
            var inside: [Component] = []
            let present = rooms.filter { mine.contains($0.id) }
            if !present.isEmpty {
                inside.append(
                    .list(
                        PTList(
                            cells: present.map { room in
                                PTListCell(
                                    id: room.id.text, title: room.name,
                                    subtitle: current(stays, in: room.id)?.days(words),
                                    trailing: [
                                        .iconButton(
                                            PTButton(
                                                title: words("students.days", room.name), icon: .calendar,
                                                role: .quiet, action: .present("days-\(room.id.text)"))),
                                        .iconButton(
                                            PTButton(
                                                title: words("students.leave", room.name), icon: .x, role: .quiet,
                                                action: .perform(
                                                    request.call(
                                                        RemoveFromClass.self,
                                                        ["classroomId": room.id.text, "studentId": id.text])))),
                                    ])
                            })))
            }
            if !open.isEmpty {
                inside.append(
                    .chips(
                        PTChips(
                            label: words("students.addTo"),
                            chips: open.map { room in
                                .init(
                                    title: room.name, icon: .plus,
                                    action: .perform(
                                        request.call(
                                            AddToClass.self, ["classroomId": room.id.text],
                                            fields: ["studentId": id.text])))
                            })))
            }
            let past = stays.filter { $0.lastDay != nil }
            if !past.isEmpty {
                inside.append(
                    .list(
                        PTList(
                            cells: past.reversed().map { stay in
                                PTListCell(
                                    id: "\(stay.classroomId.text)-\(stay.firstDay?.description ?? "")",
                                    title: rooms.first { $0.id == stay.classroomId }?.name ?? "",
                                    subtitle: stay.days(words))
                            }, label: words("students.earlierClasses"))))
            }
            body.append(.section(PTSection(title: words("classrooms.title"), body: inside)))
        }
        body.append(
            .button(
                PTButton(
                    title: words("students.delete"), icon: .trash, role: .destructive,
                    action: .perform(StudentsScreens.deletion(student, to: "/homeroom", request)))))
        let more = request.links(.person, ["personId": id])
        if !more.isEmpty { body.append(.links(PTLinks(links: more))) }
        return .screen(
            Screen(
                title: student.displayName, back: "/students/\(id.text)", live: ["students"], body: body,
                sheets: rooms.filter { mine.contains($0.id) }.map {
                    days(student, in: $0, current(stays, in: $0.id), request)
                }))
    }

    private func current(_ stays: [ClassroomStay], in classroomId: UUID) -> ClassroomStay? {
        stays.first { $0.classroomId == classroomId && $0.lastDay == nil }
    }

    /// Returns the form for the days that a student is in a class.
    private func days(
        _ student: Student, in room: ClassroomSummary, _ stay: ClassroomStay?, _ request: ScreenRequest
    ) -> PTBottomSheet {
        let words = request.words
        return PTBottomSheet(
            id: "days-\(room.id.text)", title: words("students.days", room.name),
            body: [
                .form(
                    request.form(
                        SetClassDays.self, ["classroomId": room.id.text, "studentId": student.id.text],
                        id: "days-form-\(room.id.text)",
                        fields: [
                            PTField(
                                .date, name: "firstDay", label: words("students.firstDay"),
                                value: stay?.firstDay?.description ?? "", hint: words("students.firstDayHint"),
                                width: .half),
                            PTField(
                                .date, name: "lastDay", label: words("students.lastDay"),
                                value: "", hint: words("students.lastDayHint"), width: .half),
                        ],
                        submit: SubmitButton(title: words("students.saveDays")),
                        to: "/students/\(student.id.text)/edit"))
            ])
    }

    static func deletion(_ student: Student, to path: String, _ request: ScreenRequest) -> PTCommandCall {
        let words = request.words
        return request.call(
            DeleteStudent.self, ["studentId": student.id.text],
            confirmation: PTConfirmation(
                title: words("students.deleteQuestion", student.displayName),
                message: words("students.deleteExplained"), confirm: words("students.delete")), to: path)
    }

    // MARK: - Settings > Students

    @Sendable
    private func all(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let orgId = membership.organization.id
        let wanted = request.query["q"] ?? ""
        let after = request.query["after"] ?? ""
        let (found, rooms) = try await request.context.school.read { sql in
            (
                wanted.isEmpty
                    ? try StudentRepository.students(after: after, limit: Self.pageSize + 1, orgId: orgId, in: sql)
                    : try StudentRepository.students(
                        matching: NameFolding.fold(wanted).split(separator: " ").map(String.init), ofGuide: nil,
                        limit: Self.pageSize, orgId: orgId, in: sql),
                try classrooms.classrooms(visibleTo: membership, in: sql)
            )
        }
        let choice = PTField(
            .select(
                [.init(value: "", title: words("students.noClassroom"))]
                    + rooms.map { .init(value: $0.id.text, title: $0.name) }),
            name: "classroomId", label: words("students.classroom"))
        let shown = found.prefix(Self.pageSize)
        var more: PTButton?
        if found.count > Self.pageSize, let last = shown.last {
            let escaped =
                StudentRepository.place(of: last)
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            more = PTButton(
                title: words("students.more"), role: .neutral, action: .open("/settings/students?after=\(escaped)"))
        }
        return .screen(
            Screen(
                title: words("students.all"), back: "/settings", live: ["students"],
                body: [
                    .search(
                        PTSearchField(
                            path: "/settings/students", value: wanted, placeholder: words("students.search"),
                            label: words("students.search"))),
                    shown.isEmpty
                        ? .empty(
                            PTEmptyState(
                                title: words("students.none"),
                                message: words(wanted.isEmpty ? "students.noneInSchool" : "students.noneTip"),
                                action: PTButton(
                                    title: words("students.create"), icon: .plus,
                                    action: .present("new-student"))))
                        : .list(
                            PTList(
                                cells: shown.map {
                                    PTListCell(
                                        id: $0.id.text, leading: .avatar($0.avatar), title: $0.displayName,
                                        subtitle: $0.schooling, trailing: [.chevron],
                                        action: .open("/students/\($0.id.text)/edit"))
                                }, columns: .two, label: words("students.all"), more: more)),
                ],
                floatingButton: shown.isEmpty
                    ? nil
                    : PTFloatingActionButton(
                        title: words("students.create"),
                        action: .present("new-student")),
                sheets: [Self.newStudent(rooms.isEmpty ? [] : [choice], to: "/settings/students", request)]))
    }

    static let pageSize = 60
}

extension ClassroomStay {
    /// Returns the days in words; `nil` for a member whose first day is not known.
    func days(_ words: Words) -> String? {
        switch (firstDay.map(words.shortDate), lastDay.map(words.shortDate)) {
        case (nil, nil): nil
        case (let first?, nil): words("students.sinceDay", first)
        case (nil, let last?): words("students.until", last)
        case (let first?, let last?): words("students.fromTo", first, last)
        }
    }
}

extension Student {
    /// Removes everything but the name, for readers who may not see the student.
    mutating func keepNameOnly() {
        imageURL = nil
        email = nil
        number = nil
        gradeLevel = nil
        notes = nil
    }

    var name: PersonName { PersonName(given: firstName, family: lastName, display: displayName) }

    /// The grade level and the school's number of the student, as far as they are known.
    var schooling: String? {
        let parts = [gradeLevel, number].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    var avatar: PTAvatar {
        PTAvatar(initials: name.initials, tint: avatarTint, id: id, imageURL: imageURL)
    }
}
