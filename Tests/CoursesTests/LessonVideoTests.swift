import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Courses

@Suite("Videos of lessons")
struct LessonVideoTests {
    private let film = "https://films.example/water.mp4"

    private func lesson(
        _ fixture: CoursesFixture, in course: Course, video: String? = nil, isPublished: Bool = true
    ) async throws -> Lesson {
        let module = try await fixture.module(in: course)
        var input: [String: InputValue] = [
            "moduleId": .id(module.id), "title": "Water", "content": "It flows.", "published": .bool(isPublished),
        ]
        if let video { input["videoURL"] = .text(video) }
        return try await fixture.school.execute(AddLesson.self, .object(input), as: fixture.teacher)
    }

    private func store(_ seconds: Double, in lesson: Lesson, _ fixture: CoursesFixture, as caller: Caller)
        async throws
    {
        try await fixture.school.execute(
            StoreVideoPosition.self, ["lessonId": .id(lesson.id), "seconds": .number(seconds)], as: caller)
    }

    /// Sends a player's report with its time and the length of the video.
    private func report(
        _ seconds: Double, seenAt: Double, of duration: Double = 300, in lesson: Lesson, _ fixture: CoursesFixture
    ) async throws {
        try await fixture.school.execute(
            StoreVideoPosition.self,
            [
                "lessonId": .id(lesson.id), "seconds": .number(seconds), "seenAt": .number(seenAt),
                "duration": .number(duration),
            ], as: fixture.mia)
    }

    private func problem(_ work: () async throws -> some Any) async -> Problem? { await CoursesTests.problem(work) }

