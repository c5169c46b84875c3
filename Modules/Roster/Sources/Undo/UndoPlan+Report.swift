import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import Foundation
import OrganizationInterface
import RosterInterface

extension UndoPlan {
    /// The plan as a report in a person's language.
    func report(_ importId: UUID, _ words: Words, isApplied: Bool = false) -> RosterUndo {
        RosterUndo(
            importId: importId, isApplied: isApplied,
            steps: steps.prefix(RosterReport.changeLimit).map { step in
                RosterUndo.Step(
                    kind: step.kind,
                    sentence: words.text("roster.undo.\(step.kind.rawValue)", step.arguments.map { $0.word(words) })
                )
            }, stepCount: steps.count,
            kept: skipped.prefix(RosterReport.findingLimit).map { $0.sentence(words) }, keptCount: skipped.count)
    }
}

extension UndoPlan.Skipped {
    fileprivate func sentence(_ words: Words) -> String {
        guard let records else { return words("roster.kept.\(reason.rawValue)", name) }
        return words("roster.kept.records", name, words(records))
    }
}
