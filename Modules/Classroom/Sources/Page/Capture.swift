import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// Saves a note with Quick Capture, which has one text field and one choice of kind.
struct Capture: Command {
    static let contract = Contract(
        "capture.save", "/api/v1/students/{studentId}/capture", access: .member(.keepRecords), isCreation: true,
        isOfflineCapable: true, bodyLimit: PhotoIntake.bodyLimit,
        summary: "Saves a note about a child as an observation, a lesson or a task; the rest is filled in.")
    typealias Result = Captured

    enum Kind: String, Codable, Sendable, CaseIterable { case observation, lesson, task }

    let studentId: UUID
    let kind: Kind
    let observation: ObservationDraft

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        kind = fields.optionalChoice("kind", of: Kind.self) ?? .observation
        observation = ObservationDraft(&fields)
        fields.refuse("photos", "photo.observationOnly", unless: kind == .observation || observation.photos.isEmpty)
    }
}

struct Captured: Codable, Sendable {
    let kind: Capture.Kind
    let id: UUID
}

struct CaptureHandlers: Sendable {
    let observations: ObservationService
    let photos: PhotoIntake

    var commands: [CommandRegistration] {
        [
            .handle(
                Capture.self,
                prepare: { try await photos.put($0.observation.photos, field: "photos", $1) },
                run: { command, photos, context in
                    let id =
                        switch command.kind {
                        case .observation:
                            try observations.create(
                                command.observation, with: photos, of: command.studentId, in: &context
                            ).id
                        case .lesson: try work(.lesson, command, in: &context).id
                        case .task: try work(.task, command, in: &context).id
                        }
                    context.feedback = Feedback(
                        .burst,
                        context.words(
                            command.kind == .observation
                                ? "observation.saved" : "work.\(command.kind.rawValue).saved"))
                    return Captured(kind: command.kind, id: id)
                })
        ]
    }

    private func work(
        _ kind: StudentWork.Kind, _ command: Capture, in context: inout CommandContext
    ) throws -> StudentWork {
        var draft = WorkDraft(note: command.observation.content)
        draft.scheduledFor = command.observation.followUpOn
        return try WorkService.create(kind, draft, of: command.studentId, in: &context)
    }
}
