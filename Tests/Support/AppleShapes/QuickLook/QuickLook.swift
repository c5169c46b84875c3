// Declarations of QuickLook, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation
public import SwiftUI

extension View {
    /// Apple: quickLookPreview(_:). iOS 14.0.
    public func quickLookPreview(_ item: Binding<URL?>) -> some View { recordedPreview(item) }
}
