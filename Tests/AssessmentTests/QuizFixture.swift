import AssessmentModel
import CoursesInterface
import CoursesTesting
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import GradingInterface
import OrganizationInterface
import OrganizationTesting
import TestKit
import Testing

@testable import Assessment

/// The block in a school with one course, its teacher and two of its students.
struct QuizFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let teacher: Caller
    let stranger: Caller
    let mia: Caller
    let noah: Caller
    let course: Course

    init(images: any ImageShrinking = TestImages()) async throws {
        feature = try AssessmentFeature.make(
            courses: TestCourses(), roster: TestCourses(), people: TestPeople(), markdown: StarMarkdown(),
            images: images, unpacker: PlainArchive(), packer: PlainArchive())
        let school = try await TestSchool(
            [TestPeople.feature(), TestCourses.feature(), feature], clock: FixedClock())
        self.school = school
        func person(_ role: Role, _ name: String) async throws -> Caller {
            try await TestPeople.add(school.makeCaller(role), name, to: school.database)
        }
        teacher = try await person(.guide, "Tea Cher")
        stranger = try await person(.guide, "Olga Other")
        mia = try await person(.student, "Mia Roy")
        noah = try await person(.student, "Noah Roy")
        course = try await TestCourses.addAlgebra(
            school.ids.id(at: school.clock.now), taughtBy: [Self.id(teacher)], to: [mia, noah].map(Self.id),
            at: school.clock.now, in: school.database)
    }

    // MARK: - Teachers

    /// Creates a quiz; `rules` change the fields of its form.
    @discardableResult
    func quiz(_ rules: [String: InputValue] = [:]) async throws -> Quiz {
        var fields: [String: InputValue] = ["courseId": .id(course.id), "title": "Silk road", "showsAnswers": true]
        fields.merge(rules) { $1 }
        return try await school.execute(CreateQuiz.self, .object(fields), as: teacher)
    }

    func change(_ quiz: Quiz, _ rules: [String: InputValue]) async throws -> Quiz {
        var fields: [String: InputValue] = [
            "quizId": .id(quiz.id), "title": .text(quiz.title), "showsAnswers": true,
        ]
        fields.merge(rules) { $1 }
        return try await school.execute(UpdateQuiz.self, .object(fields), as: teacher)
    }

    /// Adds a question with options, of which the first `right` are right.
    @discardableResult
    func choice(
        _ quiz: Quiz, _ options: [String] = ["Rome", "Tyre", "Kashgar"], right: Int = 1, points: String? = nil
    ) async throws -> Question {
        var fields: [String: InputValue] = [
            "quizId": .id(quiz.id), "kind": "multipleChoice", "text": "Which city?",
        ]
        for (index, option) in options.enumerated() {
            fields["option\(index + 1)"] = .text(option)
            fields["isRight\(index + 1)"] = .bool(index < right)
        }
        fields["points"] = points.map { .text($0) }
        return try await school.execute(AddQuestion.self, .object(fields), as: teacher)
    }

    @discardableResult
    func short(_ quiz: Quiz, _ accepted: String = "a quarter", points: String? = nil) async throws -> Question {
        var fields: [String: InputValue] = [
            "quizId": .id(quiz.id), "kind": "shortAnswer", "text": "Half of a half?", "accepted": .text(accepted),
        ]
        fields["points"] = points.map { .text($0) }
        return try await school.execute(AddQuestion.self, .object(fields), as: teacher)
    }

    func publish(_ quiz: Quiz) async throws {
        try await school.execute(
            PublishQuiz.self, ["quizId": .id(quiz.id), "isPublished": true], as: teacher)
    }

    /// A published quiz with one short answer.
    @discardableResult
    func published(_ rules: [String: InputValue] = [:]) async throws -> (quiz: Quiz, question: Question) {
        let quiz = try await quiz(rules)
        let question = try await short(quiz)
        try await publish(quiz)
        return (quiz, question)
    }

    // MARK: - Students

    @discardableResult
    func start(_ quiz: Quiz, as student: Caller) async throws -> AttemptState {
        try await school.execute(StartQuiz.self, ["quizId": .id(quiz.id)], as: student)
    }

    @discardableResult
    func answer(
        _ state: AttemptState, _ question: UUID, texts: [String] = [], options: [UUID] = [], as student: Caller
    ) async throws -> SavedAnswer {
        try await school.execute(
            SaveAnswer.self,
            [
                "quizId": .id(state.attempt.quizId), "attemptId": .id(state.attempt.id),
                "questionId": .id(question),
                "optionIds": .ids(options), "texts": .list(texts.map { .object(["text": .text($0)]) }),
            ], as: student)
    }

    func handIn(_ state: AttemptState, as student: Caller) async throws {
        try await school.execute(
            HandInQuiz.self, ["quizId": .id(state.attempt.quizId), "attemptId": .id(state.attempt.id)], as: student)
    }

    @discardableResult
    func read(_ state: AttemptState, as student: Caller) async throws -> QuizAttempt {
        try await school.answer(
            ReadAttempt.self, ["quizId": .id(state.attempt.quizId), "attemptId": .id(state.attempt.id)], as: student
        ).attempt
    }

    /// The scores of the attempts at a quiz as they are stored, in hundredths.
    func scores(_ quiz: Quiz) async throws -> [Int?] {
        try await school.database.read { try AttemptRepository.attempts(at: quiz.id, in: $0) }.map(\.attempt.score)
    }

    /// Closes attempts and releases results, as the server does at intervals.
    func runJobs() async throws {
        let (environment, id) = (school.environment, school.organization.id)
        let runner = JobRunner(
            environment.features.flatMap(\.jobs), directory: environment.directory, schools: environment.schools,
            allSchools: { [id] }, hub: environment.hub, clock: school.clock, ids: school.ids,
            report: { Issue.record("\($0.error)") })
        await runner.runDue()
    }

    /// The grade item of a quiz, as the gradebook reads it.
    func gradeItem(_ quiz: Quiz) async throws -> [UUID: Int] {
        try await school.database.read { sql in
            try GradedQuizzes().items(of: quiz.courseId, in: sql).first { $0.id == quiz.id }?.marks.mapValues(
                \.count)
                ?? [:]
        }
    }
}

/// A substitute for ZIP files: the files as JSON after the mark of a ZIP file.
private struct PlainArchive: Packing, Unpacking {
    private struct File: Codable {
        let name: String
        let content: Data
    }

    func zip(_ parts: [ArchivePart]) throws -> Data {
        let files = parts.compactMap { part in
            if case .bytes(let content) = part.content { File(name: part.name, content: content) } else { nil }
        }
        return try Data("PK".utf8) + JSONEncoder().encode(files)
    }

    func unzip(_ bytes: [UInt8], limits: UnpackingLimits) throws(UnpackingFault) -> [UnpackedFile] {
        do {
            return try JSONDecoder().decode([File].self, from: Data(bytes.dropFirst(2))).map {
                UnpackedFile(name: $0.name, bytes: Array($0.content))
            }
        } catch { throw .damaged }
    }
}
