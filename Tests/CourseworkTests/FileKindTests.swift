import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Coursework

@Suite("What may be handed in")
struct FileKindTests {
    private func refusal(_ work: () async throws -> Void) async throws -> Fault? {
        try await problem { try await work() }?.faults.first
    }

    @Test("a teacher chooses kinds of files, and others are refused with the kinds that the assignment takes")
    func chosenKinds() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(
            with: ["kinds": .list(["files"]), "fileKinds": .list(["pdf", "image"])])
        #expect(one.fileKinds == [.pdf, .image])
        for (name, content) in [("essay.docx", "PK"), ("notes.txt", "Text"), ("essay", "%PDF-1.7")] {
            let fault = try await refusal {
                try await fixture.handIn(one, as: fixture.mia, nil, files: [fixture.file(name, content)])
            }
            #expect(fault?.code == "coursework.kindNotTaken", "\(name)")
            let words = try fixture.school.environment.words()
            #expect(fault?.sentence(words).contains("PDF, Pictures") == true)
        }
        let liar = try await refusal {
            try await fixture.handIn(one, as: fixture.mia, nil, files: [fixture.file("map.gif", "%PDF-1.7")])
        }
        #expect(liar?.code == "coursework.fileKind")
        let made = try await fixture.handIn(
            one, as: fixture.mia, nil,
            files: [fixture.file("essay.pdf", "%PDF-1.7"), fixture.file("a.GIF", "GIF89a")])
        #expect(made.files.map(\.name) == ["essay.pdf", "a.GIF"])
    }

    @Test("the form offers what the assignment takes, and nothing else")
    func form() async throws {
        let fixture = try await CourseworkFixture()
        func page(_ kinds: [InputValue], _ fileKinds: [InputValue] = []) async throws -> (
            fields: [PTField], outline: String
        ) {
            let one = try await fixture.assign(with: ["kinds": .list(kinds), "fileKinds": .list(fileKinds)])
            let screen = try await fixture.school.environment.page(AssignmentScreens.path(one.id), as: fixture.mia)
            let outline = try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.mia)
            return (screen.forms.flatMap(\.fields), outline)
        }
        let scan = try await page(["scan"])
        #expect(scan.fields.map(\.name).contains("files") && !scan.fields.map(\.name).contains("text"))
        #expect(scan.fields.first { $0.name == "files" }?.kind == .file(accept: [".pdf"]))
        #expect(scan.outline.contains("Document scan") && !scan.outline.contains("Drawing"))
        let sound = try await page(["text", "files"], ["sound"])
        #expect(sound.fields.first { $0.name == "files" }?.kind == .file(accept: ["audio/*"]))
        #expect(sound.fields.contains { $0.hint?.contains("Audio") == true })
        #expect(sound.outline.contains("Text, Files (Audio)") && !sound.outline.contains("Document scan"))
        #expect(try await page(["files"]).fields.first { $0.name == "files" }?.kind == .file(accept: []))
        #expect(try await !page(["text"]).fields.map(\.name).contains("files"))
    }

    @Test("a scan is a PDF document and a drawing a PNG picture, by name and content")
    func tools() async throws {
        let fixture = try await CourseworkFixture()
        let scan = try await fixture.assign(with: ["kinds": .list(["scan"]), "attempts": 0])
        let drawing = try await fixture.assign(with: ["kinds": .list(["drawing"]), "attempts": 0])
        let png = UploadedFile(
            name: "Drawing.png", contentType: "image/png",
            bytes: [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A, 0, 0])
        try await fixture.handIn(scan, as: fixture.mia, nil, files: [fixture.file("Scan.pdf", "%PDF-1.4")])
        try await fixture.handIn(drawing, as: fixture.mia, nil, files: [png])
        #expect(
            try await refusal { try await fixture.handIn(scan, as: fixture.mia, nil, files: [png]) }?.code
                == "coursework.kindNotTaken")
        #expect(
            try await refusal {
                try await fixture.handIn(drawing, as: fixture.mia, nil, files: [fixture.file("a.png", "%PDF-1.4")])
            }?.code == "coursework.fileKind")
    }

    @Test("a file of a draft that the assignment no longer takes is refused when it is handed in")
    func narrowed() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.saveDraft(one, as: fixture.mia, files: [fixture.file("film.mov", "a film")])
        _ = try await fixture.edit(one, ["kinds": .list(["files"]), "fileKinds": .list(["pdf"])])
        let fault = try await refusal { try await fixture.handIn(one, as: fixture.mia, nil) }
        #expect(fault?.code == "coursework.kindNotTaken")
    }

    @Test("kinds that do not exist, and kinds of files without files, are refused")
    func invalid() async throws {
        let fixture = try await CourseworkFixture()
        for (kinds, fileKinds) in [(["fax"], []), (["files"], ["program"]), (["text"], ["pdf"])] {
            let fault = try await refusal {
                try await fixture.assign(
                    with: [
                        "kinds": .list(kinds.map { .text($0) }), "fileKinds": .list(fileKinds.map { .text($0) }),
                    ])
            }
            #expect(fault?.code == (kinds == ["fax"] ? "coursework.kinds" : "coursework.fileKinds"))
        }
    }

    @Test("an assignment keeps its kinds of files in a copy")
    func copy() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["kinds": .list(["files"]), "fileKinds": .list(["sheet"])])
        let copy = try await fixture.school.execute(
            CopyAssignment.self, ["assignmentId": .id(one.id), "courseId": .id(fixture.course.id)],
            as: fixture.teacher)
        #expect(copy.fileKinds == [.sheet])
    }

    @Test("assignments from before take files of all kinds, scans and drawings")
    func before() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["kinds": .list(["files", "text"])])
        let text = try await fixture.assign(with: ["kinds": .list(["text"])])
        let statement = try #require(CourseworkMigrations.fileKinds.statements.last)
        try await fixture.school.database.write { try $0.execute(SQL(stringLiteral: statement)) }
        func kinds(_ id: UUID) async throws -> Set<Assignment.HandInKind>? {
            try await fixture.school.database.read { try AssignmentRepository.assignment(id, in: $0) }?.kinds
        }
        #expect(try await kinds(one.id) == [.files, .text, .scan, .drawing])
        #expect(try await kinds(text.id) == [.text])
    }

    @Test(
        "the content of a file is compared with its extension",
        arguments: [
            ("a.pdf", "%PDF-1.7", true), ("a.pdf", "PK\u{3}\u{4}", false), ("a.txt", "Text", true),
            ("a.txt", "%PDF-1.7", false), ("a.csv", "a;b\0", false), ("a.rtf", "{\\rtf1", true),
            ("a.docx", "PK\u{3}\u{4}[Content_Types].xml word/document.xml", true),
            ("a.docx", "PK\u{3}\u{4}[Content_Types].xml xl/workbook.xml", false), ("a.docx", "word/", false),
            ("a.xlsx", "PK\u{3}\u{4} xl/workbook.xml", true), ("a.pptx", "PK\u{3}\u{4} ppt/", true),
            ("a.odt", "PK\u{3}\u{4}mimetypeapplication/vnd.oasis.opendocument.text", true),
            ("a.ods", "PK\u{3}\u{4}mimetypeapplication/vnd.oasis.opendocument.text", false),
            ("a.zip", "PK\u{3}\u{4}", true), ("a.mov", "\0\0\0 ftypqt", true), ("a.mp4", "MZ", false),
            ("a.heic", "\0\0\0 ftypheic", true), ("a.heic", "\0\0\0 ftypqt  ", false), ("a.mp3", "ID3", true),
            ("a.svg", "<?xml?><svg/>", true), ("a.svg", "<html>", false), ("a.exe", "MZ", false),
            ("pdf", "", false),
        ])
    func signatures(_ name: String, _ content: String, _ fits: Bool) throws {
        #expect(try FileSignature.fits(name, .bytes(Array(content.utf8))) == fits)
    }

    @Test("every extension that a field offers belongs to its kind", arguments: Assignment.FileKind.allCases)
    func extensions(_ kind: Assignment.FileKind) throws {
        let one = Assignment(
            id: UUID(), courseId: UUID(), title: "Essay", kinds: [.files], fileKinds: [kind],
            createdAt: .distantPast)
        let offered = AcceptedFiles(of: one).mediaTypes
        #expect(!offered.isEmpty)
        for ending in offered where ending.hasPrefix(".") {
            #expect(PTFileKind(fileName: "a\(ending)").rawValue == kind.rawValue, "\(ending)")
        }
    }

    @Test("a name of 255 bytes stays, and a longer one keeps its end")
    func longNames() {
        let name = String(repeating: "n", count: 251) + ".pdf"
        #expect(name.utf8.count == 255 && SubmissionFiles.name(name) == name)
        let cut = SubmissionFiles.name(String(repeating: "é", count: 200) + ".pdf")
        #expect(cut.utf8.count <= 255 && cut.utf8.count > 250 && cut.hasSuffix("é.pdf"))
    }
}
