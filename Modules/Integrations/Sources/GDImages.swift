import CGD
import Dispatch
public import FeatureKit
import Foundation

/// Scales pictures down with libgd, one at a time: fifty megapixels take 200 MB in memory.
public struct GDImages: ImageShrinking {
    private let queue = DispatchQueue(label: "images")

    /// Creates an image shrinker and silences libgd's messages on standard error.
    public init() { pt_gd_be_quiet() }

    public func shrink(
        _ content: FileContent, to sizes: [Int], upTo bytes: Int
    ) async throws(ImageFault) -> [ShrunkImage] {
        let result: Result<[ShrunkImage], ImageFault> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(ImageFault) in try Self.shrunk(content, to: sizes, upTo: bytes) })
            }
        }
        return try result.get()
    }

    /// Returns the brightness of a picture's pixels, scaled down so that no side is longer than `side`.
    static func gray(_ content: FileContent, side: Int) throws(ImageFault) -> GrayImage {
        guard let smaller = try decoded(content, upTo: ImageLimits.bytes).picture.fitting(side) else {
            throw .damaged
        }
        return smaller.gray
    }

    private static func decoded(
        _ content: FileContent, upTo limit: Int
    ) throws(ImageFault) -> (picture: Picture, head: ImageHead) {
        let bytes = try read(content, upTo: limit)
        guard let type = MediaType(bytes) else { throw .notAnImage }
        let head = try ImageHead(bytes, type)
        // Checks the stated size before a decoder allocates memory for it.
        guard head.width * head.height <= ImageLimits.pixels else { throw .tooManyPixels }
        guard let picture = Picture(decoding: bytes, type) else { throw .damaged }
        return (picture, head)
    }

    private static func shrunk(
        _ content: FileContent, to sizes: [Int], upTo limit: Int
    ) throws(ImageFault) -> [ShrunkImage] {
        var (picture, head) = try decoded(content, upTo: limit)
        var shrunk: [ShrunkImage] = []
        for (index, size) in sizes.enumerated() {
            guard let smaller = picture.fitting(size),
                let upright = index == 0 ? smaller.turned(head.orientation) : smaller,
                let jpeg = upright.jpeg
            else { throw .damaged }
            shrunk.append(jpeg)
            picture = upright
        }
        return shrunk
    }

    /// Reads a file within the size limit. Throws `.tooManyBytes` otherwise.
    private static func read(_ content: FileContent, upTo limit: Int) throws(ImageFault) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try content.head(limit + 1)
        } catch {
            throw .damaged
        }
        guard bytes.count <= limit else { throw .tooManyBytes }
        return bytes
    }
}

/// The brightness of a picture's pixels, row by row: 0 is black, 255 is white.
struct GrayImage {
    let bytes: [UInt8]
    let width: Int
    let height: Int
}

/// A picture in libgd's memory.
private final class Picture {
    private let image: gdImagePtr

    private init?(_ image: gdImagePtr?) {
        guard let image else { return nil }
        self.image = image
    }

    deinit { gdImageDestroy(image) }

    convenience init?(decoding bytes: [UInt8], _ type: MediaType) {
        // libgd's parameter is mutable, but it does not write to it.
        var bytes = bytes
        let count = Int32(bytes.count)
        let image = bytes.withUnsafeMutableBytes { buffer in
            switch type {
            case .jpeg: gdImageCreateFromJpegPtr(count, buffer.baseAddress)
            case .png: gdImageCreateFromPngPtr(count, buffer.baseAddress)
            case .webP: gdImageCreateFromWebpPtr(count, buffer.baseAddress)
            default: nil as gdImagePtr?
            }
        }
        self.init(image)
    }

    private var width: Int { Int(image.pointee.sx) }
    private var height: Int { Int(image.pointee.sy) }

    /// Scales the picture down so that no side is longer than `size`. Transparent parts become white.
    func fitting(_ size: Int) -> Picture? {
        let scale = min(1, Double(size) / Double(max(width, height, 1)))
        func side(_ length: Int) -> Int32 { Int32(max(1, (Double(length) * scale).rounded())) }
        let (wide, high) = (side(width), side(height))
        guard let made = gdImageCreateTrueColor(wide, high) else { return nil }
        gdImageFilledRectangle(made, 0, 0, wide - 1, high - 1, 0xFF_FFFF)
        gdImageCopyResampled(made, image, 0, 0, 0, 0, wide, high, Int32(width), Int32(height))
        return Picture(made)
    }

    /// Turns the picture upright, given the camera's orientation (Exif 2.32, tag 0x0112).
    func turned(_ orientation: Int) -> Picture? {
        guard (2...8).contains(orientation) else { return self }
        let isOnSide = orientation >= 5
        guard
            let made = gdImageCreateTrueColor(
                Int32(isOnSide ? height : width), Int32(isOnSide ? width : height))
        else { return nil }
        let (right, bottom) = (width - 1, height - 1)
        for y in 0..<height {
            for x in 0..<width {
                let (toX, toY) =
                    switch orientation {
                    case 2: (right - x, y)
                    case 3: (right - x, bottom - y)
                    case 4: (x, bottom - y)
                    case 5: (y, x)
                    case 6: (bottom - y, x)
                    case 7: (bottom - y, right - x)
                    default: (y, right - x)
                    }
                gdImageSetPixel(made, Int32(toX), Int32(toY), gdImageGetTrueColorPixel(image, Int32(x), Int32(y)))
            }
        }
        return Picture(made)
    }

