import Foundation

/// The ten blue solids.
///
/// No publication fixes their sizes. Makers keep to 10 cm as the largest dimension, and to bases of 6 cm that fit the tablets
/// of the set; the dimensions here follow that.
enum GeometricSolids {
    private static let blue = Paint("blue", 0x2F6DB5)

    static func model() -> Model {
        let (base, tall) = (0.06, 0.10)
        let square = Solids.polygon(4, edge: base)
        let triangle = Solids.polygon(3, edge: base)
        let edge = 0.08
        let solids: [(String, Form, Mesh)] = [
            ("cube", .cube(edge: base), Solids.box(base, base, base)),
            ("prism", .prism(length: tall, edge: base), Solids.box(base, tall, base)),
            (
                "triangular-prism", .triangularPrism(edge: base, height: tall), Solids.prism(triangle, height: tall)
            ),
            ("pyramid", .pyramid(edge: base, height: tall), Solids.pyramid(square, height: tall)),
            (
                "tetrahedron", .tetrahedron(edge: edge),
                // The height of a regular tetrahedron is its edge times the square root of two thirds.
                Solids.pyramid(Solids.polygon(3, edge: edge), height: edge * (2.0 / 3).squareRoot())
            ),
            ("cylinder", .cylinder(diameter: base, height: tall), Solids.cylinder(diameter: base, height: tall)),
            ("cone", .cone(diameter: base, height: tall), Solids.cone(diameter: base, height: tall)),
            ("sphere", .sphere(diameter: base), Solids.sphere(diameter: base)),
            // These two lie, as they do without their stands.
            (
                "ellipsoid", .ellipsoid(length: tall, diameter: base),
                Solids.ellipsoid(diameter: base, height: tall).laid().moved(by: Vector(-tall / 2, base / 2, 0))
            ),
            (
                "ovoid", .ovoid(length: tall, diameter: base),
                Solids.ovoid(diameter: base, height: tall).laid().moved(by: Vector(-tall / 2, base / 2, 0))
            ),
        ]
        var builder = ModelBuilder()
        for (place, (name, form, mesh)) in solids.enumerated() {
            // Two rows of five: the ones with edges behind the round ones.
            let (column, row) = (Double(place % 5), Double(place / 5))
            builder.add(
                name, form, mesh, blue, at: Vector(column * 0.12, 0, row * 0.12),
                apart: Vector(column * 0.17, 0, row * 0.19))
        }
        return builder.model()
    }
}
