/// The parts of a page in as many columns as the screen has room for.
///
/// On a phone they are one column in the order of importance. On a wide screen the order goes down each column, so that
/// the keyboard follows it.
public struct PTColumns: Codable, Hashable, Sendable {
    /// The parts of the page, the most important first. A part is never split over two columns.
    public var parts: [[Component]]
    /// The largest number of columns beside each other.
    public var limit: Int

    /// Creates columns from the components of a page.
    ///
    /// Each section and each card begins a part. The components that follow belong to it, up to the next section or
    /// card.
    public init(_ components: [Component], limit: Int = 3) {
        self.limit = limit
        parts = []
        for component in components {
            switch component {
            case .section, .card: parts.append([component])
            default:
                if parts.isEmpty { parts.append([]) }
                parts[parts.count - 1].append(component)
            }
        }
    }
}