    var gray: GrayImage {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = Int(gdImageGetTrueColorPixel(image, Int32(x), Int32(y)))
                let (red, green, blue) = (pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF)
                // The weights of ITU-R BT.601.
                bytes.append(UInt8((red * 299 + green * 587 + blue * 114) / 1000))
            }
        }
        return GrayImage(bytes: bytes, width: width, height: height)
    }

    var jpeg: ShrunkImage? {
        var count: Int32 = 0
        guard let data = gdImageJpegPtr(image, &count, 82) else { return nil }
        defer { gdFree(data) }
        let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: Int(count)))
        return ShrunkImage(bytes: bytes, width: width, height: height)
    }
}

/// The size and orientation in a picture's header.
struct ImageHead: Equatable {
    var width = 0
    var height = 0
    /// The camera's orientation (Exif 2.32, tag 0x0112); 1 is upright.
    var orientation = 1

    init(_ bytes: [UInt8], _ type: MediaType) throws(ImageFault) {
        switch type {
        case .jpeg: try readJPEG(bytes)
        case .png:
            guard bytes.count > 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { throw .damaged }
            (width, height) = (bytes.big(16, 4), bytes.big(20, 4))
        case .webP: try readWebP(bytes)
        default: throw .notAnImage
        }
        guard width > 0, height > 0 else { throw .damaged }
    }

    /// Reads the segments before the scan (ISO/IEC 10918-1, annex B).
    private mutating func readJPEG(_ bytes: [UInt8]) throws(ImageFault) {
        var place = 2
        while place + 4 <= bytes.count {
            guard bytes[place] == 0xFF else { throw .damaged }
            let marker = bytes[place + 1]
            // Fill bytes, and markers without a length.
            if marker == 0xFF {
                place += 1
                continue
            }
            if marker == 0x01 || (0xD0...0xD7).contains(marker) {
                place += 2
                continue
            }
            let length = bytes.big(place + 2, 2)
            let (start, end) = (place + 4, place + 2 + length)
            guard length >= 2, end <= bytes.count else { throw .damaged }
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard end - start >= 5 else { throw .damaged }
                (height, width) = (bytes.big(start + 1, 2), bytes.big(start + 3, 2))
            case 0xE1: orientation = Self.orientation(bytes[start..<end]) ?? orientation
            case 0xDA:
                // A truncated file has no end marker; libgd would fill the rest with gray.
                guard Self.hasEnd(bytes, from: end) else { throw .damaged }
                return
            default: break
            }
            place = end
        }
        throw .damaged
    }

    private static func hasEnd(_ bytes: [UInt8], from start: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            for place in stride(from: bytes.count - 2, through: start, by: -1)
            where bytes[place] == 0xFF && bytes[place + 1] == 0xD9 { return true }
            return false
        }
    }

    /// Reads the tag from the first directory of an Exif segment, a TIFF file of either byte order.
    private static func orientation(_ segment: ArraySlice<UInt8>) -> Int? {
        guard segment.starts(with: Array("Exif".utf8) + [0, 0]) else { return nil }
        let tiff = Array(segment.dropFirst(6))
        guard tiff.count >= 8 else { return nil }
        let isLittle = tiff[0] == 0x49
        func number(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place + count <= tiff.count else { return nil }
            return isLittle ? tiff.little(place, count) : tiff.big(place, count)
        }
        guard let directory = number(4, 4), let entries = number(directory, 2) else { return nil }
        for entry in 0..<entries {
            let place = directory + 2 + entry * 12
            guard let tag = number(place, 2) else { return nil }
            if tag == 0x0112 { return number(place + 8, 2).flatMap { (1...8).contains($0) ? $0 : nil } }
        }
        return nil
    }

    /// Reads the lossy, lossless or extended format (RFC 9649).
    private mutating func readWebP(_ bytes: [UInt8]) throws(ImageFault) {
        guard bytes.count >= 30 else { throw .damaged }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8 ": (width, height) = (bytes.little(26, 2) & 0x3FFF, bytes.little(28, 2) & 0x3FFF)
        case "VP8L":
            let bits = bytes.little(21, 4)
            (width, height) = (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8X": (width, height) = (bytes.little(24, 3) + 1, bytes.little(27, 3) + 1)
        default: throw .damaged
        }
    }
}

extension [UInt8] {
    fileprivate func big(_ place: Int, _ count: Int) -> Int {
        self[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    fileprivate func little(_ place: Int, _ count: Int) -> Int {
        self[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
