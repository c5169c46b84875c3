/// Modules that import each other, each with the hashed names of those that it imports.
struct ModuleGraph {
    struct Module {
        let name: String
        let bytes: [UInt8]
    }

    private let names: [String]
    private let first: String
    private let offered: [String: String]
    private let read: (String) throws -> String
    private var done: [String: Module] = [:]
    private var order: [Module] = []

    /// - Parameters:
    ///   - first: the module that a page loads.
    ///   - offered: modules from elsewhere that these may import: the path of each, by what it is called there.
    init(
        _ names: [String], first: String, offered: [String: String] = [:], read: @escaping (String) throws -> String
    ) {
        self.names = names
        self.first = first
        self.offered = offered
        self.read = read
    }

    /// All modules, those that are imported before those that import them; the first one comes last.
    mutating func linked() throws -> [Module] {
        for name in names where name != first { try link(name, above: []) }
        try link(first, above: [])
        return order
    }

    private mutating func link(_ name: String, above: [String]) throws {
        guard done[name] == nil else { return }
        guard !above.contains(name) else {
            throw Resource.Missing(
                description: "modules import each other: \((above + [name]).joined(separator: " > "))")
        }
        var source = ModuleGraph.stripped(try read(name))
        for other in names where source.contains("\"./\(other)\"") {
            try link(other, above: above + [name])
            guard let module = done[other] else { continue }
            source.replace("\"./\(other)\"", with: "\"\(Assets.hashed(other, module.bytes))\"")
        }
        for (other, path) in offered { source.replace("\"\(other)\"", with: "\"\(path)\"") }
        let module = Module(name: name, bytes: Array(source.utf8))
        done[name] = module
        order.append(module)
    }

    /// Without indentation, blank lines and comments that have lines of their own. The modules keep to
    /// template literals of one line, so no line begins inside a string.
    static func stripped(_ source: String) -> String {
        var result = ""
        var isInComment = false
        for line in source.split(separator: "\n", omittingEmptySubsequences: true) {
            let text = line.drop { $0 == " " || $0 == "\t" }
            if isInComment {
                isInComment = !text.contains("*/")
            } else if text.hasPrefix("/*"), !text.contains("*/") {
                isInComment = true
            } else if text.isEmpty || text.hasPrefix("//") || (text.hasPrefix("/*") && text.hasSuffix("*/")) {
                continue
            } else {
                result += text + "\n"
            }
        }
        return result
    }
}
