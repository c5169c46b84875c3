import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// The entries of the onboarding wizard so far. Stored on the server, so that reloads and other devices continue with
/// them.
struct OnboardingDraft: Codable, Sendable, Hashable {
    struct Child: Codable, Sendable, Hashable {
        var firstName: String
        var lastName: String
        var avatarTint: Tint
    }
    /// The id of the draft, so that it is carried out once.
    var id: UUID?
    var schoolName = ""
    var schoolTint = Tint.berry
    /// The founder's time zone, as reported by the browser.
    var timeZone: String?
    var classroomName = ""
    var classroomTint = Tint.leaf
    var children: [Child] = []
    /// What the person chose to join as; `nil` before.
    var role: Newcomer?
    var profile: StudentProfile?

    /// The most children in a draft. Longer lists are imported.
    static let childLimit = 60
}

/// What a person without a role in any school joins as.
enum Newcomer: String, Codable, Sendable, CaseIterable {
    case guide, student, parent
}

/// A student's profile before they join a school.
struct StudentProfile: Codable, Sendable, Hashable {
    /// 0 is kindergarten, 13 is after school.
    var grade: Int
    var interests: [Interest]

    enum Interest: String, Codable, Sendable, CaseIterable {
        case reading, writing, mathematics, science, nature, art, music, sport, coding, history, languages, cooking
    }
    static let grades = 0...13
}

/// An account's state in the onboarding.
struct OnboardingProgress: Sendable {
    var draft: OnboardingDraft
    /// Whether "Get started" was pressed. The welcome page is shown once.
    var hasStarted: Bool
    /// The ledger's `hasCompletedOnboarding`.
    var hasCompleted: Bool
}

/// Reads and writes the state of the onboarding.
enum OnboardingRepository {
    static let schoolMigrations = [
        Migration(
            "001-carried-out",
            """
            CREATE TABLE onboarding_carried_out (
                draft_id TEXT PRIMARY KEY
            );
            """)
    ]

