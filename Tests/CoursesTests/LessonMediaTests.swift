import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Courses

@Suite("Videos, captions and pictures of lessons")
struct LessonMediaTests {
    private static let address = "https://films.example/water.mp4"

    private func makeLesson(_ fixture: CoursesFixture, isPublished: Bool = true) async throws -> Lesson {
        let course = try await fixture.course()
        fixture.circle.enrol(fixture.mia, in: course)
        return try await fixture.lesson("Water", in: try await fixture.module(in: course), isPublished: isPublished)
    }

    private func change(_ lesson: Lesson, _ more: [String: InputValue], _ fixture: CoursesFixture) async throws
        -> Lesson
    {
        let input: [String: InputValue] = [
            "lessonId": .id(lesson.id), "version": .number(Double(lesson.version)), "title": .text(lesson.title),
            "published": .bool(lesson.isPublished),
        ]
        return try await fixture.school.execute(
            UpdateLesson.self, .object(input.merging(more) { $1 }), as: fixture.teacher)
    }

    private func body(_ lesson: Lesson, _ fixture: CoursesFixture, _ language: Language = .english) async throws
        -> [Component]
    {
        let answer = try await fixture.school.environment.screen(
            LessonScreens.path(lesson), as: fixture.mia, language: language)
        guard case .screen(let screen) = answer else { return [] }
        return screen.body
    }

    private func player(
        _ lesson: Lesson, _ fixture: CoursesFixture, _ language: Language = .english
    ) async throws -> PTVideo? {
        guard case .video(let video)? = try await body(lesson, fixture, language).first else { return nil }
        return video
    }

    private func shown(
        _ file: LessonFile, of lesson: Lesson, _ fixture: CoursesFixture, as caller: Caller
    ) async throws -> DownloadedFile {
        let path = LessonScreens.path(lesson) + "/media/"
        let route = try #require(fixture.feature.endpoints.downloads.first { $0.path.hasSuffix("/media/{fileId}") })
        #expect(LessonFiles.shown(file, of: lesson) == path + file.id.text)
        return try await route.file(
            ["courseId": lesson.courseId.text, "lessonId": lesson.id.text, "fileId": file.id.text],
            fixture.school.context(of: caller))
    }

    private func problem(_ work: () async throws -> some Any) async -> Problem? { await CoursesTests.problem(work) }

    // MARK: - Films

    @Test(
        "a video is detected by its bytes, regardless of its name, and sound in the same container is not",
        arguments: [
            (Films.mp4, .mp4), (Films.brand + Films.moov("vide") + Films.box("mdat", [1]), .mp4),
            // A box with an eight-byte size, and one that extends to the end of the file.
            (
                Films.brand + Films.number(1) + Array("mdat".utf8) + Films.number(0) + Films.number(17) + [9]
                    + Films.moov("vide"), .mp4
            ),
            (Films.brand + Films.number(0) + Films.moov("vide").dropFirst(4), .mp4),
            (Films.brand + Films.moov("soun"), nil), (Films.brand + Films.box("meta", Films.moov("vide")), nil),
            (Films.brand + Films.number(1) + Array("mdat".utf8), nil),
            (Films.brand + Films.number(3) + Array("mdat".utf8) + Films.moov("vide"), nil), (Films.brand, nil),
            (Films.webM, .webM), (Films.matroska("webm", "V_VP8"), .webM), (Films.matroska("webm", "V_AV1"), .webM),
            (Films.wideWebM, .webM),
            (Films.otherByWebM, nil), ([0x1A, 0x45, 0xDF, 0xA3, 0] + Films.webM, nil),
            (Array(Films.webM.prefix(4)), nil),
            (Films.matroska("webm", "A_OPUS"), nil), (Films.matroska("matroska", "V_VP9"), nil),
            (Films.ogg([0x80] + Array("theora".utf8)), .ogg), (Films.ogg([1] + Array("vorbis".utf8)), nil),
            (Array("theora".utf8), nil), ([], nil), (Films.captions, .captions),
            (Array("\u{FEFF}WEBVTT".utf8), .captions), (Films.captions + [0xE9], nil),
            (Array("1\n00:00".utf8), nil),
        ] as [([UInt8], LessonMedia?)])
    func kinds(_ bytes: [UInt8], _ expected: LessonMedia?) throws {
        #expect(try LessonMedia(.bytes(bytes)) == expected)
    }

