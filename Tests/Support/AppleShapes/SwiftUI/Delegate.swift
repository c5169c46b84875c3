public import Foundation
public import UIKit

/// A property that makes the delegate of the app.
///
/// Apple: UIApplicationDelegateAdaptor. iOS 14.0.
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    /// Apple: UIApplicationDelegateAdaptor.wrappedValue. iOS 14.0.
    public let wrappedValue: DelegateType

    /// Apple: UIApplicationDelegateAdaptor.init(_:). iOS 14.0.
    public init(_ delegateType: DelegateType.Type = DelegateType.self) { wrappedValue = DelegateType() }
}
