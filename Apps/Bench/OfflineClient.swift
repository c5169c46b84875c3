#if WITH_RESIDENCE && WITH_MESSAGING
    import Client
    import Foundation

    /// A server that answers each read with a given list, and takes no change.
    struct OfflineAPI: APIManager {
        /// The answers by the end of the path.
        var answers: [String: Data] = [:]
        /// The answer of every other path.
        var standard = Data(#"{"items":[]}"#.utf8)

        func send(_ request: APIRequest) async throws -> Data {
            if request.method == .post { throw APIError.unreachable("no network") }
            return answers.first { request.path.hasSuffix($0.key) }?.value ?? standard
        }

        func events(after seq: Int64?, for account: UUID) -> AsyncThrowingStream<LiveItem, any Error> {
            AsyncThrowingStream { _ in }
        }
    }

    /// A warden who is signed in and whose session never ends.
    @MainActor
    final class SignedInWarden: AuthManager {
        let isAuthenticated = true
        let userId: UUID? = UUID()
        let profileId: UUID? = nil
        let currentPgId: UUID? = UUID()
        let userRole = ["warden"]
        func accessToken(for account: UUID) async throws -> String { "" }
        func signOut() async {}
    }
#endif