    /// Marks a draft as carried out. Returns whether it was not before.
    static func carryOut(_ draftId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            "INSERT INTO onboarding_carried_out (draft_id) VALUES (\(draftId)) ON CONFLICT (draft_id) DO NOTHING"
        ) > 0
    }

    static let migrations = [
        Migration(
            "001-onboarding",
            """
            CREATE TABLE onboarding (
                account_id TEXT PRIMARY KEY,
                started_at BIGINT NOT NULL,
                completed_at BIGINT,
                draft TEXT NOT NULL
            );
            """),
        ReleaseRepository.migration,
    ]

    static func progress(of accountId: UUID, in sql: any SQLReading) throws -> OnboardingProgress {
        guard let row = try sql.row("SELECT * FROM onboarding WHERE account_id = \(accountId)") else {
            return OnboardingProgress(draft: OnboardingDraft(), hasStarted: false, hasCompleted: false)
        }
        let draft: String = try row.get("draft")
        let completed: Date? = try row.optional("completed_at")
        return OnboardingProgress(
            draft: try JSON.decode(OnboardingDraft.self, from: Data(draft.utf8)), hasStarted: true,
            hasCompleted: completed != nil)
    }

    static func save(_ draft: OnboardingDraft, of accountId: UUID, at instant: Date, in sql: any SQLWriting) throws
    {
        let text = String(decoding: try JSON.encode(draft), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO onboarding (account_id, started_at, draft) VALUES (\(accountId), \(instant), \(text))
            ON CONFLICT (account_id) DO UPDATE SET draft = excluded.draft
            """)
    }

    /// Marks the onboarding as completed and deletes the draft except for role and profile.
    static func complete(_ accountId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        let draft = try progress(of: accountId, in: sql).draft
        var rest = OnboardingDraft()
        (rest.role, rest.profile) = (draft.role, draft.profile)
        try save(rest, of: accountId, at: instant, in: sql)
        try sql.execute("UPDATE onboarding SET completed_at = \(instant) WHERE account_id = \(accountId)")
    }
}

/// Starts the onboarding.
struct StartOnboarding: Command {
    static let contract = Contract(
        "onboarding.start", "/api/v1/onboarding/start", access: .account, store: .directory, replay: .natural,
        summary: "Stores that the welcome page was read, and what the caller joins as.")
    typealias Result = Done

    let role: Newcomer

    init(_ fields: inout FieldReader) { role = fields.optionalChoice("role", of: Newcomer.self) ?? .guide }
}

/// Stores a student's profile.
struct SaveStudentProfile: Command {
    static let contract = Contract(
        "onboarding.student", "/api/v1/onboarding/student", access: .account, store: .directory, replay: .natural,
        summary: "Stores a student's grade level and interests.")
    typealias Result = Done

    let profile: StudentProfile

    init(_ fields: inout FieldReader) {
        let grade = fields.integer("grade", in: StudentProfile.grades, default: 0)
        let names = fields.texts("interests", max: StudentProfile.Interest.allCases.count)
        let interests = names.compactMap(StudentProfile.Interest.init)
        fields.refuse("interests", "choice", unless: interests.count == names.count)
        profile = StudentProfile(grade: grade, interests: interests)
    }
}

/// Marks the latest release as seen.
struct SeeRelease: Command {
    static let contract = Contract(
        "onboarding.seeRelease", "/api/v1/onboarding/release", access: .account, store: .directory,
        replay: .natural, summary: "Stores that the caller has read about the latest release.")
    typealias Result = Done
    init(_ fields: inout FieldReader) {}
}

/// Stores the wizard's first step.
struct SaveSchoolStep: Command {
    static let contract = Contract(
        "onboarding.school", "/api/v1/onboarding/school", access: .account, store: .directory, replay: .natural,
        summary: "Stores the wizard's first step: the school.")
    typealias Result = OnboardingDraft
    let name: String
    let tint: Tint?
    /// The browser's time zone. An unknown one is ignored, because the person did not enter it.
    let timeZone: String?

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 120)
        tint = fields.optionalChoice("avatarTint", of: Tint.self)
        timeZone = fields.optionalText("timeZone", max: 60).flatMap { TimeZone(identifier: $0) == nil ? nil : $0 }
    }
}

/// Founds a school on a server without classrooms, where the wizard has one step.
struct FoundSchool: Command {
    static let contract = Contract(
        "onboarding.foundSchool", "/api/v1/onboarding/found-school", access: .account, store: .directory,
        summary: "Founds a school without classrooms.")
    typealias Result = Done
    let name: String
    let tint: Tint?
    let timeZone: String?

    init(_ fields: inout FieldReader) {
        let step = SaveSchoolStep(&fields)
        (name, tint, timeZone) = (step.name, step.tint, step.timeZone)
    }
}

/// Stores the wizard's second step.
struct SaveClassroomStep: Command {
    static let contract = Contract(
        "onboarding.classroom", "/api/v1/onboarding/classroom", access: .account, store: .directory,
        replay: .natural, summary: "Stores the wizard's second step: the classroom.")
    typealias Result = OnboardingDraft
    let name: String
    let tint: Tint?

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 80)
        tint = fields.optionalChoice("avatarTint", of: Tint.self)
    }
}

/// Adds a child to the wizard's third step.
struct AddChild: Command {
    static let contract = Contract(
        "onboarding.addChild", "/api/v1/onboarding/children", access: .account, store: .directory,
        summary: "Adds a child to the wizard's third step, or changes the one at a position.")
    typealias Result = OnboardingDraft
    let firstName: String
    let lastName: String
    let tint: Tint?
    let position: Int

    init(_ fields: inout FieldReader) {
        (firstName, lastName) = fields.nameParts("firstName", "lastName")
        tint = fields.optionalChoice("avatarTint", of: Tint.self)
        position = fields.integer("position", in: -1...OnboardingDraft.childLimit, default: -1)
    }
}

/// Removes a child from the wizard's third step.
struct RemoveChild: Command {
    static let contract = Contract(
        "onboarding.removeChild", "/api/v1/onboarding/children/remove", access: .account, store: .directory,
        summary: "Removes a child from the wizard's third step.")
    typealias Result = OnboardingDraft
    let position: Int

    init(_ fields: inout FieldReader) {
        position = fields.integer("position", in: 0...OnboardingDraft.childLimit, default: 0)
    }
}

/// Completes the wizard. A child whose fields are filled in but who was not added is included.
struct FinishOnboarding: Command {
    static let contract = Contract(
        "onboarding.finish", "/api/v1/onboarding/finish", access: .account, store: .directory,
        summary: "Founds the school with the classroom and students of the wizard.")
    typealias Result = Done
    let child: OnboardingDraft.Child?

    init(_ fields: inout FieldReader) {
        child = OnboardingDraft.Child(&fields)
    }
}

/// Completes the wizard for a person whose school already exists.
struct FinishClassroomStep: Command {
    static let contract = Contract(
        "onboarding.finishClassroom", "/api/v1/onboarding/finish-classroom", access: .member(.manageClassrooms),
        summary: "Creates the classroom with the students of the wizard.")
    typealias Result = Done
    let child: OnboardingDraft.Child?

    init(_ fields: inout FieldReader) {
        child = OnboardingDraft.Child(&fields)
    }
}

extension OnboardingDraft.Child {
    /// The child whose fields were filled in when the wizard was completed; `nil` if they were empty.
    fileprivate init?(_ fields: inout FieldReader) {
        let first = fields.optionalText("firstName", max: 100)
        let last = fields.optionalText("lastName", max: 100)
        let tint = fields.optionalChoice("avatarTint", of: Tint.self)
        _ = fields.integer("position", in: -1...OnboardingDraft.childLimit, default: -1)
        guard first != nil || last != nil else { return nil }
        self.init(firstName: first ?? "", lastName: last ?? "", avatarTint: tint ?? .leaf)
    }
}

/// The commands of the onboarding.
struct OnboardingHandlers: Sendable {
    let founding: any SchoolFounding
    let classrooms: (any ClassroomService)?
    let students: (any StudentService)?

    var commands: [CommandRegistration] {
        welcome
            + (classrooms == nil
                ? [.handle(FoundSchool.self, prepare: prepare(found:_:), run: run(found:_:_:))] : wizard)
    }

    private var welcome: [CommandRegistration] {
        [
            .handle(StartOnboarding.self) { command, context in
                _ = try change(&context) { $0.role = command.role }
                context.destination = "/welcome/device"
                return Done()
            },
            .handle(SaveStudentProfile.self) { command, context in
                _ = try change(&context) { $0.profile = command.profile }
                context.destination = context.caller.membership == nil ? "/join" : "/settings"
                return Done()
            },
            .handle(SeeRelease.self) { _, context in
                try ReleaseRepository.see(Release.latest.version, by: context.account.id, in: context.sql)
                context.destination = "/"
                return Done()
            },
        ]
    }

    /// The steps from the school's name to its first students.
    private var wizard: [CommandRegistration] {
        [
            .handle(SaveSchoolStep.self) { command, context in
                context.destination = "/welcome/classroom"
                return try change(&context) { draft in
                    draft.schoolName = command.name
                    draft.schoolTint = command.tint ?? draft.schoolTint
                    draft.timeZone = command.timeZone ?? draft.timeZone
                }
            },
            .handle(SaveClassroomStep.self) { command, context in
                context.destination = "/welcome/students"
                return try change(&context) { draft in
                    draft.classroomName = command.name
                    draft.classroomTint = command.tint ?? draft.classroomTint
                }
            },
            .handle(AddChild.self) { command, context in
                context.destination = "/welcome/students"
                return try change(&context) { draft in
                    let child = OnboardingDraft.Child(
                        firstName: command.firstName, lastName: command.lastName, avatarTint: command.tint ?? .leaf)
                    if draft.children.indices.contains(command.position) {
                        draft.children[command.position] = child
                    } else if draft.children.count < OnboardingDraft.childLimit {
                        draft.children.append(child)
                    } else {
                        throw Problem(409, "onboarding.tooManyChildren", [.number(OnboardingDraft.childLimit)])
                    }
                }
            },
            .handle(RemoveChild.self) { command, context in
                context.destination = "/welcome/students"
                return try change(&context) { draft in
                    guard draft.children.indices.contains(command.position) else { throw Problem.notFound }
                    draft.children.remove(at: command.position)
                }
            },
            .handle(FinishOnboarding.self, prepare: prepare(finish:_:), run: run(finish:_:_:)),
            .handle(
                FinishClassroomStep.self,
                prepare: { command, context in try await draft(context, adding: command.child) },
                run: { _, draft, context in
                    // Two taps at once read the same draft. The second one finds it carried out.
                    let isFirst = try draft.id.map { try OnboardingRepository.carryOut($0, in: context.sql) }
                    if isFirst ?? true { try fill(draft, &context) }
                    context.destination = "/homeroom"
                    context.feedback = Feedback(
                        .burst, context.words("onboarding.classroomDone", draft.classroomName))
                    return Done()
                },
                finish: { _, _, context in
                    let (account, now) = (try context.account, context.now)
                    // conformance: allow write - the completed wizard's draft; after a crash before it the draft only
                    // remains
                    try await context.directory.write {
                        try OnboardingRepository.complete(account.id, at: now, in: $0)
                    }
                }),
        ]
    }

    private func change(
        _ context: inout CommandContext, _ edit: (inout OnboardingDraft) throws -> Void
    ) throws -> OnboardingDraft {
        let account = try context.account
        var draft = try OnboardingRepository.progress(of: account.id, in: context.sql).draft
        draft.id = draft.id ?? context.newId()
        try edit(&draft)
        try OnboardingRepository.save(draft, of: account.id, at: context.now, in: context.sql)
        return draft
    }

    private func draft(_ context: RequestContext, adding child: OnboardingDraft.Child?) async throws
        -> OnboardingDraft
    {
        let account = try context.account
        var draft = try await context.directory.read {
            try OnboardingRepository.progress(of: account.id, in: $0).draft
        }
        if let child { draft.children.append(child) }
        guard !draft.classroomName.isEmpty else { throw Problem(409, "onboarding.incomplete") }
        return draft
    }

    private func prepare(finish command: FinishOnboarding, _ context: RequestContext) async throws -> Founding {
        let draft = try await draft(context, adding: command.child)
        guard !draft.schoolName.isEmpty else { throw Problem(409, "onboarding.incomplete") }
        return try await founding.prepareFounding(
            OrganizationDraft(name: draft.schoolName, avatarTint: draft.schoolTint, timeZone: draft.timeZone),
            in: context
        ) { inside in try fill(draft, &inside) }
    }

    private func run(
        finish command: FinishOnboarding, _ founded: Founding, _ context: inout CommandContext
    ) throws -> Done {
        let account = try context.account
        // Two taps at once prepare two schools. The second one finds no draft and founds none.
        let progress = try OnboardingRepository.progress(of: account.id, in: context.sql)
        guard !progress.draft.schoolName.isEmpty else { throw Problem(409, "onboarding.incomplete") }
        try founding.create(founded, in: context)
        try OnboardingRepository.complete(account.id, at: context.now, in: context.sql)
        context.destination = "/homeroom"
        context.feedback = Feedback(.burst, context.words("onboarding.done", founded.organization.name))
        return Done()
    }

    private func prepare(found command: FoundSchool, _ context: RequestContext) async throws -> Founding {
        try await founding.prepareFounding(
            OrganizationDraft(name: command.name, avatarTint: command.tint, timeZone: command.timeZone), in: context
        ) { _ in }
    }

    private func run(
        found command: FoundSchool, _ founded: Founding, _ context: inout CommandContext
    ) throws -> Done {
        let account = try context.account
        // Two taps at once prepare two schools. The second one finds the onboarding completed and founds none.
        guard try !OnboardingRepository.progress(of: account.id, in: context.sql).hasCompleted else {
            throw Problem(409, "onboarding.incomplete")
        }
        try founding.create(founded, in: context)
        try OnboardingRepository.complete(account.id, at: context.now, in: context.sql)
        context.destination = "/"
        context.feedback = Feedback(.burst, context.words("onboarding.done", founded.organization.name))
        return Done()
    }

    private func fill(_ draft: OnboardingDraft, _ context: inout CommandContext) throws {
        guard let classrooms, let students else { return }
        let classroom = try classrooms.create(
            ClassroomDraft(name: draft.classroomName, avatarTint: draft.classroomTint), in: &context)
        for child in draft.children {
            _ = try students.create(
                StudentDraft(
                    firstName: child.firstName, lastName: child.lastName, avatarTint: child.avatarTint,
                    classroomId: classroom.id), in: &context)
        }
    }
}
