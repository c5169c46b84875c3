import AssessmentModel
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Assessment

/// Questions and files of the exchange tests.
enum ExchangeSample {
    static let qti = QTI(
        markup: { text, _ in "<p>\(QTI.escaped(text).replacing("&#10;", with: "<br/>"))</p>" },
        option: { text, _ in QTI.escaped(text) })

    private static func option(_ text: String, _ isRight: Bool, _ share: Int? = nil) -> QuestionOption {
        QuestionOption(id: UUID(), text: text, isRight: isRight, share: share)
    }

    /// A question of every kind, with signs that formats use themselves.
    static let questions: [Question] = {
        let signs = "x < 3 & \"y\" = {z} ]]> ?> ~ # : \\ 100 % * _ `\n\nLine two\n\n  L'été « oui »"
        return [
            Question(
                id: UUID(), kind: .multipleChoice, text: signs, options: [option(signs, true), option("b", false)],
                points: 14, explanation: signs),
            Question(
                id: UUID(), kind: .multipleChoice, text: "Several?",
                options: [option("a", true, 3333), option("b", true, 6667), option("c", false, -5000)]),
            Question(
                id: UUID(), kind: .multipleChoice, text: "Three?",
                options: [option("a", true), option("b", true), option("c", true), option("d", false)]),
            Question(
                id: UUID(), kind: .trueFalse, text: "True?",
                options: Question.trueFalseOptions(isTrue: false, ids: (UUID(), UUID()))),
            Question(
                id: UUID(), kind: .shortAnswer, text: "Word?", accepted: [["Élève", "a=b"]], ignoresAccents: true),
            Question(
                id: UUID(), kind: .fillInTheBlank, text: "{{blank}} and `{{blank}}`",
                accepted: [["a", "b"], ["c"]]),
            Question(
                id: UUID(), kind: .fillInTheBlank, text: "At the end {{blank}}", accepted: [["a"]], points: 250),
            Question(id: UUID(), kind: .numeric, text: "Pi?", accepted: [["3.14", "-2e3"]], tolerance: "0.01"),
        ]
    }()

    /// The content of a question without its ids.
    static func content(_ question: Question) -> [String] {
        [
            question.kind.rawValue, question.text, question.tolerance ?? "", question.explanation ?? "",
            question.points.map(String.init) ?? "", "\(question.ignoresAccents)", "\(question.accepted)",
            "\(question.options.map { [$0.text, "\($0.isRight)", "\($0.share ?? -1)"] })",
        ]
    }

    static func package(_ questions: [Question]) -> [(name: String, bytes: [UInt8])] {
        qti.package(questions, title: "Quiz", points: 100).map { ($0.name, Array($0.text.utf8)) }
    }

    static func item(_ declarations: String, _ body: String, _ processing: String) -> String {
        """
        <?xml version="1.0"?><!-- made by another program -->
        <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="Title">
        \(declarations)<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
        <itemBody>\(body)</itemBody>\(processing)</assessmentItem>
        """
    }

    static func template(_ name: String) -> String {
        "<responseProcessing template=\"http://www.imsglobal.org/question/qti_v2p1/rptemplates/\(name)\"/>"
    }

    static let moodle = """
        <?xml version="1.0" encoding="UTF-8"?>
        <quiz>
        <question type="category"><category><text>$course$/Tests</text></category></question>
        <question type="multichoice"><name><text>Several</text></name>
        <questiontext format="html"><text><![CDATA[<p>Which are <b>large</b>?</p>]]></text></questiontext>
        <generalfeedback format="html"><text>Because.</text></generalfeedback>
        <defaultgrade>2.5000000</defaultgrade><single>false</single>
        <answer fraction="33.33333"><text>Africa</text></answer><answer fraction="33.33333"><text>Asia</text></answer>
        <answer fraction="33.33333"><text>Tom &amp; Jerry</text></answer><answer fraction="-100"><text>Rome</text></answer>
        </question>
        <question type="truefalse"><name><text>TF</text></name><questiontext format="html"><text>True?</text></questiontext>
        <answer fraction="0"><text>true</text></answer><answer fraction="100"><text>false</text></answer></question>
        <question type="shortanswer"><name><text>Short</text></name>
        <questiontext format="html"><text>Word?</text></questiontext>
        <answer fraction="100"><text>Élève</text></answer><answer fraction="0"><text>*</text></answer></question>
        <question type="numerical"><name><text>Number</text></name>
        <questiontext format="plain_text"><text>Pi?</text></questiontext>
        <answer fraction="100"><text>3.14</text><tolerance>0.01</tolerance></answer></question>
        <question type="multichoice"><name><text>33 &amp; &lt;strong&gt;</text></name>
        <questiontext format="html"><text>Three?</text></questiontext><single>false</single>
        <answer fraction="33"><text>a</text></answer><answer fraction="33.33333"><text>b</text></answer>
        <answer fraction="33.33333"><text>c</text></answer></question>
        <question type="matching"><name><text>Pairs</text></name><questiontext><text>Match.</text></questiontext></question>
        <question type="shortanswer"><name><text>Half</text></name><questiontext><text>Half?</text></questiontext>
        <answer fraction="100"><text>a</text></answer><answer fraction="50"><text>b</text></answer></question>
        <question type="truefalse"><name><text>Seen</text></name>
        <questiontext format="html"><text><![CDATA[<img src="@@PLUGINFILE@@/a.png">]]></text>
        <file name="b.png" encoding="base64">AAAA</file></questiontext>
        <answer fraction="100"><text>true</text></answer></question>
        </quiz>
        """
}

@Suite("Exchange of questions as QTI and Moodle XML")
struct ExchangeTests {
    private func read(_ item: String) -> ImportedQuestions {
        ExchangeSample.qti.read([("item.xml", Array(item.utf8))]) { UUID() }
    }

