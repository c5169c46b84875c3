import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

struct ListObservations: Query {
    static let contract = Contract(
        "observations.list", "/api/v1/students/{studentId}/observations", access: .member(.viewClassrooms),
        seen: Seen("student.seen", "studentId"),
        summary: "A child's observations, a page at a time, also those in which the child is only tagged.")
    typealias Result = Page<Observation>

    let studentId: UUID
    let filter: ObservationFilter
    let after: String?
    let limit: Int

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        filter = ObservationFilter(&fields)
        after = fields.optionalText("after", max: 80)
        limit = fields.integer("limit", in: 1...100, default: 20)
    }
}

struct CreateObservation: Command {
    static let contract = Contract(
        "observations.create", "/api/v1/students/{studentId}/observations", access: .member(.keepRecords),
        isCreation: true, isOfflineCapable: true, bodyLimit: PhotoIntake.bodyLimit,
        summary: "Writes an observation of a child; photos come as files of a multipart form.")
    typealias Result = Observation

    let studentId: UUID
    let draft: ObservationDraft

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        draft = ObservationDraft(&fields)
    }
}

struct UpdateObservation: Command {
    static let contract = Contract(
        "observations.update", "/api/v1/students/{studentId}/observations/{observationId}",
        access: .member(.keepRecords), bodyLimit: PhotoIntake.bodyLimit,
        summary: "Changes an observation of the given version; refused if someone changed it meanwhile.")
    typealias Result = Observation

    let studentId: UUID
    let observationId: UUID
    let version: Int
    let draft: ObservationDraft
    let removedPhotos: [String]

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        observationId = fields.id("observationId")
        version = fields.integer("version", in: 0...Int(Int32.max), default: 0)
        draft = ObservationDraft(&fields)
        removedPhotos = fields.texts("removedPhotos", max: Photo.limit)
    }
}

struct DeleteObservation: Command {
    static let contract = Contract(
        "observations.delete", "/api/v1/students/{studentId}/observations/{observationId}/delete",
        access: .member(.keepRecords), summary: "Deletes an observation.")
    typealias Result = Done

    let studentId: UUID
    let observationId: UUID

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        observationId = fields.id("observationId")
    }
}

struct FollowUp: Command {
    static let contract = Contract(
        "observations.followUp", "/api/v1/students/{studentId}/observations/{observationId}/follow-up",
        access: .member(.keepRecords), isOfflineCapable: true,
        summary: "Says that a promised second look was taken, or takes that back.")
    typealias Result = Observation

    let studentId: UUID
    let observationId: UUID
    let isDone: Bool

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        observationId = fields.id("observationId")
        isDone = (fields.optionalChoice("wish", of: Completion.self) ?? .done) == .done
    }
}

/// Creates, lists, changes and deletes observations of children (`ObservationService` of the ledger), in the
/// caller's transaction.
struct ObservationService: Sendable {
    let taxonomy: (any Taxonomy)?

    func create(
        _ draft: ObservationDraft, with photos: [Photo] = [], of studentId: UUID, in context: inout CommandContext
    ) throws -> Observation {
        try context.require(.keepRecords)
        let membership = try context.membership
        try StudentAccess.check(studentId, membership, in: context.sql)
        try context.checkNear(draft.followUpOn, "followUpOn")
        let observation = Observation(
            id: context.newId(), primaryStudentId: studentId, taggedStudentIds: draft.taggedStudentIds,
            content: draft.content, subjectTag: draft.subjectTag, materialTag: draft.materialTag,
            appTag: draft.appTag, followUpOn: draft.followUpOn, attachments: photos, createdAt: context.now,
            createdByGuideId: membership.personId, version: 1)
        try check(draft, against: nil, context)
        try ObservationRepository.insert(observation, in: context.sql)
        try recordChange("observation.created", observation, in: &context)
        return observation
    }

    func update(
        _ id: UUID, _ draft: ObservationDraft, adding photos: [Photo] = [], removing removed: Set<String> = [],
        of studentId: UUID, version: Int, in context: inout CommandContext
    ) throws -> Observation {
        var observation = try self.observation(id, of: studentId, in: &context)
        try check(draft, against: observation, context)
        observation.content = draft.content
        observation.taggedStudentIds = draft.taggedStudentIds
        observation.subjectTag = draft.subjectTag
        observation.materialTag = draft.materialTag
        observation.appTag = draft.appTag
        if observation.followUpOn != draft.followUpOn {
            try context.checkNear(draft.followUpOn, "followUpOn")
            observation.followedUpAt = nil
        }
        observation.followUpOn = draft.followUpOn
        observation.attachments = observation.attachments.filter { !removed.contains($0.hash.text) } + photos
        guard observation.attachments.count <= Photo.limit else {
            throw Problem.invalid("photos", "photo.tooMany", [.number(Photo.limit)])
        }
        observation.version = version
        guard try ObservationRepository.update(observation, in: context.sql) else {
            throw Problem(409, "observation.changed")
        }
        observation.version += 1
        try recordChange("observation.updated", observation, in: &context)
        return observation
    }

