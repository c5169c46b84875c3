public import Foundation

/// Reads and writes questions in GIFT, the text format of Moodle (https://docs.moodle.org/en/GIFT_format).
///
/// A question that GIFT cannot express exactly has its content in a comment before it, which other programs ignore, so
/// that a file that was written here is read again without a loss.
public enum GIFT {
    /// The beginning of the comment with a question's exact content.
    private static let exact = "// pinktower: "

    private typealias Reason = ImportedQuestions.LeftOut.Reason

    // MARK: - Reading

    /// Reads all questions of a file.
    ///
    /// - Parameters:
    ///   - files: returns the file with a name beside the text, such as a picture in the same archive.
    ///   - newId: returns an id for a question or an option.
    public static func read(
        _ text: String, files: @escaping (String) -> [UInt8]? = { _ in nil }, newId: () -> UUID
    ) -> ImportedQuestions {
        var result = ImportedQuestions()
        for block in blocks(of: text) {
            // The hash of a picture in a comment says nothing: the picture itself would be missing.
            if let question = block.exact.flatMap(question), question.pictures.isEmpty {
                result.add(question.renewed(newId), title: title(of: question.text))
                continue
            }
            let pictures = PictureFinder(readsTeX: true) { address in
                address.hasPrefix(MoodleXML.mark)
                    ? files(String(address.dropFirst(MoodleXML.mark.count).drop { $0 == "/" })) : nil
            }
            read(block.text, pictures, into: &result, newId)
        }
        return result
    }

    /// Reads a question from the comment that holds its exact content; `nil` if the comment was changed by hand, so that
    /// the text after it counts.
    private static func question(_ comment: String) -> Question? {
        do { return try JSONDecoder().decode(Question.self, from: Data(comment.utf8)) } catch { return nil }
    }

