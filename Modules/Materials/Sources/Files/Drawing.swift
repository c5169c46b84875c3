import Foundation

/// Draws a model as an SVG picture, seen from the front, the right and above, without perspective.
///
/// Bodies are convex, so a body is its outline and the flat faces that the viewer sees. It needs no background and is clear
/// on light and dark pages.
struct Drawing {
    static let contentType = "image/svg+xml"
    /// The size of pictures in pixels.
    static let size = (width: 400, height: 300)
    private static let margin = 14.0

    private let eye: Vector
    private let right: Vector
    private let up: Vector
    private let light = Vector(-0.3, 0.85, 0.45).unit

    /// A point on the picture, x to the right and y down, before scaling.
    private struct Spot {
        var x: Double
        var y: Double
    }

    private struct Body {
        let bounds: Bounds
        let paint: Paint
        let mesh: Mesh
        let offset: Vector
    }

    private init(turn: Double, tilt: Double) {
        eye = Vector(sin(turn) * cos(tilt), sin(tilt), cos(turn) * cos(tilt))
        right = Vector(cos(turn), 0, -sin(turn))
        up = eye.cross(right)
    }

    static func svg(of model: Model) -> [UInt8] {
        // Flat materials are seen from higher up.
        let size = model.bounds().size
        let isFlat = size.y < 0.3 * max(size.x, size.z)
        return Array(Drawing(turn: isFlat ? 0.3 : 0.5, tilt: isFlat ? 0.9 : 0.4).draw(model).utf8)
    }

