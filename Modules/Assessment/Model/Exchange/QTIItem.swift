import Foundation

/// Reads the elements of one item of QTI. Their names are the common ones of `MarkupElement`.
struct QTIItem {
    private typealias Reason = ImportedQuestions.LeftOut.Reason

    /// How answers to an item's interaction are marked.
    private struct Declaration {
        let isMultiple: Bool
        let baseType: String
        let correct: [String]
        /// The values of answers; `nil` if there is no mapping.
        let mapping: [(key: String, value: Decimal)]?
        let standard: Decimal
        let upperBound: Decimal?

        init(_ element: MarkupElement) {
            isMultiple = element["cardinality"] != "single"
            baseType = element["basetype"] ?? "string"
            correct = element.first("correctresponse")?.elements("value").map(\.trimmedText) ?? []
            let map = element.first("mapping")
            mapping = map?.elements("mapentry").compactMap { entry in
                guard let key = entry["mapkey"], let value = entry["mappedvalue"].flatMap({ QTI.number($0) }) else {
                    return nil
                }
                return (key, value)
            }
            standard = map?["defaultvalue"].flatMap { QTI.number($0) } ?? 0
            upperBound = map?["upperbound"].flatMap { QTI.number($0) }
        }
    }

    private let element: MarkupElement
    private let body: MarkupElement
    private let declarations: [String: Declaration]
    private let processing: MarkupElement?
    private let pictures: PictureFinder

    init(_ element: MarkupElement, _ body: MarkupElement, _ pictures: PictureFinder) {
        self.pictures = pictures
        self.element = element
        self.body = body
        declarations = Dictionary(
            element.elements("responsedeclaration").map { ($0["identifier"] ?? "", Declaration($0)) }
        ) { first, _ in first }
        processing = element.first("responseprocessing")
    }

    /// The points of the item in hundredths; `nil` if it does not say.
    var points: Int? {
        element.elements("outcomedeclaration").first { $0["identifier"] == "SCORE" }?["normalmaximum"]
            .flatMap { QTI.number($0) }.flatMap(QTI.hundredths)
    }

    /// The only feedback of the item. Several depend on the answer, which explanations here do not.
    func explanation() throws(ImportedQuestions.LeftOut.Reason) -> String? {
        let feedback = element.elements("modalfeedback")
        guard feedback.count == 1, let one = feedback.first else { return nil }
        let text = try QuestionMarkup.markdown(one.content, pictures) { _ in nil }
        return text.isEmpty ? nil : text
    }

    private enum Rule { case correct, mapped, own }

    /// How the item is marked. Throws `.rule` for a program of its own that has no counterpart.
    private func rule() throws(Reason) -> Rule {
        guard let processing else { return .correct }
        if let template = processing["template"] {
            if template.contains("match_correct") { return .correct }
            if template.hasSuffix("map_response") || template.hasSuffix("map_response.xml") { return .mapped }
            throw .rule
        }
        let parts = processing.all { ["mapresponse", "match", "equal", "gte", "stringmatch"].contains($0.name) }
        if parts.isEmpty { throw .rule }
        if parts.allSatisfy({ $0.name == "mapresponse" }) { return .mapped }
        let isCorrect = parts.allSatisfy {
            ($0.name == "match" || $0.name == "stringmatch") && $0.first("correct") != nil
        }
        return isCorrect ? .correct : .own
    }

    // MARK: - Choices

    func choice(
        _ interaction: MarkupElement, _ newId: () -> UUID
    ) throws(ImportedQuestions.LeftOut.Reason) -> Question {
        guard let declaration = declarations[interaction["responseidentifier"] ?? ""] else { throw .invalid }
        let choices = interaction.elements("simplechoice")
        // The choices are no part of the text; the prompt is.
        let stem = try QuestionMarkup.markdown(Self.without(choices: body.content), pictures) { _ in nil }
        var options: [QuestionOption] = []
        var names: [String] = []
        for choice in choices {
            options.append(
                QuestionOption(
                    id: newId(), text: try QuestionMarkup.plain(choice.content, pictures), isRight: false))
            names.append(choice["identifier"] ?? "")
        }
        switch try rule() {
        case .correct:
            for place in options.indices { options[place].isRight = declaration.correct.contains(names[place]) }
        case .mapped: try share(&options, names, declaration)
        case .own: throw .rule
        }
        if names == ["true", "false"], options.count(where: \.isRight) == 1 {
            return Question(
                id: newId(), kind: .trueFalse, text: stem,
                options: Question.trueFalseOptions(isTrue: options[0].isRight, ids: (newId(), newId())))
        }
        return Question(id: newId(), kind: .multipleChoice, text: stem, options: options)
    }

    private static func without(choices nodes: [MarkupNode]) -> [MarkupNode] {
        nodes.compactMap { node in
            guard case .element(var element) = node else { return node }
            if element.name == "simplechoice" { return nil }
            element.content = without(choices: element.content)
            return .element(element)
        }
    }

