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

    /// The pieces of a bar that begins at the origin and goes to the right.
    private static func bar(_ count: Int, at start: Double, in builder: inout ModelBuilder) -> [Piece] {
        let beads = builder.shape("beads-\(count)") {
            let bead = Solids.sphere(diameter: diameter, sections: 12)
            return (0..<count).map { bead.moved(by: Vector(wire.loop + (Double($0) + 0.5) * diameter, 0, 0)) }
        }
        let thread = builder.shape("wire-\(count)") {
            [
                Solids.cylinder(diameter: wire.diameter, height: length(count), sections: 8).laid()
                    .moved(by: Vector(0, diameter / 2, 0))
            ]
        }
        let offset = Vector(start, 0, 0)
        return [
            Piece(shape: thread, paint: metal, offset: offset),
            Piece(shape: beads, paint: paints[count - 1], offset: offset),
        ]
    }

    /// The bars of one to ten beads, one under the other.
    static func stair() -> Model {
        var builder = ModelBuilder()
        for count in 1...10 {
            let pieces = bar(count, at: 0, in: &builder)
            let row = Double(count - 1)
            builder.add(
                Part(
                    name: "bar-\(count)", form: .beads(count: count, length: length(count)), pieces: pieces,
                    place: Vector(0, 0, row * diameter * 1.15), apart: Vector(0, 0, row * diameter * 2.6)))
        }
        return builder.model()
    }

    /// The chains of the squares: as many bars as each bar has beads.
    static func shortChains() -> Model {
        var builder = ModelBuilder()
        for count in 1...10 {
            let pieces = (0..<count).flatMap { bar(count, at: Double($0) * length(count), in: &builder) }
            let row = Double(count - 1)
            builder.add(
                Part(
                    name: "chain-\(count)", form: .chain(count: count, length: Double(count) * length(count)),
                    pieces: pieces, place: Vector(0, 0, row * diameter * 3),
                    apart: Vector(0, 0, row * diameter * 6)))
        }
        return builder.model()
    }
}
