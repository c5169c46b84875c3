/// The four blocks of wood with ten knobbed cylinders each.
///
/// Source of the cylinders' dimensions (10 to 55 mm in steps of 5 mm): M. Montessori, *The Montessori Method* (1912), pp. 191
/// and 192. Makers number the blocks differently, and each has its own size of the block and the knobs: here the block
/// measures 45 × 7 × 7 cm, and a knob is 2 cm high.
enum CylinderBlocks {
    /// The dimensions in which the cylinders of a block differ.
    enum Difference {
        /// The diameter alone.
        case diameter
        /// Diameter and height grow together.
        case both
        /// The diameter grows as the height shrinks.
        case opposed
        /// The height alone.
        case height
    }

    private static let millimetre = 0.001
    private static let size = (length: 0.45, height: 0.07, depth: 0.07)
    private static let wood = Paint("wood", 0xE3BE8C)
    private static let varnish = Paint("varnish", 0xD3A468)
    private static let knob = Paint("knob", 0x8A5A33)

    static func model(_ difference: Difference) -> Model {
        let cylinders = (0..<10).map { place -> (diameter: Double, height: Double) in
            let (large, small) = (Double(55 - 5 * place) * millimetre, Double(10 + 5 * place) * millimetre)
            return switch difference {
            case .diameter: (large, 55 * millimetre)
            case .both: (large, large)
            case .opposed: (large, small)
            case .height: (25 * millimetre, large)
            }
        }
        let free = size.length - cylinders.reduce(0) { $0 + $1.diameter }
        let gap = free / Double(cylinders.count + 1)
        var x = -size.length / 2
        let sockets = cylinders.map { cylinder -> Solids.Socket in
            defer { x += gap + cylinder.diameter }
            return Solids.Socket(
                x: x + gap + cylinder.diameter / 2, diameter: cylinder.diameter, depth: cylinder.height)
        }

        var builder = ModelBuilder()
        builder.add(
            "block", .block(length: size.length, height: size.height, depth: size.depth),
            Solids.block(size.length, size.height, size.depth, sockets: sockets), wood, at: .zero, apart: .zero)
        let head = builder.shape("knob") { [Solids.knob(height: 20 * millimetre, diameter: 14 * millimetre)] }
        for (place, (cylinder, socket)) in zip(cylinders, sockets).enumerated() {
            let shape = builder.shape("cylinder-\(place)") {
                [Solids.cylinder(diameter: cylinder.diameter, height: cylinder.height)]
            }
            builder.add(
                Part(
                    name: "cylinder-\(place + 1)",
                    form: .cylinder(diameter: cylinder.diameter, height: cylinder.height),
                    pieces: [
                        Piece(shape: shape, paint: varnish),
                        Piece(shape: head, paint: knob, offset: Vector(0, cylinder.height, 0)),
                    ],
                    place: Vector(socket.x, size.height - cylinder.height, 0),
                    apart: Vector(socket.x, 0, 0.13)))
        }
        return builder.model()
    }
}
