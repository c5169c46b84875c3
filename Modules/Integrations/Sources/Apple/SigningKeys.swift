import FeatureKit
import Foundation
import JWTKit

/// An identity provider's published keys (RFC 7517), cached for the time that its response allows.
actor SigningKeys {
    /// The default cache lifetime in seconds, and the bounds of a stated one.
    static let standardLifetime: TimeInterval = 3600
    static let lifetimes: ClosedRange<TimeInterval> = 60...86_400
    /// The least seconds between two requests for keys, so that unknown key ids cannot cause more.
    static let pause: TimeInterval = 60

    private let fetch: @Sendable () async throws -> BoundedHTTP.Response
    private var keys: [String: Insecure.RSA.PublicKey] = [:]
    private var goodUntil = Date.distantPast
    private var renewedAt = Date.distantPast
    /// The request in progress. All callers wait for the same one, and it continues if the first caller is canceled.
    private var renewal: Task<Void, any Error>?

    init(fetch: @escaping @Sendable () async throws -> BoundedHTTP.Response) { self.fetch = fetch }

    /// Returns the key with an id, or `nil` if the provider has none. Throws `IdentityFault.unreachable`.
    func key(_ id: String, at now: Date) async throws -> Insecure.RSA.PublicKey? {
        let mayHaveNew = renewal != nil || now.timeIntervalSince(renewedAt) >= Self.pause
        if now >= goodUntil || keys[id] == nil && mayHaveNew { try await renew(at: now) }
        return keys[id]
    }

    private func renew(at now: Date) async throws {
        if let renewal { return try await renewal.value }
        renewedAt = now
        let task = Task { try await fetchKeys(at: now) }
        renewal = task
        defer { renewal = nil }
        try await task.value
    }

    private func fetchKeys(at now: Date) async throws {
        let answer = try await fetch()
        guard answer.status == 200 else { throw IdentityFault.unreachable }
        let published = try answer.json(KeySet.self).keys.compactMap(\.publicKey)
        guard !published.isEmpty else { throw IdentityFault.unreachable }
        keys = Dictionary(published.map { ($0.id, $0.key) }, uniquingKeysWith: { first, _ in first })
        goodUntil = now.addingTimeInterval(Self.lifetime(answer.cacheControl))
    }

    /// The `max-age` of a Cache-Control header (RFC 9111 section 5.2.2.1), within bounds.
    static func lifetime(_ cacheControl: String?) -> TimeInterval {
        for directive in cacheControl?.lowercased().split(separator: ",") ?? [] {
            let halves = directive.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2, halves[0] == "max-age", let seconds = TimeInterval(halves[1]) else { continue }
            return min(max(seconds, lifetimes.lowerBound), lifetimes.upperBound)
        }
        return standardLifetime
    }
}

private struct KeySet: Decodable {
    let keys: [Key]

    struct Key: Decodable {
        let kty: String?
        let kid: String?
        let use: String?
        let alg: String?
        let n: String?
        let e: String?

        /// The key, or `nil` if it is not an RSA key for RS256 signatures.
        var publicKey: (id: String, key: Insecure.RSA.PublicKey)? {
            guard kty == "RSA", use ?? "sig" == "sig", alg ?? "RS256" == "RS256", let kid, let n, let e else {
                return nil
            }
            // An unreadable key is skipped; the others may be valid.
            return (try? Insecure.RSA.PublicKey(modulus: n, exponent: e)).map { (kid, $0) }
        }
    }
}
