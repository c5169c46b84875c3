public import DesignSystem

extension Screen {
    /// The islands of the page, also those inside of other components.
    public var islands: [PTIsland] { Self.islands(in: self) }

    private static func islands(in value: Any) -> [PTIsland] {
        if let island = value as? PTIsland { return [island] + island.body.flatMap { islands(in: $0) } }
        return Mirror(reflecting: value).children.flatMap { islands(in: $0.value) }
    }
}
