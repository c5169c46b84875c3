import Foundation

/// The surfaces of solids, in metres. Each stands on the floor (y = 0), with its middle above the origin.
enum Solids {
    /// The number of flat parts of a round surface of wood, a multiple of eight. More are not seen and cost time without a
    /// graphics card.
    static let round = 32

    /// The sides of a box by the direction in which they face.
    enum Side: CaseIterable {
        case left, right, bottom, top, back, front
    }

    /// A box, or only some of its sides if they have different colors.
    static func box(_ width: Double, _ height: Double, _ depth: Double, sides: [Side] = Side.allCases) -> Mesh {
        let (x, z) = (width / 2, depth / 2)
        func corner(_ right: Bool, _ up: Bool, _ front: Bool) -> Vector {
            Vector(right ? x : -x, up ? height : 0, front ? z : -z)
        }
        var mesh = Mesh()
        for side in sides {
            switch side {
            case .left:
                mesh.addFace([
                    corner(false, false, false), corner(false, false, true), corner(false, true, true),
                    corner(false, true, false),
                ])
            case .right:
                mesh.addFace([
                    corner(true, false, true), corner(true, false, false), corner(true, true, false),
                    corner(true, true, true),
                ])
            case .bottom:
                mesh.addFace([
                    corner(false, false, false), corner(true, false, false), corner(true, false, true),
                    corner(false, false, true),
                ])
            case .top:
                mesh.addFace([
                    corner(false, true, true), corner(true, true, true), corner(true, true, false),
                    corner(false, true, false),
                ])
            case .back:
                mesh.addFace([
                    corner(true, false, false), corner(false, false, false), corner(false, true, false),
                    corner(true, true, false),
                ])
            case .front:
                mesh.addFace([
                    corner(false, false, true), corner(true, false, true), corner(true, true, true),
                    corner(false, true, true),
                ])
            }
        }
        return mesh
    }

    /// An upright prism on a convex base, whose corners (x, z) follow each other counterclockwise as seen from above.
    static func prism(_ base: [(x: Double, z: Double)], height: Double) -> Mesh {
        let floor = base.map { Vector($0.x, 0, $0.z) }
        let roof = base.map { Vector($0.x, height, $0.z) }
        var mesh = Mesh()
        mesh.addFace(floor.reversed())
        mesh.addFace(roof)
        for place in base.indices {
            let next = (place + 1) % base.count
            mesh.addFace([floor[place], floor[next], roof[next], roof[place]])
        }
        return mesh
    }

    /// An upright pyramid on a convex base, whose corners (x, z) follow each other counterclockwise as seen from above.
    static func pyramid(_ base: [(x: Double, z: Double)], height: Double) -> Mesh {
        let floor = base.map { Vector($0.x, 0, $0.z) }
        var mesh = Mesh()
        mesh.addFace(floor.reversed())
        for place in base.indices {
            mesh.addFace([floor[place], floor[(place + 1) % base.count], Vector(0, height, 0)])
        }
        return mesh
    }

    /// The corners of a regular polygon around the origin, counterclockwise as seen from above.
    static func polygon(_ count: Int, edge: Double) -> [(x: Double, z: Double)] {
        let radius = edge / (2 * sin(.pi / Double(count)))
        // A square has its edges parallel to the axes.
        let start = Double.pi / Double(count)
        return (0..<count).map { corner in
            let angle = start + 2 * .pi * Double(corner) / Double(count)
            return (radius * cos(angle), -radius * sin(angle))
        }
    }

    // MARK: - Surfaces of revolution

    /// A point of an outline that is turned around the upward axis.
    struct OutlinePoint {
        let radius: Double
        let height: Double
        /// The direction of the surface away from the axis and upward.
        let out: (away: Double, up: Double)
    }

