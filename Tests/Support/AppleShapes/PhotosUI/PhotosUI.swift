// Declarations of PhotosUI, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.
//
// NSItemProvider is in Foundation on Apple systems, which Foundation on Linux does not have.

public import Foundation
public import UIKit

/// The kinds of pictures and films that a person can choose.
///
/// Apple: PHPickerFilter. iOS 14.0.
public struct PHPickerFilter: Hashable, Sendable {
    let names: [String]
    /// Apple: PHPickerFilter.images. iOS 14.0.
    public static let images = PHPickerFilter(names: ["images"])
    /// Apple: PHPickerFilter.videos. iOS 14.0.
    public static let videos = PHPickerFilter(names: ["videos"])
    /// Apple: PHPickerFilter.any(of:). iOS 14.0.
    public static func any(of subfilters: [PHPickerFilter]) -> PHPickerFilter {
        PHPickerFilter(names: subfilters.flatMap(\.names))
    }
}

/// The choice that a person has in the library of photos.
///
/// Apple: PHPickerConfiguration. iOS 14.0.
public struct PHPickerConfiguration: Hashable, Sendable {
    /// The form in which photos and films are passed on.
    ///
    /// Apple: PHPickerConfiguration.AssetRepresentationMode. iOS 14.0.
    public enum AssetRepresentationMode: Hashable, Sendable { case automatic, current, compatible }

    /// Apple: PHPickerConfiguration.init(). iOS 14.0.
    public init() {}
    /// Apple: filter. iOS 14.0.
    public var filter: PHPickerFilter?
    /// Zero is any number.
    ///
    /// Apple: selectionLimit. iOS 14.0.
    public var selectionLimit = 1
    /// Apple: preferredAssetRepresentationMode. iOS 14.0.
    public var preferredAssetRepresentationMode = AssetRepresentationMode.automatic
}

/// A photo or film that a person chose.
///
/// Apple: PHPickerResult. iOS 14.0.
public struct PHPickerResult: Sendable {
    /// Apple: itemProvider. iOS 14.0.
    public let itemProvider: NSItemProvider
}

/// The library of photos, outside of the app.
///
/// Apple: PHPickerViewController. iOS 14.0.
@MainActor
public final class PHPickerViewController: UIViewController {
    let configuration: PHPickerConfiguration
    /// Apple: PHPickerViewController.init(configuration:). iOS 14.0.
    public init(configuration: PHPickerConfiguration) { self.configuration = configuration }
    /// Apple: PHPickerViewController.delegate. iOS 14.0.
    public weak var delegate: (any PHPickerViewControllerDelegate)?
}

/// The receiver of what a person chose.
///
/// Apple: PHPickerViewControllerDelegate. iOS 14.0.
@MainActor
public protocol PHPickerViewControllerDelegate: AnyObject {
    /// Nothing was chosen if the person canceled.
    ///
    /// Apple: picker(_:didFinishPicking:). iOS 14.0.
    func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult])
}

/// Content that another app passes on.
///
/// Apple: NSItemProvider. iOS 8.0.
public final class NSItemProvider: NSObject, Sendable {
    let types: [String]
    let file: URL?
    /// Apple: suggestedName. iOS 11.0.
    public let suggestedName: String?

    init(types: [String], file: URL?, suggestedName: String?) {
        self.types = types
        self.file = file
        self.suggestedName = suggestedName
    }

    /// The types of the content, the best first.
    ///
    /// Apple: registeredTypeIdentifiers. iOS 8.0.
    public var registeredTypeIdentifiers: [String] { types }

    /// The file is deleted when the handler has returned.
    ///
    /// Apple: loadFileRepresentation(forTypeIdentifier:completionHandler:). iOS 11.0.
    @discardableResult
    public func loadFileRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress {
        precondition(types.contains(typeIdentifier), "the content has no type \(typeIdentifier)")
        let file = file
        Task.detached {
            completionHandler(file, file == nil ? CocoaError(.fileNoSuchFile) : nil)
            // The app has copied it, or it is gone.
            if let file { try? FileManager.default.removeItem(at: file) }
        }
        return Progress(totalUnitCount: 1)
    }
}
