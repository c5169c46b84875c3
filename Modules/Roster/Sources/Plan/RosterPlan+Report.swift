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
            sentence: words.text("roster.change.\(kind.rawValue)", arguments.map { $0.word(words) }),
            fields: fields)
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
