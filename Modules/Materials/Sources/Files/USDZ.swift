/// Writes a model as a USDZ file for Quick Look on Apple devices: an uncompressed ZIP archive with a USD layer (OpenUSD, Usdz
/// File Format Specification 1.3).
///
/// The layer is text (`.usda`). The specification allows `.usda`, `.usdc` and `.usd`, and Quick Look reads text layers (decision
/// 57).
enum USDZ {
    static let contentType = "model/vnd.usdz+zip"

    static func bytes(of model: Model, named name: String) -> [UInt8] {
        archive(name + ".usda", Array(layer(model, name).utf8))
    }

    // MARK: - The layer

    /// The text of the layer: the materials, a transform for each part, and each shape once, to which the parts refer.
    static func layer(_ model: Model, _ name: String) -> String {
        let root = identifier(name)
        var text = """
            #usda 1.0
            (
                defaultPrim = "\(root)"
                metersPerUnit = 1
                upAxis = "Y"
            )

            def Xform "\(root)" (
                kind = "component"
            )
            {
                def Scope "Paints"
                {

            """
        var paints: [Paint] = []
        for paint in model.parts.flatMap(\.pieces).map(\.paint) where !paints.contains(paint) {
            paints.append(paint)
            text += """
                        def Material "\(paint.name)"
                        {
                            token outputs:surface.connect = </\(root)/Paints/\(paint.name)/Surface.outputs:surface>

                            def Shader "Surface"
                            {
                                uniform token info:id = "UsdPreviewSurface"
                                color3f inputs:diffuseColor = (\(list(paint.linear, places: 4)))
                                float inputs:metallic = 0
                                float inputs:roughness = 0.6
                                token outputs:surface
                            }
                        }

                """
        }
        text += "    }\n"
        for part in model.parts {
            text += "\n    def Xform \"\(identifier(part.name))\"\n    {\n\(transform(part.place, "        "))"
            for (place, piece) in part.pieces.enumerated() {
                text += """

                            def Mesh "piece_\(place)" (
                                prepend apiSchemas = ["MaterialBindingAPI"]
                                prepend references = </Shapes/shape_\(piece.shape)>
                            )
                            {
                                rel material:binding = </\(root)/Paints/\(piece.paint.name)>
                    \(transform(piece.offset, "            "))        }

                    """
            }
            text += "    }\n"
        }
        text += "}\n\nclass \"Shapes\"\n{\n"
        for (place, shape) in model.shapes.enumerated() { append(shape.mesh, "shape_\(place)", to: &text) }
        return text + "}\n"
    }

    private static func transform(_ place: Vector, _ indent: String) -> String {
        guard place != .zero else { return "" }
        return "\(indent)double3 xformOp:translate = \(tuple(place, places: 6))\n"
            + "\(indent)uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
    }

    private static func append(_ mesh: Mesh, _ name: String, to text: inout String) {
        let bounds = mesh.bounds
        let corners = [bounds.least, bounds.greatest].map { tuple($0, places: 6) }.joined(separator: ", ")
        let counts = Array(repeating: "3", count: mesh.triangles.count / 3).joined(separator: ", ")
        text += "    def Mesh \"\(name)\"\n    {\n"
        text += "        float3[] extent = [\(corners)]\n"
        text += "        int[] faceVertexCounts = [\(counts)]\n"
        text += "        int[] faceVertexIndices = [\(mesh.triangles.map(String.init).joined(separator: ", "))]\n"
        text +=
            "        normal3f[] normals = [\(mesh.normals.map { tuple($0, places: 4) }.joined(separator: ", "))] (\n"
        text += "            interpolation = \"vertex\"\n        )\n"
        text += "        point3f[] points = [\(mesh.points.map { tuple($0, places: 6) }.joined(separator: ", "))]\n"
        text += "        uniform token subdivisionScheme = \"none\"\n    }\n"
    }

    /// The name of a prim: USD allows letters, digits and underscores.
    private static func identifier(_ name: String) -> String { String(name.map { $0 == "-" ? "_" : $0 }) }

    private static func tuple(_ vector: Vector, places: Int) -> String {
        "(\(list([vector.x, vector.y, vector.z], places: places)))"
    }

    private static func list(_ values: [Double], places: Int) -> String {
        values.map { decimal($0, places: places) }.joined(separator: ", ")
    }

    /// A number with at most so many decimal places, without zeros at its end. Files have thousands of them, for which
    /// formatters are too slow.
    static func decimal(_ value: Double, places: Int) -> String {
        var (whole, digits) = (Int((value * power(places)).rounded()), places)
        guard whole != 0 else { return "0" }
        while digits > 0, whole % 10 == 0 { (whole, digits) = (whole / 10, digits - 1) }
        let text = String(whole.magnitude)
        let sign = whole < 0 ? "-" : ""
        guard digits > 0 else { return sign + text }
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }

    private static func power(_ places: Int) -> Double { (0..<places).reduce(1) { power, _ in power * 10 } }

    // MARK: - The archive

    /// An archive of one file, whose bytes are stored and begin at a multiple of 64.
    private static func archive(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let title = Array(name.utf8)
        // The extra field of the local header moves the content; it has a header of four bytes itself.
        let padding = (64 - (30 + title.count + 4) % 64) % 64
        var file: [UInt8] = []
        /// Appends numbers, each in so many bytes, the lowest first.
        func append(_ bytes: Int, _ numbers: Int...) {
            for number in numbers {
                for place in 0..<bytes { file.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
            }
        }
        /// Appends what both headers of a file have: version 2.0, no flags, stored, the first time that ZIP can express
        /// (1 January 1980), the checksum, and the sizes.
        func appendCommon() {
            append(2, 20, 0, 0, 0, 0x21)
            append(4, Int(checksum(content)), content.count, content.count)
            append(2, title.count)
        }
        append(4, 0x0403_4b50)
        appendCommon()
        append(2, 4 + padding)
        file += title
        // The id of the padding is the one that USD's own tools use.
        append(2, 0x1986, padding)
        file += [UInt8](repeating: 0, count: padding) + content
        let directory = file.count
        append(4, 0x0201_4b50)
        append(2, 20)
        appendCommon()
        append(2, 0, 0, 0, 0)
        append(4, 0, 0)
        file += title
        let length = file.count - directory
        append(4, 0x0605_4b50)
        append(2, 0, 0, 1, 1)
        append(4, length, directory)
        append(2, 0)
        return file
    }

    /// The CRC-32 of ZIP archives (ISO 3309), with a table of the sixteen values of half a byte.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let polynomial: UInt32 = 0xEDB8_8320
        let table = (0..<16).map { (place: UInt32) -> UInt32 in
            (0..<4).reduce(place) { value, _ in value & 1 == 1 ? (value >> 1) ^ polynomial : value >> 1 }
        }
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value = (value >> 4) ^ table[Int((value ^ UInt32(byte)) & 15)]
            value = (value >> 4) ^ table[Int((value ^ UInt32(byte >> 4)) & 15)]
        }
        return ~value
    }
}
