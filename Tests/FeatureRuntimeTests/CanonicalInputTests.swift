import FeatureKit
import Foundation
import TestKit
import Testing

@testable import FeatureRuntime

@Suite("The canonical text of an input")
struct CanonicalInputTests {
    @Test("a file has the same canonical text in memory and on disk, and another one for other bytes")
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