    @Test(
        "an export in QTI 3.0 that is imported again has the same questions in the same order",
        .requirement("BY-1.20.d"))
    func roundTrip() {
        let questions = ExchangeSample.questions
        let again = ExchangeSample.qti.read(ExchangeSample.package(questions).reversed()) { UUID() }
        #expect(again.leftOut == [])
        #expect(again.questions.map(\.kind) == questions.map(\.kind))
        for (found, written) in zip(again.questions, questions) {
            #expect(ExchangeSample.content(found) == ExchangeSample.content(written))
        }
        #expect(Set(again.questions.map(\.id)).isDisjoint(with: questions.map(\.id)))
    }

    @Test(
        "a program that drops the exact content still leaves each question with its key and points",
        .requirement("BY-1.20.b"))
    func withoutExactContent() {
        let questions = ExchangeSample.questions.filter { !$0.text.contains("`{{blank}}`") }
        let files = ExchangeSample.package(questions).map { file in
            let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
            return (file.name, Array(lines.filter { !$0.hasPrefix("<?pinktower") }.joined(separator: "\n").utf8))
        }
        let again = ExchangeSample.qti.read(files) { UUID() }
        #expect(again.leftOut == [])
        for (found, written) in zip(again.questions, questions) {
            #expect(found.options.map(\.isRight) == written.options.map(\.isRight))
            #expect(found.options.map(\.share) == written.options.map(\.share))
            #expect(found.tolerance == written.tolerance && found.points == written.points ?? 100)
            let isAtEnd = written.text.hasSuffix(Blanks.mark)
            #expect(found.kind == (isAtEnd ? .shortAnswer : written.kind))
            if written.kind != .numeric { #expect(found.accepted == written.accepted) }
        }
    }

    @Test("an item that another program changed counts as it is now")
    func changed() throws {
        let file = ExchangeSample.package([ExchangeSample.questions[4]])[2]
        let text = String(decoding: file.bytes, as: UTF8.self)
        let edited = text.replacing("map-key=\"a=b\"", with: "map-key=\"pupil\"")
        #expect(edited != text)
        let question = try #require(read(edited).questions.first)
        #expect(question.accepted == [["Élève", "pupil"]])
        #expect(read(text).questions.first?.accepted == [["Élève", "a=b"]])
    }

    @Test("choices of QTI 2.1 are read with their rule of marking", .requirement("BY-1.20.b"))
    func choices() throws {
        let map = ["a", "b", "c"].map { "<simpleChoice identifier=\"\($0)\"><p>\($0) &lt; 3</p></simpleChoice>" }
            .joined()
        func item(_ cardinality: String, _ key: String, _ template: String) -> String {
            ExchangeSample.item(
                """
                <responseDeclaration identifier="R" cardinality="\(cardinality)" baseType="identifier">\(key)\
                </responseDeclaration>
                """,
                "<p>Stem</p><choiceInteraction responseIdentifier=\"R\"><prompt>Which?</prompt>\(map)</choiceInteraction>",
                ExchangeSample.template(template))
        }
        let correct = "<correctResponse><value>b</value></correctResponse>"
        let single = try #require(read(item("single", correct, "match_correct")).questions.first)
        #expect(single.text == "Stem\n\nWhich?" && single.kind == .multipleChoice)
        #expect(single.options.map(\.text) == ["a < 3", "b < 3", "c < 3"])
        #expect(single.options.map(\.isRight) == [false, true, false])
        let mapping = """
            <mapping lowerBound="0" upperBound="2" defaultValue="-1"><mapEntry mapKey="a" mappedValue="1"/>\
            <mapEntry mapKey="b" mappedValue="1"/></mapping>
            """
        let several = try #require(read(item("multiple", mapping, "map_response")).questions.first)
        #expect(several.options.map(\.isRight) == [true, true, false])
        #expect(several.options.allSatisfy { $0.share == nil })
        let own = mapping.replacing("mapKey=\"b\" mappedValue=\"1\"", with: "mapKey=\"b\" mappedValue=\"0.5\"")
            .replacing("upperBound=\"2\"", with: "upperBound=\"1.5\"")
        let shares = try #require(read(item("multiple", own, "map_response")).questions.first)
        #expect(shares.options.map(\.share) == [6667, 3333, -6667])
        let unreachable = mapping.replacing("upperBound=\"2\"", with: "upperBound=\"5\"")
        #expect(read(item("multiple", unreachable, "map_response")).leftOut.map(\.reason) == [.rule])
        let point = read(item("single", correct, "map_response_point"))
        #expect(point.leftOut.map(\.reason) == [.rule] && point.leftOut.map(\.title) == ["Title"])
    }

    @Test("typed answers of QTI 2.1 are blanks, short answers and numbers", .requirement("BY-1.20.b"))
    func typed() throws {
        func item(_ type: String, _ key: String, _ body: String, _ processing: String) -> String {
            ExchangeSample.item(
                "<responseDeclaration identifier='R' cardinality='single' baseType='\(type)'>\(key)</responseDeclaration>",
                body, processing)
        }
        let entry = "<textEntryInteraction responseIdentifier='R'/>"
        let key = """
            <mapping><mapEntry mapKey='York' mappedValue='1'/><mapEntry mapKey='york' mappedValue='1'/></mapping>
            """
        let map = ExchangeSample.template("map_response")
        let inside = try #require(read(item("string", key, "<p>Sun of \(entry); and.</p>", map)).questions.first)
        #expect(inside.kind == .fillInTheBlank && inside.text == "Sun of {{blank}}; and.")
        #expect(inside.accepted == [["York"]])
        let end = try #require(read(item("string", key, "<p>Who?</p><p>\(entry)</p>", map)).questions.first)
        #expect(end.kind == .shortAnswer && end.text == "Who?")
        let half = key.replacing("'york' mappedValue='1'", with: "'Lancaster' mappedValue='0.5'")
        #expect(read(item("string", half, "<p>Who? \(entry)</p>", map)).leftOut.map(\.reason) == [.rule])
        let number = "<correctResponse><value>3.14</value></correctResponse>"
        let within = """
            <responseProcessing><responseCondition><responseIf><equal toleranceMode='absolute' tolerance='0.01 0.01'>\
            <variable identifier='R'/><correct identifier='R'/></equal></responseIf></responseCondition></responseProcessing>
            """
        let pi = try #require(read(item("float", number, "<p>Pi? \(entry)</p>", within)).questions.first)
        #expect(pi.kind == .numeric && pi.accepted == [["3.14"]] && pi.tolerance == "0.01")
        let relative = within.replacing("absolute", with: "relative")
        #expect(read(item("float", number, "<p>Pi? \(entry)</p>", relative)).leftOut.map(\.reason) == [.rule])
    }

    @Test("items without a counterpart are listed by title with the reason", .requirement("BY-1.20.e"))
    func leftOut() {
        let essay = ExchangeSample.item("", "<p>Write.</p><extendedTextInteraction responseIdentifier='R'/>", "")
        #expect(read(essay).leftOut == [.init(title: "Title", reason: .kind)])
        let seen = ExchangeSample.item(
            "<responseDeclaration identifier='R' cardinality='single' baseType='string'/>",
            "<p><img src='a.png' alt=''/></p><textEntryInteraction responseIdentifier='R'/>", "")
        #expect(read(seen).leftOut == [.init(title: "Title", reason: .picture)])
        #expect(read(String(essay.dropLast(30))).leftOut == [.init(title: "item.xml", reason: .unreadable)])
        #expect(read("<other/>").leftOut == [.init(title: "item.xml", reason: .kind)])
    }

    @Test("the kinds of Moodle are read, and the others are listed")
    func moodle() throws {
        let read = try #require(MoodleXML.read(Array(ExchangeSample.moodle.utf8)) { UUID() })
        #expect(read.questions.map(\.kind) == [.multipleChoice, .trueFalse, .shortAnswer, .numeric])
        let several = read.questions[0]
        #expect(
            several.text == "Which are **large**?" && several.explanation == "Because." && several.points == 250)
        #expect(several.options.map(\.text) == ["Africa", "Asia", "Tom & Jerry", "Rome"])
        #expect(several.options.map(\.share) == [3333, 3333, 3333, -10_000])
        #expect(read.questions[1].options.map(\.isRight) == [false, true])
        #expect(read.questions[2].accepted == [["Élève"]])
        #expect(read.questions[3].accepted == [["3.14"]] && read.questions[3].tolerance == "0.01")
        #expect(
            read.leftOut == [
                .init(title: "33 & <strong>", reason: .rule), .init(title: "Pairs", reason: .kind),
                .init(title: "Half", reason: .rule),
                .init(title: "Seen", reason: .picture),
            ])
        #expect(MoodleXML.read(Array(ExchangeSample.moodle.utf8.dropLast(50))) { UUID() } == nil)
        #expect(MoodleXML.read(Array("<other/>".utf8)) { UUID() } == nil)
    }

