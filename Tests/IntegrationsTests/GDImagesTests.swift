import CGD
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Integrations

@Suite("Scaled pictures")
struct GDImagesTests {
    private let images = GDImages()

    /// The red, green and blue of one pixel.
    private func pixel(_ x: Int32, _ y: Int32, of picture: ShrunkImage) throws -> [Int32] {
        var bytes = picture.bytes
        let image = try #require(gdImageCreateFromJpegPtr(Int32(bytes.count), &bytes))
        defer { gdImageDestroy(image) }
        let color = gdImageGetTrueColorPixel(image, x, y)
        return [color >> 16 & 255, color >> 8 & 255, color & 255]
    }

    private func has(_ bytes: [UInt8], _ text: String) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    @Test("a scaled photo is upright and has lost the camera's metadata")
    func photo() async throws {
        let photo = TestPictures.photo
        #expect(has(photo, "Exif") && has(photo, "PhoneMaker"))
        let made = try await images.shrink(photo, to: [1600, 8])
        #expect(
            made.map(\.width) == [16, 5] && made.map(\.height) == [24, 8],
            "on its side, and none larger than it was")
        for one in made {
            #expect(MediaType(one.bytes) == .jpeg)
            #expect(!has(one.bytes, "Exif") && !has(one.bytes, "PhoneMaker"))
        }
        // The left half of the photo is now above: red over blue.
        let (above, below) = (try pixel(8, 3, of: made[0]), try pixel(8, 20, of: made[0]))
        #expect(above[0] > 150 && above[2] < 90, "\(above)")
        #expect(below[2] > 150 && below[0] < 90, "\(below)")
    }

    @Test("every camera orientation ends upright", arguments: 1...8)
    func upright(_ orientation: Int) async throws {
        var photo = TestPictures.photo
        let tag = try #require(Data(photo).range(of: Data([0x01, 0x12, 0x00, 0x03, 0, 0, 0, 1, 0, 6])))
        photo[tag.upperBound - 1] = UInt8(orientation)
        let made = try #require(try await images.shrink(photo, to: [1600]).first)
        #expect(made.width == (orientation >= 5 ? 16 : 24))
        let (wide, high) = (Int32(made.width), Int32(made.height))
        // The side of the red half: left, right, right, left, top, top, bottom, bottom.
        let (x, y): (Int32, Int32) =
            switch orientation {
            case 1, 4: (3, high / 2)
            case 2, 3: (wide - 4, high / 2)
            case 5, 6: (wide / 2, 3)
            default: (wide / 2, high - 4)
            }
        let color = try pixel(x, y, of: made)
        #expect(color[0] > 150 && color[2] < 90, "\(color)")
    }

    @Test("PNG and WebP become JPEG with a white background")
    func others() async throws {
        let png = try #require(try await images.shrink(TestPictures.png, to: [1600]).first)
        #expect(png.width == 20 && png.height == 10)
        #expect(try pixel(5, 5, of: png).allSatisfy { $0 > 250 })
        let webP = try #require(try await images.shrink(TestPictures.webP, to: [12]).first)
        #expect(webP.width == 12 && webP.height == 8)
    }

    @Test(
        "a file that is no picture is refused",
        arguments: [
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>", "<html>", "%PDF-1.7", "",
            "PK\u{3}\u{4}",
        ])
    func noPicture(_ text: String) async {
        await #expect(throws: ImageFault.notAnImage) { try await images.shrink(Array(text.utf8), to: [16]) }
        await #expect(throws: ImageFault.notAnImage) { try await images.shrink(TestPictures.gif, to: [16]) }
    }

    @Test("a truncated or noisy picture is damaged and stops nothing")
    func damaged() async throws {
        for picture in [TestPictures.photo, TestPictures.png, TestPictures.webP] {
            for count in stride(from: 12, to: picture.count - 2, by: 7) {
                await #expect(throws: ImageFault.self) {
                    try await images.shrink(Array(picture.prefix(count)), to: [16])
                }
            }
            for seed in 0..<40 {
                var noise = picture
                for step in 0..<12 {
                    noise[(seed * 131 + step * 977) % (noise.count - 12) + 12] ^= UInt8(37 + step * 3)
                }
                do throws(ImageFault) {
                    // Some noise changes only colors.
                    let made = try await images.shrink(noise, to: [16])
                    #expect(made.allSatisfy { MediaType($0.bytes) == .jpeg })
                } catch {
                    #expect(error == .damaged || error == .tooManyPixels)
                }
            }
        }
        #expect(try await images.shrink(TestPictures.photo, to: [16]).count == 1)
    }

    @Test("a script appended to a photo is removed")
    func polyglot() async throws {
        let file = TestPictures.photo + Array("<script>alert(1)</script>".utf8)
        let made = try #require(try await images.shrink(file, to: [64]).first)
        #expect(!has(made.bytes, "script"))
    }

    @Test("a header that states more than fifty megapixels is refused before decoding")
    func tooLarge() async throws {
        var png = TestPictures.png
        // A file of 73 bytes that states 10,000 x 6,000 pixels.
        png.replaceSubrange(16..<24, with: [0, 0, 0x27, 0x10, 0, 0, 0x17, 0x70])
        await #expect(throws: ImageFault.tooManyPixels) { try await images.shrink(png, to: [16]) }
        var photo = TestPictures.photo
        let frame = try #require(Data(photo).range(of: Data([0xFF, 0xC0, 0x00, 0x11, 0x08])))
        photo.replaceSubrange(frame.upperBound..<frame.upperBound + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        await #expect(throws: ImageFault.tooManyPixels) { try await images.shrink(photo, to: [16]) }
        let heavy = TestPictures.photo + [UInt8](repeating: 0, count: ImageLimits.bytes)
        await #expect(throws: ImageFault.tooManyBytes) { try await images.shrink(heavy, to: [16]) }
    }
}
