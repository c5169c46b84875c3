import AssessmentModel
import FeatureKit
import Foundation
import Synchronization

/// The questions of a quiz at one time.
struct QuestionVersion: Sendable, Hashable {
    let questions: [Question]
    /// The questions that only those attempts have for which they were drawn.
    var pool: Set<UUID> = []

    /// Returns the questions of an attempt, with the points that they have in it.
    func questions(drawn: [DrawnQuestion]?) -> [Question] {
        guard !pool.isEmpty else { return questions }
        let points = Dictionary((drawn ?? []).map { ($0.id, $0.points) }) { first, _ in first }
        return questions.compactMap { question in
            guard pool.contains(question.id) else { return question }
            guard let own = points[question.id] else { return nil }
            var question = question
            question.points = own
            return question
        }
    }
}

/// The questions of attempts, as they were when the attempts started.
///
/// Stored versions never change, so the last used ones stay in memory: a class of 300 that answers reads them once.
final class QuestionVersions: Sendable {
    /// The number of versions in memory.
    static let capacity = 64

    private struct Memory {
        var versions: [UUID: QuestionVersion] = [:]
        /// The ids in the order in which they were read, oldest first.
        var order: [UUID] = []
    }
    private let memory = Mutex(Memory())

    /// Returns the questions of an attempt. Throws `Problem.notFound` for an unknown version.
    func questions(of stored: StoredAttempt, in sql: any SQLReading) throws -> [Question] {
        try version(stored.versionId, in: sql).questions(drawn: stored.drawn)
    }

    /// Returns a version. Throws `Problem.notFound` for an unknown one.
    func version(_ versionId: UUID, in sql: any SQLReading) throws -> QuestionVersion {
        if let known = memory.withLock({ $0.versions[versionId] }) { return known }
        guard let version = try QuizRepository.version(versionId, in: sql) else { throw Problem.notFound }
        memory.withLock { memory in
            guard memory.versions.updateValue(version, forKey: versionId) == nil else { return }
            memory.order.append(versionId)
            if memory.order.count > Self.capacity { memory.versions[memory.order.removeFirst()] = nil }
        }
        return version
    }
}
