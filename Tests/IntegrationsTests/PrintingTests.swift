import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Integrations

/// Poppler reads what cairo has written: another hand than the one that made it.
@Suite("PDF documents", .requirement("BY-1.27"))
struct PrintingTests {
    private func document(
        _ blocks: [PrintedBlock], paper: PrintedDocument.Paper = .a4, isLandscape: Bool = false
    ) -> PrintedDocument {
        PrintedDocument(
            title: "Maple room", subtitle: "22 November 2026", school: "Maple Montessori", language: .english,
            paper: paper,
            isLandscape: isLandscape, blocks: blocks, pageNumber: { "Page \($0) of \($1)" })
    }

    /// What a tool of Poppler says about a document.
    private func poppler(_ tool: String, _ options: [String], _ bytes: [UInt8]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "printing-\(UUID().text)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "document.pdf")
        try Data(bytes).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + options + [file.path] + (tool == "pdftotext" ? ["-"] : [])
        let answer = Pipe()
        process.standardOutput = answer
        try process.run()
        let text = answer.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(tool) refuses the document")
        return String(decoding: text, as: UTF8.self)
    }

    @Test("names in any script are on the paper, with every font in the file")
    func scripts() async throws {
        let names = [
            "Zoë Łukaszewicz", "محمد العربي", "נועה לוי", "李小龙", "अनन्या शर्मा", "สมชาย ใจดี", "Δημήτρης", "Ольга",
        ]
        let table = PrintedTable(
            columns: [.init("Name", share: 3), .init("Mon", isCentred: true)], rows: names.map { [$0, ""] })
        let bytes = try await PangoPrinter().pdf(of: document([.heading("Names"), .table(table)]))
        let text = try poppler("pdftotext", ["-enc", "UTF-8"], bytes).precomposedStringWithCompatibilityMapping
        let letters = { (name: String) in Set(name.unicodeScalars.filter { $0.properties.isAlphabetic }) }
        let found = letters(text)
        for name in names { #expect(letters(name).isSubset(of: found), "\(name) is not on the paper: \(text)") }
        let fonts = try poppler("pdffonts", [], bytes).split(separator: "\n").dropFirst(2)
        #expect(fonts.count >= 5, "one font for so many scripts")
        // The columns from the right: object, generation, unicode, subset, embedded.
        #expect(fonts.allSatisfy { $0.split(separator: " ").suffix(5).first == "yes" }, "\(fonts)")
    }

    @Test("a screen reader finds the headings, and the cells of a table with their heads")
    func structure() async throws {
        let table = PrintedTable(columns: [.init("Name"), .init("Here")], rows: [["Bea Ruiz", "yes"]])
        let bytes = try await PangoPrinter().pdf(
            of: document([.heading("Today"), .text("All were here."), .table(table)]))
        #expect(try poppler("pdfinfo", [], bytes).contains("Tagged:          yes"))
        #expect(String(decoding: bytes, as: UTF8.self).contains("/Lang (en)"))
        let tree = try poppler("pdfinfo", ["-struct-text"], bytes)
        let wanted = [
            "H1", "\"Maple room\"", "H2", "\"Today\"", "Table", "TR", "TH", "\"Name\"", "\"Bea Ruiz\"", "TD",
        ]
        var rest = tree[...]
        for part in wanted {
            let place = try #require(rest.range(of: part), "\(part) is missing or out of order in \(tree)")
            rest = rest[place.upperBound...]
        }
        #expect(try poppler("pdfinfo", [], bytes).contains("Title:           Maple room"))
    }

    @Test("a table goes on over the pages with its head on each, and the pages are counted")
    func pages() async throws {
        let table = PrintedTable(
            columns: [.init("Name"), .init("Family")], rows: (0..<150).map { ["Child \($0)", "Ruiz"] })
        let bytes = try await PangoPrinter().pdf(of: document([.table(table)], paper: .letter, isLandscape: true))
        let pages = try poppler("pdftotext", ["-layout"], bytes).split(separator: "\u{0C}")
        #expect(pages.count > 3)
        for (index, page) in pages.enumerated() {
            #expect(page.contains("Family") && page.contains("Page \(index + 1) of \(pages.count)"))
        }
        let all = pages.joined()
        #expect((0..<150).allSatisfy { all.contains("Child \($0)") })
        #expect(try poppler("pdfinfo", [], bytes).contains("792 x 612 pts"))
    }

    @Test("a long text goes on over the pages, and a heading is never the last thing on one")
    func longText() async throws {
        let text = (0..<900).map { "word\($0)" }.joined(separator: " ")
        let blocks = (0..<8).flatMap { [PrintedBlock.heading("Part \($0)"), .text(text)] }
        let bytes = try await PangoPrinter().pdf(of: document(blocks))
        let pages = try poppler("pdftotext", ["-layout"], bytes).split(separator: "\u{0C}")
        #expect(pages.joined().contains("word899"))
        for page in pages {
            let lines = page.split(separator: "\n").filter {
                !$0.contains("Maple Montessori") && !$0.contains("Page ")
            }
            #expect(lines.last?.contains("Part") == false, "\(lines.last ?? "")")
        }
    }

    @Test(
        "nothing that is typed breaks the document",
        arguments: ["", "\0\u{7}", "<b>&amp;", "%PDF(\\)", "\u{202E}abc"])
    func hostile(_ text: String) async throws {
        let table = PrintedTable(columns: [.init(text)], rows: [[text]])
        let bytes = try await PangoPrinter().pdf(
            of: document([
                .heading(text), .text(text), .table(table), .items([text]), .writing(text, lines: 2),
                .badges([PrintedBadge(name: text, detail: text, code: [[true, false], [false, true]])]),
            ]))
        #expect(try poppler("pdfinfo", [], bytes).contains("Pages:           1"))
    }
}