    /// The surface of an outline that is turned around the upward axis. The outline goes from the lower end of the axis
    /// to the upper one. Between two of its points with the same place the surface has an edge.
    static func turned(_ outline: [OutlinePoint], sections: Int = round) -> Mesh {
        var mesh = Mesh()
        var below: Int?
        var last: OutlinePoint?
        // The directions are computed once. Those of the axes are exact, so that the bounds are the dimensions.
        let directions = (0..<sections).map { section -> (x: Double, z: Double) in
            switch section * 4 {
            case 0: return (1, 0)
            case sections: return (0, -1)
            case 2 * sections: return (-1, 0)
            case 3 * sections: return (0, 1)
            default:
                let angle = 2 * .pi * Double(section) / Double(sections)
                return (cos(angle), -sin(angle))
            }
        }
        for point in outline {
            let ring = mesh.add(
                directions.map { direction in
                    (
                        Vector(point.radius * direction.x, point.height, point.radius * direction.z),
                        Vector(point.out.away * direction.x, point.out.up, point.out.away * direction.z)
                    )
                })
            if let below, let last, last.radius != point.radius || last.height != point.height {
                for section in 0..<sections {
                    let next = (section + 1) % sections
                    mesh.addTriangle(below + section, below + next, ring + next)
                    mesh.addTriangle(below + section, ring + next, ring + section)
                }
            }
            (below, last) = (ring, point)
        }
        return mesh
    }

    /// The outline of straight lines through points (radius, height), with an edge at each of them.
    private static func angular(_ corners: [(radius: Double, height: Double)]) -> [OutlinePoint] {
        zip(corners, corners.dropFirst()).flatMap { start, end in
            let (along, up) = (end.radius - start.radius, end.height - start.height)
            let length = (along * along + up * up).squareRoot()
            let out = (away: up / length, up: -along / length)
            return [
                OutlinePoint(radius: start.radius, height: start.height, out: out),
                OutlinePoint(radius: end.radius, height: end.height, out: out),
            ]
        }
    }

    /// The outline of a half ellipse around a height, or of its lower or upper half.
    private static func arc(
        radius: Double, height: Double, middle: Double, from start: Double, to end: Double, steps: Int
    ) -> [OutlinePoint] {
        (0...steps).map { step in
            let angle = start + (end - start) * Double(step) / Double(steps)
            // The ends of the axis are exact, so that the surface closes.
            let isEnd = abs(abs(angle) - .pi / 2) < 1e-9
            let (across, up) = (isEnd ? 0 : cos(angle), isEnd ? (angle < 0 ? -1 : 1) : sin(angle))
            let (away, rise) = (across / radius, up / height)
            let length = (away * away + rise * rise).squareRoot()
            return OutlinePoint(
                radius: radius * across, height: middle + height * up, out: (away / length, rise / length))
        }
    }

    static func cylinder(diameter: Double, height: Double, sections: Int = round) -> Mesh {
        turned(
            angular([(0, 0), (diameter / 2, 0), (diameter / 2, height), (0, height)]), sections: sections)
    }

    static func cone(diameter: Double, height: Double) -> Mesh {
        turned(angular([(0, 0), (diameter / 2, 0), (0, height)]))
    }

    static func sphere(diameter: Double, sections: Int = round) -> Mesh {
        ellipsoid(diameter: diameter, height: diameter, sections: sections)
    }

    /// An ellipsoid of revolution.
    static func ellipsoid(diameter: Double, height: Double, sections: Int = round) -> Mesh {
        turned(
            arc(
                radius: diameter / 2, height: height / 2, middle: height / 2, from: -.pi / 2, to: .pi / 2,
                steps: sections / 2),
            sections: sections)
    }

    /// An egg: two halves of ellipsoids, the upper of them longer. The lower one has two fifths of the height.
    static func ovoid(diameter: Double, height: Double) -> Mesh {
        let lower = height * ovoidShare
        let quarter = round / 4
        return turned(
            arc(radius: diameter / 2, height: lower, middle: lower, from: -.pi / 2, to: 0, steps: quarter)
                + arc(
                    radius: diameter / 2, height: height - lower, middle: lower, from: 0, to: .pi / 2,
                    steps: quarter))
    }
    private static let ovoidShare = 0.4

