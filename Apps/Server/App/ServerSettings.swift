import Configuration
import FeatureKit
public import Foundation
public import Logging
import SystemPackage
public import Web

/// The settings of a server, from flags, then `PINKTOWER_*` in the environment, then `pinktower.yaml`.
public struct ServerSettings: Sendable {
    public var host = "127.0.0.1"
    public var port = 8080
    public var dataFolder = URL(filePath: "data")
    /// The address at which people reach this server, for links in QR codes and mails.
    public var publicURL = "http://127.0.0.1:8080"
    public var trustsProxy = false
    /// The program that sends mails; `nil` stores them in `outbox` in the data folder.
    public var sendmail: String?
    /// The address in the "From" line of the mails that the server sends.
    public var mailFrom = "pinktower@localhost"
    /// Whether the address of a new account must be confirmed before its first session. By default this is so if
    /// mails are sent.
    public var confirmsMail = false
    /// This server's identity for Sign in with Apple; `nil` switches it off.
    public var apple: AppleSettings?
    /// This server's identity for Apple's push service; `nil` switches push to Apple's devices off.
    public var apns: AppPushSettings?
    /// Whether push services may be on this machine; only for tests.
    public var pushToLoopback = false
    /// The models that schools may use. Without a key, each school needs its own.
    public var models = ModelServerSettings()
    /// The largest backup that a browser can send, in megabytes. Larger ones are restored on the command line.
    public var restoreLimit = 64
    /// The names of the feature blocks to switch on; `nil` switches on all that are compiled in.
    public var features: [String]?
    public var logLevel = Logger.Level.notice
    /// The delay of every commit in milliseconds, to simulate a slow disk in benchmarks.
    public var commitDelay = 0
    /// Whether passwords get a fast and weak hash; only for tests on this machine.
    public var weakPasswordHash = false
    /// The limits for each client. They are not settings: `serve` adapts them to the machine, and tests make them
    /// small.
    public var limits = ServerLimits()

    public init() {}

    /// Whether browsers reach this server over TLS.
    public var isSecure: Bool { publicURL.hasPrefix("https://") }

    /// The error for a configuration with faults. Its message lists all of them.
    public struct Malformed: Error, CustomStringConvertible {
        public let faults: [String]
        public var description: String {
            "The configuration cannot be used:\n" + faults.map { "  - \($0)" }.joined(separator: "\n")
        }
    }

