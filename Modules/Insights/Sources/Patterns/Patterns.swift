import ClassroomInterface
import CurriculumInterface
import Domain
import Foundation

/// A lesson or task that the record suggests.
struct Proposal: Codable, Sendable, Hashable {
    enum Kind: String, Codable, Sendable, Hashable, CaseIterable { case lesson, task }
    /// The same key for the same reason, so that an accepted proposal is not made again.
    let key: String
    let kind: Kind
    let title: String
    let reason: Sentence
}

extension ChildWriter {
    static let mostProposals = 4
    /// The number of notes on a subject that make a pattern, and that lead to a proposal.
    static let fewOfSubject = 2
    static let manyOfSubject = 3
    /// The days after a presentation before another one is proposed.
    static let restDays = 3
    /// The age in days at which a habit that was never done is mentioned.
    static let habitDays = 7

    // MARK: - Insights

    /// The patterns in the record, for guides.
    func insights() -> [Sentence] {
        var found: [Sentence] = []
        func say(_ key: String, _ arguments: [any WordsArgument], _ sources: [Source]) {
            found.append(Sentence(text: words.text("insight.\(key)", arguments), sources: sources))
        }
        let notes = material.period.observations
        for (subject, these) in bySubject where these.count >= Self.fewOfSubject {
            say("subject", [subject, these.count, notes.count], these.map(Self.source))
        }
        for step in latestSteps {
            let source = Source(.material, step.materialId, on: step.day)
            let earlier = material.steps.last {
                $0.materialId == step.materialId && $0.day < step.day && $0.state != step.state
            }
            if let earlier {
                say(
                    "moved", [step.name, state(earlier.state), state(step.state), day(step.day)],
                    [Source(.material, step.materialId, on: earlier.day), source])
            } else {
                say("step", [step.name, state(step.state), day(step.day)], [source])
            }
        }
        let together = notes.filter { !$0.taggedStudentIds.isEmpty }
        if !together.isEmpty { say("together", [together.count, notes.count], together.map(Self.source)) }
        for habit in material.period.habits {
            let sources = habit.doneOn.map { Source(.habit, habit.id, on: $0) }
            if sources.isEmpty {
                guard isJudged(habit) else { continue }
                say("habitQuiet", [titled(habit.name)], [Source(.habit, habit.id)])
            } else {
                say("habit", [titled(habit.name), sources.count], sources)
            }
        }
        for note in notes {
            guard let again = note.followUpOn else { continue }
            say("followUp", [day(again), Quotation.of(note.content)], [Self.source(note)])
        }
        let completed = material.period.completed
        if !completed.isEmpty {
            say(
                "completed", [completed.count, list(completed.map { titled($0.title) })],
                completed.map { Source(.work, $0.id, on: $0.completedOn) })
        }
        let absent = material.period.absentOn
        if !absent.isEmpty { say("absent", [absent.count], absent.map { Source(.absence, on: $0) }) }
        return found
    }

    /// Proposals that have not been accepted yet, at most ``mostProposals``.
    func proposals(without taken: Set<String>) -> [Proposal] {
        var found: [Proposal] = []
        func propose(
            _ kind: Proposal.Kind, _ what: String, _ id: UUID, _ when: String, _ name: String, _ reason: Sentence
        ) {
            found.append(
                Proposal(
                    key: "\(what).\(id.text).\(when)", kind: kind, title: words("proposal.\(what)", name),
                    reason: reason))
        }
        for step in latestSteps {
            let source = Source(.material, step.materialId, on: step.day)
            let reason = Sentence(
                text: words("insight.step", step.name, state(step.state), day(step.day)), sources: [source])
            switch step.state {
            case .presented where step.day.adding(days: Self.restDays) <= material.last:
                propose(.lesson, "revisit", step.materialId, step.day.description, step.name, reason)
            case .mastered: propose(.task, "show", step.materialId, step.day.description, step.name, reason)
            case .presented, .practicing: break
            }
        }
        for (subject, these) in bySubject where these.count >= Self.manyOfSubject {
            guard let id = these.first?.subjectTag else { continue }
            let sentence = Sentence(
                text: words("insight.subject", subject, these.count, material.period.observations.count),
                sources: these.map(Self.source))
            propose(.lesson, "deepen", id, month, subject, sentence)
        }
        // A single day is too short to judge a habit.
        for habit in material.period.habits
        where habit.doneOn.isEmpty && material.first < material.last && isJudged(habit) {
            let sentence = Sentence(
                text: words("insight.habitQuiet", titled(habit.name)), sources: [Source(.habit, habit.id)])
            propose(.task, "together", habit.id, month, habit.name, sentence)
        }
        return Array(found.filter { !taken.contains($0.key) }.prefix(Self.mostProposals))
    }

    /// Whether a habit is old enough to mention that it was not done: a week, or the whole period.
    private func isJudged(_ habit: RecordedHabit) -> Bool {
        guard let madeOn = habit.madeOn else { return true }
        return madeOn <= material.first || madeOn.adding(days: Self.habitDays) <= material.last
    }

    private var month: String { String(material.last.description.prefix(7)) }

    private func state(_ state: MaterialStep.State) -> String { words("insight.state.\(state.rawValue)") }

    private static func source(_ note: RecordedObservation) -> Source {
        Source(.observation, note.id, on: note.day)
    }

    /// The notes by the name of their subject, the most frequent first.
    private var bySubject: [(String, [RecordedObservation])] {
        Dictionary(grouping: material.period.observations.filter { $0.subjectTag != nil }) {
            $0.subjectTag.flatMap { material.tags[$0] } ?? ""
        }.filter { !$0.key.isEmpty }.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    }
}
