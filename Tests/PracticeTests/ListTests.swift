import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Practice

@Suite("Word lists")
struct ListTests {
    @Test("a student makes a list for themselves, with hints, and nobody else sees it")
    func own() async throws {
        let fixture = try await PracticeFixture()
        let list = try await fixture.list()
        let words = try await fixture.words(list)
        #expect(words.map(\.word) == ["garden", "river"])
        #expect(words.map(\.hint) == ["Roses grow in the garden.", nil])
        for other in [fixture.noah, fixture.teacher, fixture.guide] {
            #expect(try await problem { _ = try await fixture.words(list, as: other) }?.status == 404)
            #expect(try await !fixture.outline("/tools/spelling", as: other).contains("Week 12"))
        }
        #expect(try await fixture.outline("/tools/spelling/lists", as: fixture.mia).contains("Week 12"))
    }

    @Test("a teacher's list is for the students of the course, who cannot change it")
    func shared() async throws {
        let fixture = try await PracticeFixture()
        let list = try await fixture.courseList()
        #expect(try await fixture.words(list, as: fixture.noah).map(\.word) == ["garden", "river"])
        #expect(try await problem { _ = try await fixture.words(list, as: fixture.stranger) }?.status == 404)
        let fields: InputValue = [
            "listId": .id(list.id), "name": "Mine", "language": "en", "words": "other",
        ]
        for other in [fixture.noah, fixture.stranger] {
            let refused = try await problem {
                _ = try await fixture.school.execute(UpdateWordList.self, fields, as: other)
            }
            #expect(refused?.status == 404)
            let kept = try await problem {
                _ = try await fixture.school.execute(DeleteWordList.self, ["listId": .id(list.id)], as: other)
            }
            #expect(kept?.status == 404)
        }
        let foreign = try await problem {
            _ = try await fixture.list("word", ["courseId": .id(fixture.course.id)], as: fixture.noah)
        }
        #expect(foreign?.status == 404, "a student cannot give a list to the course")
    }

    @Test("the section of a course is for its students and teachers, and only teachers may make a list there")
    func section() async throws {
        let fixture = try await PracticeFixture()
        let section = try #require(fixture.feature.pages.sections.first { $0.subject.name == "course" })
        func shown(_ caller: Caller) async throws -> String? {
            guard caller.may(section.permission) else { return nil }
            let request = ScreenRequest(
                context: try await fixture.school.context(of: caller), path: "/courses", parameters: [:], query: [:]
            )
            return Outline(try await section.make(fixture.course.id, request)).description
        }
        let (teacher, empty) = (try await shown(fixture.teacher), try await shown(fixture.mia))
        #expect(teacher?.contains("New word list") == true && empty?.contains("Week 12") == false)
        let list = try await fixture.courseList()
        let lists = (try await shown(fixture.teacher), try await shown(fixture.mia))
        #expect(lists.0?.contains("-> \(WordListScreens.path(list.id))") == true, "a teacher edits it")
        #expect(lists.1?.contains("-> \(WordListScreens.practice(list.id))") == true, "a student practices it")
        #expect(lists.1?.contains("New word list") == false)
        for other in [fixture.stranger, fixture.guide] {
            #expect(try await shown(other)?.contains("Week 12") == false)
        }
        #expect(try await shown(fixture.parent) == nil)
    }

    @Test("the search finds the list of a course for its people, and not for their families")
    func readers() async throws {
        let fixture = try await PracticeFixture()
        let list = try await fixture.courseList()
        let (feature, school) = (fixture.feature, fixture.school)
        let documents = try await school.database.read {
            try WordListSearch.source.documents([list.id], school.organization.id, $0)
        }
        #expect(documents.map(\.title) == ["Week 12"])
        for (caller, finds) in [(fixture.mia, true), (fixture.stranger, false), (fixture.parent, false)] {
            let membership = try #require(caller.membership)
            let audiences = try await school.database.read { sql in
                try feature.access.audiences.all(for: membership, in: sql)
            }
            #expect(audiences.isDisjoint(with: documents[0].readers) != finds)
        }
        #expect(!list.readers.contains(.course(fixture.course.id)))
    }

    @Test(
        "a list is read from lines: spaces, empty lines and repetitions do not matter, and scripts of any direction do",
        arguments: [
            ("cat\n\n  dog  \ncat\n", ["cat", "dog"]), ("cat\r\ndog", ["cat", "dog"]),
            ("garden\tRoses", ["garden"]), ("e\u{301}te\u{301}", ["été"]),
            ("aujourd'hui\narc-en-ciel", ["aujourd'hui", "arc-en-ciel"]),
            ("مدرسة\nשָׁלוֹם\nपढ़ना", ["مدرسة", "שָׁלוֹם", "पढ़ना"]), ("new york", ["new york"]),
        ])
    func lines(_ text: String, _ expected: [String]) throws {
        let read = try WordListText(reading: text, field: "words")
        #expect(read.lines.map(\.word) == expected.map(\.precomposedStringWithCanonicalMapping))
        #expect(try WordListText(reading: read.text, field: "words") == read, "what is edited again stays the same")
    }

