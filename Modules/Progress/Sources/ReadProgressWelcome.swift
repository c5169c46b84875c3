import FeatureKit

/// The first words that the block says; replace it with its first real question.
struct ReadProgressWelcome: Query {
    struct Result: Codable, Sendable {
        let title: String
    }

    static let contract = Contract(
        "progress.welcome", "/api/v1/progress/welcome", access: .account,
        summary: "Reads the welcome of Progress.")

    init(_ fields: inout FieldReader) {}
}
