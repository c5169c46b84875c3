import FeatureKit

/// The first words that the block says; replace it with its first real question.
struct ReadEnrollmentWelcome: Query {
    struct Result: Codable, Sendable {
        let title: String
    }

    static let contract = Contract(
        "enrollment.welcome", "/api/v1/enrollment/welcome", access: .account,
        summary: "Reads the welcome of Enrollment.")

    init(_ fields: inout FieldReader) {}
}
