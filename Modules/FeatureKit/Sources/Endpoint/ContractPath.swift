extension Contract {
    /// The path with its variable parts filled in. Ids and codes need no escaping.
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
