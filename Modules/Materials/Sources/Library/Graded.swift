/// The materials of ten pieces that differ in one, two or three dimensions.
enum Graded {
    private static let centimetre = 0.01
    private static let pink = Paint("pink", 0xF29CB0)
    private static let brown = Paint("brown", 0x7A4A2B)
    private static let red = Paint("red", 0xC8322B)

    /// Ten cubes with edges from 10 to 1 cm, one on the other.
    ///
    /// Source of the dimensions: M. Montessori, *The Montessori Method* (1912), p. 194.
    static func pinkTower() -> Model {
        var builder = ModelBuilder()
        var top = 0.0
        // Taken apart, the cubes are in two rows with the larger ones behind.
        var x = 0.0
        for number in (1...10).reversed() {
            let edge = Double(number) * centimetre
            if number == 6 { x = 0 }
            builder.add(
                "cube-\(number)", .cube(edge: edge), Solids.box(edge, edge, edge), pink, at: Vector(0, top, 0),
                apart: Vector(x + edge / 2, 0, number > 6 ? -0.08 : 0.08))
            top += edge
            x += edge + 2 * centimetre
        }
        return builder.model()
    }

    /// Ten square prisms of 20 cm with edges from 10 to 1 cm, side by side.
    ///
    /// Source of the dimensions: M. Montessori, *The Montessori Method* (1912), p. 192.
    static func brownStair() -> Model {
        var builder = ModelBuilder()
        let length = 20 * centimetre
        var (built, apart) = (0.0, 0.0)
        for number in (1...10).reversed() {
            let edge = Double(number) * centimetre
            builder.add(
                "prism-\(number)", .prism(length: length, edge: edge), Solids.box(edge, edge, length), brown,
                at: Vector(built + edge / 2, 0, 0), apart: Vector(apart + edge / 2, 0, 0))
            built += edge
            apart += edge + 2 * centimetre
        }
        return builder.model()
    }

    /// Ten rods from 1 m to 10 cm, with the left ends in a line.
    ///
    /// Source of the lengths: M. Montessori, *The Discovery of the Child* (1948), ch. VI. That book gives the square section
    /// 2 cm; the rods that schools have today measure 2.5 cm.
    static func redRods() -> Model {
        var builder = ModelBuilder()
        let edge = 2.5 * centimetre
        for number in (1...10).reversed() {
            let length = Double(number) * 10 * centimetre
            let row = Double(10 - number)
            builder.add(
                "rod-\(number)", .rod(length: length, edge: edge), Solids.box(length, edge, edge), red,
                at: Vector(length / 2, 0, row * edge), apart: Vector(length / 2, 0, row * 2.4 * edge))
        }
        return builder.model()
    }
}
