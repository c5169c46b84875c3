public import Foundation

/// Questions that were read from a file of another program.
public struct ImportedQuestions: Sendable, Hashable {
    /// A question of the file that has no counterpart here.
    public struct LeftOut: Codable, Sendable, Hashable {
        /// The reason why a question of a file was left out.
        public enum Reason: String, Error, Codable, Sendable, Hashable, CaseIterable {
            /// The kind of question does not exist here, such as matching or an essay.
            case kind
            /// The question has no right answer, or too many or too few options.
            case invalid
            /// The question's text cannot be read.
            case unreadable
            /// The question contains a picture that the file does not have, or that cannot be read.
            case picture
            /// The question contains a formula that has no counterpart.
            case formula
            /// The question contains a film, a sound or another page, which would be missing.
            case media
            /// The question's rule of marking does not exist here, such as half of the points for one spelling.
            case rule
            /// The question is longer than a question here may be.
            case tooLong
        }

        public let title: String
        public let reason: Reason

        public init(title: String, reason: Reason) {
            self.title = title
            self.reason = reason
        }
    }

    /// The pictures of a question as they were in the file, with the question's title.
    public struct Pictures: Sendable, Hashable {
        public let title: String
        public let files: [ImportedPicture]
    }

    public var questions: [Question]
    public var leftOut: [LeftOut]
    /// The pictures of the questions as they were in the file, by the id of the question.
    public var pictures: [UUID: Pictures]

    public init(questions: [Question] = [], leftOut: [LeftOut] = [], pictures: [UUID: Pictures] = [:]) {
        self.questions = questions
        self.leftOut = leftOut
        self.pictures = pictures
    }

    /// Adds the questions of another file.
    public mutating func add(_ other: ImportedQuestions) {
        questions += other.questions
        leftOut += other.leftOut
        pictures.merge(other.pictures) { $1 }
    }

    /// Adds a question with its pictures, or lists it as left out if it cannot be asked.
    mutating func add(_ question: Question, title: String, _ found: [ImportedPicture] = []) {
        let isTooLong =
            question.text.count > Question.longestText
            || (question.explanation?.count ?? 0) > Question.longestExplanation
            || question.options.contains { $0.text.count > Question.longestOption }
            || question.accepted.joined().reduce(0) { $0 + $1.count } > Question.longestExplanation
        if question.fault != nil || question.text.allSatisfy(\.isWhitespace) {
            leftOut.append(LeftOut(title: title, reason: .invalid))
        } else if isTooLong {
            leftOut.append(LeftOut(title: title, reason: .tooLong))
        } else {
            questions.append(question)
            if !found.isEmpty { pictures[question.id] = Pictures(title: title, files: found) }
        }
    }
}
