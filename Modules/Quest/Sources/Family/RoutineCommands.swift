import Domain
import FeatureKit
import Foundation

/// Lists a player's routines.
struct ListRoutines: Query {
    static let contract = Contract(
        "routines.list", "/api/v1/quest/players/{playerId}/routines", access: .member(.manageQuests),
        summary: "A player's routines with their tasks, in their order, with archived ones.")
    typealias Result = Page<Routine>

    let playerId: UUID

    init(_ fields: inout FieldReader) { playerId = fields.id("playerId") }
}

/// Creates a routine.
struct CreateRoutine: Command {
    static let contract = Contract(
        "routines.create", "/api/v1/quest/players/{playerId}/routines", access: .member(.manageQuests),
        isCreation: true, summary: "Creates a routine for a player, on some weekdays.")
    typealias Result = Routine

    let playerId: UUID
    let draft: RoutineDraft

    init(_ fields: inout FieldReader) {
        playerId = fields.id("playerId")
        draft = RoutineDraft(&fields)
    }
}

/// Changes a routine.
struct UpdateRoutine: Command {
    static let contract = Contract(
        "routines.update", "/api/v1/quest/routines/{routineId}", access: .member(.manageQuests), replay: .natural,
        summary:
            "Changes the names and the weekdays of a routine. Refused with 409 if a version is given and the routine has changed since."
    )
    typealias Result = Routine

    let routineId: UUID
    let draft: RoutineDraft
    /// The `Routine.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        routineId = fields.id("routineId")
        draft = RoutineDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Moves a routine among the routines of its player.
struct MoveRoutine: Command {
    static let contract = Contract(
        "routines.move", "/api/v1/quest/routines/{routineId}/move", access: .member(.manageQuests),
        replay: .natural, summary: "Puts a routine before another one of its child, or at the end.")
    typealias Result = Routine

    let routineId: UUID
    let before: UUID?

    init(_ fields: inout FieldReader) {
        routineId = fields.id("routineId")
        before = fields.optionalId("before")
    }
}

/// Archives or restores a routine.
struct ArchiveRoutine: Command {
    static let contract = Contract(
        "routines.archive", "/api/v1/quest/routines/{routineId}/archive", access: .member(.manageQuests),
        replay: .natural, summary: "Archives a routine, or restores one with archived=false.")
    typealias Result = Routine

    let routineId: UUID
    let isArchived: Bool

    init(_ fields: inout FieldReader) {
        routineId = fields.id("routineId")
        isArchived = fields.flag("archived")
    }
}

/// Deletes a routine.
struct DeleteRoutine: Command {
    static let contract = Contract(
        "routines.delete", "/api/v1/quest/routines/{routineId}/delete", access: .member(.manageQuests),
        summary: "Deletes a routine with its tasks. Its sessions stay.")
    typealias Result = Done

    let routineId: UUID

    init(_ fields: inout FieldReader) { routineId = fields.id("routineId") }
}

/// Adds a task.
struct AddTask: Command {
    static let contract = Contract(
        "routines.addTask", "/api/v1/quest/routines/{routineId}/tasks", access: .member(.manageQuests),
        isCreation: true, summary: "Adds a task at the end of a routine.")
    typealias Result = Routine

    let routineId: UUID
    let draft: TaskDraft

    init(_ fields: inout FieldReader) {
        routineId = fields.id("routineId")
        draft = TaskDraft(&fields)
    }
}

/// Changes a task.
struct UpdateTask: Command {
    static let contract = Contract(
        "routines.updateTask", "/api/v1/quest/routines/{routineId}/tasks/{taskId}",
        access: .member(.manageQuests), replay: .natural,
        summary:
            "Changes a task of a routine. Refused with 409 if a version is given and the task has changed since."
    )
    typealias Result = Routine

    let routineId: UUID
    let taskId: UUID
    let draft: TaskDraft
    /// The `RoutineTask.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        routineId = fields.id("routineId")
        taskId = fields.id("taskId")
        draft = TaskDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Moves a task.
struct MoveTask: Command {
    static let contract = Contract(
        "routines.moveTask", "/api/v1/quest/routines/{routineId}/tasks/{taskId}/move",
        access: .member(.manageQuests), replay: .natural,
        summary: "Moves a task before another one of its routine, or to the end.")
    typealias Result = Routine

