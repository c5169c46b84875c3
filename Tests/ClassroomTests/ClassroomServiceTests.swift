import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Classroom

@Suite("Classrooms and students")
struct ClassroomServiceTests {
    let room: ClassroomFixture

    init() async throws { room = try await ClassroomFixture() }

    @Test(
        "classrooms are created, read, changed and deleted; the creator is the first guide",
        .requirement("PT-1.10.a", "PT-1.10.b", "PT-1.15.a", "PT-2M.04.a"))
    func classrooms() async throws {
        let made = try await room.school.execute(
            CreateClassroom.self, ["name": "Maple room", "avatarTint": "sky"], as: room.admin)
        #expect(made.orgId == room.orgId)
        #expect(made.guideIds == [ClassroomFixture.id(room.admin)])
        #expect(made.studentIds.isEmpty)
        #expect(made.createdAt == room.school.clock.now)
        func read() async throws -> Classroom {
            try await room.school.answer(GetClassroom.self, ["classroomId": .text(made.id.text)], as: room.admin)
        }
        #expect(try await read() == made)
        let changed = try await room.school.execute(
            UpdateClassroom.self, ["classroomId": .id(made.id), "name": "Birch room"], as: room.admin)
        #expect(changed.name == "Birch room" && changed.avatarTint == .sky)
        #expect(try await read() == changed)
        let child = try await room.student("Bea", in: changed)
        try await room.school.execute(DeleteClassroom.self, ["classroomId": .id(made.id)], as: room.admin)
        #expect(try await problem { _ = try await read() } == .notFound)
        let unchanged = try await room.school.answer(
            GetStudent.self, ["studentId": .text(child.id.text)], as: room.admin)
        #expect(unchanged == child, "the students stay in the school")
    }

    @Test("of two administrators who change one classroom, the second is refused and shown both texts")
    func twoEditors() async throws {
        let maple = try await room.classroom("Maple")
        try await room.environment.expectVersions(
            of: "edit-classroom", at: "/classrooms/\(maple.id.text)/edit", changing: "name", as: room.admin,
            code: "classroom.changed")
    }

