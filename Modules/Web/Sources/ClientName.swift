/// The browser and system of a request, without versions, by which people recognize their devices.
enum ClientName {
    private static let browsers: [(mark: String, name: String)] = [
        // The order matters: later browsers also contain the marks of earlier ones.
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Version/", "Safari"),
    ]
    private static let systems: [(mark: String, name: String)] = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
        ("CrOS", "ChromeOS"), ("Macintosh", "macOS"), ("Linux", "Linux"),
    ]

    /// Returns `nil` when the header is missing or names nothing known.
    static func name(userAgent: String?) -> String? {
        guard let userAgent, userAgent.utf8.count <= 1000 else { return nil }
        func first(_ marks: [(mark: String, name: String)]) -> String? {
            marks.first { userAgent.contains($0.mark) }?.name
        }
        let parts = [first(browsers), first(systems)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}