    let routineId: UUID
    let taskId: UUID
    let before: UUID?

    init(_ fields: inout FieldReader) {
        routineId = fields.id("routineId")
        taskId = fields.id("taskId")
        before = fields.optionalId("before")
    }
}

/// Deletes a task.
struct DeleteTask: Command {
    static let contract = Contract(
        "routines.deleteTask", "/api/v1/quest/routines/{routineId}/tasks/{taskId}/delete",
        access: .member(.manageQuests), summary: "Deletes a task of a routine. Its results in sessions stay.")
    typealias Result = Routine

    let routineId: UUID
    let taskId: UUID

    init(_ fields: inout FieldReader) {
        routineId = fields.id("routineId")
        taskId = fields.id("taskId")
    }
}

/// The fields of a routine's form.
struct RoutineDraft: Sendable, Hashable {
    let name: String
    let displayName: String
    let activeDays: [Int]

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 60)
        displayName = fields.optionalText("displayName", max: 60) ?? name
        let wanted = fields.texts("activeDays", max: 7)
        activeDays = Set(wanted.compactMap { Int($0) }.filter((1...7).contains)).sorted()
        fields.refuse("activeDays", "quest.days", unless: !wanted.isEmpty && activeDays.count == wanted.count)
    }
}

/// The fields of a task's form.
struct TaskDraft: Sendable, Hashable {
    let name: String
    let displayName: String
    /// The expected duration; `nil` if unknown.
    let referenceSeconds: Int?

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 60)
        displayName = fields.optionalText("displayName", max: 60) ?? name
        let minutes = fields.integer("minutes", in: 0...180, default: 0)
        let seconds = fields.integer("seconds", in: 0...59, default: 0)
        referenceSeconds = minutes + seconds > 0 ? minutes * 60 + seconds : nil
    }
}

extension Routine {
    /// The version of the fields that the form of a routine edits.
    var version: ContentVersion { ContentVersion([name, displayName] + activeDays.map(String.init)) }
}

extension RoutineTask {
    /// The version of the fields that the form of a task edits.
    var version: ContentVersion {
        ContentVersion([name, displayName, referenceDurationSeconds.map(String.init)])
    }
}

/// The endpoints of routines and their tasks.
struct RoutineHandlers: Sendable {
    static let mostRoutines = 50
    static let mostTasks = 30

    let dependencies: AppDependencies

