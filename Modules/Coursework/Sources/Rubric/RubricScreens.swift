import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// The page of an assignment's rubric, and the parts of other pages that show it.
struct RubricScreens: Sendable {
    static func path(_ assignmentId: UUID) -> String { "\(AssignmentScreens.path(assignmentId))/rubric" }

    let access: CourseworkAccess

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/assignments/{assignmentId}/rubric", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await rubric($0))
            }
        ]
    }

    private func rubric(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, id) = (
            request.words, try request.context.membership, try request.id("assignmentId")
        )
        let (one, rubric) = try await request.context.school.read { sql in
            let (one, _) = try access.led(id, membership, in: sql)
            return (one, try RubricRepository.rubric(of: one.id, in: sql))
        }
        let edited = rubric.criteria.first { $0.id.text == request.query["criterion"] }
        let isGraded = one.maximum != nil
        var body: [Component] = []
        if rubric.criteria.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .grid, title: words("coursework.rubric.none"),
                        message: words("coursework.rubric.tip"))))
        } else {
            body.append(
                .list(
                    PTList(
                        cells: rubric.criteria.map { cell($0, one, request) }, label: words("coursework.rubric"))))
            if let maximum = one.maximum {
                body.append(
                    .text(
                        PTText(
                            words("coursework.rubric.total", rubric.total.shown(words), maximum.shown(words)),
                            role: .note)))
            }
        }
        if edited != nil || rubric.criteria.count < Rubric.mostCriteria {
            body.append(
                .section(
                    PTSection(
                        title: words(edited == nil ? "coursework.rubric.add" : "coursework.rubric.edit"),
                        body: try await form(edited, one, isGraded, request))))
        }
        return Screen(
            title: words("coursework.rubric"), subtitle: one.title, back: AssignmentScreens.path(id),
            live: [CourseworkChanges.topic(one.courseId)], body: body)
    }

    private func cell(_ criterion: RubricCriterion, _ one: Assignment, _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        let edit = PTAction.open("\(Self.path(one.id))?criterion=\(criterion.id.text)")
        return PTListCell(
            id: criterion.id.text, title: criterion.title,
            subtitle: criterion.levels.indices.map { criterion.shown($0, isGraded: one.maximum != nil, words) }
                .joined(separator: ", "),
            trailing: [.menu], action: edit,
            menu: [
                PTMenuItem(title: words("coursework.rubric.edit"), icon: .edit, action: edit),
                PTMenuItem(
                    title: words("coursework.rubric.delete"), icon: .trash, role: .destructive,
                    action: .perform(
                        request.call(
                            DeleteCriterion.self,
                            ["assignmentId": one.id.text, "criterionId": criterion.id.text],
                            confirmation: PTConfirmation(
                                title: words("coursework.rubric.delete.title", criterion.title),
                                message: words("coursework.rubric.delete.message"),
                                confirm: words("coursework.rubric.delete")), to: Self.path(one.id)))),
            ])
    }

    private func form(
        _ edited: RubricCriterion?, _ one: Assignment, _ isGraded: Bool, _ request: ScreenRequest
    ) async throws -> [Component] {
        let words = request.words
        var fields = [
            PTField(
                name: "title", label: words("coursework.rubric.criterion"), value: edited?.title ?? "",
                isRequired: true, maxLength: 120)
        ]
        for number in 1...Rubric.mostLevels {
            let level = edited.flatMap { $0.levels.indices.contains(number - 1) ? $0.levels[number - 1] : nil }
            var own = [
                PTField(
                    name: SaveCriterion.titleField(number), label: words("coursework.rubric.levelName", number),
                    value: level?.title ?? "", maxLength: 60)
            ]
            if isGraded {
                own.append(
                    PTField(
                        name: SaveCriterion.pointsField(number),
                        label: words("coursework.rubric.levelPoints", number),
                        value: level.flatMap { Hundredths($0.points) }?.shown(words) ?? "", autocomplete: "off",
                        maxLength: 12, width: .half))
            }
            // Three levels are usual.
            for index in own.indices { own[index].isFolded = number > 3 && level == nil }
            fields += own
        }
        if let edited { fields += [.hidden("criterionId", edited.id.text), .version(edited.version)] }
        var form = request.form(
            SaveCriterion.self, ["assignmentId": one.id.text], id: "criterion", fields: fields,
            submit: SubmitButton(title: words("coursework.rubric.save")),
            secondary: edited == nil
                ? nil
                : PTButton(
                    title: words("coursework.rubric.cancel"), role: .quiet, action: .open(Self.path(one.id))),
            to: Self.path(one.id), style: .card)
        form.foldTitle = words("coursework.rubric.moreLevels")
        return try await request.savedMeanwhile(
            ContentVersion.changed, ["coursework.rubricChanged"], of: one.id, fields) + [.form(form)]
    }

    // MARK: - Parts of other pages

    /// The fields in which a teacher chooses the levels of a student.
    static func fields(_ rubric: Rubric, _ chosen: [UUID: Int], isGraded: Bool, _ words: Words) -> [PTField] {
        rubric.criteria.enumerated().map { place, criterion in
            PTField(
                .choice(
                    criterion.levels.indices.map { level in
                        .init(
                            value: RubricChoice(criterion.id, level).text,
                            title: criterion.shown(level, isGraded: isGraded, words))
                    }), name: RubricChoice.field(place), label: criterion.title,
                value: chosen[criterion.id].map { RubricChoice(criterion.id, $0).text } ?? "")
        }
    }

    /// The criteria with the levels of a student, for the student.
    static func levels(_ rubric: Rubric, _ chosen: [UUID: Int], isGraded: Bool, _ words: Words) -> [Component] {
        let items = rubric.criteria.compactMap { criterion in
            chosen[criterion.id].map { level in
                PTDefinitionList.Item(
                    term: criterion.title, value: criterion.shown(level, isGraded: isGraded, words))
            }
        }
        return items.isEmpty ? [] : [.definitionList(PTDefinitionList(items: items))]
    }

    /// The criteria with all their levels, for students before they hand in.
    static func criteria(_ rubric: Rubric, isGraded: Bool, _ words: Words) -> [Component] {
        guard !rubric.criteria.isEmpty else { return [] }
        let items = rubric.criteria.map { criterion in
            PTDefinitionList.Item(
                term: criterion.title,
                value: criterion.levels.indices.map { criterion.shown($0, isGraded: isGraded, words) }
                    .joined(separator: ", "))
        }
        return [
            .disclosure(
                PTDisclosure(
                    title: words("coursework.rubric"), body: [.definitionList(PTDefinitionList(items: items))]))
        ]
    }
}
