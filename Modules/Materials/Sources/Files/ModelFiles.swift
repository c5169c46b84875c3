import FeatureKit
import Foundation
import Synchronization

/// The files of the materials: pictures, and models for the page's viewer and for those of phones.
///
/// They are the same for everyone and in every language, contain nothing about people, and are made when they are first
/// requested. A phone's viewer fetches its file without a session.
final class ModelFiles: Sendable {
    /// The formats in which a material is served.
    enum Format: String, CaseIterable, Sendable {
        case glb, usdz, svg
    }

    /// The number in the addresses of the files, under which browsers cache them forever. Raise it when a shape, a color or a
    /// format changes; a test compares shapes and colors.
    static let version = 1
    private static let folder = "/assets/materials/\(version)"

    /// The address of a material's file. The service worker stores what is below `/assets`, so that it works without a network.
    static func address(of material: Material, _ format: Format) -> String {
        "\(folder)/\(material.slug).\(format.rawValue)"
    }

    private let made = Mutex<[String: [UInt8]]>([:])

    var route: DownloadRoute {
        DownloadRoute(published: "\(Self.folder)/{file}") { [self] parameters in
            let name = (parameters["file"] ?? "").split(separator: ".", omittingEmptySubsequences: false).map(
                String.init)
            guard name.count == 2, let material = Material.named(name[0]), let format = Format(rawValue: name[1])
            else { throw Problem.notFound }
            return DownloadedFile(published: try bytes(of: material, format), contentType: format.contentType)
        }
    }

    /// Returns the content of a material's file. Requests that arrive before it is made each make it.
    func bytes(of material: Material, _ format: Format) throws -> [UInt8] {
        let name = "\(material.slug).\(format.rawValue)"
        if let known = made.withLock({ $0[name] }) { return known }
        let model = material.model()
        let bytes =
            switch format {
            case .glb: try GLB.bytes(of: model, named: material.slug)
            case .usdz: USDZ.bytes(of: model, named: material.slug)
            case .svg: Drawing.svg(of: model)
            }
        made.withLock { $0[name] = bytes }
        return bytes
    }
}

extension ModelFiles.Format {
    var contentType: String {
        switch self {
        case .glb: GLB.contentType
        case .usdz: USDZ.contentType
        case .svg: Drawing.contentType
        }
    }
}