    @Test(
        "students are created, read, changed, moved and deleted",
        .requirement("PT-1.10.c", "PT-1.11.a", "PT-1.11.c", "PT-1.15.b", "PT-1.15.d", "PT-2M.04.a"))
    func students() async throws {
        let (maple, birch) = (try await room.classroom("Maple"), try await room.classroom("Birch"))
        let made = try await room.school.execute(
            CreateStudent.self,
            [
                "firstName": "Łukasz", "lastName": "Żak", "displayName": "Luki",
                "notes": "Allergic to nuts\nLikes maps",
                "classroomId": .id(maple.id),
            ], as: room.admin)
        #expect(made.orgId == room.orgId)
        #expect(made.firstName == "Łukasz" && made.lastName == "Żak" && made.displayName == "Luki Żak")
        #expect(made.notes == "Allergic to nuts\nLikes maps")
        let sentBack = try await room.school.execute(
            UpdateStudent.self,
            [
                "studentId": .id(made.id), "firstName": .text(made.firstName), "lastName": .text(made.lastName),
                "displayName": .text(made.displayName), "notes": "Allergic to nuts\nLikes maps",
            ], as: room.admin)
        #expect(sentBack.displayName == "Luki Żak", "a name that is sent back as it came stays as it is")
        #expect(made.createdAt == room.school.clock.now)
        func read() async throws -> Student {
            try await room.school.answer(GetStudent.self, ["studentId": .text(made.id.text)], as: room.admin)
        }
        #expect(try await read() == made)
        func person() async throws -> PersonName? {
            try await room.school.database.read { sql in
                try TestPeople().people([made.id], of: made.orgId, in: sql)[made.id]?.name
            }
        }
        #expect(try await person() == PersonName(given: "Łukasz", family: "Żak", preferred: "Luki"))
        let changed = try await room.school.execute(
            UpdateStudent.self, ["studentId": .id(made.id), "firstName": "Lukas", "avatarTint": "clay"],
            as: room.admin)
        #expect(try await person() == PersonName(given: "Lukas", family: ""))
        #expect(changed.displayName == "Lukas" && changed.notes == nil && changed.avatarTint == .clay)
        #expect(try await read() == changed)

        func ids(_ classroom: Classroom) async throws -> [UUID] {
            try await room.school.answer(
                GetClassroom.self, ["classroomId": .text(classroom.id.text)], as: room.admin
            )
            .studentIds
        }
        let there: InputValue = ["classroomId": .id(birch.id), "studentId": .id(made.id)]
        for _ in 0..<2 { try await room.school.execute(AddToClass.self, there, as: room.admin) }
        #expect(try await ids(birch) == [made.id])
        #expect(try await ids(maple) == [made.id])
        try await room.school.execute(RemoveFromClass.self, there, as: room.admin)
        #expect(try await ids(birch).isEmpty)
        #expect(
            try await problem { try await room.school.execute(RemoveFromClass.self, there, as: room.admin) }
                == .notFound)
        try await room.school.execute(DeleteStudent.self, ["studentId": .id(made.id)], as: room.admin)
        #expect(room.roles.dismissed == [made.id], "who is no student any more holds no role")
        #expect(try await person() == nil)
        #expect(try await problem { _ = try await read() } == .notFound)
        #expect(try await ids(maple).isEmpty)
    }

    @Test(
        "classrooms, guides and students are unchanged after the database is reopened",
        .requirement("PT-1.12.a"))
    func durable() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let child = try await room.student("Zoë", "O’Neill", in: maple)
        let mark = try await room.mark(child, "absent", in: maple)
        let before = try await room.school.database.read { sql in
            try (
                ClassroomRepository.classroom(maple.id, orgId: room.orgId, in: sql),
                AttendanceRepository.roster(of: maple.id, day: mark.day, orgId: room.orgId, in: sql)
            )
        }
        let orgId = room.orgId
        let after = try await room.environment.afterRestart(of: orgId) { sql in
            try (
                ClassroomRepository.classroom(maple.id, orgId: orgId, in: sql),
                AttendanceRepository.roster(of: maple.id, day: mark.day, orgId: orgId, in: sql)
            )
        }
        #expect(after.0 == before.0)
        #expect(after.0?.guideIds == [ClassroomFixture.id(room.guide)])
        #expect(after.1 == before.1)
        #expect(after.1.first?.student == child)
        #expect(after.1.first?.mark == mark)
    }

    @Test("a guide sees only assigned classrooms and their children", .requirement("PT-1.15.c", "PT-2M.15.a"))
    func assigned() async throws {
        let mine = try await room.classroom("Maple", guides: [room.guide])
        let theirs = try await room.classroom("Birch", guides: [room.otherGuide])
        let child = try await room.student("Bea", in: mine)
        let other = try await room.student("Ciro", in: theirs)
        func names(_ caller: Caller) async throws -> [String] {
            try await room.school.answer(ListClassrooms.self, as: caller).items.map(\.name)
        }
        #expect(try await names(room.guide) == ["Maple"])
        #expect(try await names(room.otherGuide) == ["Birch"])
        #expect(try await names(room.admin) == ["Maple", "Birch"])
        _ = try await room.school.answer(GetStudent.self, ["studentId": .text(child.id.text)], as: room.guide)
        let refused: [() async throws -> Void] = [
            {
                _ = try await room.school.answer(
                    GetClassroom.self, ["classroomId": .text(theirs.id.text)], as: room.guide)
            },
            { _ = try await room.roster(theirs) },
            {
                _ = try await room.school.answer(
                    GetStudent.self, ["studentId": .text(other.id.text)], as: room.guide)
            },
            { try await room.mark(other, "present", in: theirs) },
            {
                try await room.school.execute(
                    "attendance.clear", ["classroomId": .id(theirs.id), "studentId": .id(other.id)], as: room.guide)
            },
            {
                try await room.school.execute(
                    "attendance.markRest", ["classroomId": .id(theirs.id)], as: room.guide)
            },
            {
                try await room.school.execute(
                    "classrooms.setDefault", ["classroomId": .id(theirs.id)], as: room.guide)
            },
            { _ = try await room.environment.screen("/classrooms/\(theirs.id.text)", as: room.guide) },
            { _ = try await room.environment.screen("/students/\(other.id.text)", as: room.guide) },
        ]
        for (index, attempt) in refused.enumerated() {
            #expect(try await problem(attempt) == .notFound, "attempt \(index)")
        }
        #expect(try await room.roster(theirs, as: room.otherGuide).first?.mark == nil)
        // The change applies from the next request on, for both guides.
        try await room.school.execute(
            AssignGuides.self,
            ["classroomId": .id(theirs.id), "guideIds": .ids([room.guide].map(ClassroomFixture.id))], as: room.admin
        )
        #expect(try await names(room.guide) == ["Maple", "Birch"])
        #expect(try await names(room.otherGuide) == [])
    }

    @Test(
        "each role can do with classrooms and students what the table of roles says",
        .requirement("PT-1.18.a", "PT-2.24.a", "PT-2M.13.c", "PT-2M.14.a"), arguments: Role.allCases)
    func cells(_ role: Role) async throws {
        let table: [String: Set<Role>] = [
            "classrooms.view": [.superAdmin, .admin, .guide],
            "classrooms.manage": [.superAdmin, .admin],
            "students.manage": [.superAdmin, .admin],
            "attendance.mark": [.superAdmin, .admin, .guide],
            "students.keepRecords": [.superAdmin, .admin, .guide],
            "students.inviteFamilies": [.superAdmin, .admin],
        ]
        let caller = room.school.makeCaller(role)
        #expect(Set(room.feature.access.permissions.map(\.name)) == Set(table.keys))
        let commands = Set(room.feature.endpoints.commands.map(\.contract.name))
        for contract in room.feature.endpoints.commands.map(\.contract)
            + room.feature.endpoints.queries.map(\.contract)
        {
            guard case .member(let permission) = contract.access else {
                Issue.record("\(contract.name) is open to people outside the school")
                continue
            }
            let isGiven = table[permission.name]?.contains(role) ?? false
            #expect(caller.may(permission) == isGiven)
            let refusal = try await problem {
                if commands.contains(contract.name) {
                    try await room.school.execute(contract.name, as: caller)
                } else {
                    _ = try await room.environment.answer(contract.name, as: caller)
                }
            }
            #expect((refusal == .notAllowed) == !isGiven, "\(role) and \(contract.name)")
        }
    }

    @Test("an account without a school can use nothing of the block", .requirement("PT-2M.10.b"))
    func withoutSchool() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let child = try await room.student("Bea", in: maple)
        let nobody = Caller(account: room.environment.makeAccount(), membership: nil)
        let ids = ["classroomId": maple.id.text, "studentId": child.id.text]
        for query in room.feature.endpoints.queries {
            #expect(
                try await problem {
                    _ = try await room.environment.answer(
                        query.contract.name, .object(ids.mapValues(InputValue.text)), as: nobody)
                } == .notFound, "\(query.contract.name)")
        }
        for command in room.feature.endpoints.commands {
            #expect(
                try await problem { try await room.environment.execute(command.contract.name, as: nobody) }
                    == .notFound,
                "\(command.contract.name)")
        }
        for page in room.feature.pages.screens {
            let path = page.path.split(separator: "/").map { part in
                part.hasPrefix("{") ? ids[String(part.dropFirst().dropLast())] ?? UUID().text : String(part)
            }.joined(separator: "/")
            #expect(
                try await problem { _ = try await room.environment.screen("/" + path, as: nobody) } == .notFound,
                "\(page.path)")
        }
    }

    @Test("the services themselves refuse what the role does not allow", .requirement("PT-1.18.b"))
    func servicesRefuse() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let child = try await room.student("Bea", in: maple)
        let context = try await room.school.context(of: room.guide)
        let classrooms = SQLClassroomService()
        let students = SQLStudentService(people: TestPeople())
        let attempts: [@Sendable (inout CommandContext) throws -> Void] = [
            { _ = try classrooms.create(ClassroomDraft(name: "Mine"), in: &$0) },
            { _ = try classrooms.update(maple.id, ClassroomDraft(name: "Mine"), in: &$0) },
            { try classrooms.delete(maple.id, in: &$0) },
            { _ = try classrooms.assign(guides: [], to: maple.id, in: &$0) },
            { _ = try students.create(StudentDraft(firstName: "X", lastName: ""), in: &$0) },
            { _ = try students.update(child.id, StudentDraft(firstName: "X", lastName: ""), in: &$0) },
            { try students.delete(child.id, in: &$0) },
            { try students.add(child.id, to: maple.id, in: &$0) },
            { try students.remove(child.id, from: maple.id, in: &$0) },
        ]
        for (index, attempt) in attempts.enumerated() {
            let refusal = try await problem {
                try await room.school.database.write { sql in
                    var inside = CommandContext(
                        caller: context.caller, now: context.now, ids: context.ids, words: context.words, sql: sql)
                    try attempt(&inside)
                }
            }
            #expect(refusal == .notAllowed, "attempt \(index)")
        }
        #expect(try await room.roster(maple).map(\.student) == [child])
    }

    @Test("ids of another school are not found anywhere", .requirement("WW-0.13.b", "PT-2M.05.b"))
    func wall() async throws {
        let theirs = try await room.classroom("Maple", guides: [room.guide])
        let child = try await room.student("Bea", in: theirs)
        let elsewhere = try await room.environment.makeSchool("Birch")
        let admin = try await ClassroomFixture.person(.superAdmin, "Eve", in: elsewhere)
        let own = try await elsewhere.execute(CreateClassroom.self, ["name": "Own"], as: admin)
        for command in room.feature.endpoints.commands where command.contract.path.contains("{") {
            var input: [String: InputValue] = [:]
            for field in command.input where field.isRequired || field.name == "firstName" {
                input[field.name] =
                    switch field.type {
                    case .id: field.name == "classroomId" ? .id(theirs.id) : .id(child.id)
                    case .choice: .text(field.choices?.first ?? "")
                    default: "Taken"
                    }
            }
            #expect(
                try await problem {
                    try await elsewhere.execute(command.contract.name, .object(input), as: admin)
                } == .notFound, "\(command.contract.name)")
        }
        for query in room.feature.endpoints.queries where query.contract.path.contains("{") {
            let isStudent = query.contract.path.contains("{studentId}")
            let input: InputValue =
                isStudent ? ["studentId": .text(child.id.text)] : ["classroomId": .text(theirs.id.text)]
            #expect(
                try await problem { _ = try await room.environment.answer(query.contract.name, input, as: admin) }
                    == .notFound,
                "\(query.contract.name)")
        }
        let intoForeign: [(String, InputValue)] = [
            ("students.create", ["firstName": "X", "classroomId": .id(theirs.id)]),
            ("classrooms.setDefault", ["classroomId": .id(theirs.id)]),
            ("students.addToClass", ["classroomId": .id(own.id), "studentId": .id(child.id)]),
        ]
        for (name, input) in intoForeign {
            #expect(
                try await problem { try await elsewhere.execute(name, input, as: admin) } == .notFound, "\(name)")
        }
        #expect(
            try await problem {
                try await elsewhere.execute(
                    AssignGuides.self,
                    ["classroomId": .id(own.id), "guideIds": .ids([ClassroomFixture.id(room.guide)])], as: admin
                )
            }?.faults == [Fault("guideIds", "classroom.unknownGuide")])
        #expect(try await room.roster(theirs).map(\.student) == [child])
    }

    @Test(
        "a student has an address, a number and a grade level, and the form stores them as it shows them",
        .requirement("WW-0.07.c"))
    func schooling() async throws {
        let maple = try await room.classroom("Maple")
        let known: [String: InputValue] = [
            "firstName": "Bea", "lastName": "Ruiz", "email": "bea@maple.example", "number": "2026-014",
            "gradeLevel": "Grade 3",
        ]
        let made = try await room.school.execute(
            CreateStudent.self, .object(known.merging(["classroomId": .id(maple.id)]) { own, _ in own }),
            as: room.admin)
        #expect(made.email == "bea@maple.example" && made.number == "2026-014" && made.gradeLevel == "Grade 3")
        let roster = try await room.school.database.read { sql in
            try SQLStudentService(people: TestPeople()).students(of: maple.id, orgId: room.orgId, in: sql)
        }
        #expect(roster == [made])
        let page = try await room.environment.outline("/students/\(made.id.text)/edit", as: room.admin)
        for shown in [
            "Student ID: text = 2026-014", "Grade level: text = Grade 3", "Email: email = bea@maple.example",
        ] {
            #expect(page.contains(shown), "\(page)")
        }
        let list = try await room.environment.outline("/settings/students", as: room.admin)
        #expect(list.contains("Bea Ruiz · Grade 3 · 2026-014"))
        for (typed, isFound) in [("2026-0", true), ("bea 2026", true), ("014", false)] {
            let found = try await room.environment.outline(
                "/settings/students", as: room.admin, query: ["q": typed])
            #expect(found.contains("Bea Ruiz") == isFound, "\(typed)")
        }
        let again = try await room.school.execute(
            UpdateStudent.self, .object(known.merging(["studentId": .id(made.id)]) { own, _ in own }),
            as: room.admin)
        #expect(again == made, "one's own number is no one else's")
    }

    @Test("two students cannot have the same number, and the error names the student who has it")
    func numbers() async throws {
        let first: [String: InputValue] = ["firstName": "Bea", "lastName": "Ruiz", "number": "14"]
        _ = try await room.school.execute(CreateStudent.self, .object(first), as: room.admin)
        let other = try await room.student("Max", in: try await room.classroom("Maple"))
        let refusal = try await problem {
            _ = try await room.school.execute(
                UpdateStudent.self, ["studentId": .id(other.id), "firstName": "Max", "number": "14"],
                as: room.admin)
        }
        #expect(refusal == Problem.invalid("number", "students.numberTaken", [.text("Bea Ruiz")]))
        let new = try await problem {
            _ = try await room.school.execute(
                CreateStudent.self, ["firstName": "Max", "number": "14"], as: room.admin)
        }
        #expect(new == refusal)
    }

    @Test("the name of an erased person is replaced in notes about students too")
    func freeTextOfNotes() async throws {
        _ = try await room.school.execute(
            CreateStudent.self, ["firstName": "Ana", "notes": "Sings with Bea"], as: room.admin)
        let texts = try await room.school.database.read { try freeTexts(of: ClassroomRecordStore.kinds, in: $0) }
        #expect(texts.contains("Sings with Bea"))
    }

    @Test("a student may have only a given or only a family name")
    func oneName() async throws {
        for field in ["firstName", "lastName"] {
            let made = try await room.school.execute(
                CreateStudent.self, [field: "Sena\u{200D}", "avatarTint": "clay"], as: room.admin)
            #expect(made.displayName == "Sena" && made.avatar.initials == "S")
            #expect(made.firstName + made.lastName == "Sena")
            let page = try await room.outline("/students/\(made.id.text)/edit", as: room.admin)
            #expect(page.contains("Sena") && !page.contains("Sena -") && !page.contains("Sena null"))
            let refusal = try await problem {
                _ = try await room.school.execute(
                    UpdateStudent.self, ["studentId": .id(made.id), "firstName": "", "lastName": " "],
                    as: room.admin)
            }
            #expect(refusal?.faults == [Fault("firstName", "nameMissing")])
        }
        let names = try await room.school.answer(ListStudents.self, as: room.admin).items.map(\.displayName)
        #expect(names == ["Sena", "Sena"])
    }

    @Test("the faults of all fields are reported together, and nothing is stored")
    func faults() async throws {
        let refusal = try await problem {
            try await room.school.execute(
                "students.create",
                [
                    "firstName": 5, "lastName": .text(String(repeating: "x", count: 101)), "avatarTint": "pink",
                    "classroomId": "none", "age": 6,
                ], as: room.admin)
        }
        #expect(
            refusal?.faults.map(\.field).sorted() == ["age", "avatarTint", "classroomId", "firstName", "lastName"])
        #expect(try await room.school.answer(ListStudents.self, as: room.admin).items.isEmpty)
        let before = try await room.school.changes().count
        let unknown = try await problem {
            try await room.school.execute(
                "students.create", ["firstName": "Bea", "classroomId": .id(UUID())], as: room.admin)
        }
        #expect(unknown == .notFound)
        #expect(try await room.school.answer(ListStudents.self, as: room.admin).items.isEmpty)
        #expect(try await room.school.changes().count == before)
    }

    @Test("paging through all students misses nobody, not even children with the same name")
    func paging() async throws {
        for name in ["Ana", "Ana", "Ana", "Ana", "Bea", "Ana", "Ciro"] { _ = try await room.student(name, "Silva") }
        var seen: [UUID] = []
        var after: String?
        repeat {
            var input: [String: InputValue] = ["limit": "2"]
            if let after { input["after"] = .text(after) }
            let page = try await room.school.answer(ListStudents.self, .object(input), as: room.admin)
            seen += page.items.map(\.id)
            after = page.next
        } while after != nil && seen.count < 20
        #expect(seen.count == 7)
        #expect(Set(seen).count == 7)
    }

    @Test("names in many scripts are sorted by the name that is used, without regard to accents and case")
    func ordering() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        let names = [
            "Zoë", "émile", "Émilie", "Eli", "Łukasz", "Lucia", "Øyvind", "Olga", "أمل", "Ива", "大翔", "Ḥasan",
            "Hana",
            "ﬁona", "ＡＤＡ", "Ángel", "Çelik", "Cy",
        ]
        for name in names.shuffled() { _ = try await room.student(name, in: maple) }
        let order = try await room.roster(maple).map(\.student.firstName)
        #expect(
            order == [
                "ＡＤＡ", "Ángel", "Çelik", "Cy", "Eli", "émile", "Émilie", "ﬁona", "Hana", "Ḥasan", "Lucia", "Łukasz",
                "Olga", "Øyvind", "Zoë", "Ива", "أمل", "大翔",
            ])
        let all = try await room.school.answer(ListStudents.self, as: room.admin).items.map(\.firstName)
        #expect(all == order)
    }

    @Test("guides who are added or removed and all admins learn of a change of guides")
    func audiences() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        try await room.school.execute(
            AssignGuides.self,
            ["classroomId": .id(maple.id), "guideIds": .ids([ClassroomFixture.id(room.otherGuide)])],
            as: room.admin)
        let last = try #require(try await room.school.changes().last)
        #expect(last.change.kind == "classroom.guidesAssigned")
        #expect(last.change.reshapesAudience)
        let expected: Set<Audience> = [
            .classroom(maple.id), .role(.superAdmin), .role(.admin), .person(ClassroomFixture.id(room.guide)),
            .person(ClassroomFixture.id(room.otherGuide)),
        ]
        #expect(Set(last.change.audience) == expected)
        func audiences(_ caller: Caller) async throws -> Set<Audience> {
            let membership = try #require(caller.membership)
            return try await room.school.database.read { sql in
                try room.feature.access.audiences.all(for: membership, in: sql)
            }
        }
        #expect(try await audiences(room.otherGuide).contains(.classroom(maple.id)))
        #expect(try await !audiences(room.guide).contains(.classroom(maple.id)))
        #expect(try await !audiences(room.school.makeCaller(.parent)).contains(.classroom(maple.id)))
        #expect(try await audiences(room.admin).contains(.role(.admin)))
        let topics = try await room.school.changes().flatMap(\.change.topics)
        #expect(topics.contains("classroom:\(maple.id.text)"))
    }

    // MARK: - Search

    @Test("wildcards of SQL are ordinary characters in the search of students")
    func literalSearch() async throws {
        let maple = try await room.classroom("Maple", guides: [room.guide])
        for name in ["Ana", "100% Kid", "under_score", "back\\slash", "'; DROP TABLE students; --"] {
            _ = try await room.student(name, in: maple)
        }
        let orgId = room.school.organization.id
        func titles(_ query: String) async throws -> [String] {
            try await room.school.database.read { sql in
                try StudentRepository.students(
                    matching: NameFolding.fold(query).split(separator: " ").map(String.init), ofGuide: nil,
                    limit: 20,
                    orgId: orgId, in: sql
                ).map(\.displayName)
            }
        }
        #expect(try await titles("%") == [])
        #expect(try await titles("_") == [])
        #expect(try await titles("\\") == [])
        #expect(try await titles("100%") == ["100% Kid"])
        #expect(try await titles("underx") == [])
        #expect(try await titles("back\\s") == ["back\\slash"])
        #expect(try await titles("'; drop") == ["'; DROP TABLE students; --"])
        #expect(try await room.roster(maple).count == 5)
    }

    @Test("the guides of a child's classes and administrators find the child in the search")
    func search() async throws {
        let mine = try await room.classroom("Maple", guides: [room.guide])
        let theirs = try await room.classroom("Birch", guides: [room.otherGuide])
        let lukasz = try await room.student("Łukasz", "Żak", in: mine)
        let other = try await room.student("Lukas", "Other", in: theirs)
        let source = try #require(room.feature.pages.searchSources.first { $0.category == "people" })
        let documents = try await room.school.database.read { sql in
            try source.documents(try source.ids(nil, 10, sql), room.school.organization.id, sql)
        }
        #expect(Set(documents.map(\.title)) == ["Łukasz Żak", "Lukas Other"])
        let found = try #require(documents.first { $0.id == lukasz.id })
        #expect(found.path == "/students/\(lukasz.id.text)")
        #expect(Set(found.readers) == [.classroom(mine.id), .role(.admin), .role(.superAdmin)])
        #expect(documents.first { $0.id == other.id }?.readers.contains(.classroom(theirs.id)) == true)
        // The changes in the log name the child, so that the search reads it again.
        let log = try await room.school.database.read { try ChangeLog.changes(after: 0, limit: 100, in: $0) }
        let entered = try #require(log.first { $0.change.kind == "student.created" })
        #expect(source.kinds.contains(entered.change.kind))
        #expect(try await room.school.database.read { try source.touched(entered, $0) } == .some([lukasz.id]))
    }
}
