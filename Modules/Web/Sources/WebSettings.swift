public import Domain
public import FeatureKit
public import FeatureRuntime

/// The dependencies of the web server: the feature blocks, the request pipeline and the ports.
public struct WebDependencies: Sendable {
    public let features: FeatureSet
    public let pipeline: Pipeline
    public let hub: ChangeHub
    public let authenticator: any Authenticator
    public let memberships: any MembershipResolver
    public let preferences: any PreferenceSource
    public let words: [Language: Words]
    public let settings: WebSettings
    /// The budget of request bodies.
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

/// The settings of the web server: its address and limits.
public struct WebSettings: Sendable {
    /// Whether cookies require TLS and browsers are asked to stay on it (HSTS).
    public let isSecure: Bool
    /// Whether a proxy sends the client's address in `X-Forwarded-For`.
    public let trustsProxy: Bool
    /// The id of the school's app for Apple's devices, team and bundle; `nil` without an app.
    public let appId: String?
    /// The folder that holds the files of large bodies while their requests run.
    public let uploadFolder: UploadFolder
    public let limits: ServerLimits

    public init(
        isSecure: Bool, trustsProxy: Bool, appId: String? = nil, uploadFolder: UploadFolder,
        limits: ServerLimits = ServerLimits()
    ) {
        self.isSecure = isSecure
        self.trustsProxy = trustsProxy
        self.appId = appId
        self.uploadFolder = uploadFolder
        self.limits = limits
    }

    /// The page to which requests without a session are redirected.
    static let signInPath = "/sign-in"
    /// The page for staff whose school requires a second factor that their session lacks.
    static let secondFactorPath = "/settings/security"
    static let searchPath = "/search"
    static let notificationsPath = "/notifications"
    /// The page that reopens a closed school.
    static let closedSchoolPath = "/settings/delete-school"
    static let schoolsPath = "/organizations"
}
