import FeatureKit
import Foundation
import TestKit
import Testing

@testable import FeatureRuntime

@Suite("Canonical texts of inputs")
struct CanonicalInputTests {
    @Test("the canonical text of a file depends on its bytes, not on whether they are in memory or on disk")
    func files() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
        let folder = try TemporaryFolder()
        let url = folder.file("content")
        try Data(bytes).write(to: url)
        func text(_ content: FileContent) throws -> String {
            let file = UploadedFile(name: "a", contentType: "b", content: content, size: bytes.count)
            return try InputValue.object(["file": .file(file)]).canonical()
        }
        let inMemory = try text(.bytes(bytes))
        #expect(try text(.file(url)) == inMemory)
        #expect(try text(.bytes(bytes.dropLast() + [1])) != inMemory)
    }
}
