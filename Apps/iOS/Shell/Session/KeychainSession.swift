public import Client
import Foundation
// UIKit exports the functions of Security.
import UIKit

/// The session's tokens in the keychain of the device (PT-1.13): encrypted by the system, and on no other device.
public struct KeychainSession: SessionStorage {
    /// The keychain refused an operation.
    public struct Fault: Error, Hashable {
        /// The status of Security, whose meaning is in "Security Framework Result Codes".
        public let status: Int32
    }

    private let service: String
    private static let account = "session"

    /// - Parameter service: The name under which the item is stored.
    public init(service: String) { self.service = service }

    public func load() throws -> StoredSession? {
        var query = query
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &found) {
        case errSecSuccess:
            guard let data = found as? Data else { return nil }
            return try JSONDecoder().decode(StoredSession.self, from: data)
        case errSecItemNotFound: return nil
        case let status: throw Fault(status: status)
        }
    }

    public func save(_ session: StoredSession?) throws {
        let data = try session.map { try JSONEncoder().encode($0) }
        let removed = SecItemDelete(query as CFDictionary)
        guard removed == errSecSuccess || removed == errSecItemNotFound else { throw Fault(status: removed) }
        guard let data else { return }
        var item = query
        item[kSecValueData as String] = data
        // Changes are sent in the background too, while the device is locked.
        item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        let added = SecItemAdd(item as CFDictionary, nil)
        guard added == errSecSuccess else { throw Fault(status: added) }
    }

    private var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword as String, kSecAttrService as String: service,
            kSecAttrAccount as String: Self.account,
        ]
    }
}
