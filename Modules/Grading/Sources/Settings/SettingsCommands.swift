import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface

struct SetGradeSettings: Command {
    static let contract = Contract(
        "grades.setSettings", "/api/v1/courses/{courseId}/gradebook/settings", access: .member(.teachCourses),
        summary: "Sets the weight of each category in whole percents, together 100, and whether missing work is 0.")
    typealias Result = Done

    let courseId: UUID
    let settings: GradeSettings

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
    }
}

struct SetGradingScale: Command {
    static let contract = Contract(
        "grades.setScale", "/api/v1/grading/scale", access: .member(.manageGradingScale),
        summary: "Sets from which percentage on the school gives each letter, and how it rounds what it shows.")
    typealias Result = Done

    let scale: GradingScale

    init(_ fields: inout FieldReader) {
        var cutOffs: [Hundredths] = []
        for letter in LetterGrade.reached {
            let name = letter.fieldName
            let text = fields.text(name, max: 6)
            // Whatever the number is not, `refuse` says; a number beyond the range stands for it until then.
            let number = (try? MarkText.number(text)) ?? -1
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
    }
}

extension LetterGrade {
    /// A name for a field: "aPlus".
    var fieldName: String { "\(self)" }
}

extension Permission {
    /// Seeing marks: one's own, one's child's, or those of a course one leads.
    static let viewGrades = Permission("grading.view", [.superAdmin, .admin, .guide, .student, .parent])
    /// Having marks of one's own, or of one's child.
    static let viewOwnGrades = Permission("grading.own", [.student, .parent])
    /// Deciding what a letter means in the school.
    static let manageGradingScale = Permission("grading.scale", [.superAdmin, .admin])
}

/// How courses count and what letters mean.
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
                try GradingRepository.set(command.settings, of: course.id, in: context.sql)
                let students = try roster.students(of: course.id, in: context.sql)
                context.record(
                    Change(
                        "grades.settingsChanged",
                        topics: [GradeNews.topic(course.id)] + students.map(GradeTopic.student),
                        audience: GradeNews.leaders(of: course.id) + students.map(Audience.person),
                        payload: ["course": course.id.text]))
                context.feedback = Feedback(.toast, context.words("grading.said.settings"))
                return Done()
            },
            .handle(SetGradingScale.self) { command, context in
                try GradingRepository.set(command.scale, in: context.sql)
                context.record(Change("grades.scaleChanged", topics: [GradeTopic.scale], audience: [.school]))
                context.feedback = Feedback(.toast, context.words("grading.said.scale"))
                return Done()
            },
        ]
    }
}
