import Foundation

/// The form of a part with its dimensions in metres, from which its name, its sizes and its volume follow.
enum Form: Hashable, Sendable {
    case cube(edge: Double)
    /// A square prism.
    case prism(length: Double, edge: Double)
    case box(length: Double, height: Double, depth: Double)
    case rod(length: Double, edge: Double)
    case block(length: Double, height: Double, depth: Double)
    case cylinder(diameter: Double, height: Double)
    case sphere(diameter: Double)
    case ellipsoid(length: Double, diameter: Double)
    case ovoid(length: Double, diameter: Double)
    case cone(diameter: Double, height: Double)
    case pyramid(edge: Double, height: Double)
    /// A pyramid of four equal triangles.
    case tetrahedron(edge: Double)
    case triangularPrism(edge: Double, height: Double)
    /// A bar of beads.
    case beads(count: Int, length: Double)
    /// A chain of bars that have as many beads as the chain has bars.
    case chain(count: Int, length: Double)

    /// The end of the catalog key of the form's name.
    var name: String {
        switch self {
        case .cube: "cube"
        case .prism: "prism"
        case .box: "box"
        case .rod: "rod"
        case .block: "block"
        case .cylinder: "cylinder"
        case .sphere: "sphere"
        case .ellipsoid: "ellipsoid"
        case .ovoid: "ovoid"
        case .cone: "cone"
        case .pyramid: "pyramid"
        case .tetrahedron: "tetrahedron"
        case .triangularPrism: "triangularPrism"
        case .beads: "beads"
        case .chain: "chain"
        }
    }

    /// The sizes of the form in metres, by the end of the catalog key of their names; the most telling one first.
    var sizes: [(name: String, metres: Double)] {
        switch self {
        case .cube(let edge), .tetrahedron(let edge): [("edge", edge)]
        case .prism(let length, let edge), .rod(let length, let edge): [("length", length), ("edge", edge)]
        case .box(let length, let height, let depth), .block(let length, let height, let depth):
            [("length", length), ("height", height), ("depth", depth)]
        case .cylinder(let diameter, let height), .cone(let diameter, let height):
            [("diameter", diameter), ("height", height)]
        case .sphere(let diameter): [("diameter", diameter)]
        case .ellipsoid(let length, let diameter), .ovoid(let length, let diameter):
            [("length", length), ("diameter", diameter)]
        case .pyramid(let edge, let height), .triangularPrism(let edge, let height):
            [("edge", edge), ("height", height)]
        case .beads(_, let length), .chain(_, let length): [("length", length)]
        }
    }

    /// The number of beads; `nil` for forms of wood.
    var beads: Int? {
        switch self {
        case .beads(let count, _): count
        case .chain(let count, _): count * count
        default: nil
        }
    }

    /// The volume of the exact form in cubic metres; `nil` where it says nothing: for beads and for a block with sockets.
    var volume: Double? {
        switch self {
        case .cube(let edge): edge * edge * edge
        case .prism(let length, let edge), .rod(let length, let edge): length * edge * edge
        case .box(let length, let height, let depth): length * height * depth
        case .cylinder(let diameter, let height): .pi * diameter * diameter / 4 * height
        case .sphere(let diameter): .pi * diameter * diameter * diameter / 6
        // Two halves of ellipsoids with one width have together the volume of an ellipsoid.
        case .ellipsoid(let length, let diameter), .ovoid(let length, let diameter):
            .pi * diameter * diameter * length / 6
        case .cone(let diameter, let height): .pi * diameter * diameter / 4 * height / 3
        case .pyramid(let edge, let height): edge * edge * height / 3
        case .tetrahedron(let edge): edge * edge * edge / (6 * 2.0.squareRoot())
        case .triangularPrism(let edge, let height): edge * edge * 3.0.squareRoot() / 4 * height
        case .block, .beads, .chain: nil
        }
    }
}