    @Test(
        "a lesson with a video shows a player at its top, and others show none",
        .requirement("WW-4.04.a", "WW-4.04.b", "WW-4.04.c"))
    func onTop() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        fixture.circle.enrol(fixture.mia, in: course)
        let (with, without) = (
            try await lesson(fixture, in: course, video: film), try await lesson(fixture, in: course)
        )
        func body(_ lesson: Lesson) async throws -> [Component] {
            guard
                case .screen(let screen) = try await fixture.school.environment.screen(
                    LessonScreens.path(lesson), as: fixture.mia)
            else { return [] }
            return screen.body
        }
        guard case .video(let player)? = try await body(with).first else {
            Issue.record("no player")
            return
        }
        #expect((player.url, player.title, player.position) == (film, "Water", 0))
        #expect(player.keeper == "/api/v1/courses/lessons/\(with.id.text)/video-position")
        #expect(try await body(with).dropFirst().first == .richText(PTRichText(plain: "It flows.")))
        #expect(try await body(without).first == .richText(PTRichText(plain: "It flows.")))
        let form = try await fixture.outline("\(LessonScreens.path(with))/edit", as: fixture.teacher)
        #expect(form.contains("<Video: text = \(film)>"))
    }

    @Test(
        "the address of a video is a complete https address",
        arguments: [
            ("https://films.example/a.mp4?x=1", "https://films.example/a.mp4?x=1"),
            ("HTTPS://films.example:8443/a", "https://films.example:8443/a"), ("http://films.example/a", nil),
            ("//films.example/a", nil), ("/a.mp4", nil), ("films.example/a", nil), ("javascript:alert(1)", nil),
            ("https://", nil), ("https:///a", nil), ("https://ana:secret@films.example/a", nil),
            ("data:video/mp4,x", nil),
        ] as [(String, String?)])
    func addresses(_ typed: String, _ expected: String?) {
        #expect(LessonVideo.address(typed) == expected)
    }

    @Test("an invalid address is reported at its field")
    func faulty() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let refused = await problem { try await lesson(fixture, in: course, video: "http://films.example") }
        #expect(refused?.faults.map(\.field) == ["videoURL"])
        #expect(refused?.faults.map(\.code) == ["lessons.video"])
    }

    @Test(
        "each person resumes where they stopped, under a name with the lesson's id",
        .requirement("WW-4.05.a", "WW-4.05.b"))
    func resuming() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let lesson = try await lesson(fixture, in: course, video: film)
        fixture.circle.enrol(fixture.mia, in: course)
        let mia = CoursesFixture.id(fixture.mia)
        try await store(83, in: lesson, fixture, as: fixture.mia)
        try await store(12, in: lesson, fixture, as: fixture.mother)
        #expect(fixture.preferences.all(of: mia) == ["video_progress_\(lesson.id.text)": "83"])
        let path = LessonScreens.path(lesson)
        #expect(try await fixture.outline(path, as: fixture.mia).contains("from 83 s"))
        #expect(try await fixture.outline(path, as: fixture.mother).contains("from 12 s"))
        try await store(0, in: lesson, fixture, as: fixture.mia)
        #expect(fixture.preferences.all(of: mia).isEmpty)
        let changes: Int? = try await fixture.school.database.read {
            try $0.value("SELECT COUNT(*) FROM change_log WHERE kind LIKE '%ideo%'")
        }
        #expect(changes == 0)
    }

    @Test("a late report does not move a video back, and a finished video starts again")
    func lateReports() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let lesson = try await lesson(fixture, in: course, video: film)
        fixture.circle.enrol(fixture.mia, in: course)
        func place() async throws -> Int {
            let mia = CoursesFixture.id(fixture.mia)
            let text = fixture.preferences.all(of: mia)["video_progress_\(lesson.id.text)"]
            return text.map { VideoPosition($0).seconds } ?? 0
        }
        try await report(120, seenAt: 2000, in: lesson, fixture)
        try await report(90, seenAt: 1000, in: lesson, fixture)
        #expect(try await place() == 120)
        try await report(60, seenAt: 3000, in: lesson, fixture)
        #expect(try await place() == 60, "a later report may move it back")
        for end in [295.0, 300, 305] {
            let begin = end * 100
            try await report(60, seenAt: begin, in: lesson, fixture)
            try await report(end, seenAt: begin + 20, in: lesson, fixture)
            try await report(200, seenAt: begin + 10, in: lesson, fixture)
            #expect(try await place() == 0)
            #expect(try await !fixture.outline(LessonScreens.path(lesson), as: fixture.mia).contains("from "))
        }
        #expect(await problem { try await report(-1, seenAt: 90_000, in: lesson, fixture) }?.status == 422)
    }

    @Test("no position is stored for a person without access or a lesson without a video")
    func rights() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        fixture.circle.enrol(fixture.mia, in: course)
        let draft = try await lesson(fixture, in: course, video: film, isPublished: false)
        let plain = try await lesson(fixture, in: course)
        for (caller, one) in [(fixture.mia, draft), (fixture.other, draft), (fixture.other, plain)] {
            #expect(await problem { try await store(5, in: one, fixture, as: caller) } == .notFound)
        }
        try await store(5, in: draft, fixture, as: fixture.teacher)
        try await store(5, in: plain, fixture, as: fixture.mia)
        #expect(fixture.preferences.all(of: CoursesFixture.id(fixture.mia)).isEmpty)
        #expect(fixture.preferences.all(of: CoursesFixture.id(fixture.teacher)).count == 1)
    }

    @Test("changing the video or deleting the lesson removes the stored positions")
    func removingPositions() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        fixture.circle.enrol(fixture.mia, in: course)
        let lesson = try await lesson(fixture, in: course, video: film)
        let mia = CoursesFixture.id(fixture.mia)
        func change(_ version: Int, _ video: String) async throws {
            try await fixture.school.execute(
                UpdateLesson.self,
                [
                    "lessonId": .id(lesson.id), "version": .number(Double(version)), "title": "Sea",
                    "videoURL": .text(video), "published": .bool(true),
                ], as: fixture.teacher)
        }
        try await store(83, in: lesson, fixture, as: fixture.mia)
        try await change(1, film)
        #expect(fixture.preferences.all(of: mia).count == 1)
        try await change(2, "https://films.example/other.mp4")
        #expect(fixture.preferences.all(of: mia).isEmpty)
        try await store(9, in: lesson, fixture, as: fixture.mia)
        try await fixture.school.execute(DeleteLesson.self, ["lessonId": .id(lesson.id)], as: fixture.teacher)
        #expect(fixture.preferences.all(of: mia).isEmpty)
    }
}
