// Declarations of UIKit, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation

/// An object that handles events.
///
/// Apple: UIResponder. iOS 2.0.
@MainActor
open class UIResponder: NSObject {
    /// Whether the object was asked to become the first responder.
    var isFirst = false

    /// Apple: becomeFirstResponder(). iOS 2.0.
    open func becomeFirstResponder() -> Bool {
        isFirst = true
        return true
    }
}

/// An object that manages a hierarchy of views.
///
/// Apple: UIViewController. iOS 2.0.
@MainActor
open class UIViewController: UIResponder {}

/// A rectangle on the screen with content.
///
/// Apple: UIView. iOS 2.0.
@MainActor
open class UIView: UIResponder {}

/// A picture.
///
/// Apple: UIImage. iOS 2.0.
public final class UIImage: NSObject, Sendable {
    let png: Data

    init(png: Data) { self.png = png }

    /// Apple: pngData(). iOS 2.0.
    public func pngData() -> Data? { png }
}
