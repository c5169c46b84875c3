import Domain
public import FeatureKit
import Foundation

/// The models that this server offers its schools; a school may have its own key.
public struct ServerModels: Sendable {
    public let text: any TextModel
    public let speech: any SpeechToText
    /// The server's own key; `nil` where each school brings its own.
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

/// What a school chose.
struct ModelSettings: Sendable, Hashable {
    /// In whole dollars a month.
    static let standardLimit = 5

    var sealedKey: String?
    /// The last four characters of the key, the only ones that are shown again.
    var keyEnd: String?
    var textModel: String?
    var speechModel: String?
    var monthlyLimit = Self.standardLimit
}

/// What a use costs, in millionths of a dollar, rounded up: the published prices of the standard models. Whoever uses
/// others reads an estimate.
enum ModelPrice {
    /// 0.15 dollars for a million tokens read, 0.60 for a million written.
    static func text(_ answer: ModelAnswer) -> Int {
        (answer.inputTokens * 15 + answer.outputTokens * 60 + 99) / 100
    }
    /// 0.006 dollars a minute.
    static func speech(_ transcript: Transcript) -> Int { Int((transcript.seconds * 100).rounded(.up)) }
}

/// The SQL of a school's settings and use of models.
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

    /// Millionths of a dollar that the school used in the month of a day.
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

/// Which key is used: the school's own, then the server's (PT-2.13).
struct ConfigService: Sendable {
    let models: ServerModels

    struct Access: Sendable {
        let key: String
        let textModel: String
        let speechModel: String
    }

    func sealed(_ key: String, of schoolId: UUID) throws -> String {
        try models.cryptography.seal(Array(key.utf8), for: Self.purpose(schoolId))
    }

    /// - Returns: `nil` where there is no key.
    func access(_ settings: ModelSettings, of schoolId: UUID) throws -> Access? {
        let own = try settings.sealedKey.map {
            String(decoding: try models.cryptography.open($0, for: Self.purpose(schoolId)), as: UTF8.self)
        }
        guard let key = own ?? models.key else { return nil }
        return Access(
            key: key, textModel: settings.textModel ?? models.textModel,
            speechModel: settings.speechModel ?? models.speechModel)
    }

    static func month(_ day: Day) -> String { String(day.description.prefix(7)) }

    private static func purpose(_ schoolId: UUID) -> String { "models.key:\(schoolId.text)" }
}
