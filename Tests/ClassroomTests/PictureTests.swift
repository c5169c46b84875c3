import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Classroom

@Suite("Pictures of children and covers of classrooms")
struct PictureTests {
    private let room: ClassroomFixture
    private let maple: Classroom
    private let ana: Student

    init() async throws {
        room = try await ClassroomFixture()
        maple = try await room.classroom("Maple", guides: [room.guide])
        ana = try await room.student("Ana", "Ruiz", in: maple)
    }

    private let photo = InputValue.file(
        UploadedFile(name: "ana.jpg", contentType: "text/html", bytes: TestPictures.photo))

    private func fetch(_ address: String, as caller: Caller) async throws -> DownloadedFile {
        let parts = address.split(separator: "/").map(String.init)
        let route = try #require(
            room.feature.endpoints.downloads.first {
                $0.path.hasPrefix("/\(parts[0])/") && $0.path.contains("/\(parts[2])/{hash}")
            })
        let name = parts[0] == "students" ? "studentId" : "classroomId"
        return try await route.file([name: parts[1], "hash": parts[3]], room.school.context(of: caller))
    }

    @Test(
        "a child's picture is added, shown in the avatar, replaced and removed, which shows the initials again",
        .requirement("PT-1.11.b", "PT-1.17.a"))
    func student() async throws {
        let made = try await room.school.execute(
            SetStudentPicture.self, ["studentId": .id(ana.id), "picture": photo], as: room.admin)
        let address = try #require(made.imageURL)
        #expect(address.hasPrefix("/students/\(ana.id.text)/picture/"))
        #expect(try await room.roster(maple).first?.student.imageURL == address)
        #expect(try await fetch(address, as: room.guide).contentType == "image/jpeg")
        await #expect(throws: Problem.notFound) { try await fetch(address, as: room.otherGuide) }
        let page = try await room.outline("/students/\(ana.id.text)/edit", as: room.admin)
        #expect(page.contains("(picture: Photo of Ana") && page.contains("<Remove photo: toggle"))
        let other = InputValue.file(
            UploadedFile(name: "b.jpg", contentType: "image/jpeg", bytes: TestPictures.photo + [1]))
        let replaced = try await room.school.execute(
            SetStudentPicture.self, ["studentId": .id(ana.id), "picture": other], as: room.admin)
        #expect(replaced.imageURL != address && replaced.imageURL != nil)
        await #expect(throws: Problem.notFound) { try await fetch(address, as: room.guide) }
        let removed = try await room.school.execute(
            SetStudentPicture.self, ["studentId": .id(ana.id), "removes": true], as: room.admin)
        #expect(removed.imageURL == nil)
        let french = try await room.outline("/students/\(ana.id.text)/edit", as: room.admin, language: .french)
        #expect(french.contains("Choisir une photo") && !french.contains("Retirer la photo"))
    }

    @Test(
        "a classroom's cover can be added and removed, and is visible to everyone who may see the classroom",
        .requirement("PT-1.10.d", "PT-1.17.b"))
    func cover() async throws {
        let made = try await room.school.execute(
            SetClassroomCover.self, ["classroomId": .id(maple.id), "picture": photo], as: room.admin)
        let address = try #require(made.imageURL)
        _ = try await fetch(address, as: room.guide)
        await #expect(throws: Problem.notFound) { try await fetch(address, as: room.otherGuide) }
        let page = try await room.outline("/classrooms/\(maple.id.text)/edit", as: room.admin)
        #expect(page.contains("(picture: Cover of Maple)"))
        let removed = try await room.school.execute(
            SetClassroomCover.self, ["classroomId": .id(maple.id), "removes": true], as: room.admin)
        #expect(removed.imageURL == nil)
    }

    @Test("the page of a classroom has one form, and its one command saves name, guides and cover together")
    func oneForm() async throws {
        let path = "/classrooms/\(maple.id.text)/edit"
        let page = try await room.outline(path, as: room.admin)
        #expect(page.components(separatedBy: "form ").count == 2, "\(page)")
        let made = try await room.school.execute(
            UpdateClassroom.self,
            [
                "classroomId": .id(maple.id), "name": "Birch", "picture": photo, "setsGuides": true,
                "guideIds": .ids([ClassroomFixture.id(room.otherGuide)]),
            ], as: room.admin)
        #expect(made.guideIds == [ClassroomFixture.id(room.otherGuide)] && made.imageURL != nil)
        let renamed = try await room.school.execute(
            UpdateClassroom.self, ["classroomId": .id(maple.id), "name": "Oak"], as: room.admin)
        #expect(renamed.name == "Oak" && renamed.guideIds == made.guideIds && renamed.imageURL == made.imageURL)
        let bare = try await room.school.execute(
            UpdateClassroom.self,
            ["classroomId": .id(maple.id), "name": "Oak", "setsGuides": true, "removes": true], as: room.admin)
        #expect(bare.guideIds.isEmpty && bare.imageURL == nil)
    }

    @Test("the form of a student saves its picture with the rest")
    func studentForm() async throws {
        let made = try await room.school.execute(
            UpdateStudent.self,
            ["studentId": .id(ana.id), "firstName": "Anna", "lastName": "Ruiz", "picture": photo], as: room.admin)
        #expect(made.firstName == "Anna" && made.imageURL != nil)
        let again = try await room.school.execute(
            UpdateStudent.self, ["studentId": .id(ana.id), "firstName": "Anna", "lastName": "Ruiz"], as: room.admin)
        #expect(again.imageURL == made.imageURL)
    }

    @Test(
        "a classroom is created with its cover, which the list of classrooms and its own page show",
        .requirement("PT-3.24.c"))
    func coverAtOnce() async throws {
        let form = try await room.outline("/classrooms/new", as: room.admin)
        #expect(form.contains("<Choose a cover: at most 1 photos"), "\(form)")
        let made = try await room.school.execute(
            CreateClassroom.self, ["name": "Birch", "picture": photo], as: room.admin)
        let address = try #require(made.imageURL)
        let listed = try await room.school.answer(ListClassrooms.self, as: room.admin).items
        let small = try #require(listed.first { $0.id == made.id }?.imageURL)
        #expect(small != address && listed.first { $0.id == maple.id }?.imageURL == nil)
        _ = try await fetch(small, as: room.admin)
        _ = try await fetch(address, as: room.admin)
        await #expect(throws: Problem.notFound) { try await fetch(small, as: room.otherGuide) }
        let list = try await room.environment.screen("/classrooms", as: room.admin)
        #expect("\(list)".contains(small))
        _ = try await room.student("Bea", in: made)
        #expect(
            try await room.outline("/classrooms/\(made.id.text)", as: room.admin).contains(
                "(picture: Cover of Birch)"))
        let plain = try await room.school.execute(CreateClassroom.self, ["name": "Cedar"], as: room.admin)
        #expect(plain.imageURL == nil)
    }

    @Test("a student is created with a photo, on the page and in the sheet", .requirement("PT-3.25.c"))
    func photoAtOnce() async throws {
        for path in [
            "/classrooms/\(maple.id.text)/students/new", "/classrooms/\(maple.id.text)", "/settings/students",
        ] {
            let form = try await room.outline(path, as: room.admin)
            #expect(form.contains("<Choose a photo: at most 1 photos"), "\(path): \(form)")
        }
        let made = try await room.school.execute(
            CreateStudent.self, ["firstName": "Bea", "classroomId": .id(maple.id), "picture": photo], as: room.admin
        )
        let address = try #require(made.imageURL)
        #expect(try await fetch(address, as: room.guide).contentType == "image/jpeg")
        let svg = InputValue.file(
            UploadedFile(name: "bea.jpg", contentType: "image/jpeg", bytes: Array("<svg>".utf8)))
        let refused = try await problem {
            _ = try await room.school.execute(
                CreateStudent.self, ["firstName": "Cleo", "picture": svg], as: room.admin)
        }
        #expect(refused?.faults.map(\.code) == ["photo.notAnImage"])
        #expect(try await room.roster(maple).map(\.student.firstName) == ["Ana", "Bea"])
    }

    @Test("only people who may change the child can change its picture, and other files are refused by name")
    func refuses() async throws {
        let byGuide = try await problem {
            _ = try await room.school.execute(
                SetStudentPicture.self, ["studentId": .id(ana.id), "picture": photo], as: room.guide)
        }
        #expect(byGuide == .notAllowed)
        let svg = InputValue.file(
            UploadedFile(name: "ana.jpg", contentType: "image/jpeg", bytes: Array("<svg>".utf8)))
        let refused = try await problem {
            _ = try await room.school.execute(
                SetStudentPicture.self, ["studentId": .id(ana.id), "picture": svg], as: room.admin)
        }
        #expect(refused?.faults.map(\.code) == ["photo.notAnImage"])
        let nothing = try await problem {
            _ = try await room.school.execute(SetStudentPicture.self, ["studentId": .id(ana.id)], as: room.admin)
        }
        #expect(nothing?.faults.map(\.code) == ["required"])
    }
}
