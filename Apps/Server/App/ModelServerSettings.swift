import Integrations

/// The service for language and speech models that this server's schools may use.
public struct ModelServerSettings: Sendable {
    /// The key of the service, which is never logged; `nil` if each school has its own.
    public var key: String?
    /// The address of the service. A server on this machine with the same API is possible.
    public var address = OpenAIModels.address
    public var textModel = "gpt-4o-mini"
    public var speechModel = "whisper-1"

    public init() {}
}

extension ModelServerSettings: CustomStringConvertible {
    /// The settings without the key, which must not be printed.
    public var description: String {
        """
        ModelServerSettings(key: \(key == nil ? "none" : "hidden"), address: \(address), textModel: \(textModel), \
        speechModel: \(speechModel))
        """
    }
}
