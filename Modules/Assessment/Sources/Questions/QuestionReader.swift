import AssessmentModel
import DesignSystem
import Domain
import Foundation
import ScreenKit

/// Reads the texts of questions: Markdown with formulas and with pictures of the question.
struct QuestionReader: Sendable {
    /// The private characters that stand for formulas while the Markdown is read. Unicode assigns them no meaning.
    fileprivate static let marks: ClosedRange<UInt32> = 0xF0000...0xF0FFF

    let markdown: any MarkdownReader

    /// Reads a text of a question as a page of its quiz shows it.
    func read(_ text: String, of question: some HavingPictures, in quizId: UUID) -> PTRichText {
        read(text, question.pictures) { $0.path(of: quizId) }
    }

    /// Reads a text whose pictures have the addresses that `path` returns.
    func read(
        _ text: String, _ pictures: [QuestionPicture], path: (QuestionPicture) -> String
    ) -> PTRichText {
        let known = Dictionary(pictures.map { ($0.name, $0) }) { first, _ in first }
        let image = { (address: String) -> PTImage? in
            known[address].map { PTImage(url: path($0), width: $0.width, height: $0.height, alt: "") }
        }
        let found = FormulaText(text)
        guard found.hasFormula, !text.unicodeScalars.contains(where: { Self.marks.contains($0.value) }) else {
            return markdown.read(text, pictures: image)
        }
        var formulas: [Formula] = []
        var marked = ""
        for part in found.parts {
            switch part {
            case .text(let text), .unreadable(let text): marked += text
            case .formula(let formula):
                guard let mark = Unicode.Scalar(Self.marks.lowerBound + UInt32(formulas.count)) else { continue }
                marked.unicodeScalars.append(mark)
                formulas.append(formula)
            }
        }
        return FormulaInsertion(formulas: formulas).text(markdown.read(marked, pictures: image))
    }

    /// Reads an option, which is shown as it was typed apart from pictures and formulas.
    func inlines(
        _ option: String, _ pictures: [QuestionPicture], path: (QuestionPicture) -> String
    ) -> [PTRichText.Inline] {
        OptionText(option, pictures: pictures).parts.map { part in
            switch part {
            case .text(let text): .text(text)
            case .formula(let formula): .formula(formula)
            case .picture(let picture, let alternative):
                .picture(
                    PTImage(url: path(picture), width: picture.width, height: picture.height, alt: alternative))
            }
        }
    }

    /// Whether some options of a question have pictures or formulas.
    static func hasRichOptions(_ question: Question) -> Bool {
        question.options.contains { OptionText($0.text, pictures: question.pictures).isRich }
    }

    /// The options that the teacher wrote for a question, as a list; `nil` for other kinds of questions.
    func options(of question: Question, in quizId: UUID) -> PTRichText? {
        guard question.kind == .multipleChoice else { return nil }
        let items = question.options.map { option in
            PTRichText.Item(
                body: [.paragraph(inlines(option.text, question.pictures) { $0.path(of: quizId) })])
        }
        return PTRichText([.list(PTRichText.List(items: items, start: 1))])
    }
}

/// A question with its pictures: with its key, or as a student sees it.
protocol HavingPictures {
    var pictures: [QuestionPicture] { get }
}

extension Question: HavingPictures {}
extension AskedQuestion: HavingPictures {}

/// Puts formulas in the places of the private characters that stand for them.
private struct FormulaInsertion {
    let formulas: [Formula]

    private func formula(_ scalar: Unicode.Scalar) -> Formula? {
        let place = Int(scalar.value) - Int(QuestionReader.marks.lowerBound)
        return formulas.indices.contains(place) ? formulas[place] : nil
    }

    func text(_ text: PTRichText) -> PTRichText { PTRichText(text.blocks.map(block)) }

    private func block(_ block: PTRichText.Block) -> PTRichText.Block {
        switch block {
        case .heading(let level, let text): return .heading(level: level, text: inlines(text))
        case .paragraph(let text): return .paragraph(inlines(text))
        case .codeBlock(let code): return .codeBlock(typed(code))
        case .quote(let inner): return .quote(inner.map(self.block))
        case .list(var list):
            list.items = list.items.map { PTRichText.Item(body: $0.body.map(self.block), isDone: $0.isDone) }
            return .list(list)
        case .table(var table):
            table.head = table.head.map(inlines)
            table.rows = table.rows.map { $0.map(inlines) }
            return .table(table)
        case .rule: return .rule
        }
    }

    private func inlines(_ text: [PTRichText.Inline]) -> [PTRichText.Inline] { text.flatMap(inline) }

    private func inline(_ inline: PTRichText.Inline) -> [PTRichText.Inline] {
        switch inline {
        case .text(let text): divided(text)
        case .code(let code): [.code(typed(code))]
        case .emphasis(let inner): [.emphasis(inlines(inner))]
        case .strong(let inner): [.strong(inlines(inner))]
        case .strikethrough(let inner): [.strikethrough(inlines(inner))]
        case .link(let address, let inner): [.link(address: typed(address), text: inlines(inner))]
        case .picture(var image):
            {
                image.alt = typed(image.alt)
                return [.picture(image)]
            }()
        case .formula, .lineBreak: [inline]
        }
    }

    private func divided(_ text: String) -> [PTRichText.Inline] {
        var (parts, open): ([PTRichText.Inline], String) = ([], "")
        for scalar in text.unicodeScalars {
            guard let formula = formula(scalar) else {
                open.unicodeScalars.append(scalar)
                continue
            }
            if !open.isEmpty { parts.append(.text(open)) }
            open = ""
            parts.append(.formula(formula))
        }
        return open.isEmpty ? parts : parts + [.text(open)]
    }

    /// Returns a text with formulas as they were typed, where none can be shown.
    private func typed(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { all, scalar in
            if let formula = formula(scalar) { all += formula.source } else { all.unicodeScalars.append(scalar) }
        }
    }
}
