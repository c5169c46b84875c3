import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The page of the question bank, from which questions are inserted into a quiz.
struct BankScreens: Sendable {
    /// The refresh topic of pages about the question bank.
    static let topic = "question-bank"

    let access: QuizAccess
    let markdown: any MarkdownReader

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/quizzes/{quizId}/bank", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await bank($0))
            }
        ]
    }

    private func bank(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, quizId) = (
            request.words, try request.context.membership, try request.id("quizId")
        )
        let (query, tag) = (request.query["q"] ?? "", request.query["tag"])
        let (quiz, found, all) = try await request.context.school.read { sql in
            let quiz = try access.quiz(quizId, ledBy: membership, in: sql).quiz
            let all = try BankRepository.questions(for: membership.personId, query: nil, tag: nil, in: sql)
            let found =
                query.isEmpty && tag == nil
                ? all
                : try BankRepository.questions(
                    for: membership.personId, query: query.isEmpty ? nil : query, tag: tag, in: sql)
            return (quiz, found, all)
        }
        let path = QuizPath.bank(quiz.id)
        var body: [Component] = []
        let tags = Set(all.flatMap(\.tags)).sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        if !tags.isEmpty {
            body.append(
                .chips(
                    PTChips(
                        label: words("assessment.tags"),
                        chips: tags.map { name in
                            let value = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                            return PTChips.Chip(
                                title: name, isSelected: name == tag,
                                action: .open(name == tag ? path : "\(path)?tag=\(value)"))
                        })))
        }
        if !tags.isEmpty {
            body.append(
                .buttons(
                    PTButtonGroup(buttons: [
                        PTButton(
                            title: words("assessment.draw"), icon: .swap, role: .neutral, action: .present("draw"))
                    ])))
        }
        if found.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .book,
                        title: words(all.isEmpty ? "assessment.bankIsEmpty" : "assessment.nothingFound"),
                        message: words("assessment.bankIsEmptyTip"))))
        } else {
            body.append(
                .list(
                    PTList(
                        cells: found.map { cell($0, quiz, isOwn: $0.personId == membership.personId, request) },
                        label: words("assessment.bank"))))
        }
        return Screen(
            title: words("assessment.bank"), subtitle: quiz.title, back: QuizPath.quiz(quiz.id), live: [Self.topic],
            body: body, sheets: tags.isEmpty ? [] : [draw(tags, tag, quiz, request)],
            search: all.isEmpty
                ? nil
                : PTSearchField(
                    path: path, value: query, placeholder: words("assessment.searchBank"),
                    label: words("assessment.searchBank"), keeping: tag.map { ["tag": $0] } ?? [:]))
    }

    /// The form for questions that are drawn for each attempt.
    private func draw(_ tags: [String], _ tag: String?, _ quiz: Quiz, _ request: ScreenRequest) -> PTBottomSheet {
        let words = request.words
        return PTBottomSheet(
            id: "draw", title: words("assessment.draw"),
            body: [
                .form(
                    request.form(
                        AddDraw.self, ["quizId": quiz.id.text], id: "draw",
                        fields: [
                            PTField(
                                .select(tags.map { .init(value: $0, title: $0) }), name: "tag",
                                label: words("assessment.tag"), value: tag ?? tags[0]),
                            PTField(
                                .number, name: "count", label: words("assessment.drawCount"), value: "3",
                                hint: words("assessment.drawTip"), isRequired: true),
                            PTField(
                                name: "points", label: words("assessment.pointsEach"),
                                hint: words(
                                    "assessment.pointsOwnTip", QuizWords(request).points(quiz.points)),
                                maxLength: 12),
                        ], submit: SubmitButton(title: words("assessment.save"))))
            ])
    }

    private func cell(_ saved: BankQuestion, _ quiz: Quiz, isOwn: Bool, _ request: ScreenRequest) -> PTListCell {
        let (words, texts) = (request.words, QuizWords(request))
        let title = texts.line(saved.question, markdown)
        let delete = PTMenuItem(
            title: words("assessment.deleteFromBank"), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    DeleteFromBank.self, ["bankId": saved.id.text],
                    confirmation: PTConfirmation(
                        title: words("assessment.deleteFromBank.title"), message: title,
                        confirm: words("assessment.deleteFromBank")))))
        let insert = PTButton(
            title: words("assessment.insert"), icon: .plus, role: .tonal,
            action: .perform(
                request.call(InsertFromBank.self, ["quizId": quiz.id.text, "bankId": saved.id.text])),
            spoken: words("assessment.insertNamed", title))
        return PTListCell(
            id: saved.id.text, leading: .icon(QuizScreens.icon(saved.question.kind), tint: .sky), title: title,
            subtitle: ([texts.kind(saved.question.kind)] + saved.tags + [
                words("assessment.useCount", saved.useCount)
            ])
            .joined(separator: " · "),
            trailing: [.iconButton(insert)] + (isOwn ? [.menu] : []), menu: isOwn ? [delete] : [])
    }
}
