import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Courses

@Suite("Files of lessons")
struct LessonFilesTests {
    private func download(
        _ file: LessonFile, of lesson: Lesson, _ fixture: CoursesFixture, as caller: Caller,
        from course: UUID? = nil
    ) async throws -> DownloadedFile {
        let route = try #require(fixture.feature.endpoints.downloads.first)
        return try await route.file(
            [
                "courseId": (course ?? lesson.courseId).text, "lessonId": lesson.id.text, "fileId": file.id.text,
            ], fixture.school.context(of: caller))
    }

    private func problem(_ work: () async throws -> some Any) async -> Problem? { await CoursesTests.problem(work) }

    @Test("a teacher attaches files, and only people of the course can download them")
    func attaching() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        fixture.circle.enrol(fixture.mia, in: course)
        let lesson = try await fixture.lesson("One", in: try await fixture.module(in: course))
        let files = try await fixture.attach(
            [CoursesFixture.file("Liste d’élèves.pdf"), CoursesFixture.file("C:\\walk.png", TestPictures.photo)],
            to: lesson)
        #expect(files.map(\.name) == ["Liste d’élèves.pdf", "walk.jpg"])
        let path = LessonScreens.path(lesson)
        for caller in [fixture.teacher, fixture.mia, fixture.mother, fixture.admin] {
            let file = try await download(files[0], of: lesson, fixture, as: caller)
            #expect(file.use == .attachment(name: "Liste d’élèves.pdf"))
            #expect(file.contentType == "application/octet-stream")
            #expect(try await fixture.outline(path, as: caller).contains("- Liste d’élèves.pdf (pdf) · 1 KB"))
        }
        #expect(await problem { try await download(files[0], of: lesson, fixture, as: fixture.other) } == .notFound)
        let stranger = try await fixture.person(.student, "Noah Other")
        #expect(await problem { try await download(files[0], of: lesson, fixture, as: stranger) } == .notFound)
        #expect(
            await problem { try await fixture.attach([CoursesFixture.file("a")], to: lesson, as: fixture.other) }
                == .notFound)
        #expect(
            await problem { try await fixture.attach([CoursesFixture.file("a")], to: lesson, as: fixture.mia) }
                == .notAllowed)
        let elsewhere = try await fixture.course("Biology")
        #expect(
            await problem {
                try await download(files[0], of: lesson, fixture, as: fixture.teacher, from: elsewhere.id)
            }
                == .notFound)
    }

    @Test("a new lesson is added with its files, and a refused file adds no lesson")
    func addingWithLesson() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let module = try await fixture.module(in: course)
        func add(_ files: [UploadedFile], as caller: Caller) async throws -> Lesson {
            try await fixture.school.execute(
                AddLesson.self,
                [
                    "moduleId": .id(module.id), "title": "Water", "content": "Water flows.",
                    "files": .list(files.map(InputValue.file)),
                ], as: caller)
        }
        let refused = await problem {
            try await add([CoursesFixture.file("x.jpg", TestPictures.png)], as: fixture.teacher)
        }
        #expect(refused?.faults.map(\.field) == ["files"])
        #expect(await problem { try await add([CoursesFixture.file("a.pdf")], as: fixture.other) } == .notFound)
        #expect(try await fixture.lessons(of: course, as: fixture.teacher).isEmpty)
        let lesson = try await add(
            [CoursesFixture.file("sheet.pdf"), CoursesFixture.file("key.pdf")], as: fixture.teacher)
        let outline = try await fixture.outline("\(LessonScreens.path(lesson))/edit", as: fixture.teacher)
        #expect(outline.contains("- sheet.pdf (pdf) · 1 KB"))
        #expect(outline.contains("- key.pdf (pdf) · 1 KB"))
    }

    @Test("only those who lead the course can download the files of a draft")
    func drafts() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        fixture.circle.enrol(fixture.mia, in: course)
        let lesson = try await fixture.lesson("One", in: try await fixture.module(in: course), isPublished: false)
        let files = try await fixture.attach([CoursesFixture.file("a.pdf")], to: lesson)
        _ = try await download(files[0], of: lesson, fixture, as: fixture.teacher)
        #expect(await problem { try await download(files[0], of: lesson, fixture, as: fixture.mia) } == .notFound)
    }

    @Test("too many files, a file that is too large or an invalid picture is refused, and none is stored")
    func limits() async throws {
        let fixture = try await CoursesFixture()
        let lesson = try await fixture.lesson("One", in: try await fixture.module(in: try await fixture.course()))
        let large = CoursesFixture.file("a.pdf", [UInt8](repeating: 1, count: ImageLimits.bytes + 1))
        let broken = CoursesFixture.file("x.jpg", TestPictures.png)
        for (files, code) in [
            ([large], "lessons.fileTooLarge"), ([CoursesFixture.file("ok.pdf"), broken], "lessons.picture"),
            ([CoursesFixture.file("text.PNG", Array("no picture".utf8))], "lessons.picture"),
        ] {
            let refused = await problem { try await fixture.attach(files, to: lesson) }
            #expect(refused?.faults.map(\.code) == [code] && refused?.faults.map(\.field) == ["files"])
        }
        for count in [6, 6, 6] {
            _ = try await fixture.attach((0..<count).map { CoursesFixture.file("\($0).pdf") }, to: lesson)
        }
        let refused = await problem {
            try await fixture.attach((0..<3).map { CoursesFixture.file("\($0).pdf") }, to: lesson)
        }
        #expect(refused?.faults.map(\.code) == ["lessons.tooManyFiles"])
        #expect(
            try await fixture.attach([CoursesFixture.file("x"), CoursesFixture.file("y")], to: lesson).count
                == LessonFiles.most)
    }

    @Test("deleting a file or its lesson removes the reference to its content")
    func removing() async throws {
        let fixture = try await CoursesFixture()
        let lesson = try await fixture.lesson("One", in: try await fixture.module(in: try await fixture.course()))
        let files = try await fixture.attach(
            [CoursesFixture.file("a.pdf"), CoursesFixture.file("b.pdf", [1])], to: lesson)
        let gone: [String: InputValue] = ["fileId": .id(files[0].id)]
        #expect(
            await problem {
                try await fixture.school.execute(DeleteLessonFile.self, .object(gone), as: fixture.other)
            }
                == .notFound)
        try await fixture.school.execute(DeleteLessonFile.self, .object(gone), as: fixture.teacher)
        #expect(
            await problem {
                try await fixture.school.execute(DeleteLessonFile.self, .object(gone), as: fixture.teacher)
            }
                == .notFound)
        let tables = fixture.feature.storage.records.flatMap(\.tables)
        let cited = try #require(tables.first { $0.name == "lesson_files" }?.files)
        func hashes() async throws -> [String] {
            try await fixture.school.database.read { try $0.rows(cited).map { try $0.get("sha256") } }
        }
        #expect(try await hashes() == [files[1].hash.text])
        try await fixture.school.execute(DeleteLesson.self, ["lessonId": .id(lesson.id)], as: fixture.teacher)
        #expect(try await hashes().isEmpty)
    }

    @Test(
        "a file name has no folders and no invisible characters",
        arguments: [
            ("a.pdf", "a.pdf"), ("/etc/pass\u{202E}fdp.exe", "passfdp.exe"), ("C:\\x\\b.txt", "b.txt"),
            ("", "file"),
            (" \u{200B} ", "file"), ("a\nb", "ab"), ("Ana's essay #2.docx", "Ana's essay #2.docx"),
            ("a b+c&d=e.pdf", "a b+c&d=e.pdf"), ("áéíóúäëïöüâêîôûçÇãẽõªº¬˚.jpg", "áéíóúäëïöüâêîôûçÇãẽõªº¬˚.jpg"),
        ])
    func names(_ given: String, _ expected: String) {
        #expect(LessonFiles.name(given) == expected)
    }
}
