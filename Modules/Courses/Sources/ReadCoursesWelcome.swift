import FeatureKit

/// The first words that the block says; replace it with its first real question.
struct ReadCoursesWelcome: Query {
    struct Result: Codable, Sendable {
        let title: String
    }

    static let contract = Contract(
        "courses.welcome", "/api/v1/courses/welcome", access: .account,
        summary: "Reads the welcome of Courses.")

    init(_ fields: inout FieldReader) {}
}