    private func draw(_ model: Model) -> String {
        let bodies = Self.ordered(
            model.parts.flatMap { part in
                part.pieces.flatMap { piece in
                    model.shapes[piece.shape].bodies.map { mesh in
                        let offset = part.place + piece.offset
                        let bounds = mesh.bounds
                        return Body(
                            bounds: Bounds(of: [bounds.least + offset, bounds.greatest + offset]),
                            paint: piece.paint, mesh: mesh, offset: offset)
                    }
                }
            })
        let outlines = bodies.map { body in Self.hull(body.mesh.points.map { spot($0 + body.offset) }) }
        let all = outlines.joined()
        let (left, end) = (all.map(\.x).min() ?? 0, all.map(\.x).max() ?? 1)
        let (top, bottom) = (all.map(\.y).min() ?? 0, all.map(\.y).max() ?? 1)
        let (width, height) = (Double(Self.size.width), Double(Self.size.height))
        let scale = min((width - 2 * Self.margin) / (end - left), (height - 2 * Self.margin) / (bottom - top))
        func place(_ spot: Spot) -> Spot {
            Spot(
                x: width / 2 + (spot.x - (left + end) / 2) * scale,
                y: height / 2 + (spot.y - (top + bottom) / 2) * scale)
        }

        var text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.size.width)\""
        text += " height=\"\(Self.size.height)\" viewBox=\"0 0 \(Self.size.width) \(Self.size.height)\">"
        text += "<g stroke-linejoin=\"round\" stroke-width=\"1\"><defs>"
        var paints: [Paint] = []
        for paint in bodies.map(\.paint) where !paints.contains(paint) {
            paints.append(paint)
            text += "<linearGradient id=\"\(paint.name)\" x2=\"1\" y2=\"0.6\">"
            text +=
                "<stop stop-color=\"\(paint.css(1.12))\"/><stop offset=\"1\" stop-color=\"\(paint.css(0.66))\"/>"
            text += "</linearGradient>"
        }
        text += "</defs>"
        for (body, outline) in zip(bodies, outlines) {
            let faces = Self.flatFaces(of: body.mesh).filter { $0.normal.dot(eye) > 0.01 }
            let edge = body.paint.css(0.5)
            if faces.isEmpty, Self.isBall(body.bounds), let first = outline.first {
                let middle = place(spot(body.bounds.middle))
                let rim = place(first)
                let radius = ((rim.x - middle.x) * (rim.x - middle.x) + (rim.y - middle.y) * (rim.y - middle.y))
                    .squareRoot()
                text += "<circle cx=\"\(number(middle.x))\" cy=\"\(number(middle.y))\" r=\"\(number(radius))\""
                text += " fill=\"url(#\(body.paint.name))\"/>"
                continue
            }
            // Only the top of a cylinder in its socket is visible.
            if !bodies.contains(where: { $0.bounds != body.bounds && $0.bounds.contains(body.bounds) }) {
                text +=
                    "<path d=\"\(path(outline.map(place)))\" fill=\"url(#\(body.paint.name))\" stroke=\"\(edge)\"/>"
            }
            for face in faces {
                let corners = Self.hull(face.points.map { spot($0 + body.offset) })
                let shade = 0.66 + 0.5 * max(0, face.normal.dot(light))
                text +=
                    "<path d=\"\(path(corners.map(place)))\" fill=\"\(body.paint.css(shade))\" stroke=\"\(edge)\"/>"
            }
        }
        return text + "</g></svg>"
    }

    private func spot(_ point: Vector) -> Spot { Spot(x: point.dot(right), y: -point.dot(up)) }

    private func number(_ value: Double) -> String { USDZ.decimal(value, places: 1) }

    private func path(_ spots: [Spot]) -> String {
        "M" + spots.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: "L") + "Z"
    }

    private static func isBall(_ bounds: Bounds) -> Bool {
        let size = bounds.size
        return abs(size.x - size.y) < 1e-9 && abs(size.y - size.z) < 1e-9
    }

    /// The flat faces of a mesh, with their corners.
    private static func flatFaces(of mesh: Mesh) -> [(normal: Vector, points: [Vector])] {
        var faces: [(normal: Vector, points: [Vector])] = []
        for place in stride(from: 0, to: mesh.triangles.count, by: 3) {
            let corners = mesh.triangles[place..<(place + 3)]
            guard let normal = corners.first.map({ mesh.normals[$0] }),
                corners.allSatisfy({ (mesh.normals[$0] - normal).length < 1e-6 })
            else { continue }
            let points = corners.map { mesh.points[$0] }
            let known = faces.lastIndex {
                // In the same plane, not only in the same direction.
                ($0.normal - normal).length < 1e-6 && abs(normal.dot($0.points[0] - points[0])) < 1e-9
            }
            if let known {
                faces[known].points += points
            } else {
                faces.append((normal, points))
            }
        }
        // Faces below the hull, such as the floor of a socket, are hidden by what is in front of them.
        return faces.filter { face in
            mesh.points.allSatisfy { face.normal.dot($0 - face.points[0]) < 1e-9 }
        }
    }

    /// The bodies in the order in which they are painted: those behind first.
    private static func ordered(_ bodies: [Body]) -> [Body] {
        /// Whether the first body is behind, below or to the left of the second, so that it cannot cover it.
        func isBehind(_ one: Bounds, _ other: Bounds) -> Bool {
            let slack = 1e-9
            return one.greatest.z <= other.least.z + slack || one.greatest.y <= other.least.y + slack
                || one.greatest.x <= other.least.x + slack
        }
        var (painted, result) = (Array(repeating: false, count: bodies.count), [Body]())
        func paint(_ place: Int) {
            guard !painted[place] else { return }
            painted[place] = true
            let bounds = bodies[place].bounds
            for other in bodies.indices
            where !painted[other] && isBehind(bodies[other].bounds, bounds)
                && !isBehind(bounds, bodies[other].bounds)
            {
                paint(other)
            }
            result.append(bodies[place])
        }
        for place in bodies.indices { paint(place) }
        return result
    }

    /// The corners of the convex hull of spots, in their order around it (Andrew, 1979).
    private static func hull(_ spots: [Spot]) -> [Spot] {
        let sorted = spots.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func half(_ spots: some Sequence<Spot>) -> [Spot] {
            var chain: [Spot] = []
            for spot in spots {
                while chain.count > 1 {
                    let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
                    guard (b.x - a.x) * (spot.y - a.y) - (b.y - a.y) * (spot.x - a.x) <= 1e-12 else { break }
                    chain.removeLast()
                }
                chain.append(spot)
            }
            return chain.dropLast()
        }
        return half(sorted) + half(sorted.reversed())
    }
}
