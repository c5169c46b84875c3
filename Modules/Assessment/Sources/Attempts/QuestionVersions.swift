import AssessmentModel
import FeatureKit
import Foundation
import Synchronization

/// The questions of attempts, as they were when the attempts started.
///
/// Stored versions never change, so the last used ones stay in memory: a class of 300 that answers reads them once.
final class QuestionVersions: Sendable {
    /// The number of versions in memory.
    static let capacity = 64

    private struct Memory {
        var questions: [UUID: [Question]] = [:]
        /// The ids in the order in which they were read, oldest first.
        var order: [UUID] = []
    }
    private let memory = Mutex(Memory())

    /// Returns the questions of a version. Throws `Problem.notFound` for an unknown one.
    func questions(_ versionId: UUID, in sql: any SQLReading) throws -> [Question] {
        if let known = memory.withLock({ $0.questions[versionId] }) { return known }
        guard let questions = try QuizRepository.version(versionId, in: sql) else { throw Problem.notFound }
        memory.withLock { memory in
            guard memory.questions.updateValue(questions, forKey: versionId) == nil else { return }
            memory.order.append(versionId)
            if memory.order.count > Self.capacity { memory.questions[memory.order.removeFirst()] = nil }
        }
        return questions
    }
}
