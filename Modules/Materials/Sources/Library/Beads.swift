/// The colored beads: bars of one to ten, and the chains of the squares.
///
/// The colors are those of the material everywhere. Beads of makers measure 7 to 8 mm; here they measure 7 mm and touch each
/// other, so that the bar of ten is 7 cm long without the loops of its wire.
enum Beads {
    private static let diameter = 0.007
    private static let wire = (diameter: 0.001, loop: 0.0015)
    private static let metal = Paint("metal", 0xB08D4C)
    /// The colors of the bars of one to ten beads.
    private static let paints = [
        Paint("red", 0xC8322B), Paint("green", 0x3E8E4F), Paint("pink", 0xF29CB0), Paint("yellow", 0xF2CB3C),
        Paint("lightblue", 0x7FBBE3), Paint("purple", 0x7B4B94), Paint("white", 0xF4F1EA), Paint("brown", 0x7A4A2B),
        Paint("darkblue", 0x274B8C), Paint("gold", 0xD9A227),
    ]

    /// The length of a bar with the loops at its ends.
    private static func length(_ count: Int) -> Double { Double(count) * diameter + 2 * wire.loop }

    /// The beads of a bar that begins at a place on the axis and goes to the right.
    /// - Parameter sections: the number of flat parts of a bead; a chain, whose beads are seen from afar, needs fewer.
    private static func beads(
        _ count: Int, at start: Double, sections: Int, in builder: inout ModelBuilder
    ) -> Piece {
        let shape = builder.shape("beads-\(count)") {
            let bead = Solids.sphere(diameter: diameter, sections: sections)
            return (0..<count).map { bead.moved(by: Vector(wire.loop + (Double($0) + 0.5) * diameter, 0, 0)) }
        }
        return Piece(shape: shape, paint: paints[count - 1], offset: Vector(start, 0, 0))
    }

    /// The wire through beads, from the origin to the right.
    private static func wire(_ length: Double, in builder: inout ModelBuilder) -> Piece {
        let shape = builder.shape("wire-\(length)") {
            [
                Solids.cylinder(diameter: wire.diameter, height: length, sections: 4).laid()
                    .moved(by: Vector(0, diameter / 2, 0))
            ]
        }
        return Piece(shape: shape, paint: metal)
    }

    /// The bars of one to ten beads, one under the other.
    static func stair() -> Model {
        var builder = ModelBuilder()
        for count in 1...10 {
            let pieces = [
                wire(length(count), in: &builder), beads(count, at: 0, sections: 12, in: &builder),
            ]
            let row = Double(count - 1)
            builder.add(
                Part(
                    name: "bar-\(count)", form: .beads(count: count, length: length(count)), pieces: pieces,
                    place: Vector(0, 0, row * diameter * 1.15), apart: Vector(0, 0, row * diameter * 2.6)))
        }
        return builder.model()
    }

    /// The chains of the squares: as many bars as each bar has beads, on one wire.
    static func shortChains() -> Model {
        var builder = ModelBuilder()
        for count in 1...10 {
            let length = Double(count) * length(count)
            let pieces =
                [wire(length, in: &builder)]
                + (0..<count).map { beads(count, at: Double($0) * self.length(count), sections: 8, in: &builder) }
            let row = Double(count - 1)
            builder.add(
                Part(
                    name: "chain-\(count)", form: .chain(count: count, length: length), pieces: pieces,
                    place: Vector(0, 0, row * diameter * 3), apart: Vector(0, 0, row * diameter * 6)))
        }
        return builder.model()
    }
}
