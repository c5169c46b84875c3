import CGD
import FeatureKit
import Foundation
import Integrations
import Testing

@Suite("Reading QR codes")
struct ZBarCodesTests {
    let decoder: any QRCodeDecoder = ZBarCodes()

    /// A photo of a code, as JPEG: gray modules of some pixels on a lighter ground.
    private func photo(of text: String, pixel: Int = 6, quality: Int32 = 60) throws -> [UInt8] {
        let modules = try LibQRCode().modules(of: text)
        let side = Int32((modules.count + 16) * pixel)
        let image = try #require(gdImageCreateTrueColor(side, side))
        defer { gdImageDestroy(image) }
        gdImageFilledRectangle(image, 0, 0, side - 1, side - 1, 0xE8E0D0)
        for (y, row) in modules.enumerated() {
            for (x, isDark) in row.enumerated() where isDark {
                let (left, top) = (Int32((x + 8) * pixel), Int32((y + 8) * pixel))
                gdImageFilledRectangle(
                    image, left, top, left + Int32(pixel) - 1, top + Int32(pixel) - 1, 0x302838)
            }
        }
        var count: Int32 = 0
        let data = try #require(gdImageJpegPtr(image, &count, quality))
        defer { gdFree(data) }
        return [UInt8](UnsafeRawBufferPointer(start: data, count: Int(count)))
    }

    @Test(
        "the text of a code is read from a photo, small or large",
        arguments: ["4K7QP9XW2M4K7QP9XW2M", "https://school.example/é/1"], [3, 6, 40])
    func reads(_ text: String, _ pixel: Int) async throws {
        #expect(try await decoder.texts(in: .bytes(photo(of: text, pixel: pixel))) == [text])
    }

    @Test("a photo without a code has no text")
    func empty() async throws {
        let image = try #require(gdImageCreateTrueColor(64, 64))
        defer { gdImageDestroy(image) }
        var count: Int32 = 0
        let data = try #require(gdImageJpegPtr(image, &count, 60))
        defer { gdFree(data) }
        let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: Int(count)))
        #expect(try await decoder.texts(in: .bytes(bytes)) == [])
    }

    @Test("a file that is no picture, or half of one, is refused")
    func hostile() async throws {
        await #expect(throws: ImageFault.notAnImage) { try await decoder.texts(in: .bytes(Array("hello".utf8))) }
        let whole = try photo(of: "HALF")
        await #expect(throws: ImageFault.damaged) {
            try await decoder.texts(in: .bytes(Array(whole.prefix(whole.count / 2))))
        }
    }
}