    /// Sets the options' shares of the points; options that follow the usual rule need none.
    private func share(
        _ options: inout [QuestionOption], _ names: [String], _ declaration: Declaration
    ) throws(Reason) {
        let map = Dictionary(declaration.mapping ?? []) { first, _ in first }
        let values = names.map { map[$0] ?? declaration.standard }
        let most = declaration.isMultiple ? values.filter { $0 > 0 }.reduce(0, +) : values.max() ?? 0
        let full = declaration.upperBound ?? most
        // Otherwise no answer would give all points.
        guard full > 0, most * 1000 >= full * 999 else { throw .rule }
        let shares = values.map { value -> Int in
            var (scaled, rounded) = (value * 10_000 / full, Decimal())
            NSDecimalRound(&rounded, &scaled, 0, .plain)
            return max(-10_000, min(10_000, NSDecimalNumber(decimal: rounded).intValue))
        }
        for place in options.indices { options[place].isRight = shares[place] > 0 }
        let right = options.count(where: \.isRight)
        guard right > 0 else { throw .invalid }
        let usual = options.map { $0.isRight ? 10_000 / right : right > 1 ? -(10_000 / right) : 0 }
        let isUsual = zip(shares, usual).allSatisfy { abs($0 - $1) <= 1 }
        if !isUsual { for place in options.indices { options[place].share = shares[place] } }
    }

    // MARK: - Typed answers

    func typed(
        _ interactions: [MarkupElement], _ newId: () -> UUID
    ) throws(ImportedQuestions.LeftOut.Reason) -> Question {
        let all = interactions.compactMap { declarations[$0["responseidentifier"] ?? ""] }
        guard all.count == interactions.count, let first = all.first else { throw .invalid }
        let text = try QuestionMarkup.markdown(body.content, pictures) {
            $0.name == "textentryinteraction" ? Blanks.mark : nil
        }
        let parts = Blanks.parts(of: text)
        guard parts.count == interactions.count + 1 else { throw .invalid }
        let isAtEnd = parts.last?.allSatisfy(\.isWhitespace) ?? true
        let isNumber = ["float", "integer"].contains(first.baseType)
        if all.count == 1, isNumber {
            let stem = isAtEnd ? Self.trimmed(parts[0]) : parts.joined(separator: "\\_\\_\\_\\_\\_")
            var question = Question(id: newId(), kind: .numeric, text: stem)
            (question.accepted, question.tolerance) = try numbers(first)
            return question
        }
        let rule = try rule()
        guard rule != .own, !all.contains(where: { $0.baseType == "float" }) else { throw .rule }
        var (accepted, fulls): ([[String]], [Decimal]) = ([], [])
        for declaration in all {
            guard rule == .mapped, let mapping = declaration.mapping else {
                accepted.append(declaration.correct)
                fulls.append(1)
                continue
            }
            let full = mapping.map(\.value).max() ?? 0
            // Answers with a part of the points have no counterpart.
            guard full > 0, mapping.allSatisfy({ $0.value == full || $0.value <= 0 }) else { throw .rule }
            accepted.append(Self.unique(mapping.filter { $0.value == full }.map(\.key)))
            fulls.append(full)
        }
        guard Set(fulls).count == 1 else { throw .rule }
        if all.count == 1, isAtEnd {
            return Question(id: newId(), kind: .shortAnswer, text: Self.trimmed(parts[0]), accepted: accepted)
        }
        return Question(id: newId(), kind: .fillInTheBlank, text: text, accepted: accepted)
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Leaves out answers that are equal to one before, such as the same word in capitals.
    static func unique(_ answers: [String]) -> [String] {
        answers.reduce(into: []) { all, answer in
            if !all.contains(where: { AnswerText.matches(answer, [$0], ignoringAccents: false) }) {
                all.append(answer)
            }
        }
    }

    /// The accepted numbers and their tolerance.
    private func numbers(_ declaration: Declaration) throws(Reason) -> ([[String]], String?) {
        let equals = processing?.all { $0.name == "equal" } ?? []
        if !equals.isEmpty {
            var (accepted, tolerances): ([String], Set<String>) = ([], [])
            for equal in equals {
                let number = equal.first("basevalue")?.trimmedText ?? declaration.correct.first
                guard let number, QTI.number(number) != nil else { throw .rule }
                accepted.append(number)
                switch equal["tolerancemode"] ?? "exact" {
                case "exact": tolerances.insert("0")
                case "absolute":
                    let sides = Set((equal["tolerance"] ?? "").split(separator: " ").map(String.init))
                    guard sides.count == 1, let side = sides.first else { throw .rule }
                    tolerances.insert(side)
                default: throw .rule
                }
            }
            guard tolerances.count == 1, let tolerance = tolerances.first else { throw .rule }
            return ([accepted], QTI.number(tolerance) == 0 ? nil : tolerance)
        }
        switch try rule() {
        case .correct: return ([declaration.correct], nil)
        case .mapped:
            guard let mapping = declaration.mapping else { return ([declaration.correct], nil) }
            let full = mapping.map(\.value).max() ?? 0
            guard full > 0, mapping.allSatisfy({ $0.value == full || $0.value <= 0 }) else { throw .rule }
            return ([mapping.filter { $0.value == full }.map(\.key)], nil)
        case .own: throw .rule
        }
    }
}
