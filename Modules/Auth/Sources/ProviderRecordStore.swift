import FeatureKit
import Foundation

/// What signing in with a provider stores.
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
                    expiry: .init(isDue: { "SELECT 1 FROM provider_departures WHERE expires_at < \($0) LIMIT 1" }) {
                        """
                        DELETE FROM provider_departures WHERE fingerprint IN (
                            SELECT fingerprint FROM provider_departures WHERE expires_at < \($0)
                            LIMIT \(SQL.expiryPortion))
                        """
                    }),
                RecordTable(
                    "arrived_identities",
                    expiry: .init(isDue: { "SELECT 1 FROM arrived_identities WHERE expires_at < \($0) LIMIT 1" }) {
                        """
                        DELETE FROM arrived_identities WHERE ticket IN (
                            SELECT ticket FROM arrived_identities WHERE expires_at < \($0)
                            LIMIT \(SQL.expiryPortion))
                        """
                    }),
            ]),
        RecordKind(
            "auth.revocations", "auth.records.revocations", store: .directory, personal: [.credentials],
            retention: .days(7, in: 1...30), erasure: .withTime,
            tables: [
                RecordTable(
                    "identity_revocations",
                    expiry: .init(isDue: { "SELECT 1 FROM identity_revocations WHERE asked_at < \($0) LIMIT 1" }) {
                        """
                        DELETE FROM identity_revocations WHERE id IN (
                            SELECT id FROM identity_revocations WHERE asked_at < \($0)
                            LIMIT \(SQL.expiryPortion))
                        """
                    })
            ]),
    ]
}
