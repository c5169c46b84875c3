import DesignTokens
import Foundation

/// What a block ships for one island: modules, which may import those of the runtime as `pinktower/core.js`, and a style
/// sheet that reads the tokens of the page.
struct IslandFiles {
    /// The island's own module is the last.
    let modules: [ModuleGraph.Module]
    let css: String?

    init(_ name: String, in folder: URL, runtime: [String: String], _ tokens: Tokens) throws {
        guard name.allSatisfy({ $0.isASCII && $0.isLowercase }), !name.isEmpty else {
            throw Resource.Missing(description: "the island '\(name)' is not named with lower-case letters alone")
        }
        var graph = ModuleGraph(
            try Resource.names(in: folder, ending: ".js"), first: "\(name).js", offered: runtime
        ) { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        modules = try graph.linked()
        let sheet = "\(name).css"
        guard try Resource.names(in: folder, ending: ".css").contains(sheet) else {
            css = nil
            return
        }
        let rules = try String(contentsOf: folder.appendingPathComponent(sheet), encoding: .utf8)
        css = Stylesheet.minified(try Stylesheet.resolved(rules, tokens.breakpoints, in: sheet))
    }
}
