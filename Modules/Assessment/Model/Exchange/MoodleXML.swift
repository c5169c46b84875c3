public import Foundation

/// Reads questions in the XML format of Moodle (https://docs.moodle.org/en/Moodle_XML_format).
public enum MoodleXML {
    private typealias Reason = ImportedQuestions.LeftOut.Reason

    /// Reads all questions of a file; `nil` if it is not such a file, or is damaged.
    ///
    /// - Parameter newId: returns an id for a question or an option.
    public static func read(_ bytes: [UInt8], newId: () -> UUID) -> ImportedQuestions? {
        let root: MarkupElement
        do { root = try MarkupReader.xml(bytes) } catch { return nil }
        guard root.name == "quiz" else { return nil }
        var result = ImportedQuestions()
        for element in root.elements("question") where element["type"] != "category" {
            let name = element.first("name")?.trimmedText ?? ""
            do {
                let pictures = PictureFinder(readsTeX: true, files(of: element))
                let question = try question(element, pictures, newId)
                result.add(question, title: name.isEmpty ? GIFT.title(of: question.text) : name, pictures.found)
            } catch {
                let title = name.isEmpty ? GIFT.title(of: element.first("questiontext")?.trimmedText ?? "") : name
                result.leftOut.append(.init(title: title, reason: error))
            }
        }
        return result
    }

    /// Returns a search for the files within a question: `<file name="map.png" encoding="base64">`.
    private static func files(of element: MarkupElement) -> (String) -> [UInt8]? {
        let files = element.all { $0.name == "file" }
        return { address in
            guard address.hasPrefix(mark) else { return nil }
            let path = address.dropFirst(mark.count).drop { $0 == "/" }
            let file = files.first { file in
                let folder = (file["path"] ?? "/").drop { $0 == "/" }
                return file["encoding"] == "base64" && (folder + (file["name"] ?? "")) == path
            }
            return file.flatMap { PictureFinder.decoded($0.text) }
        }
    }

    /// The mark that Moodle replaces by the address of an embedded file.
    static let mark = "@@PLUGINFILE@@"

    private struct Answer {
        let text: String
        /// In hundredths of a percent.
        let share: Int
        let tolerance: String?
    }

    private static func question(
        _ element: MarkupElement, _ pictures: PictureFinder, _ newId: () -> UUID
    ) throws(Reason) -> Question {
        let kinds: [String: Question.Kind] = [
            "multichoice": .multipleChoice, "truefalse": .trueFalse, "shortanswer": .shortAnswer,
            "numerical": .numeric,
        ]
        guard let kind = kinds[element["type"] ?? ""] else { throw .kind }
        guard let stem = element.first("questiontext") else { throw .unreadable }
        var explanation: String?
        if let feedback = element.first("generalfeedback") { explanation = try text(feedback, pictures) }
        var question = Question(
            id: newId(), kind: kind, text: try text(stem, pictures), points: points(element),
            explanation: explanation?.isEmpty == true ? nil : explanation)
        var answers: [Answer] = []
        for answer in element.elements("answer") { answers.append(try read(answer, kind, pictures)) }
        switch kind {
        case .trueFalse:
            // The texts are English in every language of Moodle.
            let isTrue = answers.max { $0.share < $1.share }?.text.lowercased() == "true"
            question.options = Question.trueFalseOptions(isTrue: isTrue, ids: (newId(), newId()))
        case .multipleChoice:
            let isSingle = element.first("single").map { ["true", "1"].contains($0.trimmedText) } ?? true
            let hasShares = answers.contains { $0.share != 0 && $0.share != 10_000 }
            let hasSeveral = answers.count { $0.share > 0 } > 1
            let most = answers.reduce(0) { $0 + max($1.share, 0) }
            // Otherwise no answer would give all points (33 %, 33.33 % and 33.33 %).
            guard isSingle || most >= 9990 else { throw .rule }
            question.options = answers.map {
                QuestionOption(
                    id: newId(), text: $0.text, isRight: isSingle ? $0.share == 10_000 : $0.share > 0,
                    share: hasShares || isSingle && hasSeveral ? $0.share : nil)
            }
        case .shortAnswer:
            // A lone star takes all other answers, for their feedback.
            let wanted = answers.filter { $0.text != "*" || $0.share != 0 }
            guard wanted.allSatisfy({ $0.share == 10_000 || $0.share == 0 && !$0.text.contains("*") }),
                !wanted.contains(where: { $0.share == 10_000 && isPattern($0.text) })
            else { throw .rule }
            question.accepted = [
                QTIItem.unique(wanted.filter { $0.share == 10_000 }.map { $0.text.replacing("\\*", with: "*") })
            ]
        case .numeric:
            guard element.first("units")?.elements.isEmpty ?? true else { throw .rule }
            let right = answers.filter { $0.share == 10_000 }
            let tolerances = Set(right.map { $0.tolerance ?? "0" })
            guard answers.allSatisfy({ $0.share == 10_000 || $0.share == 0 }), tolerances.count <= 1 else {
                throw .rule
            }
            question.accepted = [right.map(\.text)]
            question.tolerance = tolerances.first { $0 != "0" }
        case .fillInTheBlank: break
        }
        return question
    }

    /// Whether a text has a star that stands for any characters.
    private static func isPattern(_ text: String) -> Bool { text.replacing("\\*", with: "").contains("*") }

    private static func read(
        _ element: MarkupElement, _ kind: Question.Kind, _ pictures: PictureFinder
    ) throws(Reason) -> Answer {
        guard let percent = element["fraction"].flatMap({ QTI.number($0) }), abs(percent) <= 100 else {
            throw .invalid
        }
        var (scaled, rounded) = (percent * 100, Decimal())
        NSDecimalRound(&rounded, &scaled, 0, .plain)
        let tolerance = kind == .numeric ? element.first("tolerance")?.trimmedText : nil
        return Answer(
            text: try text(element, pictures, isPlain: true), share: NSDecimalNumber(decimal: rounded).intValue,
            tolerance: tolerance.flatMap { QTI.number($0) == 0 || $0.isEmpty ? nil : $0 })
    }

    /// Returns the text within an element: Markdown for a question, the text of an option for an answer.
    private static func text(
        _ element: MarkupElement, _ pictures: PictureFinder, isPlain: Bool = false
    ) throws(Reason) -> String {
        let typed = (element.first("text") ?? element).text
        let format = element["format"] ?? (isPlain ? "plain_text" : "html")
        switch format {
        case "html", "moodle_auto_format":
            let text =
                isPlain
                ? try QuestionMarkup.plain(html: typed, pictures)
                : try QuestionMarkup.markdown(html: typed, pictures)
            // A link to an embedded file that is no picture leads nowhere.
            if typed.contains("href=\"\(mark)") { throw .media }
            return text
        case "markdown":
            if typed.contains(mark) { throw .picture }
            return typed.trimmingCharacters(in: .whitespacesAndNewlines)
        default:
            let plain = typed.trimmingCharacters(in: .whitespacesAndNewlines)
            return isPlain ? plain : QuestionMarkup.escaped(plain)
        }
    }

    private static func points(_ element: MarkupElement) -> Int? {
        element.first("defaultgrade").flatMap { QTI.number($0.trimmedText) }.flatMap(QTI.hundredths)
    }
}
