import CPango
import FeatureKit
import Foundation

/// A JPEG picture that Cairo copies into a document as it is, without decoding it.
final class JPEGSurface {
    let width: Double
    let height: Double
    private let surface: OpaquePointer

    /// Returns `nil` if Cairo cannot take the picture.
    init?(_ image: ShrunkImage) {
        guard image.width > 0, image.height > 0,
            let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(image.width), Int32(image.height))
        else { return nil }
        self.surface = surface
        (width, height) = (Double(image.width), Double(image.height))
        // Cairo frees its copy with the surface.
        let copy = malloc(max(image.bytes.count, 1))
        guard let copy, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else { return nil }
        image.bytes.withUnsafeBytes { bytes in
            if let first = bytes.baseAddress { memcpy(copy, first, bytes.count) }
        }
        let status = cairo_surface_set_mime_data(
            surface, "image/jpeg", copy.assumingMemoryBound(to: UInt8.self), UInt(image.bytes.count),
            { free($0) }, copy)
        guard status == CAIRO_STATUS_SUCCESS else {
            free(copy)
            return nil
        }
    }

    deinit { cairo_surface_destroy(surface) }

    func draw(at x: Double, _ y: Double, scale: Double, on context: OpaquePointer) {
        cairo_save(context)
        cairo_translate(context, x, y)
        cairo_scale(context, scale, scale)
        cairo_set_source_surface(context, surface, 0, 0)
        cairo_paint(context)
        cairo_restore(context)
    }
}