    @Test(
        "a line without a word is named with its number and what to do, in the reader's language",
        arguments: [
            ("cat\n🍎", "notAWord", 2), ("cat🍎", "notAWord", 1), ("7\ncat", "notAWord", 1), ("<b>", "notAWord", 1),
            ("= only a hint", "notAWord", 1), ("☺️", "notAWord", 1), ("cat = a 🍎", "emojiHint", 1),
            (String(repeating: "a", count: 61), "longWord", 1),
            ("a = " + String(repeating: "b", count: 201), "longHint", 1),
        ])
    func refused(_ text: String, _ code: String, _ line: Int) async throws {
        let fixture = try await PracticeFixture()
        let refused = try #require(try await problem { _ = try await fixture.list(text) })
        let fault = try #require(refused.faults.first)
        #expect(fault.field == "words" && fault.code == "practice.\(code)")
        #expect(fault.arguments.first == .number(line))
        for language in Language.allCases {
            let sentence = fault.sentence(Words(language, [fixture.feature.catalog]))
            #expect(sentence.contains("\(line)") && !sentence.contains("practice."), "\(sentence)")
        }
        #expect(
            try await fixture.school.answer(ListWordLists.self, as: fixture.mia).items.isEmpty, "nothing is stored")
    }

    @Test("a list has 2,000 words at most, and an empty one is refused")
    func sizes() async throws {
        let fixture = try await PracticeFixture()
        func words(_ count: Int) -> String {
            (0..<count).map { number in
                String(String(number).map { Character(UnicodeScalar(UInt8($0.asciiValue ?? 48) + 49)) })
            }.joined(separator: "\n")
        }
        let list = try await fixture.list(words(2000))
        #expect(try await fixture.words(list).count == 2000)
        let over = try await problem { _ = try await fixture.list(words(2001)) }
        #expect(over?.faults.map(\.code) == ["practice.manyWords"])
        let empty = try await problem { _ = try await fixture.list(" \n ") }
        #expect(empty?.faults.first?.field == "words")
    }

    @Test("after a change words that stay keep their id and recording")
    func edits() async throws {
        let fixture = try await PracticeFixture()
        let list = try await fixture.list("garden\nriver\nlake")
        let before = try await fixture.words(list)
        _ = try await fixture.school.execute(
            UpdateWordList.self,
            [
                "listId": .id(list.id), "name": "Water", "language": "en",
                "words": "lake\nsea\nriver = It flows.",
            ], as: fixture.mia)
        let after = try await fixture.words(list)
        #expect(after.map(\.word) == ["lake", "sea", "river"])
        #expect(after[0].id == before[2].id && after[2].id == before[1].id && after[2].hint == "It flows.")
    }

    @Test("a form that was opened before another teacher saved does not overwrite")
    func versions() async throws {
        let fixture = try await PracticeFixture()
        let list = try await fixture.courseList()
        let version = try await list.version(fixture.words(list, as: fixture.teacher).asText)
        func save(_ words: String) async throws {
            _ = try await fixture.school.execute(
                UpdateWordList.self,
                [
                    "listId": .id(list.id), "name": "Week 12", "language": "en", "courseId": .id(fixture.course.id),
                    "words": .text(words), "version": .text(version.text),
                ], as: fixture.teacher)
        }
        try await save("garden\nsea")
        let refused = try await problem { try await save("garden\nlake") }
        #expect(refused?.status == 409 && refused?.code == ContentVersion.changed)
        #expect(try await fixture.words(list).map(\.word) == ["garden", "sea"])
    }

    // MARK: - Recordings

    private let sound = UploadedFile(
        name: "voice", contentType: "audio/ogg", bytes: Array("OggS and a clear voice".utf8))

    private func speak(
        _ word: ListedWord, _ fixture: PracticeFixture, _ file: UploadedFile? = nil, as caller: Caller
    ) async throws {
        _ = try await fixture.school.execute(
            RecordWord.self,
            ["wordId": .id(word.id), "audio": .list([.file(file ?? sound)]), "seconds": 2], as: caller)
    }

    private func hear(
        _ word: ListedWord, _ fixture: PracticeFixture, as caller: Caller
    ) async throws -> DownloadedFile {
        let route = try #require(fixture.feature.endpoints.downloads.first)
        return try await route.file(
            ["wordId": word.id.text, "hash": word.recording?.text ?? ""], fixture.school.context(of: caller))
    }

    @Test("a teacher speaks a word, its students hear it, and strangers do not")
    func recordings() async throws {
        let fixture = try await PracticeFixture()
        let list = try await fixture.courseList()
        let word = try await fixture.words(list)[0]
        try await speak(word, fixture, as: fixture.teacher)
        let spoken = try await fixture.words(list)[0]
        #expect(spoken.recordingPath?.hasPrefix("/tools/spelling/words/\(word.id.text)/") == true)
        #expect(try await hear(spoken, fixture, as: fixture.noah).contentType == "audio/ogg")
        #expect(try await problem { _ = try await hear(spoken, fixture, as: fixture.stranger) }?.status == 404)
        #expect(try await problem { try await speak(word, fixture, as: fixture.noah) }?.status == 404)
        let page = try await fixture.outline(WordListScreens.word(word.id), as: fixture.teacher)
        #expect(page.contains("garden") && page.contains("Next word"))

        for _ in 0..<2 {
            _ = try await fixture.school.execute(
                DeleteWordRecording.self, ["wordId": .id(word.id)], as: fixture.teacher)
        }
        #expect(try await fixture.words(list)[0].recording == nil)
    }

    @Test("a file that is no sound is refused, and says which files are")
    func noSound() async throws {
        let fixture = try await PracticeFixture()
        let word = try await fixture.words(fixture.list())[0]
        let text = UploadedFile(name: "voice", contentType: "audio/ogg", bytes: Array("a text".utf8))
        let refused = try await problem { try await speak(word, fixture, text, as: fixture.mia) }
        #expect(refused?.faults.map(\.code) == ["practice.notSound"])
    }
}
