import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

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
        // Two taps at once prepare two schools. The second one finds the school founded and founds none.
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
