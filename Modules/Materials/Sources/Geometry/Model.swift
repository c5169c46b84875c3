import Foundation

/// The color of a part, as sRGB components from 0 to 1.
struct Paint: Hashable, Sendable {
    /// The name of the color in files: lower-case letters.
    let name: String
    let red: Double
    let green: Double
    let blue: Double

    init(_ name: String, _ hex: Int) {
        self.name = name
        red = Double(hex >> 16 & 0xFF) / 255
        green = Double(hex >> 8 & 0xFF) / 255
        blue = Double(hex & 0xFF) / 255
    }

    /// The components as light, which files of models hold (IEC 61966-2-1).
    var linear: [Double] {
        [red, green, blue].map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    }

    /// The color as CSS, lighter or darker by a factor.
    func css(_ light: Double) -> String {
        "#" + [red, green, blue].map { hex(Int((min(1, $0 * light) * 255).rounded())) }.joined()
    }

    private func hex(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}

/// A surface that parts consist of: convex bodies, or the sides of one, or the block of a material.
struct Shape: Hashable, Sendable {
    let bodies: [Mesh]
    /// The surface of all bodies.
    let mesh: Mesh
    let bounds: Bounds

    init(_ bodies: [Mesh]) {
        self.bodies = bodies
        mesh = bodies.count == 1 ? bodies[0] : bodies.reduce(into: Mesh()) { $0.append($1) }
        bounds = mesh.bounds
    }
}

/// The surface of one shape in one color, at a place relative to its part.
struct Piece: Hashable, Sendable {
    /// The place of the surface in the model's `shapes`.
    let shape: Int
    let paint: Paint
    var offset = Vector.zero
}

/// A part that can be taken out of a material: a cube, a rod, a bar of beads.
struct Part: Hashable, Sendable {
    /// The name of the part in files, the same in all languages: `cube-10`.
    let name: String
    let form: Form
    let pieces: [Piece]
    /// The place of the part in the material as it is built.
    let place: Vector
    /// The place of the part when the material is taken apart.
    let apart: Vector
}

/// A material in three dimensions, in metres, standing on the floor (y = 0) with its middle above the origin.
struct Model: Hashable, Sendable {
    /// The surfaces that parts consist of. Equal parts share theirs.
    let shapes: [Shape]
    let parts: [Part]

    /// The surface of a part at the origin, without its colors.
    func mesh(of part: Part) -> Mesh {
        part.pieces.reduce(into: Mesh()) { $0.append(shapes[$1.shape].mesh.moved(by: $1.offset)) }
    }

    /// The bounds of the material as it is built, or taken apart.
    func bounds(isApart: Bool = false) -> Bounds {
        Bounds(
            of: parts.flatMap { part -> [Vector] in
                let place = isApart ? part.apart : part.place
                return part.pieces.flatMap { piece -> [Vector] in
                    let bounds = shapes[piece.shape].bounds
                    return [bounds.least, bounds.greatest].map { $0 + piece.offset + place }
                }
            })
    }
}

/// Builds a model from its parts. Equal surfaces are stored once.
struct ModelBuilder {
    private var shapes: [Shape] = []
    private var known: [String: Int] = [:]
    private var parts: [Part] = []

    /// Adds a surface under a name, unless there is one.
    /// - Returns: its place in the model's `shapes`.
    mutating func shape(_ name: String, _ make: () -> [Mesh]) -> Int {
        if let place = known[name] { return place }
        shapes.append(Shape(make()))
        known[name] = shapes.count - 1
        return shapes.count - 1
    }

    mutating func add(_ part: Part) { parts.append(part) }

    /// Adds a part of one surface in one color.
    mutating func add(
        _ name: String, _ form: Form, _ mesh: @autoclosure () -> Mesh, _ paint: Paint, at place: Vector,
        apart: Vector
    ) {
        let shape = shape(name) { [mesh()] }
        add(Part(name: name, form: form, pieces: [Piece(shape: shape, paint: paint)], place: place, apart: apart))
    }

    /// The model with its middle above the origin, as it is built and taken apart.
    func model() -> Model {
        func toMiddle(_ bounds: Bounds) -> Vector { Vector(-bounds.middle.x, 0, -bounds.middle.z) }
        let raw = Model(shapes: shapes, parts: parts)
        let (built, apart) = (toMiddle(raw.bounds()), toMiddle(raw.bounds(isApart: true)))
        return Model(
            shapes: shapes,
            parts: parts.map {
                Part(
                    name: $0.name, form: $0.form, pieces: $0.pieces, place: $0.place + built,
                    apart: $0.apart + apart)
            })
    }
}