    func delete(_ id: UUID, of studentId: UUID, in context: inout CommandContext) throws {
        let observation = try self.observation(id, of: studentId, in: &context)
        try ObservationRepository.delete(id, in: context.sql)
        try recordChange("observation.deleted", observation, in: &context)
    }

    func followUp(
        _ id: UUID, of studentId: UUID, isDone: Bool, in context: inout CommandContext
    ) throws -> Observation {
        var observation = try self.observation(id, of: studentId, in: &context)
        guard observation.followUpOn != nil, (observation.followedUpAt != nil) != isDone else { return observation }
        observation.followedUpAt = isDone ? context.now : nil
        _ = try ObservationRepository.update(observation, in: context.sql)
        observation.version += 1
        try recordChange("observation.updated", observation, in: &context)
        return observation
    }

    private func observation(
        _ id: UUID, of studentId: UUID, in context: inout CommandContext
    ) throws -> Observation {
        try context.require(.keepRecords)
        try StudentAccess.check(studentId, context.membership, in: context.sql)
        guard let found = try ObservationRepository.observation(id, in: context.sql),
            found.primaryStudentId == studentId
        else { throw Problem.notFound }
        return found
    }

    /// Throws unless all tags are in the school's lists and the guide may see all tagged children. Tags and
    /// children that the observation already has are accepted.
    private func check(_ draft: ObservationDraft, against old: Observation?, _ context: CommandContext) throws {
        let membership = try context.membership
        for id in Set(draft.taggedStudentIds).subtracting(old?.taggedStudentIds ?? []) {
            guard try ClassroomAccess.sees(membership, student: id, in: context.sql),
                try StudentRepository.exists(id, in: context.sql)
            else { throw Problem.invalid("taggedStudentIds", "observation.unknownChild") }
        }
        let wanted: [(String, TagKind, UUID?, UUID?)] = [
            ("subjectTag", .subject, draft.subjectTag, old?.subjectTag),
            ("materialTag", .material, draft.materialTag, old?.materialTag),
            ("appTag", .app, draft.appTag, old?.appTag),
        ]
        let new = Set(wanted.filter { $0.2 != $0.3 }.compactMap(\.2))
        guard !new.isEmpty else { return }
        let known = try taxonomy?.tags(new, in: context.words.language, context.sql) ?? [:]
        for (field, kind, id, before) in wanted where id != before {
            if let id, known[id]?.kind != kind { throw Problem.invalid(field, "observation.unknownTag") }
        }
    }

    /// Records a change for everyone who may see one of the observation's children.
    private func recordChange(_ kind: String, _ observation: Observation, in context: inout CommandContext) throws {
        try StudentAccess.record(
            kind, of: observation.primaryStudentId, ["observation": observation.id.text], in: &context)
        for id in observation.taggedStudentIds {
            try StudentAccess.record(
                "observation.tagged", of: id, ["observation": observation.id.text], in: &context)
        }
    }
}

struct ObservationHandlers: Sendable {
    let service: ObservationService
    let photos: PhotoIntake

    var commands: [CommandRegistration] {
        [
            .handle(
                CreateObservation.self,
                prepare: { try await photos.put($0.draft.photos, field: "photos", $1) },
                run: { command, photos, context in
                    let made = try service.create(
                        command.draft, with: photos, of: command.studentId, in: &context)
                    context.feedback = Feedback(.burst, context.words("observation.saved"))
                    return made
                }),
            .handle(
                UpdateObservation.self,
                prepare: { try await photos.put($0.draft.photos, field: "photos", $1) },
                run: { command, photos, context in
                    let saved = try service.update(
                        command.observationId, command.draft, adding: photos,
                        removing: Set(command.removedPhotos), of: command.studentId, version: command.version,
                        in: &context)
                    context.feedback = Feedback(.toast, context.words("observation.saved"))
                    return saved
                }),
            .handle(DeleteObservation.self) { command, context in
                try service.delete(command.observationId, of: command.studentId, in: &context)
                context.feedback = Feedback(.toast, context.words("observation.deleted"))
                return Done()
            },
            .handle(FollowUp.self) { command, context in
                try service.followUp(
                    command.observationId, of: command.studentId, isDone: command.isDone, in: &context)
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListObservations.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    try StudentAccess.check(query.studentId, membership, in: sql)
                    let found = try ObservationRepository.observations(
                        of: query.studentId, query.filter, timeZone: membership.timeZone, after: query.after,
                        limit: query.limit, in: sql)
                    return Page(
                        items: found,
                        next: found.count == query.limit
                            ? found.last.map(ObservationRepository.place(of:)) : nil)
                }
            }
        ]
    }
}
