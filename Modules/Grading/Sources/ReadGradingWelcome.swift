import FeatureKit

/// The first words that the block says; replace it with its first real question.
struct ReadGradingWelcome: Query {
    struct Result: Codable, Sendable {
        let title: String
    }

    static let contract = Contract(
        "grading.welcome", "/api/v1/grading/welcome", access: .account,
        summary: "Reads the welcome of Grading.")

    init(_ fields: inout FieldReader) {}
}
