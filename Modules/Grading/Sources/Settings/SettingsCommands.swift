import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// Sets the weights of a course's categories.
struct SetGradeSettings: Command {
    static let contract = Contract(
        "grades.setSettings", "/api/v1/courses/{courseId}/gradebook/settings", access: .member(.teachCourses),
        summary:
            """
            Sets the weight of each category in whole percent, in total 100, and whether missing work counts as 0. Refused \
            with 409 if a version is given and someone has changed them since.
            """
    )
    typealias Result = Done

    let courseId: UUID
    let settings: GradeSettings
    /// The version of the settings that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        let standard = GradeWeights.standard
        let percents = Dictionary(
            uniqueKeysWithValues: GradeCategory.allCases.map { category in
                (
                    category,
                    fields.integer(category.rawValue, in: 0...100, default: standard[category])
                )
            })
        settings = GradeSettings(
            weights: GradeWeights { percents[$0] ?? 0 }, missingCounts: fields.flag("missingCounts"))
        version = fields.contentVersion()
    }
}

/// Sets the school's grading scale.
struct SetGradingScale: Command {
    static let contract = Contract(
        "grades.setScale", "/api/v1/grading/scale", access: .member(.manageGradingScale),
        summary: """
            Sets the cut-off of each letter and how the school rounds grades. Refused with 409 if a version is given and \
            someone has changed them since.
            """)
    typealias Result = Done

    let scale: GradingScale
    /// The version of the scale that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        var cutOffs: [Hundredths] = []
        for letter in LetterGrade.reached {
            let name = letter.fieldName
            let text = fields.text(name, max: 6)
            // `refuse` reports what is wrong with the number; -1 is outside of the range.
            let number = (try? ScoreText.number(text)) ?? -1
            fields.refuse(name, "grading.cutOff", unless: number >= 0 && number <= 100)
            if let last = cutOffs.last, number >= 0, last >= 0 {
                fields.refuse(name, "grading.cutOffOrder", unless: number < last)
            }
            cutOffs.append(number)
        }
        let mode = fields.choice("rounding", of: RoundingRule.Mode.self)
        scale = GradingScale(
            cutOffs: cutOffs,
            rounding: RoundingRule(places: fields.integer("places", in: 0...2, default: 0), mode: mode))
        version = fields.contentVersion()
    }
}

extension GradeSettings {
    /// The version of the fields that the form of the settings edits.
    var version: ContentVersion {
        ContentVersion(GradeCategory.allCases.map { String(weights[$0]) } + [String(missingCounts)])
    }
}

extension GradingScale {
    /// The version of the fields that the form of the scale edits.
    var version: ContentVersion {
        ContentVersion(cutOffs.map { "\($0)" } + [rounding.mode.rawValue, String(rounding.places)])
    }
}

extension LetterGrade {
    /// The name of the letter's field: "aPlus".
    var fieldName: String { "\(self)" }
}

extension Permission {
    /// Seeing grades: one's own, one's child's, or those of a course that one leads.
    static let viewGrades = Permission("grading.view", [.superAdmin, .admin, .guide, .student, .parent])
    /// Having grades of one's own, or of one's child.
    static let viewOwnGrades = Permission("grading.own", [.student, .parent])
    /// Setting the school's grading scale.
    static let manageGradingScale = Permission("grading.scale", [.superAdmin, .admin])
}

/// The commands of gradebook settings and of the grading scale.
struct SettingsHandlers: Sendable {
    let courses: any CourseService
    let roster: any CourseRoster

    var commands: [CommandRegistration] {
        [
            .handle(SetGradeSettings.self) { command, context in
                let course = try courses.course(command.courseId, ledBy: context.membership, in: context.sql)
                if case .sum(let percent) = command.settings.weights.fault {
                    throw Problem.invalid("assignments", "grading.weights", [.text("\(percent)")])
                }
                try GradingRepository.settings(of: [course.id], in: context.sql)[course.id]?.version
                    .check(command.version)
                try GradingRepository.set(command.settings, of: course.id, in: context.sql)
                let students = try roster.students(of: course.id, in: context.sql)
                context.record(
                    Change(
                        "grades.settingsChanged",
                        topics: [GradeNotifications.topic(course.id)] + students.map(GradeTopic.student),
                        audience: GradeNotifications.leaders(of: course.id) + students.map(Audience.person),
                        payload: ["course": course.id.text]))
                context.feedback = Feedback(.toast, context.words("grading.said.settings"))
                return Done()
            },
            .handle(SetGradingScale.self) { command, context in
                try GradingRepository.scale(in: context.sql).version.check(command.version)
                try GradingRepository.set(command.scale, in: context.sql)
                context.record(
                    Change(
                        "grades.scaleChanged", topics: [GradeTopic.scale], audience: [.school],
                        payload: ["school": try context.membership.organization.id.text]))
                context.feedback = Feedback(.toast, context.words("grading.said.scale"))
                return Done()
            },
        ]
    }
}