    // MARK: - Cylinder blocks

    /// A knob to hold a cylinder by: a thin neck and a round head.
    static func knob(height: Double, diameter: Double) -> Mesh {
        let (neck, head) = (diameter * 0.28, height - diameter * 0.8)
        return turned(
            angular([(0, 0), (neck, 0), (neck, head)])
                + arc(
                    radius: diameter / 2, height: (height - head) / 2, middle: (height + head) / 2,
                    from: -.pi / 2, to: .pi / 2, steps: 8
                ).filter { $0.radius > neck || $0.height > (height + head) / 2 },
            sections: 16)
    }

    /// A socket of a block: the distance of its axis from the block's middle, its diameter and depth.
    struct Socket: Hashable {
        let x: Double
        let diameter: Double
        let depth: Double
    }

    /// A block of wood with round sockets in a row, from left to right.
    ///
    /// The surface is made in pieces with one socket each. Neighboring pieces share their corners, so that the surface is
    /// closed.
    static func block(_ length: Double, _ height: Double, _ depth: Double, sockets: [Socket]) -> Mesh {
        var mesh = Mesh()
        let z = depth / 2
        let cuts =
            [-length / 2]
            + zip(sockets, sockets.dropFirst()).map { ($0.x + $0.diameter / 2 + $1.x - $1.diameter / 2) / 2 }
            + [length / 2]
        for (place, socket) in sockets.enumerated() {
            let (left, right) = (cuts[place], cuts[place + 1])
            mesh.addFace([
                Vector(left, 0, z), Vector(right, 0, z), Vector(right, height, z), Vector(left, height, z),
            ])
            mesh.addFace([
                Vector(right, 0, -z), Vector(left, 0, -z), Vector(left, height, -z), Vector(right, height, -z),
            ])
            mesh.addFace([Vector(left, 0, -z), Vector(right, 0, -z), Vector(right, 0, z), Vector(left, 0, z)])
            // The socket is a cylinder seen from inside: its triangles are turned around.
            let rim = (0..<round).map { section -> Vector in
                // A section begins in the direction of each corner.
                let angle = .pi / 4 + 2 * .pi * Double(section) / Double(round)
                return Vector(
                    socket.x + socket.diameter / 2 * cos(angle), height, -socket.diameter / 2 * sin(angle))
            }
            let down = Vector(0, -socket.depth, 0)
            mesh.addFace(rim.map { $0 + down })
            let walls = mesh.add(
                rim.flatMap { point in
                    let inward = Vector(socket.x - point.x, 0, -point.z).unit
                    return [(point, inward), (point + down, inward)]
                })
            for section in 0..<round {
                let (here, next) = (walls + 2 * section, walls + 2 * ((section + 1) % round))
                mesh.addTriangle(here, next, next + 1)
                mesh.addTriangle(here, next + 1, here + 1)
            }
            // The top around the rim: each quarter of it lies before one edge of the piece.
            let corners = [
                Vector(right, height, -z), Vector(left, height, -z), Vector(left, height, z),
                Vector(right, height, z),
            ]
            let quarter = round / 4
            for side in 0..<4 {
                let (start, end) = (corners[side], corners[(side + 1) % 4])
                let points = (0...quarter).map { rim[(side * quarter + $0) % round] }
                for section in 0..<(quarter / 2) { mesh.addFace([start, points[section + 1], points[section]]) }
                mesh.addFace([start, end, points[quarter / 2]])
                for section in (quarter / 2)..<quarter {
                    mesh.addFace([end, points[section + 1], points[section]])
                }
            }
        }
        let x = length / 2
        mesh.addFace([Vector(x, 0, z), Vector(x, 0, -z), Vector(x, height, -z), Vector(x, height, z)])
        mesh.addFace([Vector(-x, 0, -z), Vector(-x, 0, z), Vector(-x, height, z), Vector(-x, height, -z)])
        return mesh
    }
}
