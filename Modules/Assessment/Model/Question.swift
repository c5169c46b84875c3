public import Foundation

/// A question of a quiz with its key, that is, with the right answers.
public struct Question: Identifiable, Codable, Sendable, Hashable {
    /// The kind of a question, which determines how it is answered and scored.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case multipleChoice, trueFalse, numeric, fillInTheBlank, shortAnswer
    }

    public let id: UUID
    public var kind: Kind
    /// The text of the question as Markdown, with formulas between dollar signs (`FormulaText`). `{{blank}}` stands for a
    /// blank of a text with blanks.
    public var text: String
    /// The pictures that the texts of the question and of its options name: `![alternative](name)`.
    public var pictures: [QuestionPicture]
    /// The options of a multiple-choice question, and the two of true or false, whose texts are empty.
    public var options: [QuestionOption]
    /// The accepted answers: a list for each blank, or one list for a short answer or a number.
    public var accepted: [[String]]
    /// The largest accepted difference from a number, such as `0.5`; `nil` for none.
    public var tolerance: String?
    /// Whether answers may leave out accents.
    public var ignoresAccents: Bool
    /// The points in hundredths; `nil` for the quiz's default.
    public var points: Int?
    /// The text that a student reads with the result; `nil` for none.
    public var explanation: String?
    /// Whether every student gets the full points, because the question was faulty.
    public var isFullForAll: Bool
    /// The id of the question that this one is a copy of; `nil` if it is no copy.
    public var originId: UUID?

    public init(
        id: UUID, kind: Kind, text: String, pictures: [QuestionPicture] = [], options: [QuestionOption] = [],
        accepted: [[String]] = [], tolerance: String? = nil, ignoresAccents: Bool = false, points: Int? = nil,
        explanation: String? = nil,
        isFullForAll: Bool = false, originId: UUID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.text = text
        self.pictures = pictures
        self.options = options
        self.accepted = accepted
        self.tolerance = tolerance
        self.ignoresAccents = ignoresAccents
        self.points = points
        self.explanation = explanation
        self.isFullForAll = isFullForAll
        self.originId = originId
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decode(UUID.self, forKey: .id), kind: values.decode(Kind.self, forKey: .kind),
            text: values.decode(String.self, forKey: .text),
            // Questions that were stored before there were pictures have none.
            pictures: values.decodeIfPresent([QuestionPicture].self, forKey: .pictures) ?? [],
            options: values.decode([QuestionOption].self, forKey: .options),
            accepted: values.decode([[String]].self, forKey: .accepted),
            tolerance: values.decodeIfPresent(String.self, forKey: .tolerance),
            ignoresAccents: values.decode(Bool.self, forKey: .ignoresAccents),
            points: values.decodeIfPresent(Int.self, forKey: .points),
            explanation: values.decodeIfPresent(String.self, forKey: .explanation),
            isFullForAll: values.decode(Bool.self, forKey: .isFullForAll),
            originId: values.decodeIfPresent(UUID.self, forKey: .originId))
    }

    /// Whether several options are right, so that a student may choose several.
    public var takesSeveral: Bool {
        kind == .multipleChoice && options.count(where: \.isRight) > 1
    }

    /// The number of texts that an answer has: one for each blank, one for a short answer or a number.
    public var textCount: Int {
        switch kind {
        case .multipleChoice, .trueFalse: 0
        case .shortAnswer, .numeric: 1
        case .fillInTheBlank: Blanks.count(in: text)
        }
    }
}

/// One option of a question. It is identified by its id, never by its position.
public struct QuestionOption: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    /// The text of the option; empty for true and false.
    ///
    /// It is shown as it was typed, apart from pictures of the question and formulas (`OptionText`).
    public var text: String
    public var isRight: Bool
    /// The part of the points that the option gives, in hundredths of a percent: 5000 is half.
    ///
    /// A negative part takes points away. `nil` divides the points among the right options.
    public var share: Int?

    public init(id: UUID, text: String, isRight: Bool, share: Int? = nil) {
        self.id = id
        self.text = text
        self.isRight = isRight
        self.share = share
    }
}

/// A student's answer to one question.
public struct QuizAnswer: Codable, Sendable, Hashable {
    /// The ids of the chosen options.
    public var optionIds: [UUID]
    /// The typed texts, as they were typed, one for each blank.
    public var texts: [String]
    /// The number that the student meant with an ambiguous text, such as `16000` for `16,000`.
    ///
    /// `nil` if the text can be read in one way only.
    public var number: String?

    public init(optionIds: [UUID] = [], texts: [String] = [], number: String? = nil) {
        self.optionIds = optionIds
        self.texts = texts
        self.number = number
    }

    /// Whether the student has chosen or typed nothing.
    public var isEmpty: Bool {
        optionIds.isEmpty && texts.allSatisfy { $0.allSatisfy(\.isWhitespace) }
    }
}

/// A reason why a question cannot be asked.
public enum QuestionFault: String, Error, Sendable, Hashable, CaseIterable {
    /// A multiple-choice question needs 2 to 6 options.
    case optionCount
    /// No option is right.
    case noRightOption
    /// Two options have the same text.
    case sameOptions
    /// The text has no `{{blank}}`, or more of them than accepted answers, or fewer.
    case blankCount
    /// The question has no accepted answer.
    case noAnswer
    /// An accepted number or the tolerance is not a number.
    case notANumber
}

extension Question {
    /// The numbers of options that a multiple-choice question may have.
    public static let optionCounts = 2...6
    /// The most characters of a question's text.
    public static let longestText = 10_000
    /// The most characters of an option.
    public static let longestOption = 1000
    /// The most characters of an explanation, and of all accepted answers together.
    public static let longestExplanation = 5000

    /// Returns the first reason why the question cannot be asked; `nil` for a valid question.
    public var fault: QuestionFault? {
        switch kind {
        case .multipleChoice:
            if !Self.optionCounts.contains(options.count) { return .optionCount }
            if !options.contains(where: \.isRight) { return .noRightOption }
            return Set(options.map(\.text)).count < options.count ? .sameOptions : nil
        case .trueFalse:
            return options.count == 2 && options.filter(\.isRight).count == 1 ? nil : .noRightOption
        case .shortAnswer:
            return accepted.first?.isEmpty ?? true ? .noAnswer : nil
        case .fillInTheBlank:
            let count = Blanks.count(in: text)
            if count == 0 || count != accepted.count { return .blankCount }
            return accepted.contains(where: \.isEmpty) ? .noAnswer : nil
        case .numeric:
            guard let numbers = accepted.first, !numbers.isEmpty else { return .noAnswer }
            let isReadable = numbers.allSatisfy { ExactNumber($0) != nil }
            return isReadable && tolerance.map { ExactNumber($0).map { $0 >= .zero } ?? false } ?? true
                ? nil : .notANumber
        }
    }

    /// The options of true or false, which need no text. The first one stands for true.
    public static func trueFalseOptions(isTrue: Bool, ids: (UUID, UUID)) -> [QuestionOption] {
        [
            QuestionOption(id: ids.0, text: "", isRight: isTrue),
            QuestionOption(id: ids.1, text: "", isRight: !isTrue),
        ]
    }
}

/// The blanks of a text: `The {{blank}} is {{blank}}.`
public enum Blanks {
    /// The mark of a blank in a question's text.
    public static let mark = "{{blank}}"

    /// Returns the number of blanks in a text.
    public static func count(in text: String) -> Int { parts(of: text).count - 1 }

    /// Returns the texts before, between and after the blanks.
    public static func parts(of text: String) -> [String] { text.components(separatedBy: mark) }
}
