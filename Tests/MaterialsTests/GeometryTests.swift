import Foundation
import TestKit
import Testing

@testable import Materials

@Suite("Materials, the geometry")
struct GeometryTests {
    /// All parts of all materials, each with its surface and its name.
    private static let parts: [(name: String, part: Part, mesh: Mesh)] = Material.all.flatMap { material in
        let model = material.model()
        return model.parts.map { ("\(material.slug) \($0.name)", $0, model.mesh(of: $0)) }
    }

    private func isClose(_ one: Double, _ other: Double, within share: Double = 1e-9) -> Bool {
        abs(one - other) <= share * max(abs(one), abs(other))
    }

    private func model(_ slug: String) throws -> Model { try #require(Material.named(slug)).model() }

    @Test("each surface is closed: two triangles meet at every edge and go along it in opposite directions")
    func closed() {
        for material in Material.all {
            let model = material.model()
            for part in model.parts {
                // Pieces at one place are the sides of one body; the bars of a chain touch each other.
                for (_, pieces) in Dictionary(grouping: part.pieces, by: \.offset) {
                    let mesh = pieces.reduce(into: Mesh()) { $0.append(model.shapes[$1.shape].mesh) }
                    #expect(
                        !mesh.triangles.isEmpty && Self.openEdges(of: mesh) == 0, "\(material.slug) \(part.name)")
                }
            }
        }
    }

    @Test("a box without a lid is noticed as open")
    func open() {
        #expect(Self.openEdges(of: Solids.box(1, 1, 1)) == 0)
        #expect(Self.openEdges(of: Solids.box(1, 1, 1, sides: [.bottom, .left, .right, .front, .back])) == 4)
    }

    /// The number of edges along which no second triangle goes in the opposite direction.
    private static func openEdges(of mesh: Mesh) -> Int {
        let numbers = numbers(of: mesh)
        var edges: [[Int]: Int] = [:]
        for triangle in stride(from: 0, to: mesh.triangles.count, by: 3) {
            for side in 0..<3 {
                let start = numbers[mesh.triangles[triangle + side]]
                let end = numbers[mesh.triangles[triangle + (side + 1) % 3]]
                edges[[start, end], default: 0] += 1
            }
        }
        return edges.count { edge, count in count != 1 || edges[[edge[1], edge[0]]] != 1 }
    }

    /// The number of each point's place. Points of different faces at one place have one number.
    private static func numbers(of mesh: Mesh) -> [Int] {
        var known: [[Int]: Int] = [:]
        return mesh.points.map { point in
            let nanometres = [point.x, point.y, point.z].map { Int(($0 * 1e9).rounded()) }
            if let number = known[nanometres] { return number }
            known[nanometres] = known.count
            return known.count - 1
        }
    }

    @Test("normals have the length 1 and point to the outside of their triangles")
    func normals() {
        for (name, _, mesh) in Self.parts {
            #expect(mesh.normals.allSatisfy { isClose($0.length, 1) }, "\(name)")
            var inward = 0
            for place in stride(from: 0, to: mesh.triangles.count, by: 3) {
                let corners = mesh.triangles[place..<(place + 3)]
                let points = corners.map { mesh.points[$0] }
                let normal = (points[1] - points[0]).cross(points[2] - points[0])
                inward += corners.contains { mesh.normals[$0].dot(normal) <= 0 } ? 1 : 0
            }
            #expect(inward == 0, "\(name): \(inward) triangles")
        }
    }

    @Test("volumes are those of the exact forms; round ones lack less than two percent")
    func volumes() throws {
        for (name, part, mesh) in Self.parts {
            #expect(mesh.volume > 0, "\(name)")
            guard let exact = part.form.volume else { continue }
            // The knob of a cylinder is not part of its form.
            let knob =
                part.pieces.count == 2 && name.contains("cylinders")
                ? Solids.knob(height: 0.02, diameter: 0.014).volume : 0
            let missing = 1 - (mesh.volume - knob) / exact
            #expect(missing > -1e-9 && missing < 0.02, "\(name): \(mesh.volume) for \(exact)")
        }
        let cube = try #require(try model("pink-tower").parts.first)
        #expect(isClose(try #require(cube.form.volume), 0.001))
    }

