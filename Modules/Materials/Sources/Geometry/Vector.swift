/// A point or a direction in space, in metres: x to the right, y up, z towards the viewer.
struct Vector: Hashable, Sendable {
    var x: Double
    var y: Double
    var z: Double

    init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }

    static let zero = Vector(0, 0, 0)

    var length: Double { dot(self).squareRoot() }
    /// The direction with the length 1. The vector must not be zero.
    var unit: Vector { self * (1 / length) }

    func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: Vector) -> Vector {
        Vector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    static func + (left: Vector, right: Vector) -> Vector {
        Vector(left.x + right.x, left.y + right.y, left.z + right.z)
    }

    static func - (left: Vector, right: Vector) -> Vector {
        Vector(left.x - right.x, left.y - right.y, left.z - right.z)
    }

    static func * (left: Vector, right: Double) -> Vector {
        Vector(left.x * right, left.y * right, left.z * right)
    }
}

/// The smallest box, parallel to the axes, that contains a thing; in metres.
struct Bounds: Hashable, Sendable {
    private(set) var least: Vector
    private(set) var greatest: Vector

    /// The bounds of points, of which there is at least one; otherwise those of the origin.
    init(of points: some Sequence<Vector>) {
        var iterator = points.makeIterator()
        let first = iterator.next() ?? .zero
        (least, greatest) = (first, first)
        while let point = iterator.next() { add(point) }
    }

    var size: Vector { greatest - least }
    var middle: Vector { (least + greatest) * 0.5 }

    /// Whether another box is inside of this one, or touches it from inside.
    func contains(_ other: Bounds) -> Bool {
        let slack = 1e-9
        func within(_ one: Vector, _ other: Vector) -> Bool {
            one.x <= other.x + slack && one.y <= other.y + slack && one.z <= other.z + slack
        }
        return within(least, other.least) && within(other.greatest, greatest)
    }

    private mutating func add(_ point: Vector) {
        least = Vector(min(least.x, point.x), min(least.y, point.y), min(least.z, point.z))
        greatest = Vector(max(greatest.x, point.x), max(greatest.y, point.y), max(greatest.z, point.z))
    }
}
