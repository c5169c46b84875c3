import CoursesInterface
import CoursesTesting
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit
import TestKit
import Testing

@testable import Coursework

@Suite("Handing in work")
struct SubmissionTests {
    @Test("a submission belongs to an assignment and a student", .requirement("WW-0.09.b"))
    func model() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let made = try await fixture.handIn(one, as: fixture.mia, "My essay", link: "https://films.example/1")
        #expect(made.assignmentId == one.id && made.studentId == CourseworkFixture.id(fixture.mia))
        #expect(made.attempt == 1 && made.text == "My essay" && made.link == "https://films.example/1")
        #expect(made.handedInAt == fixture.school.clock.now)
        #expect(try await fixture.submissions(one, as: fixture.mia) == [made])
        #expect(try await fixture.submissions(one, as: fixture.teacher) == [made])
        #expect(try await fixture.submissions(one, as: fixture.mother) == [made])
        #expect(try await fixture.submissions(one, as: fixture.noah) == [])
    }

    @Test("work that is due at 23:59 and handed in at 23:59:59 is on time, a second later it is late")
    func lastSecond() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let due = try #require(one.dueDay)
        fixture.go(to: due, seconds: 86_399)
        try await fixture.handIn(one, as: fixture.mia)
        fixture.school.clock.advance(by: 1)
        try await fixture.handIn(one, as: fixture.noah)
        #expect(try await fixture.work(fixture.mia).first?.status == .handedIn)
        #expect(try await fixture.work(fixture.noah).first?.status == .handedInLate)
        let page = try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.teacher)
        #expect(page.contains("To mark, 1 min late"))
    }

    @Test("a due time set in summer for a day in winter is the time of day of that day")
    func clockChange() async throws {
        let fixture = try await CourseworkFixture()
        // The offset of the school's zone changes in between, wherever the school is and whatever today is.
        let first = fixture.today
        let offset = { (day: Day) in fixture.zone.secondsFromGMT(for: day.start(in: fixture.zone)) }
        let due = try #require((1...366).map { first.adding(days: $0) }.first { offset($0) != offset(first) })
            .adding(days: 2)
        let one = try await fixture.assign(with: ["dueDay": .text(due.description), "dueTime": "18:00"])
        fixture.go(to: due, seconds: 17 * 3600 + 1800)
        try await fixture.handIn(one, as: fixture.mia)
        fixture.go(to: due, seconds: 18 * 3600 + 60)
        try await fixture.handIn(one, as: fixture.noah)
        #expect(try await fixture.work(fixture.mia).first?.status == .handedIn)
        #expect(try await fixture.work(fixture.noah).first?.status == .handedInLate)
    }

    @Test("a late second attempt never hides one on time: it is not called late, and the first is the one to score")
    func lateSecondAttempt() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["attempts": 2, "latePenalty": 50])
        let early = try await fixture.handIn(one, as: fixture.mia, "In time")
        fixture.go(to: try #require(one.dueDay).adding(days: 1), seconds: 60)
        let late = try await fixture.handIn(one, as: fixture.mia, "Too late")
        #expect(try await fixture.work(fixture.mia).first?.status == .handedIn)
        let path = AssignmentScreens.marking(one.id, CourseworkFixture.id(fixture.mia))
        let page = try await fixture.outline(path, as: fixture.teacher)
        #expect(page.contains("In time") && !page.contains("Too late"))
        #expect(try await fixture.outline(path, as: fixture.teacher, query: ["attempt": "2"]).contains("Too late"))
        // The deduction follows from the attempt that is marked.
        #expect(try await fixture.mark(one, fixture.mia, "18").score == "18")
        #expect(try await fixture.mark(one, fixture.mia, "18", version: 1, submission: late).score == "9")
        #expect(early.attempt == 1 && late.attempt == 2)
    }

    @Test("late work is refused where the assignment says so, and only the allowed attempts are taken")
    func limits() async throws {
        let fixture = try await CourseworkFixture()
        let strict = try await fixture.assign(with: ["lateWork": "never"])
        let free = try await fixture.assign(with: ["attempts": 0])
        try await fixture.handIn(strict, as: fixture.mia)
        #expect(
            try await problem { try await fixture.handIn(strict, as: fixture.mia) }?.code
                == "coursework.noAttempts")
        for attempt in 1...3 { #expect(try await fixture.handIn(free, as: fixture.mia).attempt == attempt) }
        fixture.go(to: try #require(strict.dueDay).adding(days: 1), seconds: 0)
        #expect(
            try await problem { try await fixture.handIn(strict, as: fixture.noah) }?.code == "coursework.closed")
        #expect(try await fixture.work(fixture.noah).first { $0.id == strict.id }?.status == .missed)
    }

    @Test(
        "a student's list shows the latest missing work and the next work at first, and all of a group when asked")
    func longList() async throws {
        let fixture = try await CourseworkFixture()
        func assign(_ title: String, dueIn days: Int) async throws -> Assignment {
            try await fixture.assign(
                title, with: ["dueDay": .text(fixture.today.adding(days: days).description)])
        }
        for number in 1...12 { _ = try await assign("Past \(number).", dueIn: number) }
        fixture.go(to: fixture.today.adding(days: 13), seconds: 0)
        for number in 1...22 { _ = try await assign("Next \(number).", dueIn: 20 + number) }
        func titles(_ word: String, _ query: [String: String] = [:]) async throws -> [String] {
            try await fixture.outline(AssignmentScreens.home, as: fixture.mia, query: query)
                .matches(of: /(Past|Next) \d+\./).map { String($0.output.0) }.filter { $0.hasPrefix(word) }
        }
        #expect(try await titles("Past") == (3...12).reversed().map { "Past \($0)." })
        #expect(try await titles("Next") == (1...20).map { "Next \($0)." })
        let page = try await fixture.outline(AssignmentScreens.home, as: fixture.mia)
        #expect(page.contains("Show all: Missing") && page.contains("Show all: Later"))
        #expect(try await titles("Past", ["show": "missed"]) == (1...12).reversed().map { "Past \($0)." })
        #expect(try await titles("Next", ["show": "later"]) == (1...22).map { "Next \($0)." })
    }

    @Test("an extension counts in the student's list, page, lateness and score, and for no one else")
    func extended() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["lateWork": "never", "latePenalty": 10])
        let due = try #require(one.dueDay)
        #expect(
            try await problem { _ = try await fixture.extend(one, fixture.mia, to: due.adding(days: -1)) }?.faults
                .first?.field == "dueDay")
        _ = try await fixture.extend(one, fixture.mia, to: due.adding(days: 2))
        fixture.go(to: due.adding(days: 1), seconds: 3600)
        let work = try #require(try await fixture.work(fixture.mia).first)
        #expect(work.status == .open && work.isOpen)
        #expect(try await fixture.work(fixture.noah).first?.status == .missed)
        try await fixture.handIn(one, as: fixture.mia)
        #expect(try await fixture.work(fixture.mia).first?.status == .handedIn)
        #expect(try await fixture.mark(one, fixture.mia, "20").score == "20")
        // Taken back, the same work is late.
        _ = try await fixture.extend(one, fixture.mia, to: nil)
        #expect(try await fixture.work(fixture.mia).first?.status == .handedInLate)
        let items = try await fixture.school.database.read {
            try fixture.grades.items(of: fixture.course.id, in: $0)
        }
        #expect(items.first?.marks.values.map { "\($0)" } == ["18"])
    }

    @Test("a draft is stored with its files, seen by no teacher, and handed in whole")
    func draft() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.saveDraft(one, as: fixture.mia, "Half", files: [fixture.file("plan.txt")])
        let draft = try await fixture.saveDraft(one, as: fixture.mia, "More", files: [fixture.file("map.txt")])
        #expect(draft.text == "More" && draft.files.map(\.name) == ["plan.txt", "map.txt"])
        #expect(try await fixture.work(fixture.mia).first?.status == .draft)
        let page = try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.mia)
        #expect(page.contains("More") && page.contains("plan.txt"))
        let marking = AssignmentScreens.marking(one.id, CourseworkFixture.id(fixture.mia))
        #expect(try await !fixture.outline(marking, as: fixture.teacher).contains("plan.txt"))
        let download = try #require(fixture.feature.endpoints.downloads.first)
        let file = ["assignmentId": one.id.text, "fileId": draft.files[0].id.text]
        #expect(try await download.file(file, fixture.school.context(of: fixture.mia)).contentType.isEmpty == false)
        for caller in [fixture.teacher, fixture.noah, fixture.stranger] {
            #expect(
                try await problem {
                    _ = try await download.file(file, fixture.school.context(of: caller))
                } == .notFound)
        }
        try await fixture.school.execute(
            DeleteWorkFile.self, ["assignmentId": .id(one.id), "fileId": .id(draft.files[0].id)], as: fixture.mia)
        let made = try await fixture.handIn(one, as: fixture.mia, "Done", files: [fixture.file("key.txt")])
        #expect(made.text == "Done" && made.files.map(\.name) == ["map.txt", "key.txt"])
        #expect(
            try await problem {
                try await fixture.school.execute(
                    DeleteWorkFile.self, ["assignmentId": .id(one.id), "fileId": .id(made.files[0].id)],
                    as: fixture.mia)
            }?.code == "coursework.fileHandedIn")
    }

    @Test(
        "what was handed in is read by the student, the parents and the course's teachers only",
        .requirement("WW-3.01.d"))
    func readers() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let made = try await fixture.handIn(one, as: fixture.mia, files: [fixture.file("essay.txt")])
        let download = try #require(fixture.feature.endpoints.downloads.first)
        let file = ["assignmentId": one.id.text, "fileId": made.files[0].id.text]
        for caller in [fixture.mia, fixture.mother, fixture.teacher, fixture.colleague, fixture.admin] {
            let answer = try await download.file(file, fixture.school.context(of: caller))
            #expect(answer.use == .attachment(name: "essay.txt"))
        }
        for caller in [fixture.noah, fixture.stranger] {
            #expect(
                try await problem { _ = try await download.file(file, fixture.school.context(of: caller)) }
                    == .notFound)
        }
    }

    @Test(
        "files keep their names in all scripts, and 30 of one name stay apart",
        arguments: ["Été 🌻 “quotes” #1.txt", "مقال.txt", "作文.txt", String(repeating: "é", count: 125) + ".txt"])
    func names(_ name: String) async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let made = try await fixture.handIn(one, as: fixture.mia, files: [fixture.file(name), fixture.file(name)])
        #expect(made.files.map(\.name) == [name, name])
    }

    @Test("an empty file and a file that lies about its kind are refused, and the fault names the file")
    func badFiles() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        for (name, content, code) in [
            ("empty.txt", "", "coursework.fileEmpty"), ("essay.pdf", "MZ program", "coursework.fileKind"),
            ("photo.jpg", "%PDF-1.7", "coursework.fileKind"),
        ] {
            let refusal = try await problem {
                try await fixture.handIn(one, as: fixture.mia, files: [fixture.file(name, content)])
            }
            #expect(refusal?.faults.map(\.code) == [code], "\(name)")
            #expect(refusal?.faults.first?.sentence(try fixture.school.environment.words()).contains(name) == true)
        }
        try await fixture.handIn(one, as: fixture.mia, files: [fixture.file("essay.pdf", "%PDF-1.7")])
        #expect(SubmissionFiles.name("../../etc/pass\u{202E}wd") == "passwd")
    }

    @Test("what the assignment does not take, an empty submission and a bad address are refused")
    func kinds() async throws {
        let fixture = try await CourseworkFixture()
        let text = try await fixture.assign(with: ["kinds": .list(["text"])])
        let paper = try await fixture.assign(with: ["kinds": .list([])])
        let any = try await fixture.assign()
        let refusals = [
            try await problem { try await fixture.handIn(text, as: fixture.mia, nil, link: "https://a.example") },
            try await problem { try await fixture.handIn(text, as: fixture.mia, files: [fixture.file("a.txt")]) },
            try await problem { try await fixture.handIn(any, as: fixture.mia, nil) },
            try await problem { try await fixture.handIn(any, as: fixture.mia, nil, link: "javascript:alert(1)") },
        ]
        #expect(
            refusals.map { $0?.faults.first?.code } == [
                "coursework.noLink", "coursework.noFiles", "coursework.empty", "coursework.link",
            ])
        #expect(
            try await problem { try await fixture.handIn(paper, as: fixture.mia) }?.code == "coursework.onPaper")
    }

    @Test("a student who left the course hands in no more, and the teachers still see the work")
    func left() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["attempts": 0])
        try await fixture.handIn(one, as: fixture.mia, "My essay")
        let mia = CourseworkFixture.id(fixture.mia)
        try await TestCourses.remove(mia, from: fixture.course.id, fixture.school.database)
        #expect(try await problem { try await fixture.handIn(one, as: fixture.mia) } == .notFound)
        #expect(try await fixture.work(fixture.mia).isEmpty)
        #expect(
            try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.teacher).contains(
                "Mia Roy (left)"))
        #expect(
            try await fixture.outline(AssignmentScreens.marking(one.id, mia), as: fixture.teacher)
                .contains("My essay"))
        #expect(try await fixture.mark(one, fixture.mia, "12").points == "12")
    }

    @Test("the receipt has the time, the files and their sizes")
    func receipt() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let made = try await fixture.handIn(
            one, as: fixture.mia,
            files: [fixture.file("essay.txt", String(repeating: "a", count: 5 << 10)), fixture.file("map.txt")])
        let page = try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.mia)
        #expect(page.contains("2 files, 5 KB") && page.contains("essay.txt") && page.contains("on time"))
        #expect(page.contains(String(made.id.text.suffix(8)).uppercased()))
    }

    @Test("a parent sees the child's work and can change nothing")
    func parent() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.handIn(one, as: fixture.mia, "My essay")
        let path = AssignmentScreens.path(one.id)
        #expect(try await fixture.outline(path, as: fixture.mother).contains("My essay"))
        let page = try await fixture.school.environment.page(path, as: fixture.mother)
        #expect(try page.endpoints().isEmpty)
        #expect(try await problem { try await fixture.handIn(one, as: fixture.mother) }?.status == 403)
    }

    @Test("the teachers of the course are notified of work that was handed in")
    func notification() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Silk road")
        try await fixture.handIn(one, as: fixture.mia)
        let logged = try #require(
            try await fixture.school.changes().first { $0.change.kind == "coursework.submitted" })
        #expect(logged.change.audience.contains(.teachers(of: fixture.course.id)))
        let kind = try #require(fixture.feature.notifications.kinds.first { $0.kind == "coursework.submitted" })
        let (text, path) = try await kind.show(logged, fixture.school.context(of: fixture.teacher))
        #expect(text.contains("Mia Roy") && text.contains("Silk road"))
        #expect(path == AssignmentScreens.marking(one.id, CourseworkFixture.id(fixture.mia)))
    }

    @Test("the list of a student and the counts of work to score use indexes")
    func plans() async throws {
        let fixture = try await CourseworkFixture()
        let ids = [fixture.course.id]
        try await fixture.school.expectIndexed(
            AssignmentRepository.seen(of: ids, by: CourseworkFixture.id(fixture.mia), at: fixture.school.clock.now))
        try await fixture.school.expectIndexed(MarkRepository.unmarked(of: ids))
    }

    @Test(
        "a student's files are listed by course and assignment with kind, date and size, and deleted from there",
        .requirement("WW-3.01.a", "WW-3.01.b", "WW-3.01.c", "WW-3.02.a", "WW-3.02.b", "WW-3.03.b", "WW-3.03.c"))
    func fileManager() async throws {
        let fixture = try await CourseworkFixture()
        let (one, other) = (try await fixture.assign("Silk road"), try await fixture.assign("Biology"))
        try await fixture.handIn(one, as: fixture.mia, files: [fixture.file("map.pdf", "%PDF-1.7")])
        try await fixture.saveDraft(other, as: fixture.mia, files: [fixture.file("leaf.txt")])
        let listed = try await fixture.school.answer(ListFiles.self, as: fixture.mia).items
        #expect(Set(listed.map(\.name)) == ["map.pdf", "leaf.txt"] && Set(listed.map(\.kind)) == [.pdf, .text])
        #expect(listed.allSatisfy { $0.size > 0 && $0.addedAt == fixture.school.clock.now })
        let page = try await fixture.outline(FileScreens.path, as: fixture.mia)
        for text in ["Silk road", "Biology", "Algebra", "map.pdf", "leaf.txt", "1 KB"] {
            #expect(page.contains(text), "\(text)")
        }
        let screen = try await fixture.school.environment.page(FileScreens.path, as: fixture.mia)
        let files = screen.cells
        #expect(files.allSatisfy { if case .open = $0.action { true } else { false } })
        // What was handed in stays for the teacher.
        #expect(files.filter { !$0.menu.isEmpty }.map(\.title) == ["leaf.txt"])
        let draft = try #require(listed.first { !$0.isHandedIn })
        try await fixture.school.execute(
            DeleteWorkFile.self, ["assignmentId": .id(other.id), "fileId": .id(draft.id)], as: fixture.mia)
        #expect(try await !fixture.outline(FileScreens.path, as: fixture.mia).contains("leaf.txt"))
        #expect(try await fixture.school.answer(ListFiles.self, as: fixture.noah).items.isEmpty)
    }

    /// Documents of two pages.
    private struct TwoPages: DocumentPages {
        func sizes(of document: StoredDocument) async throws(DocumentFault) -> [DocumentPageSize] {
            [DocumentPageSize(width: 1240, height: 1754), DocumentPageSize(width: 1754, height: 1240)]
        }
        func page(_ number: Int, of document: StoredDocument) async throws(DocumentFault) -> URL {
            guard number <= 2 else { throw .unreadable }
            return document.file
        }
        var store: DerivedStore {
            DerivedStore("test.pages", places: [], erasePeople: { _ in }, eraseSchool: { _ in })
        }
    }

    @Test(
        "the file manager shows a file's preview: the picture, the pages of a document, or the text",
        .requirement("WW-3.03.a"))
    func previews() async throws {
        let fixture = try await CourseworkFixture(pages: TwoPages())
        let one = try await fixture.assign("Silk road")
        try await fixture.handIn(
            one, as: fixture.mia,
            files: [
                fixture.file("map.pdf", "%PDF-1.7"), fixture.file("notes.txt", "Samarkand"),
                UploadedFile(name: "photo.jpg", contentType: "image/jpeg", bytes: TestPictures.photo),
            ])
        let listed = try await fixture.school.answer(ListFiles.self, as: fixture.mia).items
        func preview(_ name: String, as caller: Caller) async throws -> String {
            let file = try #require(listed.first { $0.name == name })
            return try await fixture.outline("\(FileScreens.path)/\(file.id.text)", as: caller)
        }
        let document = try await preview("map.pdf", as: fixture.mia)
        #expect(document.contains("Page 1 of 2, map.pdf") && document.contains("Page 2 of 2, map.pdf"))
        #expect(try await preview("notes.txt", as: fixture.mia).contains("Samarkand"))
        let photo = try #require(listed.first { $0.name == "photo.jpg" })
        let shown = try await fixture.school.environment.page(
            "\(FileScreens.path)/\(photo.id.text)", as: fixture.mia)
        #expect(
            shown.components.contains { if case .image(let image) = $0 { image.alt == "photo.jpg" } else { false } }
        )
        for caller in [fixture.noah, fixture.mother] {
            #expect(try await problem { _ = try await preview("map.pdf", as: caller) } != nil)
        }
    }

    @Test("the pages of a document are read by those who may read the document, and a page beyond the end is none")
    func pages() async throws {
        let fixture = try await CourseworkFixture(pages: TwoPages())
        let one = try await fixture.assign()
        let made = try await fixture.handIn(one, as: fixture.mia, files: [fixture.file("map.pdf", "%PDF-1.7")])
        let route = try #require(fixture.feature.endpoints.downloads.first { $0.path.hasSuffix("/pages/{page}") })
        func page(_ number: String, as caller: Caller) async throws -> DownloadedFile {
            let place = ["assignmentId": one.id.text, "fileId": made.files[0].id.text, "page": number]
            return try await route.file(place, fixture.school.context(of: caller))
        }
        #expect(try await page("1", as: fixture.teacher).contentType == "image/jpeg")
        #expect(try await page("2", as: fixture.mother).contentType == "image/jpeg")
        for (number, caller) in [
            ("3", fixture.mia), ("x", fixture.mia), ("1", fixture.noah), ("1", fixture.stranger),
        ] {
            #expect(try await problem { _ = try await page(number, as: caller) } == .notFound)
        }
    }

    @Test(
        "a document that cannot be shown says why, in both languages, and its download works",
        arguments: DocumentFault.allCases)
    func unshown(_ fault: DocumentFault) async throws {
        let fixture = try await CourseworkFixture(pages: NoPages(fault: fault))
        let one = try await fixture.assign()
        let made = try await fixture.handIn(one, as: fixture.mia, files: [fixture.file("map.pdf", "%PDF-1.7")])
        let path = AssignmentScreens.marking(one.id, CourseworkFixture.id(fixture.mia))
        let words = try fixture.school.environment.words()
        #expect(
            try await fixture.outline(path, as: fixture.teacher)
                .contains(words("coursework.document.\(fault.rawValue)")))
        let download = try #require(fixture.feature.endpoints.downloads.first)
        let file = ["assignmentId": one.id.text, "fileId": made.files[0].id.text]
        #expect(
            try await download.file(file, fixture.school.context(of: fixture.teacher)).use
                == .attachment(name: "map.pdf"))
    }
}
