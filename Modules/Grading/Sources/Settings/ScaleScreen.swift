import DesignSystem
import Domain
import FeatureKit
import GradingInterface
import ScreenKit

/// The page of the school's grading scale and rounding.
struct ScaleScreen: Sendable {
    static let path = "/settings/grading"

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.manageGradingScale), tab: "/settings") { request in
            let words = request.words
            let scale = try await request.context.school.read { try GradingRepository.scale(in: $0) }
            let cutOffs = zip(LetterGrade.reached, scale.cutOffs).map { letter, cutOff in
                PTField(
                    name: letter.fieldName, label: words("grading.cutOff", letter.rawValue), value: "\(cutOff)",
                    isRequired: true, maxLength: 6, width: .half)
            }
            let rounding = [
                PTField(
                    .choice(
                        RoundingRule.Mode.allCases.map {
                            .init(
                                value: $0.rawValue, title: words("grading.rounding.\($0.rawValue)"),
                                detail: words("grading.roundingTip.\($0.rawValue)"))
                        }), name: "rounding", label: words("grading.rounding"), value: scale.rounding.mode.rawValue),
                PTField(
                    .select((0...2).map { .init(value: String($0), title: words("grading.places", $0)) }),
                    name: "places", label: words("grading.placesLabel"), value: String(scale.rounding.places)),
            ]
            return .screen(
                Screen(
                    title: words("grading.scale"), back: "/settings", live: [GradeTopic.scale],
                    body: [
                        .text(PTText(words("grading.scaleTip")))
                    ]
                        + (try await request.form(
                            SetGradingScale.self, id: "scale", of: scale.version, savedBy: ["grades.scaleChanged"],
                            request.context.membership.organization.id, fields: cutOffs + rounding,
                            submit: SubmitButton(title: words("grading.save")), style: .card))))
        }
    }
}
