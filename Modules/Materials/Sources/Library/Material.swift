import Foundation

/// A Montessori material of the library.
struct Material: Sendable {
    /// The id by which links and the search name the material: that of the same material in the curriculum.
    let id: UUID
    /// The name in addresses and files: `pink-tower`.
    let slug: String
    /// The parts of the material and their places.
    let model: @Sendable () -> Model

    /// The keys of the material's name, of the sentence about it, and of the name of its parts in the string catalog.
    var titleKey: String { "materials.\(slug).title" }
    var tipKey: String { "materials.\(slug).tip" }
    var partsKey: String { "materials.\(slug).parts" }
    var path: String { "\(ARLibraryView.path)/\(slug)" }

    private init(_ slug: String, _ id: UUID, _ model: @escaping @Sendable () -> Model) {
        self.id = id
        self.slug = slug
        self.model = model
    }

    /// All materials, in the order in which children meet them.
    static let all: [Material] = [
        Material("cylinders-1", uuid("a34e-765b-b2d0-e7d4849e0f9e"), { CylinderBlocks.model(.diameter) }),
        Material("cylinders-2", uuid("107d-73f3-a302-155af7a76b06"), { CylinderBlocks.model(.both) }),
        Material("cylinders-3", uuid("7c7c-7703-a47b-92540f8bf46a"), { CylinderBlocks.model(.opposed) }),
        Material("cylinders-4", uuid("1b39-77a5-9685-5300e7a182e2"), { CylinderBlocks.model(.height) }),
        Material("pink-tower", uuid("e0e1-7dc8-8cbd-4fc74f95cb57"), Graded.pinkTower),
        Material("brown-stair", uuid("d14c-7191-bb5d-6585c7cf1694"), Graded.brownStair),
        Material("red-rods", uuid("810d-78e2-b66a-21e09b643625"), Graded.redRods),
        Material("geometric-solids", uuid("18e7-7332-8bf3-99683036dd45"), GeometricSolids.model),
        Material("binomial-cube", uuid("d969-79d0-bee3-d134c111fb20"), BinomialCube.model),
        Material("bead-stair", uuid("4233-7186-8a9a-7713cd42f525"), Beads.stair),
        Material("short-chains", uuid("b241-7295-b062-8711dbecb306"), Beads.shortChains),
    ]

    static func named(_ slug: String) -> Material? { all.first { $0.slug == slug } }

    /// The ids of the curriculum's materials have one beginning.
    private static func uuid(_ end: String) -> UUID {
        guard let id = UUID(uuidString: "0192b5a4-\(end)") else { preconditionFailure("'\(end)' ends no UUID") }
        return id
    }
}
