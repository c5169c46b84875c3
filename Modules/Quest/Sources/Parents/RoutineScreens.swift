import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages of a routine and of its tasks.
struct RoutineScreens: Sendable {
    let dependencies: AppDependencies

    static func path(_ routineId: UUID) -> String { "/quest/routines/\(routineId.text)" }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/quest/routines/{routineId}", access: .member(.manageQuests), tab: DashboardScreens.home,
                area: DashboardScreens.area
            ) { .screen(try await routine($0)) },
            ScreenRoute(
                "/quest/routines/{routineId}/tasks/{taskId}", access: .member(.manageQuests),
                tab: DashboardScreens.home, area: DashboardScreens.area
            ) { .screen(try await task($0)) },
        ]
    }

    private func routine(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let routine = try await read(request)
        let ids = ["routineId": routine.id.text]
        let tasks = routine.orderedTasks
        let fields = Self.fields(routine, words)
        let theirs = try await request.savedMeanwhile(
            "quest.routineChanged", ["quest.routineChanged"], of: routine.id, fields)
        return Screen(
            title: routine.name, subtitle: Self.days(routine.activeDays, words),
            back: DashboardScreens.path(routine.playerId), live: ["quest:\(routine.playerId.text)"],
            body: (routine.isActive
                ? []
                : [
                    .banner(
                        PTBanner(
                            title: words("quest.routineArchived"),
                            action: PTButton(
                                title: words("quest.restore"), role: .outlined,
                                action: .perform(archive(routine, false, request)))))
                ]) + [
                    .section(
                        PTSection(
                            title: words("quest.taskTitle"),
                            body: [
                                tasks.isEmpty
                                    ? .empty(
                                        PTEmptyState(
                                            title: words("quest.noTasks"), message: words("quest.noTasksTip")))
                                    : .list(
                                        PTList(
                                            cells: tasks.indices.map { cell($0, of: tasks, request) },
                                            label: words("quest.taskTitle")))
                            ])),
                    .links(
                        PTLinks(links: [
                            .init(
                                title: words("quest.showResults"),
                                action: .open(ResultsScreens.path(routine: routine.id)))
                        ])),
                    .disclosure(
                        PTDisclosure(
                            title: words("quest.editRoutine"),
                            body: theirs + [
                                .form(
                                    request.form(
                                        UpdateRoutine.self, ids, id: "routine",
                                        fields: fields + [.version(routine.version)],
                                        submit: SubmitButton(title: words("quest.save")), to: Self.path(routine.id),
                                        style: .card))
                            ], isOpen: request.refused?.command == UpdateRoutine.contract.path(filling: ids))),
                    .buttons(PTButtonGroup(buttons: closing(routine, request))),
                ],
            floatingButton: PTFloatingActionButton(
                title: words("quest.addTask"), action: .present("new-task")),
            sheets: [
                PTBottomSheet(
                    id: "new-task", title: words("quest.addTask"),
                    body: [
                        .form(
                            request.form(
                                AddTask.self, ids, id: "new-task-form",
                                fields: Self.taskFields(nil, words),
                                submit: SubmitButton(title: words("quest.addTask")), to: Self.path(routine.id)))
                    ])
            ])
    }

    private func closing(_ routine: Routine, _ request: ScreenRequest) -> [PTButton] {
        let words = request.words
        let delete = PTButton(
            title: words("quest.deleteRoutine"), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    DeleteRoutine.self, ["routineId": routine.id.text],
                    confirmation: PTConfirmation(
                        title: words("quest.deleteRoutineQuestion", routine.name),
                        message: words("quest.deleteRoutineExplained"), confirm: words("quest.delete")),
                    to: DashboardScreens.path(routine.playerId))))
        guard routine.isActive else { return [delete] }
        return [
            PTButton(
                title: words("quest.archiveRoutine"), icon: .minus, role: .neutral,
                action: .perform(archive(routine, true, request))), delete,
        ]
    }

    private func archive(_ routine: Routine, _ isArchived: Bool, _ request: ScreenRequest) -> PTCommandCall {
        request.call(
            ArchiveRoutine.self, ["routineId": routine.id.text],
            fields: ["archived": isArchived ? "true" : "false"], to: Self.path(routine.id))
    }

    private func cell(_ place: Int, of tasks: [RoutineTask], _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        let task = tasks[place]
        let edit = "\(Self.path(task.routineId))/tasks/\(task.id.text)"
        let ids = ["routineId": task.routineId.text, "taskId": task.id.text]
        func move(_ key: String, _ icon: PTIcon, before: UUID?) -> PTMenuItem {
            PTMenuItem(
                title: words(key), icon: icon,
                action: .perform(
                    request.call(
                        MoveTask.self, ids, fields: before.map { ["before": $0.text] } ?? [:],
                        to: Self.path(task.routineId))))
        }
        var menu: [PTMenuItem] = []
        if place > 0 { menu.append(move("quest.moveUp", .arrowUp, before: tasks[place - 1].id)) }
        if place < tasks.count - 1 {
            menu.append(
                move(
                    "quest.moveDown", .arrowDown, before: place + 2 < tasks.count ? tasks[place + 2].id : nil))
        }
        menu.append(PTMenuItem(title: words("quest.edit"), icon: .edit, action: .open(edit)))
        return PTListCell(
            id: task.id.text, title: task.name,
            subtitle: task.referenceDurationSeconds.map { words("quest.takes", words.duration(Double($0))) }
                ?? words("quest.unknownDuration"), trailing: [.menu], action: .open(edit), menu: menu,
            move: tasks.count > 1 ? request.call(MoveTask.self, ids, to: Self.path(task.routineId)) : nil)
    }

    private func task(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let routine = try await read(request)
        let id = try request.id("taskId")
        guard let task = routine.tasks.first(where: { $0.id == id }) else { throw Problem.notFound }
        let ids = ["routineId": routine.id.text, "taskId": id.text]
        let fields = Self.taskFields(task, words)
        let theirs = try await request.savedMeanwhile(
            "quest.taskChanged", ["quest.routineChanged"], of: routine.id, fields)
        return Screen(
            title: task.name, back: Self.path(routine.id), live: ["quest:\(routine.playerId.text)"],
            body: theirs + [
                .form(
                    request.form(
                        UpdateTask.self, ids, id: "task", fields: fields + [.version(task.version)],
                        submit: SubmitButton(title: words("quest.save")), to: Self.path(routine.id), style: .card)),
                .button(
                    PTButton(
                        title: words("quest.deleteTask"), icon: .trash, role: .destructive,
                        action: .perform(
                            request.call(
                                DeleteTask.self, ids,
                                confirmation: PTConfirmation(
                                    title: words("quest.deleteTaskQuestion", task.name),
                                    message: words("quest.deleteTaskExplained"), confirm: words("quest.delete")),
                                to: Self.path(routine.id))))),
            ])
    }

    private func read(_ request: ScreenRequest) async throws -> Routine {
        let (id, membership) = (try request.id("routineId"), try request.context.membership)
        return try await request.context.school.read { try dependencies.routine(id, of: membership, in: $0) }
    }

    // MARK: - Form fields

    static func fields(_ routine: Routine?, _ words: Words) -> [PTField] {
        [
            PTField(
                name: "name", label: words("quest.routineName"), value: routine?.name ?? "",
                hint: words("quest.routineNameHint"), isRequired: true, autocomplete: "off", maxLength: 60),
            PTField(
                name: "displayName", label: words("quest.displayName"),
                value: routine.map { $0.displayName == $0.name ? "" : $0.displayName } ?? "",
                hint: words("quest.displayNameHint"), autocomplete: "off", maxLength: 60),
            PTField(
                .multipleChoice((1...7).map { .init(value: String($0), title: weekday($0, words)) }),
                name: "activeDays", label: words("quest.activeDays"),
                values: (routine?.activeDays ?? Array(1...7)).map(String.init), isRequired: true),
        ]
    }

    static func taskFields(_ task: RoutineTask?, _ words: Words) -> [PTField] {
        let seconds = task?.referenceDurationSeconds
        return [
            PTField(
                name: "name", label: words("quest.taskName"), value: task?.name ?? "",
                hint: words("quest.taskNameHint"), isRequired: true, autocomplete: "off", maxLength: 60),
            PTField(
                name: "displayName", label: words("quest.displayName"),
                value: task.map { $0.displayName == $0.name ? "" : $0.displayName } ?? "",
                hint: words("quest.displayNameHint"), autocomplete: "off", maxLength: 60),
            PTField(
                .number, name: "minutes", label: words("quest.minutes"), value: seconds.map { "\($0 / 60)" } ?? "",
                hint: words("quest.referenceHint"), width: .half),
            PTField(
                .number, name: "seconds", label: words("quest.seconds"), value: seconds.map { "\($0 % 60)" } ?? "",
                width: .half),
        ]
    }

    /// The weekdays as `Mon, Tue, Fri`, or "every day".
    static func days(_ days: [Int], _ words: Words) -> String {
        days.count == 7 ? words("quest.everyDay") : days.map { weekday($0, words) }.joined(separator: ", ")
    }

    /// The name of a weekday. 1970-01-05 was a Monday.
    private static func weekday(_ number: Int, _ words: Words) -> String { words.weekday(Day(number: 3 + number)) }
}