    @Test("a block lacks the volume of its ten sockets")
    func sockets() throws {
        let blocks = try model("cylinders-2")
        let wood = blocks.mesh(of: try #require(blocks.parts.first)).volume
        let edges = (2...11).map { Double($0) * 0.005 }
        let cylinders = edges.map { Double.pi / 4 * $0 * $0 * $0 }.reduce(0, +)
        #expect(isClose(wood, 0.45 * 0.07 * 0.07 - cylinders, within: 0.002))
    }

    @Test("the pink tower is ten cubes of 1 to 10 cm, 55 cm high, each on the next larger one")
    func tower() throws {
        let tower = try model("pink-tower")
        let size = tower.bounds().size
        #expect(isClose(size.x, 0.1) && isClose(size.y, 0.55) && isClose(size.z, 0.1))
        #expect(tower.parts.count == 10)
        var top = 0.0
        for (part, centimetres) in zip(tower.parts, (1...10).reversed()) {
            let edges = tower.mesh(of: part).bounds.size
            let edge = Double(centimetres) / 100
            #expect([edges.x, edges.y, edges.z].allSatisfy { isClose($0, edge) }, "\(part.name)")
            #expect(part.name == "cube-\(centimetres)" && abs(part.place.y - top) < 1e-9)
            top += edge
        }
    }

    @Test(
        "the other materials have their sizes in metres",
        arguments: [
            ("brown-stair", 0.55, 0.1, 0.2), ("red-rods", 1, 0.025, 0.25), ("binomial-cube", 0.07, 0.07, 0.07),
            ("cylinders-1", 0.45, 0.09, 0.07), ("bead-stair", 0.073, 0.007, 0.07945),
            ("short-chains", 0.73, 0.007, 0.196),
        ])
    func sizes(slug: String, width: Double, height: Double, depth: Double) throws {
        let size = try model(slug).bounds().size
        #expect(isClose(size.x, width) && isClose(size.y, height) && isClose(size.z, depth), "\(size)")
    }

    @Test("each solid has the dimensions that its page names")
    func solids() throws {
        let model = try model("geometric-solids")
        #expect(Set(model.parts.map(\.form.name)).count == 10)
        for part in model.parts {
            let size = model.mesh(of: part).bounds.size
            let tallest = max(size.x, size.y, size.z)
            #expect(part.form.sizes.allSatisfy { $0.metres <= tallest + 1e-9 }, "\(part.name)")
        }
        let tetrahedron = try #require(model.parts.first { $0.name == "tetrahedron" })
        let mesh = model.mesh(of: tetrahedron)
        for (one, point) in mesh.points.enumerated() {
            for other in mesh.points[one...] where other != point {
                let distance = (other - point).length
                #expect(distance < 1e-9 || isClose(distance, 0.08))
            }
        }
    }

    @Test("materials stand on the floor with their middle above the origin, together and apart")
    func floor() {
        for material in Material.all {
            let model = material.model()
            for isApart in [false, true] {
                let bounds = model.bounds(isApart: isApart)
                #expect(abs(bounds.least.y) < 1e-9, "\(material.slug)")
                #expect(abs(bounds.middle.x) < 1e-9 && abs(bounds.middle.z) < 1e-9, "\(material.slug)")
            }
        }
    }

    @Test("taken apart, no part touches another, and cylinders are out of their sockets")
    func apart() {
        for material in Material.all {
            let model = material.model()
            let boxes = model.parts.map { part -> Bounds in
                let bounds = model.mesh(of: part).bounds
                return Bounds(of: [bounds.least + part.apart, bounds.greatest + part.apart])
            }
            for one in boxes.indices {
                for other in boxes.indices where other > one {
                    let (a, b) = (boxes[one], boxes[other])
                    let isSeparate =
                        a.greatest.x < b.least.x || b.greatest.x < a.least.x || a.greatest.z < b.least.z
                        || b.greatest.z < a.least.z
                    #expect(isSeparate, "\(material.slug): \(model.parts[one].name), \(model.parts[other].name)")
                }
            }
        }
    }

    @Test("the eight blocks fill the binomial cube")
    func binomial() throws {
        let cube = try model("binomial-cube")
        let volume = cube.parts.reduce(0) { $0 + cube.mesh(of: $1).volume }
        #expect(cube.parts.count == 8 && isClose(volume, 0.07 * 0.07 * 0.07))
        // Squares of a are red and squares of b blue: six each, besides the sides of the two cubes.
        let paints = cube.parts.map { part in part.pieces.map(\.paint.name) }
        #expect(paints.filter { $0 == ["red", "red", "red"] }.count == 1)
        #expect(paints.filter { $0 == ["blue", "blue", "blue"] }.count == 1)
        #expect(paints.filter { Set($0) == ["red", "black"] }.count == 3)
        #expect(paints.filter { Set($0) == ["blue", "black"] }.count == 3)
    }

    @Test("chains have as many beads as the square of their number")
    func chains() throws {
        let chains = try model("short-chains")
        #expect(chains.parts.map(\.form.beads) == (1...10).map { $0 * $0 })
        for (part, number) in zip(chains.parts, 1...10) {
            let balls = part.pieces.reduce(0) { count, piece in
                count + (piece.paint.name == "metal" ? 0 : chains.shapes[piece.shape].bodies.count)
            }
            #expect(balls == number * number)
        }
    }

    @Test("the shapes and colors are those of the version in the files' addresses")
    func version() {
        // FNV-1a (RFC 9923) over all places in micrometres and the color of each piece. If one has changed: raise `ModelFiles.version` and put
        // the new numbers here, so that browsers load the new files.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for material in Material.all {
            let model = material.model()
            for part in model.parts {
                let mesh = model.mesh(of: part)
                for point in mesh.points + mesh.normals + [part.place, part.apart] {
                    for value in [point.x, point.y, point.z] {
                        hash = (hash ^ UInt64(bitPattern: Int64((value * 1e6).rounded()))) &* 0x0000_0100_0000_01b3
                    }
                }
                for piece in part.pieces {
                    for byte in piece.paint.css(1).utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
                }
            }
        }
        #expect(ModelFiles.version == 1)
        #expect(String(hash, radix: 16) == "272264568f0ad14e")
    }
}