    @Test("files of 10,000 questions are read")
    func many() throws {
        let question = """
            <question type="truefalse"><name><text>N</text></name><questiontext format="html"><text>True?</text>\
            </questiontext><answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text>\
            </answer></question>
            """
        let file = "<quiz>" + String(repeating: question, count: 10_000) + "</quiz>"
        #expect(try #require(MoodleXML.read(Array(file.utf8)) { UUID() }).questions.count == 10_000)
    }

    // MARK: - The command

    @discardableResult
    private func execute(
        _ fixture: QuizFixture, _ quiz: Quiz, _ name: String, _ bytes: [UInt8], leavesOut: Bool = false
    ) async throws -> ImportAnswer {
        try await fixture.school.execute(
            ImportQuestions.self,
            [
                "quizId": .id(quiz.id), "leavesOut": .bool(leavesOut),
                "file": .file(UploadedFile(name: name, contentType: "application/octet-stream", bytes: bytes)),
            ], as: fixture.teacher)
    }

    @Test(
        "a teacher imports a file, whatever its name, and a refusal names what would be left out",
        .requirement("BY-1.20.e"))
    func imports() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let moodle = Array(ExchangeSample.moodle.utf8)
        let refused = try await problem { try await execute(fixture, quiz, "a.bin", moodle) }
        #expect(refused?.faults.first?.code == "assessment.leftOut" && refused?.faults.first?.field == "file")
        let names = refused?.faults.first?.arguments.last
        #expect(
            names
                == .text(
                    "33 & <strong> (is marked by a rule that does not exist here); Pairs (no such kind of question here); Half (is marked by a rule that does not exist here); Seen (contains a picture that is not in the file or cannot be read)"
                ))
        #expect(try await execute(fixture, quiz, "a.bin", moodle, leavesOut: true).count == 4)
        #expect(try await execute(fixture, quiz, "b.txt", Array("Two?{=2 ~3}".utf8)).count == 1)
        let item = ExchangeSample.package([ExchangeSample.questions[4]])[2]
        #expect(try await execute(fixture, quiz, item.name, item.bytes).count == 1)
        let read = try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(read.questions.count == 6)
    }

    @Test("a quiz that is exported as a package has the same questions in the quiz into which it is imported")
    func package() async throws {
        let fixture = try await QuizFixture()
        let (first, second) = (try await fixture.quiz(), try await fixture.quiz(["title": "Copy"]))
        try await fixture.choice(first, ["Tom & Jerry", "x < 3", "100 %"], right: 2)
        try await fixture.short(first, "don’t\nl'été", points: "0.14")
        let route = try #require(fixture.feature.endpoints.downloads.first { $0.path.hasSuffix("questions.zip") })
        let file = try await route.file(["quizId": first.id.text], fixture.school.context(of: fixture.teacher))
        let bytes = try file.content.bytes()
        #expect(try await execute(fixture, second, "copy.zip", bytes).count == 2)
        func questions(_ quiz: Quiz) async throws -> [Question] {
            try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher).questions
        }
        let (written, found) = (try await questions(first), try await questions(second))
        #expect(found.map(ExchangeSample.content) == written.map(ExchangeSample.content))
    }

    @Test("a file that is damaged, cut in half or of another format changes nothing")
    func refusals() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        func code(_ bytes: [UInt8]) async throws -> String? {
            try await problem { try await execute(fixture, quiz, "a.xml", bytes) }?.faults.first?.code
        }
        let moodle = Array(ExchangeSample.moodle.utf8)
        #expect(try await code(Array(moodle.prefix(moodle.count / 2))) == "assessment.damagedFile")
        #expect(try await code(Array("<html/>".utf8)) == "assessment.unknownFile")
        #expect(try await code([0x25, 0x50, 0x44, 0x46, 0x00, 0x01, 0x02, 0x00]) == "assessment.unknownFile")
        #expect(try await code(Array("  \n".utf8)) == "assessment.nothingRead")
        #expect(try await code([0x50, 0x4B, 0x03, 0x04]) == "assessment.damagedFile")
        let bomb = "<!DOCTYPE quiz [<!ENTITY a \"b\">]><quiz>&a;</quiz>"
        #expect(try await code(Array(bomb.utf8)) == "assessment.damagedFile")
        let read = try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(read.questions.isEmpty)
        let stranger = try await problem {
            try await fixture.school.execute(
                ImportQuestions.self,
                [
                    "quizId": .id(quiz.id),
                    "file": .file(UploadedFile(name: "a", contentType: "text/plain", bytes: Array("Q{T}".utf8))),
                ], as: fixture.stranger)
        }
        #expect(stranger?.status == 404)
    }
}
