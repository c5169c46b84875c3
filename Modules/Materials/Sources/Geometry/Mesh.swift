/// A surface of triangles with a normal at each corner, in metres.
///
/// A corner that belongs to several flat faces is there once for each, because each face has its own normal. Seen from
/// outside, the corners of a triangle follow each other counterclockwise, as glTF and USD expect.
struct Mesh: Hashable, Sendable {
    private(set) var points: [Vector] = []
    /// The directions in which the surface faces at each of the points; their length is 1.
    private(set) var normals: [Vector] = []
    /// The places of the points of all triangles, three for each.
    private(set) var triangles: [Int] = []

    var bounds: Bounds { Bounds(of: points) }

    /// The volume inside of a closed surface, in cubic metres: the sum of the signed volumes of the tetrahedra between the
    /// triangles and the origin (divergence theorem).
    var volume: Double {
        var sum = 0.0
        for place in stride(from: 0, to: triangles.count, by: 3) {
            let (a, b, c) = (
                points[triangles[place]], points[triangles[place + 1]], points[triangles[place + 2]]
            )
            sum += a.dot(b.cross(c))
        }
        return sum / 6
    }

    /// Adds a flat face, a convex polygon whose corners follow each other counterclockwise as seen from outside.
    mutating func addFace(_ corners: [Vector]) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).unit
        let first = points.count
        points += corners
        normals += corners.map { _ in normal }
        for corner in 1..<(corners.count - 1) { triangles += [first, first + corner, first + corner + 1] }
    }

    /// Adds points with their normals, and returns the place of the first.
    mutating func add(_ more: [(point: Vector, normal: Vector)]) -> Int {
        let first = points.count
        points += more.map(\.point)
        normals += more.map(\.normal)
        return first
    }

    /// Adds a triangle between points that the mesh has. A triangle with two equal corners has no area and is left out.
    mutating func addTriangle(_ a: Int, _ b: Int, _ c: Int) {
        guard points[a] != points[b], points[b] != points[c], points[c] != points[a] else { return }
        triangles += [a, b, c]
    }

    mutating func append(_ other: Mesh) {
        let first = points.count
        points += other.points
        normals += other.normals
        triangles += other.triangles.map { $0 + first }
    }

    func moved(by offset: Vector) -> Mesh {
        var moved = self
        moved.points = points.map { $0 + offset }
        return moved
    }

    /// The mesh with its upward axis turned to the right, so that what stood lies.
    func laid() -> Mesh {
        // A turn by a quarter about z, which keeps the triangles counterclockwise.
        func turned(_ vector: Vector) -> Vector { Vector(vector.y, -vector.x, vector.z) }
        var laid = self
        laid.points = points.map(turned)
        laid.normals = normals.map(turned)
        return laid
    }
}
