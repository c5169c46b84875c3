import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import Persistence
import ScreenKit
import ServerApp
import TestKit
import Testing
import Web

@Suite("All endpoints")
struct EndpointTests {
    /// The content of the directory and the school, without the stored answers.
    static func everything(_ tower: Tower, _ sample: Tower.SampleSchool) async throws -> [String] {
        func dump(_ database: any Database, _ name: String) async throws -> [String] {
            try await database.read { sql in
                let tables = try sql.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
                    .map { try $0.get("name", as: String.self) }
                return try tables.filter { $0 != "idempotency" }.flatMap { table in
                    try sql.rows(SQL(stringLiteral: "SELECT * FROM \(table)")).map {
                        "\(name).\(table) \($0.values)"
                    }
                }
            }
        }
        let school = try await tower.composition.schools.school(try #require(UUID(uuidString: sample.orgId)))
        return try await (dump(tower.composition.directory, "directory") + dump(school, "school")).sorted()
    }

    /// A picture of one pixel as a PNG file, in Base64.
    private static let pixel = """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
        """

    /// Lets a student hand in a picture for the assignment of a school, and returns the id of the file.
    private static func picture(in sample: Tower.SampleSchool, _ tower: Tower) async throws -> String {
        let student = try await tower.student(of: sample)
        var body = Data("--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.png\"\r\n\r\n".utf8)
        body += try #require(Data(base64Encoded: pixel))
        body += Data("\r\n--cut--\r\n".utf8)
        let handedIn = try await tower.post(
            "/api/v1/assignments/\(sample.assignmentId)/submissions", bytes: body,
            type: "multipart/form-data; boundary=cut", as: student.bearer)
        return try #require((try handedIn.json().list("files").first as? [String: Any])?["id"] as? String)
    }

    /// Creates a word list of the founder, and returns its id.
    private static func wordList(in sample: Tower.SampleSchool, _ tower: Tower) async throws -> String {
        try await tower.post(
            "/api/v1/practice/lists", ["name": "Rivers", "language": "en", "words": "Nile"],
            as: sample.founder.bearer
        ).json().text("id")
    }

    @Test(
        "every command with a stored answer has one effect and one answer when it is sent twice with one key",
        .requirement("WW-19.02.b"))
    func idempotency() async throws {
        try await Tower.with { tower in
            let document = try await Self.document(tower)
            let commands = tower.composition.features.features.flatMap(\.endpoints.commands).filter {
                // JSON has no files: VoiceTests, SpokenCommentTests, ColumnTests and ResidenceTests/ImportTests send theirs. TranscriptTests
                // mail transcripts, for which a student needs a contact.
                $0.contract.replay == .stored
                    && ![
                        "voice.record", "grades.import", "residence.import", "transcripts.mail",
                        "assessment.import", "coursework.recordComment", "practice.recordWord",
                        "flashcards.recordSound",
                    ]
                    .contains($0.contract.name)
            }
            #expect(commands.count > 15)
            for command in commands {
                // One network may sign up a limited number of people in an hour, and each sample school has some.
                tower.clock.advance(by: 10 * 60)
                let sample = try await tower.sampleSchool()
                let name = command.contract.name
                // Some commands need something to exist, or a person without a school.
                var person = sample.founder
                var fields = Samples.fields(of: command.input, in: sample)
                switch name {
                // For the course; an announcement is for a class or for a course.
                case "announcements.publish": fields["classroomId"] = nil
                case "leaderboard.takePart":
                    _ = try await tower.post(
                        "/api/v1/leaderboard/policy", bytes: Samples.json(["isOn": true]),
                        type: "application/json", as: person.bearer)
                    person = try await tower.member(.student, of: sample)
                case "study.focus":
                    _ = try await tower.post(
                        "/api/v1/courses/\(sample.courseId)/study/enter", ["work": "reading"], as: person.bearer)
                // Computed from stored data, which the sample does not know.
                case "invites.redeem": person = try await tower.signUp("Somebody New")
                // A sample role for a person who works in no classroom.
                case "invites.create": fields["classroomIds"] = nil
                case "invites.send":
                    fields["emails"] = "ben@maple.example"
                    fields["classroomIds"] = nil
                case "invites.resend":
                    _ = try await tower.post(
                        "/api/v1/invites/send", ["emails": "ben@maple.example"], as: person.bearer)
                    let sent = try await tower.get("/api/v1/invites/sent", as: person.bearer).json()
                    fields["inviteId"] = try #require(
                        (sent.list("items").first as? [String: Any])?["id"] as? String)
                case "onboarding.finish", "onboarding.finishClassroom", "onboarding.addChild",
                    "onboarding.removeChild":
                    if name != "onboarding.finishClassroom" { person = try await tower.signUp("Somebody New") }
                    for (step, body) in [
                        ("school", ["name": "New School"]), ("classroom", ["name": "New room"]),
                        ("children", ["firstName": "Ana"]), ("children", ["firstName": "Ben"]),
                    ] {
                        _ = try await tower.post("/api/v1/onboarding/\(step)", body, as: person.bearer)
                    }
                    fields["position"] = name == "onboarding.removeChild" ? 0 : -1
                case "voice.writeDown", "voice.delete":
                    var body = Data(
                        "--cut\r\nContent-Disposition: form-data; name=\"audio\"; filename=\"a\"\r\n\r\n".utf8)
                    body += Data("OggS and sound\r\n--cut--\r\n".utf8)
                    let note = try await tower.post(
                        "/api/v1/students/\(sample.studentId)/voice", bytes: body,
                        type: "multipart/form-data; boundary=cut", as: person.bearer)
                    fields["noteId"] = try note.json().text("id")
                case "courses.deleteLessonFile":
                    let body = Data(
                        ("--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.pdf\"\r\n\r\n"
                            + "%PDF\r\n--cut--\r\n").utf8)
                    let added = try await tower.post(
                        "/api/v1/courses/lessons/\(sample.lessonId)/files", bytes: body,
                        type: "multipart/form-data; boundary=cut", as: person.bearer)
                    fields["fileId"] = (try added.json().list("items").first as? [String: Any])?["id"] as? String
                case "assessment.insertFromBank":
                    let saved = try await tower.post(
                        "/api/v1/quizzes/\(sample.quizId)/questions/\(sample.questionId)/bank", ["tags": "maps"],
                        as: person.bearer)
                    fields["bankId"] = try saved.json().text("id")
                case "messages.leave":
                    _ = try await tower.member(.guide, of: sample)
                    let people = try await tower.get("/api/v1/conversations/people", as: person.bearer).json()
                    let ids = people.list("items").compactMap { ($0 as? [String: Any])?["id"] as? String }
                    let group = try await tower.post(
                        "/api/v1/conversations",
                        bytes: Samples.json(["title": "Plan", "personIds": ids]), type: "application/json",
                        as: person.bearer)
                    fields["conversationId"] = try group.json().text("id")
                case "messages.report":
                    let said = try await tower.post(
                        "/api/v1/conversations/\(sample.conversationId)/messages", ["text": "Worse"],
                        as: sample.member.bearer)
                    fields["messageId"] = try said.json().text("id")
                case "students.setClassDays": fields["lastDay"] = nil
                case "organization.removeDaysOff":
                    let added = try await tower.post(
                        "/api/v1/organization/days-off", ["name": "Holidays", "firstDay": "2026-11-02"],
                        as: person.bearer)
                    fields["daysOffId"] = try added.json().text("id")
                case "enrollment.enroll": person = try await tower.member(.student, of: sample)
                case "enrollment.drop":
                    person = try await tower.member(.student, of: sample)
                    _ = try await tower.post(
                        "/api/v1/courses/\(sample.courseId)/enroll", [String: String](), as: person.bearer)
                case "enrollment.addClass": fields["studentIds"] = [sample.studentId]
                case "enrollment.withdrawDrop":
                    let over = try await tower.post(
                        "/api/v1/courses",
                        ["name": "Latin", "subject": "Languages", "dropDay": "2026-01-10"], as: person.bearer)
                    fields["courseId"] = try over.json().text("id")
                    person = try await tower.member(.student, of: sample)
                    for step in ["enroll", "drop"] {
                        _ = try await tower.post(
                            "/api/v1/courses/\(fields["courseId"] ?? "")/\(step)", [String: String](),
                            as: person.bearer)
                    }
                case "enrollment.remove":
                    _ = try await tower.post(
                        "/api/v1/courses/\(sample.courseId)/people", ["studentId": sample.studentId],
                        as: person.bearer)
                case "enrollment.decide", "enrollment.decideDrop":
                    let student = try await tower.member(.student, of: sample)
                    if name == "enrollment.decideDrop" {
                        let over = try await tower.post(
                            "/api/v1/courses",
                            ["name": "Latin", "subject": "Languages", "dropDay": "2026-01-10"], as: person.bearer)
                        fields["courseId"] = try over.json().text("id")
                    }
                    let course = "/api/v1/courses/\(fields["courseId"] ?? "")"
                    let asked = try await tower.post("\(course)/enroll", [String: String](), as: student.bearer)
                    fields["studentId"] = try asked.json().text("studentId")
                    if name == "enrollment.decideDrop" {
                        _ = try await tower.post("\(course)/drop", [String: String](), as: student.bearer)
                    }
                case let grading where grading.hasPrefix("grades."):
                    _ = try await tower.post(
                        "/api/v1/courses/\(sample.courseId)/people", ["studentId": sample.studentId],
                        as: person.bearer)
                    if fields["text"] != nil { fields["text"] = "12" }
                    if fields["version"] != nil { fields["version"] = 0 }
                    for name in ["versions", "students", "seen"] { fields[name] = nil }
                case "coursework.save", "coursework.handIn", "coursework.startUpload", "coursework.deleteFile",
                    "coursework.share", "coursework.stopSharing":
                    person = try await tower.student(of: sample)
                    guard ["coursework.deleteFile", "coursework.share", "coursework.stopSharing"].contains(name)
                    else {
                        break
                    }
                    let body = Data(
                        ("--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.txt\"\r\n\r\n"
                            + "Notes\r\n--cut--\r\n").utf8)
                    let draft = try await tower.post(
                        "/api/v1/assignments/\(sample.assignmentId)/draft", bytes: body,
                        type: "multipart/form-data; boundary=cut", as: person.bearer)
                    fields["fileId"] = (try draft.json().list("files").first as? [String: Any])?["id"] as? String
                case "coursework.addNote", "coursework.editNote", "coursework.deleteNote":
                    let file = try await Self.picture(in: sample, tower)
                    let work = "/api/v1/assignments/\(sample.assignmentId)"
                    let place = ["page": 1, "x": 0.5, "y": 0.5, "width": 0.1, "height": 0.1] as [String: Any]
                    fields["fileId"] = file
                    fields["version"] = nil
                    for (key, value) in place where fields[key] != nil { fields[key] = value }
                    guard name != "coursework.addNote" else { break }
                    let note = try await tower.post(
                        "\(work)/files/\(file)/notes",
                        bytes: Samples.json(place.merging(["text": "Good"]) { $1 }), type: "application/json",
                        as: person.bearer)
                    fields["noteId"] = try note.json().text("id")
                case "coursework.deleteComment":
                    _ = try await tower.post(
                        "/api/v1/courses/\(sample.courseId)/people", ["studentId": sample.studentId],
                        as: person.bearer)
                    var body = Data(
                        "--cut\r\nContent-Disposition: form-data; name=\"audio\"; filename=\"a\"\r\n\r\n".utf8)
                    body += Data("OggS and sound\r\n--cut--\r\n".utf8)
                    _ = try await tower.post(
                        "/api/v1/assignments/\(sample.assignmentId)/marks/\(sample.studentId)/recording",
                        bytes: body,
                        type: "multipart/form-data; boundary=cut", as: person.bearer)
                case let work where work.hasPrefix("coursework."):
                    _ = try await tower.post(
                        "/api/v1/courses/\(sample.courseId)/people", ["studentId": sample.studentId],
                        as: person.bearer)
                    for name in ["students", "submissionId", "criterionId"] { fields[name] = nil }
                    if name.hasPrefix("coursework.mark") { fields["version"] = 0 }
                    if name == "coursework.deleteAttachment" {
                        let body = Data(
                            ("--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.txt\"\r\n\r\n"
                                + "Map\r\n--cut--\r\n").utf8)
                        let added = try await tower.post(
                            "/api/v1/assignments/\(sample.assignmentId)/attachments", bytes: body,
                            type: "multipart/form-data; boundary=cut", as: person.bearer)
                        fields["fileId"] =
                            (try added.json().list("items").first as? [String: Any])?["id"] as? String
                    }
                    guard name == "coursework.deleteCriterion" else { break }
                    let criterion = try await tower.post(
                        "/api/v1/assignments/\(sample.assignmentId)/rubric",
                        ["title": "Style", "title1": "Weak", "points1": "0", "title2": "Strong", "points2": "1"],
                        as: person.bearer)
                    fields["criterionId"] = try criterion.json().text("id")
                case "practice.updateList", "practice.deleteList":
                    fields["listId"] = try await Self.wordList(in: sample, tower)
                case "residence.delete":
                    let empty = try await tower.post(
                        "/api/v1/residences",
                        ["name": "Linden House", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00"],
                        as: person.bearer)
                    fields["pgId"] = try empty.json().text("id")
                case "residence.deleteRoom":
                    let empty = try await tower.post(
                        "/api/v1/residences/\(sample.residenceId)/rooms", ["number": "102", "type": "Twin"],
                        as: person.bearer)
                    fields["roomId"] = try empty.json().text("id")
                case "residence.moveIn":
                    fields["studentId"] = sample.memberId
                    fields["roomId"] = nil
                    fields["firstDay"] = nil
                case "residence.checkIn", "residence.checkOut", "residence.makeOwnCode":
                    person = try await tower.member(.student, of: sample)
                    let enrolled = try await tower.post(
                        "/api/v1/courses/\(sample.courseId)/enroll", [String: String](), as: person.bearer)
                    _ = try await tower.post(
                        "/api/v1/residences/\(sample.residenceId)/students",
                        ["studentId": enrolled.json().text("studentId")], as: sample.founder.bearer)
                case "residence.requestLeave":
                    person = try await tower.resident(of: sample)
                    fields["studentId"] = nil
                case "residence.withdrawLeave", "residence.decideLeave":
                    let resident = try await tower.resident(of: sample)
                    fields["leaveId"] = try await tower.leave(of: resident)
                    if name == "residence.withdrawLeave" { person = resident }
                case "residence.closeRollCall", "residence.correctRollCall":
                    try await tower.callTheRoll(of: sample, closes: name == "residence.correctRollCall")
                case "curriculum.accept": fields["materialId"] = Samples.materialId
                case let wellness where wellness.hasPrefix("wellness.") && wellness != "wellness.set":
                    let student = try await tower.member(.student, of: sample)
                    let founderId = try await tower.get("/api/v1/auth/me", as: sample.founder.bearer).json()
                        .text("profileId")
                    let named = try Samples.json(["isOn": true, "staffIds": [founderId]] as [String: Any])
                    _ = try await tower.post(
                        "/api/v1/wellness/settings", bytes: named, type: "application/json",
                        as: sample.founder.bearer)
                    let made = try await tower.post(
                        "/api/v1/wellness/check-ins", ["mood": "good"], as: student.bearer)
                    if fields["checkInId"] != nil { fields["checkInId"] = try made.json().text("id") }
                    if fields["adultId"] != nil { fields["adultId"] = founderId }
                    person = student
                    guard fields["helpId"] != nil else { break }
                    let asked = try await tower.post(
                        "/api/v1/wellness/requests", [String: String](), as: student.bearer)
                    fields["helpId"] = try asked.json().text("id")
                    person = sample.founder
                case "students.addToClass": fields["classroomId"] = sample.otherClassroomId
                case "attendance.clear":
                    _ = try await tower.post(
                        "/api/v1/classrooms/\(sample.classroomId)/attendance",
                        ["studentId": sample.studentId, "status": "present"], as: person.bearer)
                default: break
                }
                let (path, rest) = Samples.split(command.contract.path, fields)
                let body = try Samples.json(rest)
                let key = "one-tap-\(name)"
                func send() async throws -> TestResponse {
                    try await tower.post(path, bytes: body, type: "application/json", as: person.bearer, key: key)
                }
                let first = try await send()
                #expect((200..<300).contains(first.status.code), "\(name): \(first.text)")
                let after = try await Self.everything(tower, sample)
                let second = try await send()
                #expect(second.status == first.status, "\(name)")
                #expect(second.text == first.text, "\(name)")
                #expect(second.headers[.idempotencyReplayed] == "true", "\(name)")
                #expect(try await Self.everything(tower, sample) == after, "\(name) took effect twice")
                // The answer matches the schema of the document.
                let operation = try #require(Self.operation(document, "post", command.contract.path))
                let faults = Self.faults(
                    of: try first.json().value, against: Self.schema(of: operation, first.status.code))
                #expect(faults == [], "\(name)")
            }
        }
    }

    @Test(
        "every change of a new school has a sentence in the audit log, and every permission and area has a name",
        .requirement("PT-2M.25.b"))
    func audited() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let features = tower.composition.features.features
            let known = Set(features.flatMap(\.audit.kinds).map(\.kind))
            let id = try #require(UUID(uuidString: sample.orgId))
            let kinds = try await tower.composition.schools.school(id).read {
                try ChangeLog.changes(after: 0, limit: 1000, in: $0).map(\.change.kind)
            }
            #expect(kinds.first == "organization.founded")
            #expect(Set(kinds).subtracting(known) == [])
            for (language, words) in tower.composition.words {
                for feature in features {
                    let own = Words(language, [feature.catalog])
                    for scope in [feature].tokenScopes {
                        #expect(own.has(scope.areaTitle), "\(scope.areaTitle) of \(feature.id) in \(language)")
                    }
                    for permission in feature.access.permissions {
                        let title = feature.access.titles[permission] ?? permission.name
                        #expect(words.has(title), "\(permission.name) in \(language)")
                    }
                    for kind in feature.audit.kinds {
                        #expect(words.has(kind.sentence), "\(kind.kind) in \(language)")
                    }
                }
            }
        }
    }

    @Test("each download of a file about people has an entry in the audit log", .requirement("BY-1.25.b"))
    func exportedFiles() async throws {
        try await Tower.with { tower in
            let downloads = tower.composition.features.features.flatMap(\.endpoints.downloads)
            #expect(downloads.contains { $0.seen != nil })
            // The others are single pictures, recordings and files of a page that was opened, files without names of
            // people, and the export of the school, which is recorded when it is asked for.
            let silent = downloads.filter { $0.seen == nil }.map(\.path)
            #expect(
                silent.filter { $0.contains("/print") || $0.contains("report") || $0.hasSuffix(".csv") }
                    == ["/residences/{pgId}/meals/day/print/{day}/{paper}"])

            let sample = try await tower.sampleSchool()
            let school = try await tower.composition.schools.school(try #require(UUID(uuidString: sample.orgId)))
            func exported() async throws -> [String] {
                try await school.read {
                    try ChangeLog.changes(after: 0, limit: 1000, in: $0).map(\.change.kind)
                        .filter { $0.hasSuffix(".exported") }
                }
            }
            let roster = "/classrooms/\(sample.classroomId)/print/a4/roster"
            #expect(try await tower.get(roster, as: sample.founder.bearer).status == .ok)
            #expect(try await exported() == ["classroom.exported"])
            // A file that was refused did not leave.
            #expect(try await tower.get(roster, as: sample.member.bearer).status != .ok)
            #expect(try await exported() == ["classroom.exported"])
            // Each file is an entry of its own.
            #expect(
                try await tower.get(
                    "/students/\(sample.studentId)/print/a4/report/30/notes", as: sample.founder.bearer
                ).status == .ok)
            #expect(try await tower.get(roster, as: sample.founder.bearer).status == .ok)
            #expect(try await exported() == ["classroom.exported", "student.exported", "classroom.exported"])
            // The entries say who took the file, and when.
            let all = try await school.read { try ChangeLog.changes(after: 0, limit: 1000, in: $0) }
            let last = try #require(all.last { $0.change.kind == "classroom.exported" })
            let founding = try #require(all.first { $0.change.kind == "organization.founded" })
            #expect(last.actorId == founding.actorId)
            #expect(abs(last.at.timeIntervalSince(tower.clock.now)) < 1)
        }
    }

    @Test("an idempotency key belongs to one person and one command")
    func keys() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let admin = try await tower.member(.admin, of: sample)
            let key = "a-shared-key"
            let answers = [
                try await tower.post("/api/v1/classrooms", ["name": "Oak"], as: sample.founder.bearer, key: key),
                try await tower.post("/api/v1/classrooms", ["name": "Oak"], as: admin.bearer, key: key),
                try await tower.post("/api/v1/classrooms", ["name": "Elm"], as: sample.founder.bearer, key: key),
                try await tower.post("/api/v1/students", ["firstName": "Oak"], as: sample.founder.bearer, key: key),
            ]
            #expect(answers.allSatisfy { $0.status == .created })
            #expect(Set(try answers.map { try $0.json().text("id") }).count == 4)
            for bad in ["short", "with blank in it", String(repeating: "x", count: 101), "ümlaut-key"] {
                let answer = try await tower.post(
                    "/api/v1/classrooms", ["name": "Oak"], as: sample.founder.bearer, key: bad)
                #expect(answer.status == .badRequest, "\(bad)")
            }
        }
    }

    @Test(
        "no endpoint and no page reads or changes anything by the ids of another school",
        .requirement("WW-0.13.a", "WW-0.13.b", "WW-0.13.c", "PT-2M.04.c", "PT-2M.05.b"), arguments: Role.allCases)
    func wall(_ role: Role) async throws {
        try await Tower.with { tower in
            let theirs = try await tower.sampleSchool("Their School")
            let mine = try await tower.sampleSchool("My School")
            let me = role == .superAdmin ? mine.founder : try await tower.member(role, of: mine)
            let theirImport = try await tower.importing("First name,Last name\nEve,Foreign\n", as: theirs.founder)
            let before = try await Self.everything(tower, theirs).filter { $0.hasPrefix("school.") }
            func fields(_ input: [FieldReader.Specification]) -> [String: Any] {
                var fields = Samples.fields(of: input, in: theirs)
                if fields["importId"] != nil { fields["importId"] = theirImport }
                // Versions and marks are only formally valid.
                for name in ["versions", "seen"] where fields[name] != nil { fields[name] = nil }
                return fields
            }
            let features = tower.composition.features.features
            var asked = 0
            for command in features.flatMap(\.endpoints.commands) where command.contract.path.contains("{") {
                let (path, rest) = Samples.split(command.contract.path, fields(command.input))
                let answer = try await tower.post(
                    path, bytes: Samples.json(rest), type: "application/json", as: me.bearer)
                Self.expectWall(answer, command.contract, role)
                asked += 1
            }
            for query in features.flatMap(\.endpoints.queries) where query.contract.path.contains("{") {
                let path = Samples.split(query.contract.path, fields(query.input)).path
                Self.expectWall(try await tower.get(path, as: me.bearer), query.contract, role)
                asked += 1
            }
            // These name a secret that belongs to no school.
            let secrets = [
                "/join/{code}", "/reset/{token}", "/confirm/{token}", "/consent/{token}", "/consent/back/{token}",
                "/sign-in/code/{token}", "/play/pair/{code}", "/quest/devices/{code}", "/gate/pair/{code}",
                "/verify/{code}",
            ]
            for screen in features.flatMap(\.pages.screens)
            where screen.path.contains("{") && !secrets.contains(screen.path) {
                let path = Samples.split(
                    screen.path,
                    [
                        "classroomId": theirs.classroomId, "studentId": theirs.studentId,
                        "personId": theirs.memberId, "letter": "x", "passkeyId": "AAECAw",
                        "observationId": theirs.observationId, "workId": theirs.workId,
                        "noteId": theirs.studentId,
                        "importId": theirImport, "materialId": Samples.materialId, "entryId": theirs.studentId,
                        "textId": theirs.studentId, "itemId": theirs.gradedItemId,
                        "assignmentId": theirs.assignmentId, "playerId": theirs.playerId,
                        "routineId": theirs.routineId, "taskId": theirs.taskId,
                        "conversationId": theirs.conversationId, "announcementId": theirs.announcementId,
                        "messageId": theirs.messageId, "courseId": theirs.courseId,
                        "moduleId": theirs.moduleId, "lessonId": theirs.lessonId, "termId": theirs.termId,
                        "quizId": theirs.quizId, "questionId": theirs.questionId, "attemptId": theirs.quizId,
                        "uploadId": theirs.studentId, "fileId": theirs.studentId, "shareId": theirs.studentId,
                        "checkInId": theirs.studentId, "helpId": theirs.studentId,
                        "listId": theirs.studentId, "wordId": theirs.studentId,
                        "pgId": theirs.residenceId,
                        "roomId": theirs.roomId,
                        "recordId": theirs.passageId, "setId": theirs.setId, "cardId": theirs.cardId,
                        "code": "ABCD2345", "material": "blue-tower",
                    ]
                ).path
                #expect(!path.contains("{"), "no sample for \(screen.path)")
                let answer = try await tower.page(path, as: me.browser)
                #expect([403, 404].contains(answer.status.code), "\(role) and \(path): \(answer.status.code)")
                // What belongs to a parent is hidden from super admins too.
                let isAllowed =
                    if case .member(let given) = screen.access { given.isGiven(to: [role]) } else { true }
                if role == .superAdmin {
                    #expect(answer.status == (isAllowed ? .notFound : .forbidden), "\(screen.path)")
                }
                #expect(!answer.text.contains("Eve Foreign"))
                #expect(!answer.text.contains("Bea") && !answer.text.contains("Ben Ito"))
                asked += 1
            }
            #expect(asked > 20)
            #expect(try await Self.everything(tower, theirs).filter { $0.hasPrefix("school.") } == before)
            // The foreign ids in bodies.
            if role == .superAdmin {
                for (path, body) in [
                    (
                        "/classrooms/\(mine.classroomId)/attendance",
                        ["studentId": theirs.studentId, "status": "present"]
                    ),
                    ("/classrooms/\(mine.classroomId)/students", ["studentId": theirs.studentId]),
                    ("/students", ["firstName": "X", "classroomId": theirs.classroomId]),
                    ("/classrooms/default", ["classroomId": theirs.classroomId]),
                    ("/announcements", ["title": "X", "text": "Y", "courseId": theirs.courseId]),
                ] {
                    #expect(
                        try await tower.post("/api/v1\(path)", body, as: me.bearer).status == .notFound, "\(path)")
                }
            }
        }
    }

    @Test(
        "a parent of the school cannot reach anything of another family's child through any endpoint or page",
        .requirement("BY-1.09.a"))
    func parents() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let parent = try await tower.member(.parent, of: sample)
            let ids: [String: Any] = [
                "classroomId": sample.classroomId, "studentId": sample.studentId, "personId": sample.studentId,
                "observationId": sample.observationId, "workId": sample.workId, "materialId": Samples.materialId,
                "habitId": sample.habitId, "contactId": sample.contactId, "textId": sample.studentId,
                "itemId": sample.studentId,
            ]
            // The name of the child is not a part of a longer word, such as "Bead stair".
            let secrets = ["Bea\\b", "Traced m", "Golden beads", "Coat", "Luz Ruiz"]
            let features = tower.composition.features.features
            var asked = 0
            for query in features.flatMap(\.endpoints.queries) {
                var fields = Samples.fields(of: query.input, in: sample)
                fields["after"] = nil
                let (path, rest) = Samples.split(query.contract.path, fields)
                let answer = try await tower.get(path + Samples.query(rest), as: parent.bearer)
                for word in secrets {
                    let pattern = try Regex(word)
                    #expect(!answer.text.contains(pattern), "\(query.contract.name) tells a parent: \(word)")
                }
                asked += 1
            }
            for screen in features.flatMap(\.pages.screens) {
                let path = Samples.split(screen.path, ids).path
                guard !path.contains("{") else { continue }
                let answer = try await tower.page(path, as: parent.browser)
                for word in secrets {
                    let pattern = try Regex(word)
                    #expect(!answer.text.contains(pattern), "\(path) tells a parent: \(word)")
                }
                asked += 1
            }
            for command in features.flatMap(\.endpoints.commands)
            where ids.keys.contains(where: { $0 != "personId" && command.contract.path.contains("{\($0)}") }) {
                let (path, rest) = Samples.split(
                    command.contract.path,
                    Samples.fields(of: command.input, in: sample).merging(ids) { own, _ in own })
                let known = Set(command.input.map(\.name))
                let answer = try await tower.post(
                    path, bytes: Samples.json(rest.filter { known.contains($0.key) }), type: "application/json",
                    as: parent.bearer)
                #expect([403, 404].contains(answer.status.code), "\(command.contract.name): \(answer.text)")
                asked += 1
            }
            #expect(asked > 100)
        }
    }

    /// The role is checked first, without revealing whether the id exists; a caller with the role finds nothing.
    private static func expectWall(_ answer: TestResponse, _ contract: Contract, _ role: Role) {
        let isAllowed =
            switch contract.access {
            case .member(let permission): permission.isGiven(to: [role])
            case .anyone, .account: true
            }
        #expect(
            answer.status == (isAllowed ? .notFound : .forbidden), "\(role) and \(contract.name): \(answer.text)")
    }

    // MARK: - OpenAPI

    static func document(_ tower: Tower) async throws -> [String: Any] {
        let answer = try await tower.get("/openapi.json")
        #expect(answer.status == .ok)
        return try #require(try answer.json().value as? [String: Any])
    }

    static func operation(_ document: [String: Any], _ method: String, _ path: String) -> [String: Any]? {
        ((document["paths"] as? [String: Any])?[path] as? [String: Any])?[method] as? [String: Any]
    }

    static func schema(of operation: [String: Any], _ status: Int) -> [String: Any] {
        let responses = operation["responses"] as? [String: Any]
        let content = (responses?["\(status)"] as? [String: Any])?["content"] as? [String: Any]
        return (content?["application/json"] as? [String: Any])?["schema"] as? [String: Any] ?? ["type": "missing"]
    }

    /// The places where a value does not match the schema.
    static func faults(of value: Any, against schema: [String: Any], at place: String = "$") -> [String] {
        if let choices = schema["enum"] as? [String] {
            return (value as? String).map(choices.contains) == true ? [] : ["\(place) is none of \(choices)"]
        }
        switch schema["type"] as? String {
        case "object":
            guard let object = value as? [String: Any] else { return ["\(place) is no object"] }
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map {
                "\(place).\($0) is missing"
            }
            let others = schema["additionalProperties"] as? [String: Any]
            return missing
                + object.sorted { $0.key < $1.key }.flatMap { name, value -> [String] in
                    guard let inner = properties[name] ?? others else {
                        return ["\(place).\(name) is not described"]
                    }
                    return faults(of: value, against: inner, at: "\(place).\(name)")
                }
        case "array":
            guard let list = value as? [Any] else { return ["\(place) is no list"] }
            let items = schema["items"] as? [String: Any] ?? [:]
            return list.flatMap { faults(of: $0, against: items, at: "\(place)[]") }
        case "string":
            guard let text = value as? String else { return ["\(place) is no text"] }
            switch schema["format"] as? String {
            case "uuid": return UUID(uuidString: text) == nil ? ["\(place) is no id"] : []
            case "date": return Day(text) == nil ? ["\(place) is no day"] : []
            case "date-time": return text.hasSuffix("Z") && text.contains("T") ? [] : ["\(place) is no instant"]
            default: return []
            }
        case "integer": return value is Int ? [] : ["\(place) is no whole number"]
        case "number": return value is NSNumber ? [] : ["\(place) is no number"]
        case "boolean": return value is Bool ? [] : ["\(place) is no yes or no"]
        case nil: return []
        case .some(let other): return ["\(place): unknown type \(other)"]
        }
    }

    @Test(
        "the API's document lists every endpoint, and every query's answer matches it",
        .requirement("BY-1.21.a", "BY-1.21.b"))
    func openAPI() async throws {
        try await Tower.with { tower in
            let document = try await Self.document(tower)
            #expect(document["openapi"] as? String == "3.1.0")
            let features = tower.composition.features.features
            let sample = try await tower.sampleSchool()
            let imported = try await tower.importing("First name,Last name\nEve,Li\n", as: sample.founder)
            for command in features.flatMap(\.endpoints.commands) {
                let operation = try #require(
                    Self.operation(document, "post", command.contract.path), "\(command.contract.name)")
                #expect(operation["operationId"] as? String == command.contract.name)
            }
            for query in features.flatMap(\.endpoints.queries) {
                let operation = try #require(
                    Self.operation(document, "get", query.contract.path), "\(query.contract.name)")
                var fields = Samples.fields(of: query.input, in: sample)
                fields["after"] = nil
                fields["group"] = nil
                if fields["importId"] != nil { fields["importId"] = imported }
                var reader = sample.founder
                if query.contract.name == "grades.course" {
                    _ = try await tower.post(
                        "/api/v1/courses/\(sample.courseId)/people", ["studentId": sample.studentId],
                        as: reader.bearer)
                }
                if query.contract.name == "leaderboard.read" {
                    _ = try await tower.post(
                        "/api/v1/leaderboard/policy", bytes: Samples.json(["isOn": true]), type: "application/json",
                        as: reader.bearer)
                }
                if query.contract.name == "gate.list" { reader = try await tower.gate(of: sample) }
                // What belongs to a parent; this one belongs to nobody.
                if query.contract.name == "family.items" {
                    fields["studentId"] = nil
                    reader = try await tower.member(.parent, of: sample)
                }
                // What residents and parents read of themselves.
                if ["residence.own", "residence.ownLeaves", "residence.ownPassages"].contains(query.contract.name) {
                    reader = try await tower.resident(of: sample)
                    if query.contract.name == "residence.ownLeaves" { _ = try await tower.leave(of: reader) }
                }
                // What students read of their attempts.
                if query.contract.name == "assessment.attempt" {
                    (reader, fields["attemptId"]) = try await tower.attempt(in: sample)
                }
                // A student's own meals; this one lives in no residence.
                if query.contract.name == "residence.ownMeals" {
                    fields["studentId"] = nil
                    reader = try await tower.member(.student, of: sample)
                }
                // A student's own work.
                if ["coursework.work", "coursework.files"].contains(query.contract.name) {
                    fields["student"] = nil
                    reader = try await tower.student(of: sample)
                }
                if query.contract.name == "coursework.notes" {
                    fields["fileId"] = try await Self.picture(in: sample, tower)
                }
                // A student's own check-ins.
                if ["wellness.checkIns", "wellness.download"].contains(query.contract.name) {
                    reader = try await tower.student(of: sample)
                    _ = try await tower.post(
                        "/api/v1/wellness/check-ins", ["mood": "good"], as: reader.bearer)
                }
                if query.contract.name == "practice.list" {
                    fields["listId"] = try await Self.wordList(in: sample, tower)
                }
                // A student's own reminders.
                if query.contract.name == "reminders.show" { reader = try await tower.student(of: sample) }
                let (path, rest) = Samples.split(query.contract.path, fields)
                let answer = try await tower.get(path + Samples.query(rest), as: reader.bearer)
                #expect(answer.status == .ok, "\(query.contract.name): \(answer.text)")
                if let name = query.contract.fileName {
                    let stem = name.split(separator: ".")[0]
                    let saved = try #require(answer.headers[.contentDisposition])
                    #expect(
                        saved.wholeMatch(of: /attachment; filename="(.+) 20\d\d-\d\d-\d\d\.[a-z]+"/)?.1.hasSuffix(
                            " \(stem)")
                            == true, "\(saved)")
                    continue
                }
                let faults = Self.faults(of: try answer.json().value, against: Self.schema(of: operation, 200))
                #expect(faults == [], "\(query.contract.name)")
            }
            let count = (document["paths"] as? [String: [String: Any]] ?? [:]).values.reduce(0) { $0 + $1.count }
            #expect(
                count == features.flatMap(\.endpoints.commands).count + features.flatMap(\.endpoints.queries).count,
                "nothing more than there is")
            // Refusals match the document too.
            let problem =
                ((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])?["Problem"]
                ?? [:]
            for answer in [
                try await tower.get("/api/v1/students"),
                try await tower.get("/api/v1/students/\(sample.orgId)", as: sample.founder.bearer),
                try await tower.post("/api/v1/students", ["a": "b"], as: sample.founder.bearer),
            ] {
                #expect(Self.faults(of: try answer.json().value, against: problem) == [])
            }
        }
    }

    @Test(
        "conversations can be listed and marked as read, and messages can be read, sent and deleted",
        .requirement("PG-1.06.d"))
    func conversations() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let (reader, writer) = (sample.member, sample.founder)
            let talk = "/api/v1/conversations/\(sample.conversationId)"
            func unread() async throws -> Int? {
                let all = try await tower.get("/api/v1/conversations", as: reader.bearer).json().list("items")
                #expect(all.count == 1)
                let one = try #require(all.first as? [String: Any])
                #expect(one["id"] as? String == sample.conversationId)
                return one["unread"] as? Int
            }
            func texts() async throws -> [String] {
                try await tower.get("\(talk)/messages", as: reader.bearer).json().list("items").compactMap {
                    ($0 as? [String: Any])?["text"] as? String
                }
            }
            #expect(try await unread() == 0, "who has answered has read")
            let sent = try await tower.post("\(talk)/messages", ["text": "At nine"], as: writer.bearer)
            #expect(sent.status == .created, "\(sent.text)")
            #expect(try await unread() == 1)
            #expect(try await texts() == ["Can you take the walk?", "A bad word", "At nine"])
            let read = try await tower.post("\(talk)/read", [String: String](), as: reader.bearer)
            #expect(read.status == .ok, "\(read.text)")
            #expect(try await unread() == 0)
            let id = try sent.json().text("id")
            let deleted = try await tower.post(
                "/api/v1/messages/\(id)/delete", [String: String](), as: writer.bearer)
            #expect(deleted.status == .ok, "\(deleted.text)")
            #expect(try await texts() == ["Can you take the walk?", "A bad word", ""])
        }
    }
}
