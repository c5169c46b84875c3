/// The cube of a binomial: eight blocks that form a cube with the edge a + b.
///
/// No publication fixes the two edges, and makers differ; here a = 4 cm and b = 3 cm. Squares of a are red, squares of b blue,
/// and rectangles of a and b black.
enum BinomialCube {
    private static let edges = (a: 0.04, b: 0.03)
    private static let red = Paint("red", 0xC8322B)
    private static let blue = Paint("blue", 0x2F6DB5)
    private static let black = Paint("black", 0x2B2926)

    static func model() -> Model {
        var builder = ModelBuilder()
        // Each block has one of the two edges in each direction.
        for up in [false, true] {
            for front in [false, true] {
                for right in [false, true] {
                    let isSmall = [right, up, front]
                    let size = isSmall.map { $0 ? edges.b : edges.a }
                    let place = isSmall.map { $0 ? edges.a + edges.b / 2 : edges.a / 2 }
                    let name = isSmall.map { $0 ? "b" : "a" }.joined()
                    // The two sides across a direction are squares if the block has equal edges in the others.
                    func paint(across direction: Int) -> Paint {
                        let others = isSmall.indices.filter { $0 != direction }.map { isSmall[$0] }
                        return others[0] != others[1] ? black : others[0] ? blue : red
                    }
                    let sides: [[Solids.Side]] = [[.left, .right], [.bottom, .top], [.back, .front]]
                    let pieces = sides.enumerated().map { direction, sides in
                        let shape = builder.shape("\(name)-\(direction)") {
                            [Solids.box(size[0], size[1], size[2], sides: sides)]
                        }
                        return Piece(shape: shape, paint: paint(across: direction))
                    }
                    let form: Form =
                        Set(isSmall).count == 1
                        ? .cube(edge: size[0]) : .box(length: size[0], height: size[1], depth: size[2])
                    let built = Vector(place[0], up ? edges.a : 0, place[2])
                    let gap = 0.035
                    builder.add(
                        Part(
                            name: "block-\(name)", form: form, pieces: pieces, place: built,
                            // The upper layer is put down to the right of the lower one.
                            apart: Vector(
                                place[0] + (right ? gap : 0) + (up ? 0.07 + 3 * gap : 0), 0,
                                place[2] + (front ? gap : 0))))
                }
            }
        }
        return builder.model()
    }
}
