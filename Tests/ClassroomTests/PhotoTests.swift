import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Classroom

@Suite("Photos of an observation")
struct PhotoTests {
    private let room: ClassroomFixture
    private let maple: Classroom
    private let ana: Student
    private let ben: Student

    init() async throws {
        room = try await ClassroomFixture()
        maple = try await room.classroom("Maple", guides: [room.guide])
        ana = try await room.student("Ana", "Ruiz", in: maple)
        ben = try await room.student("Ben", "Ito", in: maple)
    }

    private func file(_ number: Int, named name: String = "a.jpg") -> InputValue {
        .file(
            UploadedFile(
                name: name, contentType: "text/html", bytes: TestPictures.photo + [UInt8(number)]))
    }

    private func observe(
        _ more: [String: InputValue], as caller: Caller? = nil
    ) async throws -> Observation {
        let input: [String: InputValue] = ["studentId": .id(ana.id), "content": "Built the tower"]
        return try await room.school.execute(
            CreateObservation.self, .object(input.merging(more) { $1 }), as: caller ?? room.guide)
    }

    private func update(
        _ observation: Observation, _ more: [String: InputValue] = [:]
    ) async throws -> Observation {
        let input: [String: InputValue] = [
            "studentId": .id(ana.id), "observationId": .id(observation.id), "content": "Built the tower",
            "version": .number(Double(observation.version)),
        ]
        return try await room.school.execute(
            UpdateObservation.self, .object(input.merging(more) { $1 }), as: room.guide)
    }

    private func fetch(
        _ hash: BlobHash, of observation: Observation, student: Student? = nil, as caller: Caller
    ) async throws -> DownloadedFile {
        try await PhotoDownload.route.file(
            [
                "studentId": (student ?? ana).id.text, "observationId": observation.id.text, "hash": hash.text,
            ], room.school.context(of: caller))
    }

    @Test(
        "photos are stored in their order, reduced in size, and shown with the observation",
        .requirement("PT-2.01.d", "PT-2.27.a"))
    func keeps() async throws {
        let made = try await observe(["photos": .list([file(1), file(2)])])
        #expect(made.attachments.count == 2 && made.attachments[0].hash != made.attachments[1].hash)
        #expect(made.attachments[0].width == Photo.side)
        let small = made.attachments[0].thumbnailSize
        #expect(small.width == 320 && small.height == 240)
        let listed = try await room.school.answer(
            ListObservations.self, ["studentId": .id(ana.id)], as: room.guide
        ).items
        #expect(listed.first?.attachments == made.attachments)
        let page = try await room.outline("/students/\(ana.id.text)", as: room.guide)
        #expect(page.contains("(photo: Photo 2 of 2) -> /students/\(ana.id.text)/observations/"))
        #expect(page.contains("<Add photos: at most 6 photos>"))
        let french = try await room.outline("/students/\(ana.id.text)", as: room.guide, language: .french)
        #expect(french.contains("Photo 2 sur 2") && french.contains("Ajouter des photos"))
        let shown = try await fetch(made.attachments[0].thumbnail, of: made, as: room.guide)
        #expect(shown.contentType == "image/jpeg" && shown.use == .shown(made.attachments[0].thumbnail))
    }

    @Test("Quick Capture accepts photos for an observation, and refuses them for other notes with a sentence")
    func capture() async throws {
        func capture(_ kind: String) async throws {
            _ = try await room.school.execute(
                Capture.self,
                ["studentId": .id(ana.id), "kind": .text(kind), "content": "Tower", "photos": .list([file(1)])],
                as: room.guide)
        }
        try await capture("observation")
        let page = try await room.outline("/students/\(ana.id.text)", as: room.guide)
        #expect(page.contains("Photo 1 of 1"))
        let refused = try await problem { try await capture("lesson") }
        #expect(refused?.faults.map(\.code) == ["photo.observationOnly"])
    }

