extension Contract {
    /// Returns the path with its parameters filled in. Ids and codes need no escaping; a missing parameter stays in
    /// braces.
    public func path(filling parameters: [String: String]) -> String {
        guard !parameters.isEmpty else { return path }
        var filled = ""
        var rest = path[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            let name = rest[rest.index(after: open)..<close]
            filled += rest[..<open]
            filled += parameters[String(name)] ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}
