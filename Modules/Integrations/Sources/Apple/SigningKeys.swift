import FeatureKit
import Foundation
import JWTKit

/// A provider's published keys (RFC 7517), kept as long as it says.
actor SigningKeys {
    /// How long keys are kept where nothing is said, and the bounds of what may be said.
    static let standardLifetime: TimeInterval = 3600
    static let lifetimes: ClosedRange<TimeInterval> = 60...86_400
    /// Whoever shows unknown key ids makes the server ask no more often than this.
    static let pause: TimeInterval = 60

    private let fetch: @Sendable () async throws -> BoundedHTTP.Answer
    private var keys: [String: Insecure.RSA.PublicKey] = [:]
    private var goodUntil = Date.distantPast
    private var askedAt = Date.distantPast
    /// The asking that is under way; everybody who needs it waits for the same one, and it ends even where the
    /// first of them goes away.
    private var asking: Task<Void, any Error>?

    init(fetch: @escaping @Sendable () async throws -> BoundedHTTP.Answer) { self.fetch = fetch }

    /// The key of that id; `nil` where the provider has none. Throws `IdentityFault.unreachable`.
    func key(_ id: String, at now: Date) async throws -> Insecure.RSA.PublicKey? {
        let mayHaveNew = asking != nil || now.timeIntervalSince(askedAt) >= Self.pause
        if now >= goodUntil || keys[id] == nil && mayHaveNew { try await renew(at: now) }
        return keys[id]
    }

    private func renew(at now: Date) async throws {
        if let asking { return try await asking.value }
        askedAt = now
        let task = Task { try await ask(at: now) }
        asking = task
        defer { asking = nil }
        try await task.value
    }

    private func ask(at now: Date) async throws {
        let answer = try await fetch()
        guard answer.status == 200 else { throw IdentityFault.unreachable }
        let published = try answer.json(KeySet.self).keys.compactMap(\.publicKey)
        guard !published.isEmpty else { throw IdentityFault.unreachable }
        keys = Dictionary(published.map { ($0.id, $0.key) }, uniquingKeysWith: { first, _ in first })
        goodUntil = now.addingTimeInterval(Self.lifetime(answer.cacheControl))
    }

    /// `max-age` of a Cache-Control (RFC 9111 section 5.2.2.1), within bounds.
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

        /// `nil` for a key that signs nothing with RS256, or is none.
        var publicKey: (id: String, key: Insecure.RSA.PublicKey)? {
            guard kty == "RSA", use ?? "sig" == "sig", alg ?? "RS256" == "RS256", let kid, let n, let e else {
                return nil
            }
            // A key that cannot be read is as good as none; the others may be fine.
            return (try? Insecure.RSA.PublicKey(modulus: n, exponent: e)).map { (kid, $0) }
        }
    }
}
