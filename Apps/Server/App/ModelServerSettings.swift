import Integrations

/// The service of models that this server's schools may use.
public struct ModelServerSettings: Sendable {
    /// A secret; never logged. `nil` where each school brings its own.
    public var key: String?
    /// Where it answers; a server on this machine speaks the same API.
    public var address = OpenAIModels.address
    public var textModel = "gpt-4o-mini"
    public var speechModel = "whisper-1"

    public init() {}
}

extension ModelServerSettings: CustomStringConvertible {
    /// Without the key, also where the server's settings are printed.
    public var description: String {
        """
        ModelServerSettings(key: \(key == nil ? "none" : "hidden"), address: \(address), textModel: \(textModel), \
        speechModel: \(speechModel))
        """
    }
}
