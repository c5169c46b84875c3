import HTTPTypes

extension HTTPField.Name {
    /// All names below are valid tokens (RFC 9110 section 5.6.2), so this does not fail.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let field = HTTPField.Name(name) else { preconditionFailure("\(name) is not a field name") }
        return field
    }
    static let xForwardedFor = known("X-Forwarded-For")
    static let secFetchSite = known("Sec-Fetch-Site")
    static let idempotencyKey = known("Idempotency-Key")
    /// Sent by the page runtime, `visit`, `live` or `command`; and by native apps, `app`.
    static let pinkTower = known("X-PinkTower")
    /// The account of the page, for the service worker, which stores pages of one account only.
    static let account = known("X-PinkTower-Account")
    /// The message after a command, for native apps: `Feedback` as JSON in Base64 without padding.
    static let feedback = known("X-PinkTower-Feedback")
    static let idempotencyReplayed = known("Idempotency-Replayed")
    /// Clears the browser's data of this site (https://w3c.github.io/webappsec-clear-site-data).
    static let clearSiteData = known("Clear-Site-Data")
    /// Of HTTP/1 (RFC 9110 section 7.2); later versions have `:authority`.
    static let host = known("Host")
    /// Tells nginx to pass an answer on as it comes.
    static let accelBuffering = known("X-Accel-Buffering")
    /// The version of the upload protocol (`Uploads`).
    static let tusResumable = known("Tus-Resumable")
    static let uploadOffset = known("Upload-Offset")
    static let uploadLength = known("Upload-Length")
    static let lastEventId = known("Last-Event-ID")
    static let permissionsPolicy = known("Permissions-Policy")
    static let referrerPolicy = known("Referrer-Policy")
    static let openerPolicy = known("Cross-Origin-Opener-Policy")
    static let resourcePolicy = known("Cross-Origin-Resource-Policy")
}
