import Foundation

// Declarations of Security, for Linux only. UIKit exports them on Apple systems. A module named Security would change
// what packages compile that ask `canImport(Security)`, so they are in this one.
//
// On Apple systems, the types of CoreFoundation are bridged to those of Foundation, as the casts in the app say.

/// Apple: CFString. iOS 2.0.
public typealias CFString = String
/// Apple: CFDictionary. iOS 2.0.
public typealias CFDictionary = [String: Any]
/// Apple: CFTypeRef. iOS 2.0.
public typealias CFTypeRef = Any
/// Apple: OSStatus. iOS 2.0.
public typealias OSStatus = Int32

/// Apple: errSecSuccess. iOS 2.0.
public let errSecSuccess: OSStatus = 0
/// Apple: errSecItemNotFound. iOS 2.0.
public let errSecItemNotFound: OSStatus = -25_300

/// Apple: kSecClass. iOS 2.0.
public let kSecClass: CFString = "class"
/// Apple: kSecClassGenericPassword. iOS 2.0.
public let kSecClassGenericPassword: CFString = "genp"
/// Apple: kSecAttrService. iOS 2.0.
public let kSecAttrService: CFString = "svce"
/// Apple: kSecAttrAccount. iOS 2.0.
public let kSecAttrAccount: CFString = "acct"
/// Apple: kSecAttrAccessible. iOS 4.0.
public let kSecAttrAccessible: CFString = "pdmn"
/// Apple: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly. iOS 4.0.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Apple: kSecValueData. iOS 2.0.
public let kSecValueData: CFString = "v_Data"
/// Apple: kSecReturnData. iOS 2.0.
public let kSecReturnData: CFString = "r_Data"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Apple: SecItemAdd(_:_:). iOS 2.0.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.add(attributes)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Apple: SecItemCopyMatching(_:_:). iOS 2.0.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard query[kSecReturnData] as? Bool == true else { preconditionFailure("the app asks for the data only") }
    guard let item = Keychain.item(query) else { return errSecItemNotFound }
    result?.pointee = item[kSecValueData]
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Apple: SecItemDelete(_:). iOS 2.0.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { Keychain.remove(query) }
