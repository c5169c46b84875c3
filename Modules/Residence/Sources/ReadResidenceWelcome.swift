import FeatureKit

/// The first words that the block says; replace it with its first real question.
struct ReadResidenceWelcome: Query {
    struct Result: Codable, Sendable {
        let title: String
    }

    static let contract = Contract(
        "residence.welcome", "/api/v1/residence/welcome", access: .account,
        summary: "Reads the welcome of Residence.")

    init(_ fields: inout FieldReader) {}
}