    var commands: [CommandRegistration] {
        [
            .handle(CreateRoutine.self) { command, context in
                let player = try PlayerRepository.player(
                    command.playerId, of: context.membership, in: context.sql)
                let all = try dependencies.routineRepository.fetchAll(of: player.id, in: context.sql)
                guard all.count < Self.mostRoutines else {
                    throw Problem(409, "quest.tooManyRoutines", [.number(Self.mostRoutines)])
                }
                let draft = command.draft
                let routine = Routine(
                    id: context.newId(), playerId: player.id, name: draft.name, displayName: draft.displayName,
                    activeDays: draft.activeDays, createdAt: context.now, updatedAt: context.now,
                    orderIndex: (all.last?.orderIndex ?? 0) + 1)
                try dependencies.routineRepository.save(routine, in: context.sql)
                context.record(.quest("quest.routineChanged", player))
                context.destination = RoutineScreens.path(routine.id)
                return routine
            },
            .handle(UpdateRoutine.self) { command, context in
                try change(command.routineId, &context) { routine, _ in
                    let former = routine.version
                    routine.name = command.draft.name
                    routine.displayName = command.draft.displayName
                    routine.activeDays = command.draft.activeDays
                    // A repeated save changes nothing and is accepted.
                    if routine.version != former { try former.check(command.version, "quest.routineChanged") }
                }
            },
            .handle(MoveRoutine.self) { command, context in try move(command, &context) },
            .handle(ArchiveRoutine.self) { command, context in
                try change(command.routineId, &context) { routine, _ in routine.isActive = !command.isArchived }
            },
            .handle(DeleteRoutine.self) { command, context in
                let routine = try dependencies.routine(
                    command.routineId, of: context.membership, in: context.sql)
                try dependencies.routineRepository.delete(routine.id, in: context.sql)
                let player = try PlayerRepository.player(
                    routine.playerId, of: context.membership, in: context.sql)
                context.record(.quest("quest.routineDeleted", player))
                context.destination = DashboardScreens.path(player.id)
                return Done()
            },
            .handle(AddTask.self) { command, context in
                try change(command.routineId, &context) { routine, id in
                    guard routine.tasks.count < Self.mostTasks else {
                        throw Problem(409, "quest.tooManyTasks", [.number(Self.mostTasks)])
                    }
                    let last = routine.tasks.map(\.orderIndex).max() ?? 0
                    routine.tasks.append(
                        RoutineTask(
                            id: id, routineId: routine.id, name: command.draft.name,
                            displayName: command.draft.displayName,
                            referenceDurationSeconds: command.draft.referenceSeconds, orderIndex: last + 1))
                }
            },
            .handle(UpdateTask.self) { command, context in
                try change(command.routineId, &context) { routine, _ in
                    let index = try place(of: command.taskId, in: routine.tasks)
                    let former = routine.tasks[index].version
                    routine.tasks[index].name = command.draft.name
                    routine.tasks[index].displayName = command.draft.displayName
                    routine.tasks[index].referenceDurationSeconds = command.draft.referenceSeconds
                    if routine.tasks[index].version != former {
                        try former.check(command.version, "quest.taskChanged")
                    }
                }
            },
            .handle(MoveTask.self) { command, context in
                try change(command.routineId, &context) { routine, _ in
                    var tasks = routine.orderedTasks
                    let moved = tasks.remove(at: try place(of: command.taskId, in: tasks))
                    tasks.insert(
                        moved, at: try command.before.map { try place(of: $0, in: tasks) } ?? tasks.endIndex)
                    for index in tasks.indices { tasks[index].orderIndex = index + 1 }
                    routine.tasks = tasks
                }
            },
            .handle(DeleteTask.self) { command, context in
                try change(command.routineId, &context) { routine, _ in
                    routine.tasks.remove(at: try place(of: command.taskId, in: routine.tasks))
                }
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListRoutines.self) { query, context in
                let membership = try context.membership
                return Page(
                    items: try await context.school.read { sql in
                        let player = try PlayerRepository.player(query.playerId, of: membership, in: sql)
                        return try dependencies.routineRepository.fetchAll(of: player.id, in: sql)
                    }, next: nil)
            }
        ]
    }

    /// Changes a routine and stores it if it is different.
    ///
    /// - Parameter edit: receives the routine and a new id for a task to add.
    private func change(
        _ id: UUID, _ context: inout CommandContext, _ edit: (inout Routine, UUID) throws -> Void
    ) throws -> Routine {
        let former = try dependencies.routine(id, of: context.membership, in: context.sql)
        var routine = former
        try edit(&routine, context.newId())
        guard routine != former else { return routine }
        routine.updatedAt = context.now
        try dependencies.routineRepository.save(routine, in: context.sql)
        context.record(
            .quest(
                "quest.routineChanged",
                try PlayerRepository.player(routine.playerId, of: context.membership, in: context.sql),
                ["routine": routine.id]))
        return routine
    }

    private func move(_ command: MoveRoutine, _ context: inout CommandContext) throws -> Routine {
        var moved = try dependencies.routine(command.routineId, of: context.membership, in: context.sql)
        var all = try dependencies.routineRepository.fetchAll(of: moved.playerId, in: context.sql)
        guard command.before != moved.id else { return moved }
        all.remove(at: try place(of: moved.id, in: all))
        all.insert(moved, at: try command.before.map { try place(of: $0, in: all) } ?? all.endIndex)
        var isChanged = false
        for (index, var routine) in all.enumerated() where routine.orderIndex != index + 1 {
            routine.orderIndex = index + 1
            try dependencies.routineRepository.save(routine, in: context.sql)
            isChanged = true
            if routine.id == moved.id { moved = routine }
        }
        if isChanged {
            context.record(
                .quest(
                    "quest.routineChanged",
                    try PlayerRepository.player(moved.playerId, of: context.membership, in: context.sql)))
        }
        return moved
    }

    private func place<Item: Identifiable<UUID>>(of id: UUID, in items: [Item]) throws -> Int {
        guard let index = items.firstIndex(where: { $0.id == id }) else { throw Problem.notFound }
        return index
    }
}
