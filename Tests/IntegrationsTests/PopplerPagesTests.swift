import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Integrations

@Suite("Pages of documents")
struct PopplerPagesTests {
    private let folder: TemporaryFolder
    private let schoolId = UUID()

    init() throws { folder = try TemporaryFolder() }

    private func pages(seconds: Int = 10) -> PopplerPages {
        var limits = PopplerPages.Limits()
        limits.seconds = seconds
        return PopplerPages(in: folder.file("pages"), limits: limits)
    }

    private func document(_ bytes: [UInt8]) throws -> StoredDocument {
        let file = folder.file("\(UUID().uuidString) été.pdf")
        try Data(bytes).write(to: file)
        return StoredDocument(schoolId: schoolId, hash: BlobHash(of: bytes), file: file)
    }

    /// A PDF document of objects, of which the first is the catalog.
    private func pdf(_ objects: [String], trailer: String = "") -> [UInt8] {
        var text = "%PDF-1.4\n"
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places { text += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n" }
        text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }

    private func stream(_ content: String, _ more: String = "") -> String {
        "<< /Length \(content.utf8.count) \(more) >>\nstream\n\(content)\nendstream"
    }

    private func pdf(pages: Int, box: String = "[0 0 595 842]", trailer: String = "") -> [UInt8] {
        let kids = (0..<pages).map { "\($0 + 4) 0 R" }.joined(separator: " ")
        return pdf(
            [
                "<< /Type /Catalog /Pages 2 0 R >>",
                "<< /Type /Pages /Kids [\(kids)] /Count \(pages) /MediaBox \(box) >>", stream("10 10 m 90 90 l S"),
            ] + (0..<pages).map { _ in "<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>" }, trailer: trailer)
    }

    private func fault(_ bytes: [UInt8], seconds: Int = 10) async throws -> DocumentFault? {
        let (pages, document) = (pages(seconds: seconds), try document(bytes))
        do throws(DocumentFault) {
            _ = try await pages.sizes(of: document)
            return nil
        } catch {
            return error
        }
    }

    @Test("a PDF document is shown as pictures of its pages, in their sizes", .requirement("WW-3.06"))
    func pictures() async throws {
        let (pages, document) = (pages(), try document(pdf(pages: 3)))
        let sizes = try await pages.sizes(of: document)
        #expect(sizes == Array(repeating: DocumentPageSize(width: 1240, height: 1754), count: 3))
        let picture = try await pages.page(2, of: document)
        #expect(MediaType(try FileContent.file(picture).head(MediaType.headBytes)) == .jpeg)
        let shrunk = try await GDImages().shrink(.file(picture), to: [10_000])[0]
        #expect(abs(shrunk.width - 1240) <= 1 && abs(shrunk.height - 1754) <= 1)
        let wide = try await pages.sizes(of: self.document(pdf(pages: 1, box: "[0 0 842 595]")))
        #expect(wide == [DocumentPageSize(width: 1754, height: 1240)])
    }

    @Test("a document is read once, and its pages come from the cache until its school is erased")
    func cached() async throws {
        let (pages, document) = (pages(), try document(pdf(pages: 2)))
        let sizes = try await pages.sizes(of: document)
        let picture = try await pages.page(1, of: document)
        try FileManager.default.removeItem(at: document.file)
        #expect(try await pages.sizes(of: document) == sizes)
        #expect(try await pages.page(1, of: document) == picture)
        try await pages.store.eraseSchool(schoolId)
        #expect(!FileManager.default.fileExists(atPath: picture.path))
        await #expect(throws: DocumentFault.unreadable) { try await pages.page(1, of: document) }
    }

    @Test(
        "a document that is empty, damaged, no document or without pages is unreadable, and no page beyond its end exists"
    )
    func unreadable() async throws {
        #expect(try await fault([]) == .unreadable)
        #expect(try await fault(Array("%PDF-1.7 but no more".utf8)) == .unreadable)
        #expect(try await fault(Array("MZ program".utf8)) == .unreadable)
        #expect(try await fault(pdf(pages: 0)) == .unreadable)
        let (pages, document) = (pages(), try document(pdf(pages: 1)))
        for number in [0, 2, 301, -1] {
            await #expect(throws: DocumentFault.unreadable) { try await pages.page(number, of: document) }
        }
    }

    @Test("a document with a password is locked, and one of 10,000 pages is too long")
    func lockedAndLong() async throws {
        let key = String(repeating: "5a", count: 32)
        let lock = "/Encrypt << /Filter /Standard /V 1 /R 2 /O <\(key)> /U <\(key)> /P -4 >> /ID [<01> <01>]"
        #expect(try await fault(pdf(pages: 1, trailer: lock)) == .locked)
        #expect(try await fault(pdf(pages: 10_000)) == .tooLong)
    }

    @Test("a document that keeps its reader busy is ended after the limit, and the next one is shown")
    func bomb() async throws {
        // Each form draws the next one fifty times.
        let depth = 7
        let forms = (0..<depth).map { level in
            let next = level + 1 < depth ? "/Resources << /XObject << /F \(level + 5) 0 R >> >>" : ""
            let content =
                level + 1 < depth
                ? String(repeating: "/F Do ", count: 50) : String(repeating: "0 0 m 500 800 l S ", count: 50)
            return stream(content, "/Type /XObject /Subtype /Form /BBox [0 0 595 842] \(next)")
        }
        let bomb = pdf(
            [
                "<< /Type /Catalog /Pages 2 0 R >>",
                "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595 842] >>",
                "<< /Type /Page /Parent 2 0 R /Contents \(depth + 4) 0 R /Resources << /XObject << /F 4 0 R >> >> >>",
            ] + forms + [stream("/F Do")])
        let start = ContinuousClock.now
        #expect(try await fault(bomb, seconds: 1) == .tooHeavy)
        #expect(start.duration(to: .now) < .seconds(60))
        #expect(try await fault(pdf(pages: 1)) == nil)
    }
}
