import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Integrations

/// Poppler, a second implementation, reads what cairo has written.
@Suite("PDF documents")
struct PrintingTests {
    private func document(
        _ blocks: [PrintedBlock], paper: PrintedDocument.Paper = .a4, isLandscape: Bool = false
    ) -> PrintedDocument {
        PrintedDocument(
            title: "Maple room", subtitle: "22 November 2026", school: "Maple Montessori", language: .english,
            paper: paper,
            isLandscape: isLandscape, blocks: blocks, pageNumber: { "Page \($0) of \($1)" })
    }

    /// The output of one of Poppler's tools for a document.
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

    @Test("a document with the mark of a school and a theme is printed, and the name of the school can be searched")
    func emblem() async throws {
        for theme in ThemeName.allCases {
            var marked = document([.text("Mia")])
            marked.emblem = PrintedEmblem(initials: "MM", name: "École Érable")
            marked.theme = theme
            let text = try poppler("pdftotext", ["-enc", "UTF-8"], try await PangoPrinter().pdf(of: marked))
            #expect(text.contains("École Érable") && text.contains("MM"))
        }
    }

    @Test(
        "the logo of a school is in the document as its own picture, in its proportions, in the place of the initials"
    )
    func logo() async throws {
        let wide = try await GDImages().shrink(TestPictures.photo, to: [600])[0]
        var marked = document([.text("Mia")])
        marked.emblem = PrintedEmblem(initials: "MM", name: "École Érable", logo: wide)
        let bytes = try await PangoPrinter().pdf(of: marked)
        let list = try poppler("pdfimages", ["-list"], bytes).split(separator: "\n").dropFirst(2)
        let columns = list.first.map { $0.split(separator: " ").map(String.init) } ?? []
        #expect(list.count == 1)
        // The columns: page, number, type, width, height, color, components, bits, encoding, and later the dots per inch.
        #expect(columns.count > 14 && Array(columns[3...4]) == ["\(wide.width)", "\(wide.height)"])
        #expect(columns.count > 14 && columns[8] == "jpeg" && columns[12] == columns[13], "\(columns)")
        let text = try poppler("pdftotext", ["-enc", "UTF-8"], bytes)
        #expect(text.contains("École Érable") && !text.contains("MM"))
    }

