extension EnvironmentValues {
    /// The environment of a device with the person's preferences, which apps can only read.
    public static func recorded(
        colorScheme: ColorScheme = .light, dynamicTypeSize: DynamicTypeSize = .large, reducesMotion: Bool = false,
        horizontalSizeClass: UserInterfaceSizeClass = .compact
    ) -> EnvironmentValues {
        var values = EnvironmentValues()
        values.colorScheme = colorScheme
        values.dynamicTypeSize = dynamicTypeSize
        values.horizontalSizeClass = horizontalSizeClass
        values.set(reducesMotion: reducesMotion)
        return values
    }
}
