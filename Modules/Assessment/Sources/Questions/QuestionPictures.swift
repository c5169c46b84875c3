import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// A picture that is added to a question with its form.
struct PictureDraft: Sendable {
    /// The part of a question to which a picture is added.
    enum Place: String, CaseIterable, Sendable {
        case text, option1, option2, option3, option4, option5, option6, explanation

        /// The number of the option; `nil` for another place.
        var option: Int? { rawValue.hasPrefix("option") ? Int(rawValue.dropFirst("option".count)) : nil }
    }

    let file: UploadedFile?
    let alternative: String?
    let place: Place

    init(_ fields: inout FieldReader) {
        file = fields.optionalFiles("picture", max: 1).first
        alternative = fields.optionalText("pictureAlternative", max: QuestionPicture.longestAlternative)
        place = fields.optionalChoice("picturePlace") ?? .text
    }
}

/// A picture that was stored in the school and is not part of a question yet.
struct StoredPicture: Sendable {
    let fileName: String
    let alternative: String
    let place: PictureDraft.Place
    let hash: BlobHash
    let width: Int
    let height: Int
}

/// Stores the pictures of questions, and shows them.
struct QuestionPictures: Sendable {
    static let bodyLimit = ImageLimits.bytes + (256 << 10)

    let access: QuizAccess
    let images: any ImageShrinking

    /// Stores the picture of a form; `nil` if the form has none. Throws `Problem` 422 for a picture without a text
    /// alternative, and for a file that is no picture.
    func store(_ draft: PictureDraft, _ context: RequestContext) async throws -> StoredPicture? {
        guard let file = draft.file else {
            if draft.alternative != nil { throw Problem.invalid("picture", "required") }
            return nil
        }
        guard let alternative = draft.alternative else { throw Problem.invalid("pictureAlternative", "required") }
        let made: ShrunkImage
        do throws(ImageFault) {
            made = try await images.shrink(file.content, to: [QuestionPicture.side])[0]
        } catch {
            throw Problem.invalid("picture", "assessment.picture")
        }
        return StoredPicture(
            fileName: file.name, alternative: alternative, place: draft.place,
            hash: try await context.files.put(made.bytes), width: made.width, height: made.height)
    }

    /// The pictures of a quiz: for those who lead the course, and for students who have started an attempt.
    var download: DownloadRoute {
        DownloadRoute("/quizzes/{quizId}/pictures/{hash}", access: .member(.viewCourses)) { parameters, context in
            guard let quizId = parameters["quizId"].flatMap(UUID.init(text:)),
                let hash = parameters["hash"].flatMap(BlobHash.init(_:))
            else { throw Problem.notFound }
            let membership = try context.membership
            let isSeen = try await context.school.read { sql in
                let (quiz, _, leads) = try access.quiz(quizId, enteredBy: membership, in: sql)
                guard try PictureRepository.has(hash, in: quiz.id, in: sql) else {
                    // The preview draws questions from the bank.
                    return try leads && PictureRepository.isInBank(hash, of: membership.personId, in: sql)
                }
                return try leads
                    || !AttemptRepository.attempts(of: membership.personId, at: quiz.id, in: sql).isEmpty
            }
            guard isSeen else { throw Problem.notFound }
            return try await DownloadedFile(hash, .jpeg, of: context.files)
        }
    }
}

extension QuestionDraft {
    /// Adds a picture to the part of a question that the form names.
    static func add(_ stored: StoredPicture, to question: inout Question, options: inout [Option]) throws {
        guard question.pictures.count < QuestionPicture.most else {
            throw Problem.invalid("picture", "assessment.tooManyPictures", [.number(QuestionPicture.most)])
        }
        let name = QuestionPicture.name(for: stored.fileName, besides: Set(question.pictures.map(\.name)))
        let picture = QuestionPicture(name: name, hash: stored.hash, width: stored.width, height: stored.height)
        question.pictures.append(picture)
        let shown = picture.markdown(alternative: stored.alternative)
        func appended(_ text: String?, _ space: String) -> String {
            text.map { $0.isEmpty ? shown : $0 + space + shown } ?? shown
        }
        if let number = stored.place.option, question.kind == .multipleChoice {
            let old = options[number - 1]
            options[number - 1] = Option(id: old.id, text: appended(old.text, " "), isRight: old.isRight)
        } else if stored.place == .explanation {
            question.explanation = appended(question.explanation, "\n\n")
        } else {
            question.text = appended(question.text, "\n\n")
        }
    }
}

/// The pictures to which quizzes and questions of the bank refer.
enum PictureRepository {
    static func has(_ hash: BlobHash, in quizId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM assessment_pictures WHERE quiz_id = \(quizId) AND sha256 = \(hash)")
    }

    /// Whether a question of the bank that a person sees has a picture.
    static func isInBank(_ hash: BlobHash, of personId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM assessment_bank_pictures p JOIN assessment_bank b ON b.id = p.bank_id
            WHERE p.sha256 = \(hash) AND (b.person_id = \(personId) OR b.is_shared = 1) LIMIT 1
            """)
    }

    /// Adds the pictures of questions to those of a quiz.
    static func add(_ questions: [Question], to quizId: UUID, in sql: any SQLWriting) throws {
        for hash in hashes(questions) {
            try sql.execute(
                """
                INSERT INTO assessment_pictures (quiz_id, sha256) VALUES (\(quizId), \(hash))
                ON CONFLICT (quiz_id, sha256) DO NOTHING
                """)
        }
    }

    /// Sets the pictures of a quiz to those of its questions. Pictures of attempts stay.
    static func set(_ questions: [Question], of quizId: UUID, in sql: any SQLWriting) throws {
        let stored: [BlobHash] = try sql.rows("SELECT sha256 FROM assessment_pictures WHERE quiz_id = \(quizId)")
            .map { try $0.get("sha256") }
        let wanted = hashes(questions)
        for hash in stored where !wanted.contains(hash) {
            let isAttempted = try sql.exists(
                """
                SELECT 1 FROM assessment_versions WHERE quiz_id = \(quizId) AND body LIKE \("%\(hash)%") LIMIT 1
                """)
            if isAttempted { continue }
            try sql.execute("DELETE FROM assessment_pictures WHERE quiz_id = \(quizId) AND sha256 = \(hash)")
        }
        if !wanted.isSubset(of: stored) { try add(questions, to: quizId, in: sql) }
    }

    static func remove(_ quizId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM assessment_pictures WHERE quiz_id = \(quizId)")
    }

    /// Stores the pictures of a question of the bank.
    static func add(_ question: Question, toBank bankId: UUID, in sql: any SQLWriting) throws {
        for hash in hashes([question]) {
            try sql.execute("INSERT INTO assessment_bank_pictures (bank_id, sha256) VALUES (\(bankId), \(hash))")
        }
    }

    static func removeFromBank(_ bankId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM assessment_bank_pictures WHERE bank_id = \(bankId)")
    }

    private static func hashes(_ questions: [Question]) -> Set<BlobHash> {
        Set(questions.flatMap(\.pictures).map(\.hash))
    }
}
