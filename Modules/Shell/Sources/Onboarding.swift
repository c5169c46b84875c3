import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// What has been typed in the wizard so far. It is kept on the server, so that Back, a reload or another
/// device lose nothing of it.
struct OnboardingDraft: Codable, Sendable, Hashable {
    struct Child: Codable, Sendable, Hashable {
        var firstName: String
        var lastName: String
        var avatarTint: Tint
    }
    /// Names this draft among all, so that it is not carried out twice.
    var id: UUID?
    var schoolName = ""
    var schoolTint = Tint.berry
    /// The founder's, as the browser tells it.
    var timeZone: String?
    var classroomName = ""
    var classroomTint = Tint.leaf
    var children: [Child] = []
    /// As whom somebody comes; `nil` before they said.
    var role: Newcomer?
    var profile: StudentProfile?

    /// Nobody types in more at the first sitting; a list is imported.
    static let childLimit = 60
}

/// As whom somebody comes who has no role in any school yet.
enum Newcomer: String, Codable, Sendable, CaseIterable {
    case guide, student, parent
}

/// What a student tells about themselves before a school knows them.
struct StudentProfile: Codable, Sendable, Hashable {
    /// 0 is kindergarten, 13 what follows on school.
    var grade: Int
    var interests: [Interest]

    enum Interest: String, Codable, Sendable, CaseIterable {
        case reading, writing, mathematics, science, nature, art, music, sport, coding, history, languages, cooking
    }
    static let grades = 0...13
}

struct OnboardingProgress: Sendable {
    var draft: OnboardingDraft
    /// Whether "Get started" was pressed. The welcome comes before everything until then and never again; the school,
    /// classroom and profile that are still missing are asked for by the routes after it.
    var hasCompletedOnboarding: Bool
    /// Whether the draft was carried out: the school or the classroom was made.
    var hasFounded: Bool
}

/// The SQL of the wizard.
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

    /// Whether the draft is carried out now, and not before.
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
            return OnboardingProgress(draft: OnboardingDraft(), hasCompletedOnboarding: false, hasFounded: false)
        }
        let draft: String = try row.get("draft")
        let completed: Date? = try row.optional("completed_at")
        return OnboardingProgress(
            draft: try JSON.decode(OnboardingDraft.self, from: Data(draft.utf8)), hasCompletedOnboarding: true,
            hasFounded: completed != nil)
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

    /// Forgets the draft and remembers that it is done.
    static func complete(_ accountId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        let told = try progress(of: accountId, in: sql).draft
        var rest = OnboardingDraft()
        (rest.role, rest.profile) = (told.role, told.profile)
        try save(rest, of: accountId, at: instant, in: sql)
        try sql.execute("UPDATE onboarding SET completed_at = \(instant) WHERE account_id = \(accountId)")
    }
}

struct StartOnboarding: Command {
    static let contract = Contract(
        "onboarding.start", "/api/v1/onboarding/start", access: .account, store: .directory, replay: .natural,
        summary: "Remembers that the welcome was read, and as whom the caller comes.")
    typealias Result = Done

    let role: Newcomer

    init(_ fields: inout FieldReader) { role = fields.optionalChoice("role", of: Newcomer.self) ?? .guide }
}

struct SaveStudentProfile: Command {
    static let contract = Contract(
        "onboarding.student", "/api/v1/onboarding/student", access: .account, store: .directory, replay: .natural,
        summary: "Keeps a student's grade level and interests.")
    typealias Result = Done

    let profile: StudentProfile

    init(_ fields: inout FieldReader) {
        let grade = fields.integer("grade", in: StudentProfile.grades, default: 0)
        let told = fields.texts("interests", max: StudentProfile.Interest.allCases.count)
        let interests = told.compactMap(StudentProfile.Interest.init)
        fields.refuse("interests", "choice", unless: interests.count == told.count)
        profile = StudentProfile(grade: grade, interests: interests)
    }
}

struct SeeRelease: Command {
    static let contract = Contract(
        "onboarding.seeRelease", "/api/v1/onboarding/release", access: .account, store: .directory,
        replay: .natural, summary: "Remembers that the caller has read what is new in this release.")
    typealias Result = Done
    init(_ fields: inout FieldReader) {}
}

