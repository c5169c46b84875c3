import Foundation

/// Writes a model as a binary glTF 2.0 file (Khronos, glTF 2.0 specification, section 4.4), for the page's viewer and for
/// the viewer of Android devices.
///
/// The file has one node for the material and below it one for each part, named as in `Part.name`. Texts in a language are
/// on the page. A part's node has the place of the part when the material is taken apart in `extras.apart`.
enum GLB {
    static let contentType = "model/gltf-binary"

    /// The bytes of a coordinate, of a point with its normal, and of a place in the list of points.
    private static let (number, corner, index) = (4, 24, 2)

    static func bytes(of model: Model, named name: String) throws -> [UInt8] {
        var binary = Binary(model.shapes.map(\.mesh))
        var document = Document(name, buffer: binary.bytes.count)
        document.bufferViews = [
            View(byteOffset: 0, byteLength: binary.places, byteStride: corner, target: 34962),
            View(byteOffset: binary.places, byteLength: binary.bytes.count - binary.places, target: 34963),
        ]
        for (mesh, start) in zip(model.shapes.map(\.mesh), binary.starts) {
            let bounds = mesh.bounds
            document.accessors += [
                Accessor(
                    bufferView: 0, byteOffset: start.point, componentType: 5126, count: mesh.points.count,
                    type: "VEC3", min: floats(bounds.least), max: floats(bounds.greatest)),
                Accessor(
                    bufferView: 0, byteOffset: start.point + 3 * number, componentType: 5126,
                    count: mesh.points.count, type: "VEC3"),
                Accessor(
                    bufferView: 1, byteOffset: start.triangle, componentType: 5123, count: mesh.triangles.count,
                    type: "SCALAR"),
            ]
        }
        for part in model.parts { document.add(part) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var text = Array(try encoder.encode(document))
        text += Array(repeating: UInt8(ascii: " "), count: -text.count & 3)
        binary.bytes += Array(repeating: 0, count: -binary.bytes.count & 3)

        var file = Array("glTF".utf8)
        append(2, to: &file)
        append(12 + 8 + text.count + 8 + binary.bytes.count, to: &file)
        append(text.count, to: &file)
        file += Array("JSON".utf8) + text
        append(binary.bytes.count, to: &file)
        file += Array("BIN\0".utf8) + binary.bytes
        return file
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(number).littleEndian) { bytes += $0 }
    }

    private static func floats(_ vector: Vector) -> [Float] { [vector.x, vector.y, vector.z].map(Float.init) }

    /// The points with their normals, then the triangles of all shapes.
    private struct Binary {
        var bytes: [UInt8] = []
        /// The offset at which the triangles begin.
        let places: Int
        /// The offsets of each shape's points and triangles in their parts of the file.
        var starts: [(point: Int, triangle: Int)] = []

        init(_ meshes: [Mesh]) {
            places = meshes.reduce(0) { $0 + $1.points.count } * corner
            bytes.reserveCapacity(places + meshes.reduce(0) { $0 + $1.triangles.count } * index)
            var triangle = 0
            for mesh in meshes {
                starts.append((bytes.count, triangle))
                triangle += mesh.triangles.count * index
                for (point, normal) in zip(mesh.points, mesh.normals) {
                    for value in [point.x, point.y, point.z, normal.x, normal.y, normal.z] {
                        withUnsafeBytes(of: Float(value).bitPattern.littleEndian) { bytes += $0 }
                    }
                }
            }
            for mesh in meshes {
                // A shape has far fewer than 65,535 points.
                for place in mesh.triangles { withUnsafeBytes(of: UInt16(place).littleEndian) { bytes += $0 } }
            }
        }
    }

    // MARK: - The document

    private struct View: Encodable {
        let buffer = 0
        let byteOffset: Int
        let byteLength: Int
        var byteStride: Int?
        let target: Int
    }

    private struct Accessor: Encodable {
        let bufferView: Int
        let byteOffset: Int
        let componentType: Int
        let count: Int
        let type: String
        var min: [Float]?
        var max: [Float]?
    }

    private struct Node: Encodable {
        struct Extras: Encodable {
            let apart: [Float]
        }
        var name: String?
        var children: [Int]?
        var mesh: Int?
        var translation: [Float]?
        var extras: Extras?
    }

    private struct Primitive: Encodable, Hashable {
        let attributes: [String: Int]
        let indices: Int
        let material: Int
    }

    private struct MeshEntry: Encodable, Hashable {
        let primitives: [Primitive]
    }

    private struct MaterialEntry: Encodable {
        struct Surface: Encodable {
            let baseColorFactor: [Double]
            let metallicFactor = 0
            let roughnessFactor = 0.6
        }
        let name: String
        let pbrMetallicRoughness: Surface
    }

    private struct Document: Encodable {
        struct Asset: Encodable {
            let version = "2.0"
            let generator = "PinkTower"
        }
        struct Buffer: Encodable {
            let byteLength: Int
        }
        struct Scene: Encodable {
            let nodes = [0]
        }
        let asset = Asset()
        let scene = 0
        let scenes = [Scene()]
        var nodes: [Node]
        var meshes: [MeshEntry] = []
        var materials: [MaterialEntry] = []
        var accessors: [Accessor] = []
        var bufferViews: [View] = []
        let buffers: [Buffer]

        init(_ name: String, buffer length: Int) {
            nodes = [Node(name: name, children: [])]
            // The chunk in the file may be longer by at most three bytes.
            buffers = [Buffer(byteLength: length)]
        }

        mutating func add(_ part: Part) {
            var node = Node(
                name: part.name, translation: floats(part.place), extras: .init(apart: floats(part.apart)))
            // Pieces at one place are one mesh.
            var groups: [(offset: Vector, pieces: [Piece])] = []
            for piece in part.pieces {
                if groups.last?.offset == piece.offset {
                    groups[groups.count - 1].pieces.append(piece)
                } else {
                    groups.append((piece.offset, [piece]))
                }
            }
            if groups.count == 1, groups[0].offset == .zero {
                node.mesh = mesh(groups[0].pieces)
            } else {
                node.children = Array(nodes.count..<(nodes.count + groups.count))
                for group in groups {
                    let entry = mesh(group.pieces)
                    nodes.append(Node(mesh: entry, translation: floats(group.offset)))
                }
            }
            let place = nodes.count
            nodes.append(node)
            nodes[0].children?.append(place)
        }

        private mutating func mesh(_ pieces: [Piece]) -> Int {
            let entry = MeshEntry(
                primitives: pieces.map {
                    Primitive(
                        attributes: ["POSITION": 3 * $0.shape, "NORMAL": 3 * $0.shape + 1],
                        indices: 3 * $0.shape + 2,
                        material: material($0.paint))
                })
            if let known = meshes.firstIndex(of: entry) { return known }
            meshes.append(entry)
            return meshes.count - 1
        }

        private mutating func material(_ paint: Paint) -> Int {
            if let known = materials.firstIndex(where: { $0.name == paint.name }) { return known }
            let color = paint.linear.map { ($0 * 10_000).rounded() / 10_000 } + [1]
            materials.append(
                MaterialEntry(name: paint.name, pbrMetallicRoughness: .init(baseColorFactor: color)))
            return materials.count - 1
        }
    }
}