    /// Returns the comment with the exact content of a question.
    private static func comment(_ question: Question) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A question is always encodable; without the comment, the text after it is still valid GIFT.
        do { return exact + String(decoding: try encoder.encode(question), as: UTF8.self) + "\n" } catch {
            return ""
        }
    }

    private struct Block {
        var text = ""
        var exact: String?
    }

    /// Divides a file at blank lines outside of braces, without comments.
    private static func blocks(of text: String) -> [Block] {
        var (blocks, open, depth): ([Block], Block, Int) = ([], Block(), 0)
        func close() {
            if !open.text.allSatisfy(\.isWhitespace) { blocks.append(open) }
            open = Block()
            depth = 0
        }
        let isLineEnd = { (character: Character) in character == "\n" || character == "\r\n" || character == "\r" }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd) {
            let trimmed = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
            if trimmed.hasPrefix("//") {
                if trimmed.hasPrefix(exact) { open.exact = String(trimmed.dropFirst(exact.count)) }
                continue
            }
            if trimmed.hasPrefix("$CATEGORY:") { continue }
            if trimmed.isEmpty {
                if depth <= 0 { close() } else { open.text += "\n" }
                continue
            }
            var isEscaped = false
            for character in trimmed {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "{" {
                    depth += 1
                } else if character == "}" {
                    depth -= 1
                }
            }
            open.text += (open.text.isEmpty ? "" : "\n") + trimmed
        }
        close()
        return blocks
    }

    private static func read(
        _ block: String, _ pictures: PictureFinder, into result: inout ImportedQuestions, _ newId: () -> UUID
    ) {
        var rest = block[...]
        var name: String?
        if rest.hasPrefix("::"), let end = rest.dropFirst(2).range(of: "::") {
            name = plain(rest[rest.index(rest.startIndex, offsetBy: 2)..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        guard let start = place(of: "{", in: rest), let end = place(of: "}", in: rest[rest.index(after: start)...])
        else {
            result.leftOut.append(.init(title: name ?? title(of: plain(rest)), reason: .kind))
            return
        }
        let body = rest[rest.index(after: start)..<end]
        let (before, after, parsed): (String, String, Answers)
        do {
            before = try formatted(rest[..<start], pictures)
            after = try formatted(rest[rest.index(after: end)...], pictures)
            parsed = try answers(body, pictures)
        } catch {
            result.leftOut.append(.init(title: name ?? title(of: plain(rest[..<start])), reason: error))
            return
        }
        let text = before + (after.isEmpty ? "" : " _____ " + after)
        let shownTitle = name ?? title(of: text)
        var question = Question(id: newId(), kind: parsed.kind, text: text, explanation: parsed.explanation)
        switch parsed.kind {
        case .trueFalse:
            question.options = Question.trueFalseOptions(isTrue: parsed.isTrue, ids: (newId(), newId()))
        case .multipleChoice:
            let hasFull = parsed.answers.contains { $0.share == 10_000 }
            let hasShares = parsed.answers.contains { $0.share != 0 && $0.share != 10_000 }
            question.options = parsed.answers.map { answer in
                QuestionOption(
                    id: newId(), text: answer.text, isRight: hasFull ? answer.share == 10_000 : answer.share > 0,
                    share: hasShares ? answer.share : nil)
            }
        case .shortAnswer:
            // Answers with a part of the points have no counterpart, and an answer must not count for more than it did.
            guard parsed.answers.allSatisfy({ $0.share == 10_000 }) else {
                result.leftOut.append(.init(title: shownTitle, reason: .rule))
                return
            }
            question.accepted = [parsed.answers.map(\.text)]
            if !after.isEmpty {
                question.kind = .fillInTheBlank
                question.text = "\(before) \(Blanks.mark) \(after)"
            }
        case .numeric:
            let tolerances = Set(parsed.answers.map { $0.tolerance ?? "0" })
            guard parsed.answers.allSatisfy({ $0.share == 10_000 }), tolerances.count == 1 else {
                result.leftOut.append(.init(title: shownTitle, reason: .rule))
                return
            }
            question.accepted = [parsed.answers.map(\.text)]
            question.tolerance = tolerances.first { $0 != "0" }
        case .fillInTheBlank: break
        }
        result.add(question, title: shownTitle, pictures.found)
    }

    private struct Answer {
        var text: String
        /// In hundredths of a percent.
        var share: Int
        var tolerance: String?
    }

    private struct Answers {
        var kind: Question.Kind
        var answers: [Answer] = []
        var isTrue = false
        var explanation: String?
    }

    /// Reads what is between the braces. Throws the reason why it has no counterpart.
    private static func answers(_ body: Substring, _ pictures: PictureFinder) throws(Reason) -> Answers {
        var body = body
        var explanation: String?
        if let general = range(of: "####", in: body) {
            explanation = try formatted(body[general.upperBound...], pictures)
            body = body[..<general.lowerBound]
        }
        let trimmed = body.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw .kind }
        if trimmed.hasPrefix("#") { return try numbers(trimmed.dropFirst(), explanation) }
        let parts = split(trimmed[...], at: ["=", "~"])
        if parts.isEmpty {
            let word = withoutFeedback(trimmed[...]).trimmingCharacters(in: .whitespaces).uppercased()
            guard ["T", "TRUE", "F", "FALSE"].contains(word) else { throw .kind }
            return Answers(kind: .trueFalse, isTrue: word.hasPrefix("T"), explanation: explanation)
        }
        let isChoice = parts.contains { $0.mark == "~" }
        var answers: [Answer] = []
        for part in parts {
            if !isChoice, range(of: "->", in: part.text) != nil { throw .kind }
            guard let weighted = weight(part.text, standard: part.mark == "=" ? 10_000 : 0) else { throw .kind }
            let text = try formatted(withoutFeedback(weighted.text), pictures, isPlain: true)
            answers.append(Answer(text: text, share: weighted.share))
        }
        return Answers(
            kind: isChoice ? .multipleChoice : .shortAnswer, answers: answers, explanation: explanation)
    }

    private static func numbers(_ body: Substring, _ explanation: String?) throws(Reason) -> Answers {
        var parts = split(body, at: ["=", "~"]).filter { $0.mark == "=" }.map(\.text)
        if parts.isEmpty { parts = [body] }
        var answers: [Answer] = []
        for part in parts {
            guard let weighted = weight(part, standard: 10_000) else { throw .kind }
            let text = plain(withoutFeedback(weighted.text)).trimmingCharacters(in: .whitespacesAndNewlines)
            var answer = Answer(text: text, share: weighted.share)
            if let dots = text.range(of: "..") {
                guard let low = ExactNumber(String(text[..<dots.lowerBound]).trimmingCharacters(in: .whitespaces)),
                    let high = ExactNumber(String(text[dots.upperBound...]).trimmingCharacters(in: .whitespaces))
                else { throw .kind }
                answer.text = "\((low.value + high.value) / 2)"
                answer.tolerance = "\((high.value - low.value) / 2)"
            } else if let colon = text.firstIndex(of: ":") {
                let tolerance = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                answer.text = text[..<colon].trimmingCharacters(in: .whitespaces)
                answer.tolerance = ExactNumber(tolerance) == .zero ? nil : tolerance
            }
            answers.append(answer)
        }
        return Answers(kind: .numeric, answers: answers, explanation: explanation)
    }

    /// Takes `%50%` off the beginning of an answer.
    private static func weight(_ text: Substring, standard: Int) -> (share: Int, text: Substring)? {
        let trimmed = text.drop { $0.isWhitespace }
        guard trimmed.hasPrefix("%"), let end = trimmed.dropFirst().firstIndex(of: "%") else {
            return (standard, text)
        }
        let number = trimmed[trimmed.index(after: trimmed.startIndex)..<end].trimmingCharacters(in: .whitespaces)
        guard let value = Double(number), abs(value) <= 100 else { return nil }
        return (Int((value * 100).rounded()), trimmed[trimmed.index(after: end)...])
    }

    /// Divides at marks that are not escaped; what precedes the first mark is left out.
    private static func split(_ text: Substring, at marks: Set<Character>) -> [(mark: Character, text: Substring)] {
        var parts: [(Character, Substring)] = []
        var (start, mark, isEscaped): (Substring.Index?, Character, Bool) = (nil, "=", false)
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if marks.contains(character) {
                if let start { parts.append((mark, text[start..<index])) }
                (start, mark) = (text.index(after: index), character)
            }
            index = text.index(after: index)
        }
        if let start { parts.append((mark, text[start...])) }
        return parts
    }

    private static func place(of mark: Character, in text: Substring) -> Substring.Index? {
        var isEscaped = false
        return text.indices.first { index in
            if isEscaped {
                isEscaped = false
                return false
            }
            isEscaped = text[index] == "\\"
            return text[index] == mark
        }
    }

    private static func range(of mark: String, in text: Substring) -> Range<Substring.Index>? {
        var from = text.startIndex
        while let found = text[from...].range(of: mark) {
            if found.lowerBound == text.startIndex || text[text.index(before: found.lowerBound)] != "\\" {
                return found
            }
            from = text.index(after: found.lowerBound)
        }
        return nil
    }

    private static func withoutFeedback(_ text: Substring) -> Substring {
        place(of: "#", in: text).map { text[..<$0] } ?? text
    }

    /// Returns a text without its format in brackets and without escapes. HTML becomes Markdown, or plain text for an
    /// answer. Throws the reason why it has no counterpart.
    private static func formatted(
        _ text: Substring, _ pictures: PictureFinder, isPlain: Bool = false
    ) throws(Reason) -> String {
        var rest = text.drop { $0.isWhitespace }
        var isHTML = false
        for format in ["html", "moodle", "plain", "markdown"] where rest.hasPrefix("[\(format)]") {
            isHTML = format == "html"
            rest = rest.dropFirst(format.count + 2)
        }
        let read = plain(rest)
        guard isHTML || ["<p>", "<br", "<img"].contains(where: read.contains) else {
            if read.contains("](\(MoodleXML.mark)") { throw .picture }
            return read
        }
        return isPlain
            ? try QuestionMarkup.plain(html: read, pictures) : try QuestionMarkup.markdown(html: read, pictures)
    }

    /// Returns a text without escapes and outer blanks. Line breaks of the file are blanks.
    private static func plain(_ text: Substring) -> String {
        var (read, isEscaped) = ("", false)
        for character in text {
            if isEscaped {
                isEscaped = false
                if character == "n" {
                    read.append("\n")
                } else {
                    if !"~=#{}:\\".contains(character) { read.append("\\") }
                    read.append(character)
                }
            } else if character == "\\" {
                isEscaped = true
            } else {
                read.append(character.isNewline ? " " : character)
            }
        }
        if isEscaped { read.append("\\") }
        return read.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The title of a question without a name: the beginning of its text.
    static func title(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 80 ? "\(line.prefix(79))…" : line
    }

    // MARK: - Writing

    /// Writes questions as a file. A question with pictures, which GIFT cannot carry, is named in a comment instead.
    public static func write(_ questions: [Question]) -> String {
        questions.map { question in
            question.isInGIFT ? write(question) : "// Left out, because GIFT carries no pictures: \(question.title)"
        }.joined(separator: "\n\n") + "\n"
    }

    private static func write(_ question: Question) -> String {
        let stored = comment(question)
        let explanation = question.explanation.map { "\n\t####" + escaped($0) } ?? ""
        let name = "::" + escaped(title(of: question.text)) + "::[markdown]"
        let text = escaped(question.text)
        let body: String
        switch question.kind {
        case .trueFalse: body = question.options.first?.isRight == true ? "TRUE" : "FALSE"
        case .multipleChoice:
            let right = question.options.count(where: \.isRight)
            body =
                question.options.map { option in
                    let share =
                        option.share ?? (right > 1 ? (option.isRight ? 10_000 / right : -10_000 / right) : nil)
                    let weight = share.map { "~%\(percent($0))%" } ?? (option.isRight ? "=" : "~")
                    return "\n\t\(weight)\(escaped(option.text))"
                }.joined() + "\n"
        case .shortAnswer: body = (question.accepted.first ?? []).map { "=\(escaped($0))" }.joined(separator: " ")
        case .numeric:
            let tolerance = question.tolerance.map { ":\($0)" } ?? ""
            let numbers = (question.accepted.first ?? []).map { "=\($0)\(tolerance)" }
            body = "#" + numbers.joined(separator: " ")
        case .fillInTheBlank:
            let parts = Blanks.parts(of: question.text)
            let first = question.accepted.first ?? []
            let rest = parts.dropFirst().joined(separator: "_____")
            return stored + name + escaped(parts.first ?? "") + "{"
                + first.map { "=\(escaped($0))" }.joined(separator: " ")
                + explanation + "}" + escaped(rest)
        }
        return stored + name + text + "{" + body + explanation + "}"
    }

    private static func percent(_ share: Int) -> String {
        let text = String(format: "%.2f", Double(share) / 100)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { all, character in
            switch character {
            case "~", "=", "#", "{", "}", ":", "\\": all += "\\\(character)"
            case _ where character.isNewline: all += "\\n"
            default: all.append(character)
            }
        }
    }
}

extension Question {
    /// Whether a file in GIFT can carry the question.
    public var isInGIFT: Bool { pictures.isEmpty }

    /// The title of the question: the beginning of its text.
    public var title: String { GIFT.title(of: text) }

    /// Returns the question with new ids, so that an import never changes a question that exists.
    public func renewed(_ newId: () -> UUID) -> Question {
        Question(
            id: newId(), kind: kind, text: text, pictures: pictures,
            options: options.map {
                QuestionOption(id: newId(), text: $0.text, isRight: $0.isRight, share: $0.share)
            }, accepted: accepted, tolerance: tolerance, ignoresAccents: ignoresAccents, points: points,
            explanation: explanation)
    }
}
