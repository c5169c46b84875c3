public import Foundation
import Synchronization

/// The items of the process, which stand for a device's keychain. Tests read them.
public enum Keychain {
    // Singleton: the functions of Security have no object to which the items could belong.
    private static let items = Mutex<[String: Attributes]>([:])

    /// The attributes of an item, which are texts, data and flags.
    struct Attributes: @unchecked Sendable {
        // Safe: the values are Foundation's value types.
        let values: [String: Any]
    }

    private static func key(_ query: [String: Any]) -> String {
        guard query[kSecClass] as? String == kSecClassGenericPassword,
            let service = query[kSecAttrService] as? String,
            let account = query[kSecAttrAccount] as? String
        else { preconditionFailure("an item without class, service and account") }
        return "\(service)\n\(account)"
    }

    static func add(_ attributes: [String: Any]) -> OSStatus {
        let (key, item) = (key(attributes), Attributes(values: attributes))
        guard attributes[kSecValueData] is Data, attributes[kSecAttrAccessible] is String else {
            preconditionFailure("an item without data and protection")
        }
        return items.withLock { items in
            // errSecDuplicateItem
            guard items[key] == nil else { return -25_299 }
            items[key] = item
            return errSecSuccess
        }
    }

    static func item(_ query: [String: Any]) -> [String: Any]? {
        let key = key(query)
        return items.withLock { $0[key] }?.values
    }

    static func remove(_ query: [String: Any]) -> OSStatus {
        let key = key(query)
        return items.withLock { $0.removeValue(forKey: key) } == nil ? errSecItemNotFound : errSecSuccess
    }

    /// The data of the item of a service and account, with its protection.
    public static func recorded(service: String, account: String) -> (data: Data, protection: String)? {
        let query: [String: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
        ]
        guard let item = item(query), let data = item[kSecValueData] as? Data,
            let protection = item[kSecAttrAccessible] as? String
        else { return nil }
        return (data, protection)
    }
}
