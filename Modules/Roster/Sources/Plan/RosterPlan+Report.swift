import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

extension RosterPlan {
    /// The plan as a report in a person's language.
    func report(_ words: Words, isApplied: Bool = false, uploadId: UUID? = nil) -> RosterReport {
        RosterReport(
            uploadId: uploadId, isApplied: isApplied, counts: counts,
            changes: steps.prefix(RosterReport.changeLimit).map { $0.change(words) }, changeCount: steps.count,
            faults: findings.faults.first.map { $0.finding(words) }, faultCount: findings.faults.count,
            notices: findings.notices.first.map { $0.finding(words) }, noticeCount: findings.notices.count,
            stays: findings.stays.first.map { $0.finding(words) }, stayCount: findings.stays.count,
            questions: findings.questions.first.map { $0.finding(words) })
    }
}

extension RosterPlan.Step {
    fileprivate func change(_ words: Words) -> RosterChange {
        RosterChange(
            file: file, line: line, kind: kind,
            sentence: hasSameName
                ? words.text("roster.change.personDetails", [arguments[0].word(words)])
                : words.text("roster.change.\(kind.rawValue)", arguments.map { $0.word(words) }),
            fields: fields)
    }

    /// Whether a person changes but not the name.
    private var hasSameName: Bool {
        guard kind == .personUpdated, case .name(let before)? = arguments.first,
            case .name(let after)? = arguments.last
        else { return false }
        return before == after
    }
}

extension RosterPlan.Step.Argument {
    /// The argument in a person's language.
    func word(_ words: Words) -> any WordsArgument {
        switch self {
        case .name(let name): name
        case .role(let role): words("roster.role.\(role.rawValue)")
        }
    }
}
