// Declarations of CoreSpotlight, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation
import Synchronization
public import UniformTypeIdentifiers

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type of the activity with which the system opens an entry of its search.
///
/// Apple: CSSearchableItemActionType. iOS 9.0.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of an entry's identifier in the activity.
///
/// Apple: CSSearchableItemActivityIdentifier. iOS 9.0.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"

/// The texts of an entry.
///
/// Apple: CSSearchableItemAttributeSet. iOS 9.0.
public final class CSSearchableItemAttributeSet: NSObject {
    /// Apple: init(contentType:). iOS 14.0.
    public init(contentType: UTType) {}
    /// Apple: title. iOS 9.0.
    public var title: String?
    /// Apple: contentDescription. iOS 9.0.
    public var contentDescription: String?
}

/// An entry of the system's search.
///
/// Apple: CSSearchableItem. iOS 9.0.
public final class CSSearchableItem: NSObject {
    let identifier: String?
    let domain: String?
    let attributes: CSSearchableItemAttributeSet

    /// Apple: init(uniqueIdentifier:domainIdentifier:attributeSet:). iOS 9.0.
    public init(uniqueIdentifier: String?, domainIdentifier: String?, attributeSet: CSSearchableItemAttributeSet) {
        identifier = uniqueIdentifier
        domain = domainIdentifier
        attributes = attributeSet
    }
}

/// The app's entries in the system's search.
///
/// Apple: CSSearchableIndex. iOS 9.0.
public final class CSSearchableIndex: NSObject {
    /// Apple: default(). iOS 9.0.
    public static func `default`() -> CSSearchableIndex { CSSearchableIndex() }
    /// Apple: indexSearchableItems(_:completionHandler:). iOS 9.0.
    public func indexSearchableItems(_ items: [CSSearchableItem]) async throws {
        let entries = items.map {
            RecordedIndex.IndexedItem(
                identifier: $0.identifier, domain: $0.domain, title: $0.attributes.title,
                detail: $0.attributes.contentDescription)
        }
        RecordedIndex.entries.withLock { $0 += entries }
    }
    /// Apple: deleteSearchableItems(withDomainIdentifiers:completionHandler:). iOS 9.0.
    public func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) async throws {
        RecordedIndex.entries.withLock { all in all.removeAll { domainIdentifiers.contains($0.domain ?? "") } }
    }
}