    @Test("the first video among a lesson's files is shown at its top unless the lesson has an address")
    func onTop() async throws {
        let fixture = try await CoursesFixture()
        var lesson = try await makeLesson(fixture)
        #expect(try await player(lesson, fixture) == nil)
        let files = try await fixture.attach(
            [
                CoursesFixture.file("plan.pdf"), CoursesFixture.file("sea.mp4", Films.mp4),
                CoursesFixture.file("b.webm", Films.webM),
            ], to: lesson)
        #expect(files.map(\.media) == [nil, .mp4, .webM])
        let video = try #require(try await player(lesson, fixture))
        #expect((video.url, video.title) == (LessonFiles.shown(files[1], of: lesson), "Water"))
        #expect(video.keeper != nil && video.origin == nil)
        // It can be downloaded and deleted like any other file.
        let path = LessonScreens.path(lesson)
        #expect(try await fixture.outline(path, as: fixture.mia).contains("- sea.mp4"))
        lesson = try await change(lesson, ["videoURL": .text(Self.address)], fixture)
        #expect(try await player(lesson, fixture)?.url == Self.address)
        lesson = try await change(lesson, [:], fixture)
        try await fixture.detach(files[1])
        #expect(try await player(lesson, fixture)?.url == LessonFiles.shown(files[2], of: lesson))
        try await fixture.detach(files[2])
        #expect(try await player(lesson, fixture) == nil)
    }

    @Test("videos, captions and pictures are served to those who may read the lesson, and other files are not")
    func serving() async throws {
        let fixture = try await CoursesFixture()
        let lesson = try await makeLesson(fixture)
        let files = try await fixture.attach(
            [
                CoursesFixture.file("sea.mp4", Films.mp4), CoursesFixture.file("sea.vtt", Films.captions),
                CoursesFixture.file("sea.png", TestPictures.photo), CoursesFixture.file("sea.pdf"),
                CoursesFixture.file("sea.html", Array("<script>alert(1)</script>".utf8)),
            ], to: lesson)
        for caller in [fixture.teacher, fixture.mia, fixture.mother, fixture.admin] {
            for (file, type) in zip(files, ["video/mp4", "text/vtt", "image/jpeg"]) {
                let answer = try await shown(file, of: lesson, fixture, as: caller)
                #expect(answer.use == .shown(file.hash) && answer.contentType == type)
            }
        }
        for file in files.suffix(2) {
            #expect(await problem { try await shown(file, of: lesson, fixture, as: fixture.teacher) } == .notFound)
        }
        let stranger = try await fixture.person(.student, "Noah Other")
        for caller in [stranger, fixture.other] {
            #expect(await problem { try await shown(files[0], of: lesson, fixture, as: caller) } == .notFound)
        }
    }

