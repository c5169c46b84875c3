import Domain
public import FeatureKit
import Foundation

/// The models that this server offers to its schools. A school may have its own key.
public struct ServerModels: Sendable {
    public let text: any TextModel
    public let speech: any SpeechToText
    /// The server's own key for the service of models; `nil` if each school needs its own.
    public let key: String?
    public let textModel: String
    public let speechModel: String
    public let cryptography: any Cryptography

    public init(
        text: any TextModel, speech: any SpeechToText, key: String?, textModel: String = "gpt-4o-mini",
        speechModel: String = "whisper-1", cryptography: any Cryptography
    ) {
        self.text = text
        self.speech = speech
        self.key = key
        self.textModel = textModel
        self.speechModel = speechModel
        self.cryptography = cryptography
    }
}

/// A school's settings for models.
struct ModelSettings: Sendable, Hashable {
    /// The standard limit, in whole dollars a month.
    static let standardLimit = 5

    /// The school's key, encrypted; `nil` without one.
    var sealedKey: String?
    /// The last four characters of the key, which pages show.
    var keyEnd: String?
    var textModel: String?
    var speechModel: String?
    /// The limit in whole dollars a month.
    var monthlyLimit = Self.standardLimit
}

/// The cost of a request in millionths of a dollar, rounded up, by the published prices of the standard models.
///
/// For other models the cost is an estimate.
enum ModelPrice {
    /// 0.15 dollars for a million input tokens, 0.60 for a million output tokens.
    static func text(_ answer: ModelAnswer) -> Int {
        (answer.inputTokens * 15 + answer.outputTokens * 60 + 99) / 100
    }
    /// 0.006 dollars a minute.
    static func speech(_ transcript: Transcript) -> Int { Int((transcript.seconds * 100).rounded(.up)) }
}

/// Reads and writes a school's model settings and costs.
enum ModelRepository {
    static func settings(in sql: any SQLReading) throws -> ModelSettings {
        guard let row = try sql.row("SELECT * FROM model_settings WHERE id = 1") else { return ModelSettings() }
        return try ModelSettings(
            sealedKey: row.optional("sealed_key"), keyEnd: row.optional("key_end"),
            textModel: row.optional("text_model"), speechModel: row.optional("speech_model"),
            monthlyLimit: row.get("monthly_limit"))
    }

    static func save(_ settings: ModelSettings, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO model_settings (id, sealed_key, key_end, text_model, speech_model, monthly_limit)
            VALUES (1, \(settings.sealedKey), \(settings.keyEnd), \(settings.textModel), \(settings.speechModel),
                \(settings.monthlyLimit))
            ON CONFLICT (id) DO UPDATE SET sealed_key = excluded.sealed_key, key_end = excluded.key_end,
                text_model = excluded.text_model, speech_model = excluded.speech_model,
                monthly_limit = excluded.monthly_limit
            """)
    }

    /// The cost of a month, in millionths of a dollar.
    ///
    /// - Parameter month: `2026-11`.
    static func used(in month: String, _ sql: any SQLReading) throws -> Int {
        try sql.value("SELECT micro_dollars FROM model_use WHERE month = \(month)") ?? 0
    }

    static func add(_ microDollars: Int, to month: String, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO model_use (month, micro_dollars, calls) VALUES (\(month), \(microDollars), 1)
            ON CONFLICT (month) DO UPDATE SET micro_dollars = model_use.micro_dollars + excluded.micro_dollars,
                calls = model_use.calls + 1
            """)
    }
}

/// Selects the key for the models: the school's own first, then the server's (PT-2.13).
struct ConfigService: Sendable {
    /// A key with the models to use.
    let models: ServerModels

    struct Access: Sendable {
        let key: String
        let textModel: String
        let speechModel: String
    }

    func sealed(_ key: String, of schoolId: UUID) throws -> String {
        try models.cryptography.seal(Array(key.utf8), for: Self.purpose(schoolId))
    }

    /// Returns the key and the models; `nil` without a key.
    func access(_ settings: ModelSettings, of schoolId: UUID) throws -> Access? {
        let own = try settings.sealedKey.map {
            String(decoding: try models.cryptography.open($0, for: Self.purpose(schoolId)), as: UTF8.self)
        }
        guard let key = own ?? models.key else { return nil }
        return Access(
            key: key, textModel: settings.textModel ?? models.textModel,
            speechModel: settings.speechModel ?? models.speechModel)
    }

    /// The month of a day, as `2026-11`.
    static func month(_ day: Day) -> String { String(day.description.prefix(7)) }

    private static func purpose(_ schoolId: UUID) -> String { "models.key:\(schoolId.text)" }
}