    @Test("a change adds and removes photos, at most six, and an outdated change affects none")
    func changes() async throws {
        let made = try await observe(["photos": .list([file(1), file(2)])])
        let gone = made.attachments[0]
        let changed = try await update(
            made, ["photos": .list([file(3)]), "removedPhotos": .list([.text(gone.hash.text)])])
        #expect(changed.attachments.count == 2 && !changed.attachments.contains(gone))
        #expect(changed.attachments[0] == made.attachments[1])
        await #expect(throws: Problem.notFound) { try await fetch(gone.hash, of: made, as: room.guide) }
        let tooMany = try await problem {
            _ = try await update(changed, ["photos": .list((4...8).map { file($0) })])
        }
        #expect(tooMany?.faults.map(\.code) == ["photo.tooMany"])
        let late = try await problem { _ = try await update(made, ["photos": .list([file(9)])]) }
        #expect(late?.code == "observation.changed")
        let now = try await room.school.answer(
            ListObservations.self, ["studentId": .id(ana.id)], as: room.guide
        ).items.first
        #expect(now?.attachments == changed.attachments)
        let page = try await room.outline(
            "/students/\(ana.id.text)/observations/\(made.id.text)", as: room.guide)
        #expect(page.contains("Select photos to remove") && page.contains("( ) Photo 2 of 2"))
    }

    @Test("a file that is not a photo is refused by its name, and nothing is stored")
    func refuses() async throws {
        let svg = InputValue.file(
            UploadedFile(name: "tower.jpg", contentType: "image/jpeg", bytes: Array("<svg onload=alert(1)>".utf8)))
        let refused = try await problem { _ = try await observe(["photos": .list([file(1), svg])]) }
        #expect(refused?.faults.map(\.code) == ["photo.notAnImage"])
        for language in Language.allCases {
            let words = try room.environment.words(language)
            #expect(words("fault.photo.notAnImage", "tower.jpg").contains("tower.jpg"))
        }
        let all = try await room.school.answer(ListObservations.self, ["studentId": .id(ana.id)], as: room.guide)
        #expect(all.items.isEmpty)
        let seven = try await problem { _ = try await observe(["photos": .list((1...7).map { file($0) })]) }
        #expect(seven?.faults.map(\.code) == ["tooMany"])
    }

    @Test("only people who may see the child can load the photo, checked on each request")
    func audience() async throws {
        let made = try await observe([
            "photos": .list([file(1)]), "taggedStudentIds": .ids([ben.id]),
        ])
        let hash = try #require(made.attachments.first).hash
        _ = try await fetch(hash, of: made, as: room.guide)
        _ = try await fetch(hash, of: made, student: ben, as: room.guide)
        _ = try await fetch(hash, of: made, as: room.admin)
        await #expect(throws: Problem.notFound) { try await fetch(hash, of: made, as: room.otherGuide) }
        let other = try await observe([:])
        await #expect(throws: Problem.notFound) { try await fetch(hash, of: other, as: room.guide) }
        let zoe = try await room.student("Zoe", in: maple)
        await #expect(throws: Problem.notFound) { try await fetch(hash, of: made, student: zoe, as: room.guide) }
        // The guide leaves the class, and the next request finds nothing.
        _ = try await room.school.execute(
            AssignGuides.self, ["classroomId": .id(maple.id), "guideIds": .ids([])], as: room.admin)
        await #expect(throws: Problem.notFound) { try await fetch(hash, of: made, as: room.guide) }
    }

    @Test("the query for photos of a child uses an index")
    func indexed() async throws {
        let made = try await observe(["photos": .list([file(1)])])
        let hash = try #require(made.attachments.first).hash
        try await room.school.expectIndexed(
            """
            SELECT 1 FROM observation_photos
            JOIN observation_children ON observation_children.observation_id = observation_photos.observation_id
            WHERE observation_photos.observation_id = \(made.id) AND observation_children.student_id = \(ana.id)
                AND (observation_photos.sha256 = \(hash) OR observation_photos.thumbnail_sha256 = \(hash))
            """)
    }
}