    /// Reads the configuration. Absent values get their defaults; malformed ones are reported together.
    /// - Parameter flags: the values of the command line, by key.
    public static func read(
        flags: [String: String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> ServerSettings {
        let prefix = "PINKTOWER_"
        let own = environment.filter { $0.key.hasPrefix(prefix) }
        let file = flags["config"] ?? own["PINKTOWER_CONFIG"] ?? "pinktower.yaml"
        let isNamed = flags["config"] != nil || own["PINKTOWER_CONFIG"] != nil
        let values = try await merged(flags, own, file: file, mustExist: isNamed)
        var settings = ServerSettings()
        var reader = Reader(values: values)
        settings.host = reader.text("host") ?? settings.host
        settings.port = reader.number("port", in: 0...65_535) ?? settings.port
        settings.dataFolder = reader.text("data").map { URL(filePath: $0) } ?? settings.dataFolder
        settings.publicURL =
            reader.checked("publicURL", "a web address such as https://tower.example.org") { text in
                text.hasPrefix("http://") || text.hasPrefix("https://") ? text.trimmingSuffix("/") : nil
            } ?? "http://\(settings.host == "0.0.0.0" ? "127.0.0.1" : settings.host):\(settings.port)"
        settings.trustsProxy = reader.flag("trustsProxy") ?? false
        settings.sendmail = reader.checked("sendmail", "the path of a program") { path in
            FileManager.default.isExecutableFile(atPath: path) ? path : nil
        }
        settings.mailFrom =
            reader.checked("mailFrom", "an e-mail address") { EmailAddress.isValid($0) ? $0 : nil }
            ?? settings.mailFrom
        settings.confirmsMail = reader.flag("confirmsMail") ?? (settings.sendmail != nil)
        settings.restoreLimit = reader.number("restoreLimit", in: 1...64) ?? settings.restoreLimit
        settings.apple = reader.apple(isSecure: settings.isSecure)
        settings.apns = reader.apns()
        settings.pushToLoopback = reader.flag("pushToLoopback") ?? false
        settings.models = reader.models(standardKey: environment["OPENAI_API_KEY"])
        settings.features = reader.text("features").map { text in
            text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        settings.logLevel =
            reader.checked("logLevel", "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))") {
                Logger.Level(rawValue: $0)
            } ?? settings.logLevel
        settings.commitDelay = reader.number("commitDelay", in: 0...1000) ?? 0
        settings.weakPasswordHash = reader.flag("weakPasswordHash") ?? false
        reader.refuseUnknown()
        let isLoopback = ["127.0.0.1", "localhost", "::1"].contains(settings.host)
        for (key, isSet) in [
            ("weakPasswordHash", settings.weakPasswordHash), ("pushToLoopback", settings.pushToLoopback),
        ] where isSet && !isLoopback {
            reader.faults.append("\(key) is for tests on this machine and works with host 127.0.0.1 alone.")
        }
        guard reader.faults.isEmpty else { throw Malformed(faults: reader.faults) }
        return settings
    }

    /// Returns all values by key. Flags take precedence over the environment, and the environment over the file.
    private static func merged(
        _ flags: [String: String], _ environment: [String: String], file: String, mustExist: Bool
    ) async throws -> [String: String] {
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                values: Dictionary(
                    uniqueKeysWithValues: flags.map {
                        (AbsoluteConfigKey([$0.key]), ConfigValue(stringLiteral: $0.value))
                    })),
            InMemoryProvider(
                values: Dictionary(
                    environment.compactMap { name, value in
                        key(ofVariable: name).map { (AbsoluteConfigKey([$0]), ConfigValue(stringLiteral: value)) }
                    }, uniquingKeysWith: { first, _ in first })),
        ]
        if mustExist || FileManager.default.fileExists(atPath: file) {
            do {
                providers.append(try await FileProvider<YAMLSnapshot>(filePath: FilePath(file)))
            } catch {
                throw Malformed(faults: ["The file \(file) cannot be read as YAML: \(error)"])
            }
        }
        let reader = ConfigReader(providers: providers)
        var values: [String: String] = [:]
        for key in keys {
            // YAML has types for numbers and booleans; all values are read as text and checked below.
            values[key] =
                reader.string(forKey: ConfigKey([key]), isSecret: secretKeys.contains(key))
                ?? reader.int(forKey: ConfigKey([key])).map(String.init)
                ?? reader.bool(forKey: ConfigKey([key])).map(String.init)
        }
        for name in environment.keys where key(ofVariable: name) == nil && name != "PINKTOWER_CONFIG" {
            values[name] = environment[name]
        }
        return values
    }

    /// The values that are never printed, not even in the log of the configuration.
    private static let secretKeys: Set = ["openaiApiKey"]

    static let keys = [
        "host", "port", "data", "publicURL", "trustsProxy", "sendmail", "mailFrom", "confirmsMail", "restoreLimit",
        "features", "appleServicesId", "appleTeamId", "appleKeyId", "appleKeyFile", "appleURL",
        "apnsTeamId", "apnsKeyId", "apnsKeyFile", "apnsTopic", "apnsURL", "pushToLoopback",
        "openaiApiKey", "openaiURL", "openaiTextModel", "openaiSpeechModel", "logLevel",
        "commitDelay", "weakPasswordHash",
    ]

    /// Returns the setting of an environment variable: `publicURL` for `PINKTOWER_PUBLIC_URL`.
    private static func key(ofVariable name: String) -> String? {
        let plain = name.dropFirst("PINKTOWER_".count).replacingOccurrences(of: "_", with: "").lowercased()
        return keys.first { $0.lowercased() == plain }
    }

    private struct Reader {
        let values: [String: String]
        var faults: [String] = []

        func text(_ key: String) -> String? { values[key] }

        mutating func checked<Value>(_ key: String, _ wanted: String, _ read: (String) -> Value?) -> Value? {
            guard let text = values[key] else { return nil }
            guard let value = read(text) else {
                faults.append("\(key) is '\(text)'; it must be \(wanted).")
                return nil
            }
            return value
        }

        mutating func number(_ key: String, in range: ClosedRange<Int>) -> Int? {
            checked(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
                Int(text).flatMap { range.contains($0) ? $0 : nil }
            }
        }

        mutating func flag(_ key: String) -> Bool? {
            checked(key, "true or false") {
                ["true": true, "false": false, "1": true, "0": false][$0.lowercased()]
            }
        }

        /// Apple returns browsers only to TLS addresses; a stand-in on this machine, for tests, needs none.
        mutating func apple(isSecure: Bool) -> AppleSettings? {
            let address = checked("appleURL", "the address of a stand-in on this machine, for tests") { text in
                ["http://127.0.0.1:", "http://localhost:"].contains(where: text.hasPrefix)
                    ? text.trimmingSuffix("/") : nil
            }
            let missing = AppleSettings.keys.filter { text($0) == nil }
            guard missing.isEmpty else {
                if missing.count < AppleSettings.keys.count {
                    faults += missing.map { "\($0) is missing; Sign in with Apple needs it beside the others." }
                }
                return nil
            }
            if !isSecure, address == nil {
                faults.append("publicURL must begin with https:// where people sign in with Apple.")
            }
            guard let servicesId = text("appleServicesId"), let teamId = text("appleTeamId"),
                let keyId = text("appleKeyId"), let keyFile = text("appleKeyFile")
            else { return nil }
            return AppleSettings(
                servicesId: servicesId, teamId: teamId, keyId: keyId, keyFile: URL(filePath: keyFile),
                address: address)
        }

        /// Reads the settings for Apple's push service, which are needed together.
        mutating func apns() -> AppPushSettings? {
            let address = checked("apnsURL", "one of \(AppPushSettings.addresses.joined(separator: ", "))") {
                text in
                let plain = text.trimmingSuffix("/")
                return AppPushSettings.addresses.contains(plain) ? plain : nil
            }
            let missing = AppPushSettings.keys.filter { text($0) == nil }
            if !missing.isEmpty, missing.count < AppPushSettings.keys.count {
                faults += missing.map {
                    "\($0) is missing; notifications to Apple's devices need it beside the others."
                }
            }
            guard let teamId = text("apnsTeamId"), let keyId = text("apnsKeyId"), let keyFile = text("apnsKeyFile"),
                let topic = text("apnsTopic")
            else { return nil }
            return AppPushSettings(
                teamId: teamId, keyId: keyId, keyFile: URL(filePath: keyFile), topic: topic,
                address: address ?? AppPushSettings.addresses[0])
        }

        /// Requests to the models must use TLS, or stay on this machine.
        mutating func models(standardKey: String?) -> ModelServerSettings {
            var models = ModelServerSettings()
            let key = text("openaiApiKey") ?? standardKey
            models.key = key?.isEmpty == true ? nil : key
            let wanted =
                "an address that begins with https://, or with http://127.0.0.1 for a server on this machine"
            models.address =
                checked("openaiURL", wanted) { text in
                    ["https://", "http://127.0.0.1", "http://localhost"].contains(where: text.hasPrefix)
                        ? text.trimmingSuffix("/") : nil
                } ?? models.address
            models.textModel = text("openaiTextModel") ?? models.textModel
            models.speechModel = text("openaiSpeechModel") ?? models.speechModel
            return models
        }

        mutating func refuseUnknown() {
            for name in values.keys.sorted() where name.hasPrefix("PINKTOWER_") {
                faults.append(
                    "\(name) is not a setting. The settings are \(ServerSettings.keys.joined(separator: ", ")).")
            }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
