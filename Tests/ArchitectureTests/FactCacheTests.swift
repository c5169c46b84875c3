import Conformance
import Foundation
import TestKit
import Testing

@Suite("The facts of an earlier check")
struct FactCacheTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.url.appending(path: "facts.json") }
    private var program: URL { folder.url.appending(path: "tower") }

    init() throws {
        folder = try TemporaryFolder()
        try Data("program".utf8).write(to: program)
    }

    private func identifiers(_ text: String) throws -> Set<String> {
        let source = TextFile(path: "Modules/Domain/Sources/A.swift", text: text)
        let tree = SourceTree(manifest: .empty, texts: [source], cache: try FactCache(file, of: program))
        return Set(tree.sources.flatMap(\.facts.identifiers.keys))
    }

    /// Replaces a word in the stored facts, which shows where they are used.
    private func replace(_ word: String, by other: String) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("\"\(word)\"", with: "\"\(other)\"").write(to: file, atomically: true, encoding: .utf8)
    }

    @Test("a source that has not changed is not parsed again")
    func unchanged() throws {
        #expect(try identifiers("let length = width").contains("width"))
        try replace("width", by: "fromTheFile")
        #expect(try identifiers("let length = width").contains("fromTheFile"))
    }

    @Test("a changed source is parsed, and so is every source after the program has changed")
    func changed() throws {
        _ = try identifiers("let length = width")
        try replace("width", by: "fromTheFile")
        #expect(try identifiers("let length = height").contains("height"))
        #expect(try identifiers("let length = height").contains("height"))
        try replace("height", by: "fromTheFile")
        try Data("another program".utf8).write(to: program)
        #expect(try identifiers("let length = height").contains("height"))
    }

    @Test("a damaged file counts as empty")
    func damaged() throws {
        _ = try identifiers("let length = width")
        try Data("{".utf8).write(to: file)
        #expect(try identifiers("let length = width").contains("width"))
        #expect(try Data(contentsOf: file).count > 1)
    }
}
