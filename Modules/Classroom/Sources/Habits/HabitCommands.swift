import Domain
import FeatureKit
import Foundation

/// The state that a tap on a check box requests, so that hurried and repeated taps end in the same state.
enum Completion: String, Sendable, CaseIterable { case done, open }

struct CreateHabit: Command {
    static let contract = Contract(
        "habits.create", "/api/v1/students/{studentId}/habits", access: .member(.keepRecords), isCreation: true,
        summary: "Gives a child a habit.")
    typealias Result = Habit

    let studentId: UUID
    let name: String
    let cadence: Habit.Cadence

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        name = fields.text("name", max: 120)
        cadence = fields.optionalChoice("cadence", of: Habit.Cadence.self) ?? .daily
    }
}

struct UpdateHabit: Command {
    static let contract = Contract(
        "habits.update", "/api/v1/habits/{habitId}", access: .member(.keepRecords),
        summary:
            "Changes a habit's name and cadence, or lets it rest. Refused with 409 if a version is given and someone has changed it since."
    )
    typealias Result = Habit

    let habitId: UUID
    let name: String
    let cadence: Habit.Cadence
    let isPaused: Bool
    /// The `Habit.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        habitId = fields.id("habitId")
        name = fields.text("name", max: 120)
        cadence = fields.choice("cadence")
        isPaused = fields.flag("isPaused")
        version = fields.contentVersion()
    }
}

struct DeleteHabit: Command {
    static let contract = Contract(
        "habits.delete", "/api/v1/habits/{habitId}/delete", access: .member(.keepRecords),
        summary: "Deletes a habit with its days.")
    typealias Result = Done

    let habitId: UUID

    init(_ fields: inout FieldReader) { habitId = fields.id("habitId") }
}

struct ToggleHabit: Command {
    static let contract = Contract(
        "habits.toggleToday", "/api/v1/habits/{habitId}/toggle", access: .member(.keepRecords),
        isOfflineCapable: true,
        summary: "Flips whether a habit is done today, or sets it where `wish` says how.")
    typealias Result = HabitLog

    let habitId: UUID
    let day: Day?
    let completion: Completion?

    init(_ fields: inout FieldReader) {
        habitId = fields.id("habitId")
        day = fields.optionalDay("day")
        completion = fields.optionalChoice("wish", of: Completion.self)
    }
}

extension Habit {
    /// The version of the fields that the form of a habit edits.
    var version: ContentVersion { ContentVersion([name, cadence.rawValue, pausedOn == nil ? nil : "paused"]) }
}

/// Manages the habits of children and records whether they are done today (`HabitService` of the ledger).
enum HabitService {
    static let limit = 60

    static func create(
        _ name: String, _ cadence: Habit.Cadence, of studentId: UUID, in context: inout CommandContext
    ) throws -> Habit {
        try context.require(.keepRecords)
        let membership = try context.membership
        try StudentAccess.check(studentId, membership, in: context.sql)
        guard try HabitRepository.habits(of: [studentId], in: context.sql).count < limit else {
            throw Problem(409, "habit.tooMany", [.number(limit)])
        }
        let habit = Habit(
            id: context.newId(), studentId: studentId, name: name, cadence: cadence, createdAt: context.now,
            createdByGuideId: membership.personId)
        try HabitRepository.insert(habit, in: context.sql)
        try StudentAccess.record("habit.created", of: studentId, ["habit": habit.id.text], in: &context)
        return habit
    }

    static func update(_ command: UpdateHabit, in context: inout CommandContext) throws -> Habit {
        var habit = try habit(command.habitId, in: &context)
        try habit.version.check(command.version, "habit.changed")
        habit.name = command.name
        habit.cadence = command.cadence
        if let first = habit.pausedOn, !command.isPaused {
            let last = context.today.adding(days: -1)
            if first <= last {
                try HabitRepository.insert(
                    HabitPause(habitId: habit.id, firstDay: first, lastDay: last), in: context.sql)
            }
            habit.pausedOn = nil
        } else if habit.pausedOn == nil, command.isPaused {
            habit.pausedOn = context.today
        }
        try HabitRepository.update(habit, in: context.sql)
        try StudentAccess.record("habit.updated", of: habit.studentId, ["habit": habit.id.text], in: &context)
        return habit
    }

    static func delete(_ id: UUID, in context: inout CommandContext) throws {
        let habit = try habit(id, in: &context)
        try HabitRepository.delete(id, in: context.sql)
        try StudentAccess.record("habit.deleted", of: habit.studentId, ["habit": id.text], in: &context)
    }

    static func toggle(_ command: ToggleHabit, in context: inout CommandContext) throws -> HabitLog {
        let habit = try habit(command.habitId, in: &context)
        let day = try AttendanceHandlers.checked(command.day, context.today)
        let isDone = try HabitRepository.isDone(habit.id, day, in: context.sql)
        let log = HabitLog(
            habitId: habit.id, day: day, isDone: command.completion.map { $0 == .done } ?? !isDone,
            createdByGuideId: try context.membership.personId, createdAt: context.now)
        guard log.isDone != isDone else { return log }
        try HabitRepository.set(log, in: context.sql)
        try StudentAccess.record(
            log.isDone ? "habit.done" : "habit.reopened", of: habit.studentId, ["day": day.description],
            in: &context)
        return log
    }

    private static func habit(_ id: UUID, in context: inout CommandContext) throws -> Habit {
        try context.require(.keepRecords)
        guard let habit = try HabitRepository.habit(id, in: context.sql) else { throw Problem.notFound }
        try StudentAccess.check(habit.studentId, context.membership, in: context.sql)
        return habit
    }

    static let commands: [CommandRegistration] = [
        .handle(CreateHabit.self) { command, context in
            let habit = try create(command.name, command.cadence, of: command.studentId, in: &context)
            context.feedback = Feedback(.toast, context.words("habit.saved", habit.name))
            return habit
        },
        .handle(UpdateHabit.self) { command, context in
            let habit = try update(command, in: &context)
            context.feedback = Feedback(.toast, context.words("habit.saved", habit.name))
            return habit
        },
        .handle(DeleteHabit.self) { command, context in
            try delete(command.habitId, in: &context)
            context.feedback = Feedback(.toast, context.words("habit.deleted"))
            return Done()
        },
        .handle(ToggleHabit.self) { command, context in try toggle(command, in: &context) },
    ]
}
