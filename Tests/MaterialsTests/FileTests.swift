import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Materials

@Suite("Materials, the files")
struct FileTests {
    private let files = ModelFiles()

    private func bytes(_ slug: String, _ format: ModelFiles.Format) throws -> [UInt8] {
        try files.bytes(of: try #require(Material.named(slug)), format)
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    /// The document in a binary glTF file.
    private func document(_ file: [UInt8]) throws -> [String: Any] {
        let length = number(file[12..<16])
        return try #require(
            try JSONSerialization.jsonObject(with: Data(file[20..<(20 + length)])) as? [String: Any])
    }

    @Test("a model is a binary glTF file whose lengths are right and whose chunks begin at multiples of four")
    func structure() throws {
        for material in Material.all {
            let file = try files.bytes(of: material, .glb)
            #expect(file.starts(with: Array("glTF".utf8)) && number(file[4..<8]) == 2)
            #expect(number(file[8..<12]) == file.count)
            let json = number(file[12..<16])
            #expect(json % 4 == 0 && Array(file[16..<20]) == Array("JSON".utf8))
            let binary = number(file[(20 + json)..<(24 + json)])
            #expect(binary % 4 == 0 && 28 + json + binary == file.count)
            #expect(Array(file[(24 + json)..<(28 + json)]) == Array("BIN\0".utf8))
        }
    }

    @Test(
        "the nodes of a model are its parts, named the same in all languages, with their places together and apart")
    func nodes() throws {
        let nodes = try #require(try document(try bytes("pink-tower", .glb))["nodes"] as? [[String: Any]])
        #expect(nodes[0]["name"] as? String == "pink-tower")
        #expect(nodes.dropFirst().map { $0["name"] as? String } == (1...10).reversed().map { "cube-\($0)" })
        let top = try #require(nodes.last)
        let place = try #require(top["translation"] as? [Double])
        #expect(abs(place[1] - 0.54) < 1e-6)
        let apart = try #require((top["extras"] as? [String: Any])?["apart"] as? [Double])
        #expect(apart[1] == 0)
    }

    @Test("equal parts are stored once: the chains with 385 beads are not larger than the bars with 55")
    func shared() throws {
        #expect(try bytes("short-chains", .glb).count < bytes("bead-stair", .glb).count)
        for material in Material.all {
            #expect(try files.bytes(of: material, .glb).count < 200_000, "\(material.slug)")
            #expect(try files.bytes(of: material, .usdz).count < 500_000, "\(material.slug)")
            #expect(try files.bytes(of: material, .svg).count < 60_000, "\(material.slug)")
        }
    }

    @Test("a USDZ file is an uncompressed archive whose layer begins at a multiple of 64")
    func archive() throws {
        for material in Material.all {
            let file = try files.bytes(of: material, .usdz)
            #expect(number(file[0..<4]) == 0x0403_4b50 && number(file[8..<10]) == 0)
            let start = 30 + number(file[26..<28]) + number(file[28..<30])
            #expect(start % 64 == 0)
            let name = String(decoding: file[30..<(30 + number(file[26..<28]))], as: UTF8.self)
            #expect(name == "\(material.slug).usda")
            let length = number(file[18..<22])
            #expect(length == number(file[22..<26]))
            let text = String(decoding: file[start..<(start + length)], as: UTF8.self)
            #expect(text.hasPrefix("#usda 1.0") && text.contains("metersPerUnit = 1"))
        }
    }

    @Test(
        "numbers are written without zeros at their end",
        arguments: [
            (0.1, "0.1"), (-0.055, "-0.055"), (12, "12"), (120, "120"), (0.0000004, "0"), (-0.0000004, "0"),
            (1.5, "1.5"), (0.000001, "0.000001"), (-3.25, "-3.25"),
        ])
    func decimals(value: Double, text: String) { #expect(USDZ.decimal(value, places: 6) == text) }

    @Test("a picture has a place for everything and says nothing that a style sheet would have to allow")
    func pictures() throws {
        for material in Material.all {
            let text = String(decoding: try files.bytes(of: material, .svg), as: UTF8.self)
            #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>"))
            #expect(!text.contains("nan") && !text.contains("inf") && !text.contains("style"))
        }
    }

    @Test("files are public and stored by browsers, and an unknown one is not found")
    func route() async throws {
        let route = files.route
        #expect(route.access == .anyone && route.bearer != nil && route.seen == nil)
        let school = try await TestSchool([
            try MaterialsFeature.make(qr: TestQRCode(), publicURL: "https://tower.example")
        ])
        let context = try await school.context(of: .nobody)
        for format in ModelFiles.Format.allCases {
            let file = try await route.file(["file": "red-rods.\(format.rawValue)"], context)
            #expect(file.use == .published && file.contentType == format.contentType)
            #expect(try file.content.bytes() == bytes("red-rods", format))
        }
        for name in ["red-rods", "red-rods.png", "blue-rods.glb", "", ".glb", "red-rods.glb.glb"] {
            #expect(try await problem { _ = try await route.file(["file": name], context) } == .notFound, "\(name)")
        }
    }
}
