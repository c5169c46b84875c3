import FeatureKit
import Foundation

/// The records of signing in with a provider.
enum ProviderRecordStore {
    static let kinds = [
        RecordKind(
            "auth.identities", "auth.records.identities", store: .directory, personal: [.email, .credentials],
            erasure: .withAccount,
            tables: [
                RecordTable(
                    "linked_identities",
                    about: {
                        """
                        SELECT provider, email, linked_at, used_at FROM linked_identities
                        WHERE account_id = \($0.accountId)
                        """
                    })
            ]),
        RecordKind(
            "auth.arrivals", "auth.records.arrivals", store: .directory,
            personal: [.name, .email, .credentials, .devices], retention: .days(1, in: 1...30), erasure: .withTime,
            tables: [
                RecordTable(
                    "provider_departures",
                    expiry: .init(of: "provider_departures", by: "expires_at", key: "fingerprint")),
                RecordTable(
                    "arrived_identities",
                    expiry: .init(of: "arrived_identities", by: "expires_at", key: "ticket")),
            ]),
        RecordKind(
            "auth.revocations", "auth.records.revocations", store: .directory, personal: [.credentials],
            retention: .days(7, in: 1...30), erasure: .withTime,
            tables: [
                RecordTable(
                    "identity_revocations",
                    expiry: .init(of: "identity_revocations", by: "asked_at", key: "id"))
            ]),
    ]
}
