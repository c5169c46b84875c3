import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import GradingInterface
import ScreenKit

/// The forms of the gradebook.
extension GradebookScreens {
    /// The form of a new item, or of a stored one.
    func itemForm(_ request: ScreenRequest, _ book: CourseGradebook, _ item: GradebookItem?) -> PTForm {
        let fields = itemFields(item, request.words)
        let submit = SubmitButton(title: request.words("grading.save"))
        guard let item else {
            return request.form(
                AddGradebookItem.self, ["courseId": book.course.id.text], id: "add-item", fields: fields,
                submit: submit)
        }
        return request.form(
            EditGradebookItem.self, ["courseId": book.course.id.text, "itemId": item.id.text], id: "edit-item",
            fields: fields + [.version(item.version)], submit: submit)
    }

    /// The fields of a new item, or of a stored one.
    func itemFields(_ item: GradebookItem?, _ words: Words) -> [PTField] {
        [
            PTField(
                name: "title", label: words("grading.itemTitle"), value: item?.title ?? "", isRequired: true,
                maxLength: 80),
            PTField(
                .select(
                    GradeCategory.allCases.map {
                        .init(value: $0.rawValue, title: words("grading.category.\($0.rawValue)"))
                    }), name: "category", label: words("grading.category"),
                value: item?.category.rawValue ?? GradeCategory.assignments.rawValue),
            PTField(
                name: "maximum", label: words("grading.maximum"), value: item.map { "\($0.maximum)" } ?? "",
                isRequired: true, maxLength: 12, width: .half),
            PTField(
                .date, name: "dueDay", label: words("grading.dueDay"), value: item?.dueDay?.description ?? "",
                width: .half),
            PTField(
                .toggle, name: "isExtraCredit", label: words("grading.extraCredit"),
                value: item?.isExtraCredit == true ? "true" : "false", hint: words("grading.extraCreditTip")),
        ]
    }

    /// The form for the scores of an item as lines, with the versions that the page shows.
    func pasteForm(
        _ request: ScreenRequest, _ book: CourseGradebook, _ item: GradebookItem, _ parameters: [String: String]
    ) -> PTForm {
        let words = request.words
        let versions = book.students.map { book.gradebook.score(of: $0.id, for: item.id)?.version ?? 0 }
        return request.form(
            PasteScores.self, parameters, id: "paste-marks",
            fields: [
                PTField(
                    .multiline, name: "text", label: words("grading.pasteColumn"), hint: words("grading.pasteTip"),
                    isRequired: true, maxLength: 10_000),
                PTField(.toggle, name: "replaces", label: words("grading.pasteReplaces"), value: "false"),
                .hidden("versions", versions.map(String.init).joined(separator: " ")),
            ], submit: SubmitButton(title: words("grading.pasteDo")))
    }

    /// The form for the weights of the categories and whether missing work counts.
    func settingsForm(_ request: ScreenRequest, _ book: CourseGradebook) async throws -> [Component] {
        let (words, settings) = (request.words, book.gradebook.settings)
        return try await request.form(
            SetGradeSettings.self, ["courseId": book.course.id.text], id: "grade-settings", of: settings.version,
            savedBy: ["grades.settingsChanged"], book.course.id,
            fields: GradeCategory.allCases.map { category in
                PTField(
                    .number, name: category.rawValue,
                    label: words("grading.weight", words("grading.category.\(category.rawValue)")),
                    value: String(settings.weights[category]), isRequired: true, width: .half)
            } + [
                PTField(
                    .toggle, name: "missingCounts", label: words("grading.missingCounts"),
                    value: settings.missingCounts ? "true" : "false", hint: words("grading.missingCountsTip"))
            ], submit: SubmitButton(title: words("grading.save")))
    }
}