struct SaveSchoolStep: Command {
    static let contract = Contract(
        "onboarding.school", "/api/v1/onboarding/school", access: .account, store: .directory, replay: .natural,
        summary: "Keeps the wizard's first step.")
    typealias Result = OnboardingDraft
    let name: String
    let tint: Tint?
    /// Told by the browser, not typed: one that nobody knows is no fault of the person's.
    let timeZone: String?

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 120)
        tint = fields.optionalChoice("avatarTint", of: Tint.self)
        timeZone = fields.optionalText("timeZone", max: 60).flatMap { TimeZone(identifier: $0) == nil ? nil : $0 }
    }
}

/// The whole wizard of a server without classrooms.
struct FoundSchool: Command {
    static let contract = Contract(
        "onboarding.foundSchool", "/api/v1/onboarding/found-school", access: .account, store: .directory,
        summary: "Founds a school that has no classrooms.")
    typealias Result = Done
    let name: String
    let tint: Tint?
    let timeZone: String?

    init(_ fields: inout FieldReader) {
        let step = SaveSchoolStep(&fields)
        (name, tint, timeZone) = (step.name, step.tint, step.timeZone)
    }
}

struct SaveClassroomStep: Command {
    static let contract = Contract(
        "onboarding.classroom", "/api/v1/onboarding/classroom", access: .account, store: .directory,
        replay: .natural, summary: "Keeps the wizard's second step.")
    typealias Result = OnboardingDraft
    let name: String
    let tint: Tint?

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 80)
        tint = fields.optionalChoice("avatarTint", of: Tint.self)
    }
}

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

struct RemoveChild: Command {
    static let contract = Contract(
        "onboarding.removeChild", "/api/v1/onboarding/children/remove", access: .account, store: .directory,
        summary: "Takes a child off the wizard's third step.")
    typealias Result = OnboardingDraft
    let position: Int

    init(_ fields: inout FieldReader) {
        position = fields.integer("position", in: 0...OnboardingDraft.childLimit, default: 0)
    }
}

/// Ends the wizard. A child that was typed in and not added comes along.
struct FinishOnboarding: Command {
    static let contract = Contract(
        "onboarding.finish", "/api/v1/onboarding/finish", access: .account, store: .directory,
        summary: "Founds the school with its classroom and students, out of what the wizard kept.")
    typealias Result = Done
    let child: OnboardingDraft.Child?

    init(_ fields: inout FieldReader) {
        child = OnboardingDraft.Child(&fields)
    }
}

/// The same for somebody whose school exists already.
struct FinishClassroomStep: Command {
    static let contract = Contract(
        "onboarding.finishClassroom", "/api/v1/onboarding/finish-classroom", access: .member(.manageClassrooms),
        summary: "Makes the classroom with its students, out of what the wizard kept.")
    typealias Result = Done
    let child: OnboardingDraft.Child?

    init(_ fields: inout FieldReader) {
        child = OnboardingDraft.Child(&fields)
    }
}

extension OnboardingDraft.Child {
    /// The child whose fields were filled when Finish was pressed, if any were.
    fileprivate init?(_ fields: inout FieldReader) {
        let first = fields.optionalText("firstName", max: 100)
        let last = fields.optionalText("lastName", max: 100)
        let tint = fields.optionalChoice("avatarTint", of: Tint.self)
        _ = fields.integer("position", in: -1...OnboardingDraft.childLimit, default: -1)
        guard first != nil || last != nil else { return nil }
        self.init(firstName: first ?? "", lastName: last ?? "", avatarTint: tint ?? .leaf)
    }
}

/// The handlers of the wizard.
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

    /// The steps from a school's name to its first students.
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
                    // Two taps on Finish read the same draft; the second finds its work done.
                    let isFirst = try draft.id.map { try OnboardingRepository.carryOut($0, in: context.sql) }
                    if isFirst ?? true { try fill(draft, &context) }
                    context.destination = "/homeroom"
                    context.feedback = Feedback(
                        .burst, context.words("onboarding.classroomDone", draft.classroomName))
                    return Done()
                },
                finish: { _, _, context in
                    let (account, now) = (try context.account, context.now)
                    // conformance: allow write - the draft of a wizard that is done; a crash before it only keeps the draft
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
        // Two taps on Finish prepare two schools; the second finds the draft gone and founds nothing.
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
        // Two taps prepare two schools; the second finds the onboarding completed and founds nothing.
        guard try !OnboardingRepository.progress(of: account.id, in: context.sql).hasFounded else {
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
