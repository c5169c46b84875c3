public import Domain
public import FeatureKit
public import FeatureRuntime

/// What the web adapter is made of: the blocks, the pipeline, and the ports that it asks.
public struct WebDependencies: Sendable {
    public let features: FeatureSet
    public let pipeline: Pipeline
    public let hub: ChangeHub
    public let authenticator: any Authenticator
    public let memberships: any MembershipResolver
    public let preferences: any PreferenceSource
    public let words: [Language: Words]
    public let settings: WebSettings
    /// What bodies cost that are on their way.
    let bodies: BodyBudget

    public init(
        features: FeatureSet, pipeline: Pipeline, hub: ChangeHub, authenticator: any Authenticator,
        memberships: any MembershipResolver, preferences: any PreferenceSource, words: [Language: Words],
        settings: WebSettings
    ) {
        self.features = features
        self.pipeline = pipeline
        self.hub = hub
        self.authenticator = authenticator
        self.memberships = memberships
        self.preferences = preferences
        self.words = words
        self.settings = settings
        bodies = BodyBudget(settings.limits)
    }

    func words(_ language: Language) -> Words { words[language] ?? Words(language, []) }
}

/// Where the product stands in the world.
public struct WebSettings: Sendable {
    /// Whether cookies travel over TLS only and browsers are told to stay on it.
    public let isSecure: Bool
    /// Whether a proxy in front tells the client's address in `X-Forwarded-For`.
    public let trustsProxy: Bool
    /// Where files of large bodies are while their requests run.
    public let uploadFolder: UploadFolder
    public let limits: ServerLimits

    public init(
        isSecure: Bool, trustsProxy: Bool, uploadFolder: UploadFolder, limits: ServerLimits = ServerLimits()
    ) {
        self.isSecure = isSecure
        self.trustsProxy = trustsProxy
        self.uploadFolder = uploadFolder
        self.limits = limits
    }

    /// The page to which nobody's requests for somebody's pages lead.
    static let signInPath = "/sign-in"
    /// The page to which staff go whose school wants a second factor that they have not shown.
    static let secondFactorPath = "/settings/security"
    static let searchPath = "/search"
    static let notificationsPath = "/notifications"
    /// Where a closed school is called back, and where another one is chosen.
    static let closedSchoolPath = "/settings/delete-school"
    static let schoolsPath = "/organizations"
}
