import DesignTokens
import Foundation

/// The files of one island: modules, which may import the runtime's as `pinktower/core.js`, and a style sheet that
/// reads the page's tokens.
struct IslandFiles {
    /// The modules in import order; the island's main module is last.
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