    @Test("names in any script are printed, with every font embedded")
    func scripts() async throws {
        let names = [
            "Zoë Łukaszewicz", "محمد العربي", "נועה לוי", "李小龙", "अनन्या शर्मा", "สมชาย ใจดี", "Δημήτρης", "Ольга",
        ]
        let table = PrintedTable(
            columns: [.init("Name", share: 3), .init("Mon", isCentered: true)], rows: names.map { [$0, ""] })
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

    @Test("a screen reader finds headings and tables with header cells")
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

    @Test("a table continues on the next page with its header, and pages are numbered")
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

    @Test("a long text continues on the next page, and no page ends with a heading")
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
        "no input breaks the document",
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

    // MARK: - Boxes

    /// A word on the paper, in points from the upper left corner of its page.
    private struct Word {
        let text: String
        let page: Int
        let box: CGRect
    }

    private func words(_ bytes: [UInt8]) throws -> [Word] {
        let pages = try poppler("pdftotext", ["-enc", "UTF-8", "-bbox"], bytes).components(separatedBy: "<page ")
        let pattern = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/
        return pages.dropFirst().enumerated().flatMap { page, text in
            text.matches(of: pattern).map { word in
                let sides = [word.1, word.2, word.3, word.4].map { Double($0) ?? .nan }
                return Word(
                    text: String(word.5), page: page,
                    box: CGRect(
                        x: sides[0], y: sides[1], width: sides[2] - sides[0], height: sides[3] - sides[1]))
            }
        }
    }

    static let longNames = [
        String(repeating: "Wolfeschlegelsteinhausen", count: 5).prefix(110),
        String(repeating: "Maximiliane Konstanze ", count: 5).prefix(110),
        String(repeating: "李小龙欧阳", count: 22).prefix(110), String(repeating: "محمد العربي ", count: 10).prefix(110),
        String(repeating: "A\u{0301}\u{0323}\u{0304}\u{0330}", count: 28).prefix(110),
        String(repeating: "Zoë 🦊👩‍👩‍👧 ", count: 16).prefix(110),
    ].map { String($0).trimmingCharacters(in: .whitespaces) }

    @Test(
        "a long name stays within its badge and does not touch the code", arguments: longNames)
    func longBadges(_ name: String) async throws {
        let code = (0..<29).map { row in (0..<29).map { ($0 + row).isMultiple(of: 2) } }
        let badges = (0..<6).map {
            PrintedBadge(name: name, detail: "Detail\($0) \(name)\nMaple Montessori", code: code)
        }
        let words = try words(
            try await PangoPrinter().pdf(of: document([.badges(badges)]))
        ).filter { $0.box.minY > 90 }
        let (left, right) = (words.filter { $0.box.minX < 297 }, words.filter { $0.box.minX >= 297 })
        #expect(!left.isEmpty && !right.isEmpty)
        // The code is the right third of a badge.
        for (column, place) in [(left, 48.0), (right, 301.0)] {
            for word in column where !word.text.hasPrefix("Page") && word.box.maxY < 760 {
                #expect(word.box.minX >= place && word.box.maxX <= place + 165, "\(word)")
            }
            let tops = column.filter { $0.text.contains("Detail") }.sorted {
                ($0.page, $0.box.minY) < ($1.page, $1.box.minY)
            }
            let ends = column.filter { $0.text.contains("Montessori") && $0.box.maxX < 540 }
            #expect(tops.count == 3 || name.unicodeScalars.contains { $0.value > 0x590 })
            // Two margins separate the last line of a badge from the first line of the next.
            for (above, below) in zip(tops, tops.dropFirst()) where above.page == below.page {
                let end = ends.filter {
                    $0.page == above.page && $0.box.minY >= above.box.minY && $0.box.minY < below.box.minY
                }
                #expect(end.count == 1, "the whole of a badge stands on it")
                #expect((end.first?.box.maxY ?? .infinity) + 20 < below.box.minY)
            }
        }
    }

    @Test("long names stay within their table cells", arguments: longNames)
    func longCells(_ name: String) async throws {
        let table = PrintedTable(
            columns: [.init("Child", share: 2), .init("Call", share: 3), .init("14", isCentered: true)],
            rows: [[name, "first", "P"], ["Bea", name, "A"], [name, "last", "P"]])
        let words = try words(
            try await PangoPrinter().pdf(of: document([.note(name), .table(table)], isLandscape: true)))
        let first = try #require(words.first { $0.text == "first" })
        let last = try #require(words.first { $0.text == "last" })
        let bea = try #require(words.first { $0.text == "Bea" })
        let column = first.box.minX
        let body = words.filter { $0.box.minY >= first.box.minY - 1 && $0.box.minY < 500 }
        #expect(body.allSatisfy { $0.box.maxX <= 842 - 48 && $0.box.minX >= 48 })
        #expect(!body.contains { $0.box.minX < column - 4 && $0.box.maxX > column }, "a name crosses its column")
        let above = body.filter { $0.box.minX < column && $0.box.minY < bea.box.minY - 1 }
        #expect(!above.isEmpty && above.allSatisfy { $0.box.maxY <= bea.box.minY + 1 }, "a name crosses its row")
        #expect(last.box.minY > bea.box.maxY)
    }

    @Test(
        "long names in titles, lists and writing lines stay on the paper",
        arguments: longNames)
    func longLines(_ name: String) async throws {
        var paper = document([.heading(name), .items([name, "item"]), .writing(name, lines: 1), .text("end")])
        (paper.title, paper.subtitle) = (name, name)
        let words = try words(try await PangoPrinter().pdf(of: paper))
        #expect(words.allSatisfy { $0.box.minX >= 40 && $0.box.maxX <= 595 - 40 }, "text runs off the side")
        let (item, end) = (
            try #require(words.first { $0.text == "item" }), try #require(words.first { $0.text == "end" })
        )
        #expect((item.page, item.box.maxY) < (end.page, end.box.minY))
    }

    @Test("a cell longer than a page continues on the next page without loss")
    func longCell() async throws {
        let comment = (0..<1200).map { "word\($0)" }.joined(separator: " ")
        let table = PrintedTable(
            columns: [.init("Child"), .init("Comment")], rows: [["Bea", comment], ["Tom", "end"]])
        let words = try words(try await PangoPrinter().pdf(of: document([.table(table)])))
        #expect((0..<1200).allSatisfy { number in words.contains { $0.text == "word\(number)" } })
        #expect(words.allSatisfy { $0.box.maxY <= 842 - 40 }, "text runs off the page")
        #expect((words.map(\.page).max() ?? 0) >= 2)
    }

    @Test("a long school name takes two lines in the footer, above the page number")
    func longFoot() async throws {
        var paper = document([.text("All were here.")])
        paper.school = String(repeating: "Kindertagesstätte ", count: 9) + "end"
        let words = try words(try await PangoPrinter().pdf(of: paper))
        let (end, number) = (
            try #require(words.first { $0.text == "end" }), try #require(words.first { $0.text == "Page" })
        )
        #expect(end.box.maxY <= number.box.minY + 1 && number.box.maxY < 842 - 40)
    }

    @Test("emoji are printed")
    func emoji() async throws {
        let plain = try await PangoPrinter().pdf(of: document([.text("Bea  Ruiz")]))
        let fox = try await PangoPrinter().pdf(of: document([.text("Bea 🦊 Ruiz")]))
        #expect(try poppler("pdftotext", ["-enc", "UTF-8"], fox).contains("Ruiz"))
        // The fox is orange; nothing else on the page has a color.
        #expect(try orange(plain) == 0)
        #expect(try orange(fox) > 10)
    }

    /// The number of orange pixels of the first page at 72 dpi.
    private func orange(_ bytes: [UInt8]) throws -> Int {
        let folder = FileManager.default.temporaryDirectory.appending(path: "printing-\(UUID().text)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(bytes).write(to: folder.appending(path: "document.pdf"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "pdftoppm", "-r", "72", folder.appending(path: "document.pdf").path,
            folder.appending(path: "page").path,
        ]
        try process.run()
        process.waitUntilExit()
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".ppm") })
        // After a header of three lines come red, green and blue of each pixel.
        let picture = [UInt8](try Data(contentsOf: folder.appending(path: file)))
        let pixels = picture.suffix(595 * 842 * 3)
        return stride(from: pixels.startIndex, to: pixels.endIndex - 2, by: 3).filter {
            pixels[$0] > 200 && pixels[$0 + 1] < 190 && pixels[$0 + 2] < 110
        }.count
    }
}
