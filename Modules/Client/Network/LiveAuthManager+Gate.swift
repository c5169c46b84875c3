import Domain
import Foundation
public import ResidenceModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension LiveAuthManager {
    /// Makes this device a gate with the code that a warden shows, and returns its first list.
    ///
    /// A session that the device had before is replaced. Throws `APIError`.
    ///
    /// - Parameter code: The eight letters and digits, or the address that the QR code has.
    public func pairGate(code: String) async throws -> GateList {
        let (_, response) = try await transport.exchange(
            APIRequest(.post, GateRoute.pair, body: try APIJSON.encode(["pairingCode": code])), token: nil)
        // The server gives the session of a gate to browsers, as cookies.
        let cookies = response.value(forHTTPHeaderField: "Set-Cookie") ?? ""
        guard let access = Self.cookie("pt_access", in: cookies),
            let refresh = Self.cookie("pt_refresh", in: cookies)
        else { throw APIError.malformed("no session") }
        let me = try APIJSON.decode(
            Me.self, from: try await transport.send(APIRequest(.get, "/api/v1/auth/me"), token: access))
        guard let userId = me.userId else { throw APIError.signInNeeded }
        let list = try APIJSON.decode(
            GateList.self, from: try await transport.send(APIRequest(.get, GateRoute.list), token: access))
        try start(
            StoredSession(
                userId: userId, profileId: me.profileId, pgId: list.gate.pgId, roles: me.userRole,
                accessToken: access,
                // The answer does not say it. The server refuses the token after its end, and it is renewed.
                accessExpiresAt: .distantFuture, refreshToken: refresh))
        return list
    }

    /// Returns the value of a cookie from the `Set-Cookie` headers, which URLSession joins with commas.
    nonisolated static func cookie(_ name: String, in headers: String) -> String? {
        for part in headers.split(whereSeparator: { ",;".contains($0) }) {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if pair.count == 2, pair[0] == name { return pair[1] }
        }
        return nil
    }
}