    @Test("only those who lead the course see the video of a draft")
    func drafts() async throws {
        let fixture = try await CoursesFixture()
        let lesson = try await makeLesson(fixture, isPublished: false)
        let files = try await fixture.attach([CoursesFixture.file("sea.mp4", Films.mp4)], to: lesson)
        _ = try await shown(files[0], of: lesson, fixture, as: fixture.teacher)
        #expect(await problem { try await shown(files[0], of: lesson, fixture, as: fixture.mia) } == .notFound)
        // No position is stored for it either.
        #expect(
            await problem {
                try await fixture.school.execute(
                    StoreVideoPosition.self, ["lessonId": .id(lesson.id), "seconds": .number(9)], as: fixture.mia)
            } == .notFound)
    }

    @Test("a person resumes the school's own video until the lesson shows another one or none")
    func resuming() async throws {
        let fixture = try await CoursesFixture()
        var lesson = try await makeLesson(fixture)
        let mia = CoursesFixture.id(fixture.mia)
        func store() async throws {
            try await fixture.school.execute(
                StoreVideoPosition.self, ["lessonId": .id(lesson.id), "seconds": .number(83)], as: fixture.mia)
        }
        try await store()
        #expect(fixture.preferences.all(of: mia).isEmpty)
        let files = try await fixture.attach(
            [CoursesFixture.file("a.mp4", Films.mp4), CoursesFixture.file("b.webm", Films.webM)], to: lesson)
        try await store()
        #expect(try await player(lesson, fixture)?.position == 83)
        // Changes that leave the same video do not change the position.
        try await fixture.detach(files[1])
        let more = try await fixture.attach([CoursesFixture.file("c.webm", Films.webM)], to: lesson)
        lesson = try await change(lesson, ["title": "Sea"], fixture)
        #expect(try await player(lesson, fixture)?.position == 83)
        try await fixture.detach(files[0])
        #expect(fixture.preferences.all(of: mia).isEmpty)
        try await store()
        lesson = try await change(lesson, ["videoURL": .text(Self.address)], fixture)
        #expect(fixture.preferences.all(of: mia).isEmpty)
        try await store()
        lesson = try await change(lesson, [:], fixture)
        #expect(fixture.preferences.all(of: mia).isEmpty)
        try await store()
        try await fixture.detach(try #require(more.last))
        #expect(fixture.preferences.all(of: mia).isEmpty)
    }

    @Test("a video may be larger than other files, and a file that is not what its name says is refused")
    func refusals() async throws {
        let fixture = try await CoursesFixture()
        let lesson = try await makeLesson(fixture)
        func filled(_ bytes: [UInt8], to size: Int) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: size - bytes.count)
        }
        let large = filled(Films.webM, to: ImageLimits.bytes + 1)
        #expect(
            try await fixture.attach([CoursesFixture.file("a.webm", large)], to: lesson).first?.size == large.count)
        let cases: [(UploadedFile, String, Int?)] = [
            (
                CoursesFixture.file("a.webm", filled(Films.webM, to: LessonFiles.filmBytes + 1)),
                "lessons.fileTooLarge", 64
            ),
            (CoursesFixture.file("a.avi", filled([1], to: ImageLimits.bytes + 1)), "lessons.fileTooLarge", 15),
            (
                CoursesFixture.file("a.vtt", filled(Films.captions, to: ImageLimits.bytes + 1)),
                "lessons.fileTooLarge", 15
            ),
            (CoursesFixture.file("a.MP4", Films.brand + Films.moov("soun")), "lessons.film", nil),
            (CoursesFixture.file("a.webm"), "lessons.film", nil),
            (
                CoursesFixture.file("a.fr.vtt", Array("WEBVTT\n\nL\u{E9}".utf16.map { UInt8($0) })),
                "lessons.captions", nil
            ),
            (CoursesFixture.file("a.vtt", Array("1\n00:00".utf8)), "lessons.captions", nil),
        ]
        for (file, code, limit) in cases {
            let refused = await problem { try await fixture.attach([file], to: lesson) }
            let name: [Fault.Argument] = [.text(file.name)]
            #expect(refused?.faults == [Fault("files", code, name + (limit.map { [.number($0)] } ?? []))])
        }
        #expect(LessonFiles.bodyLimit > LessonFiles.filmBytes)
        // Sound and other kinds of video are ordinary files.
        let plain = [
            CoursesFixture.file("a.m4a", Films.brand + Films.moov("soun")), CoursesFixture.file("a.mkv", [1]),
        ]
        #expect(try await fixture.attach(plain, to: lesson).suffix(2).map(\.media) == [nil, nil])
    }

    // MARK: - Captions

    @Test("the player labels captions with the language in their file names")
    func captions() async throws {
        let fixture = try await CoursesFixture()
        var lesson = try await makeLesson(fixture)
        // Captions alone show no player.
        let first = try await fixture.attach([CoursesFixture.file("sea.fr.vtt", Films.captions)], to: lesson)
        #expect(try await player(lesson, fixture) == nil)
        let files = try await fixture.attach(
            [
                CoursesFixture.file("sea.mp4", Films.mp4), CoursesFixture.file("Sea.vtt", Films.captions),
                CoursesFixture.file("long.en.vtt", Films.captions),
                CoursesFixture.file("short.en.vtt", Films.captions),
            ], to: lesson)
        #expect(files.first == first.first)
        let english = try #require(try await player(lesson, fixture)).tracks
        #expect(english.map(\.language) == ["fr", "en", "en", "en"])
        #expect(english.map(\.label) == ["French", "Sea", "long.en", "short.en"])
        #expect(english.map(\.url) == [0, 2, 3, 4].map { LessonFiles.shown(files[$0], of: lesson) })
        let french = try #require(try await player(lesson, fixture, .french)).tracks
        #expect(french.map(\.language) == ["fr", "fr", "en", "en"])
        #expect(french.first?.label == "français")
        lesson = try await change(lesson, ["videoURL": .text(Self.address)], fixture)
        #expect(try await player(lesson, fixture)?.tracks.count == 4)
    }

    @Test(
        "the language of captions is the two letters before the extension",
        arguments: [
            ("film.fr.vtt", "fr"), ("a.b.EN.vtt", "en"), ("film.pt-br.vtt", "pt-BR"), ("film.fr_CA.vtt", "fr-CA"),
            ("fr.vtt", "fr"), ("film.vtt", nil), ("film.new.vtt", nil), ("film.xx.vtt", nil), ("film.v2.vtt", nil),
            ("film.fr-.vtt", "fr"), ("film.fr-CA-x.vtt", nil), ("vtt", nil), ("", nil), ("film.été.vtt", nil),
        ] as [(String, String?)])
    func languages(_ name: String, _ expected: String?) {
        #expect(CaptionName.language(name) == expected)
    }

    // MARK: - Pictures

    @Test("a lesson's text shows only the lesson's own pictures, by name")
    func pictures() async throws {
        let fixture = try await CoursesFixture()
        let lesson = try await makeLesson(fixture)
        let files = try await fixture.attach(
            [
                CoursesFixture.file("Été 1.png", TestPictures.photo), CoursesFixture.file("plan.pdf"),
                CoursesFixture.file("sea.mp4", Films.mp4),
            ], to: lesson)
        let other = try await fixture.lesson(
            "Sea", in: try await fixture.module(in: try await fixture.course("Botany")))
        try await fixture.attach([CoursesFixture.file("else.jpg", TestPictures.photo)], to: other)
        func found(_ address: String) async throws -> PTImage? {
            _ = try await fixture.school.database.write { sql in
                try sql.execute("UPDATE lessons SET content = \("![A wave](\(address))") WHERE id = \(lesson.id)")
            }
            for case .richText(let text) in try await body(lesson, fixture) {
                guard case .paragraph(let inlines)? = text.blocks.first, case .picture(let image)? = inlines.first
                else { return nil }
                return image
            }
            return nil
        }
        let expected = PTImage(
            url: LessonFiles.shown(files[0], of: lesson), width: 2400, height: 1800, alt: "A wave")
        // The stored name, the original name, another case, and an encoded address.
        for address in ["Été 1.jpg", "été 1.PNG", "%C3%89t%C3%A9%201.jpg", "E\u{301}te\u{301} 1.jpg"] {
            #expect(try await found(address) == expected, "\(address)")
        }
        for address in [
            "plan.pdf", "sea.mp4", "else.jpg", "Été 1", "x.jpg", "https://maple.example/Été 1.jpg", "/Été 1.jpg",
            "",
        ] {
            #expect(try await found(address) == nil, "\(address)")
        }
        // A later file of the same name replaces it.
        let again = try await fixture.attach([CoursesFixture.file("été 1.jpg", TestPictures.photo)], to: lesson)
        #expect(try await found("Été 1.jpg")?.url == LessonFiles.shown(try #require(again.last), of: lesson))
    }

    @Test("the form says which files may be added and how to show a picture", arguments: Language.allCases)
    func hints(_ language: Language) async throws {
        let fixture = try await CoursesFixture()
        let lesson = try await makeLesson(fixture)
        let answer = try await fixture.school.environment.screen(
            "\(LessonScreens.path(lesson))/edit", as: fixture.teacher, language: language)
        guard case .screen(let screen) = answer else {
            Issue.record("no form")
            return
        }
        let hints = screen.body.reduce(into: [String: String]()) { all, component in
            if case .form(let form) = component { for field in form.fields { all[field.name] = field.hint } }
        }
        #expect(hints["content"]?.contains("](photo.jpg)") == true)
        #expect(hints["files"]?.contains("15") == true && hints["files"]?.contains("64") == true)
        #expect(hints["videoURL"]?.contains(language == .english ? "first video" : "première vidéo") == true)
    }
}
