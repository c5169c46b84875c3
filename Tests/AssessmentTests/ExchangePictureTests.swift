import AssessmentModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Assessment

@Suite("Pictures and formulas in files of questions")
struct ExchangePictureTests {
    private static let png = Data(TestPictures.png).base64EncodedString()

    /// The MathML of x² without TeX.
    private static let square = "<math><msup><mi>x</mi><mn>2</mn></msup></math>"

    @Test("Moodle XML has its pictures within it, and formulas in the notation of TeX")
    func moodle() throws {
        let file = """
            <quiz><question type="multichoice"><name><text>Map</text></name>
            <questiontext format="html"><text><![CDATA[<p>What is \\(x^2\\) of $4 or $5?
            <img src="@@PLUGINFILE@@/sub/My%20map.png" alt="A map [1]"></p>]]></text>
            <file name="My map.png" path="/sub/" encoding="base64">\(Self.png)</file></questiontext>
            <single>true</single>
            <answer fraction="100" format="html"><text><![CDATA[<img src="@@PLUGINFILE@@/a.png" alt="Coin">]]></text>
            <file name="a.png" encoding="base64">\(Self.png)</file></answer>
            <answer fraction="0" format="html"><text>$$\\frac12$$</text></answer></question></quiz>
            """
        let read = try #require(MoodleXML.read(Array(file.utf8)) { UUID() })
        let question = try #require(read.questions.first)
        #expect(question.text == "What is $x^2$ of \\$4 or \\$5? ![A map \\[1\\]](my-map.jpg)")
        #expect(question.options.map(\.text) == ["![Coin](a.jpg)", "$$\\frac12$$"])
        let files = try #require(read.pictures[question.id]).files
        #expect(files.map(\.name) == ["my-map.jpg", "a.jpg"])
        #expect(files.allSatisfy { $0.bytes == TestPictures.png })
    }

    @Test("pictures of other sites are never fetched, and a question with one is listed")
    func elsewhere() throws {
        for source in [
            "https://tracker.example/a.png", "file:///etc/passwd", "../../secret.png", "data:text/html;base64,AAAA",
        ] {
            let file = """
                <quiz><question type="truefalse"><name><text>T</text></name><questiontext format="html"><text>
                <![CDATA[A <img src="\(source)">]]></text></questiontext>
                <answer fraction="100"><text>true</text></answer></question></quiz>
                """
            let read = try #require(MoodleXML.read(Array(file.utf8)) { UUID() })
            #expect(read.leftOut == [.init(title: "T", reason: .picture)])
        }
        let gift = GIFT.read("::T::[html]A <img src\\=\"@@PLUGINFILE@@/a.png\">{T}") { UUID() }
        #expect(gift.leftOut == [.init(title: "T", reason: .picture)])
    }

    @Test("GIFT takes pictures that are within the text or beside it in an archive")
    func gift() {
        let text = """
            ::One::[html]A <img src\\="data:image/png;base64,\(Self.png.replacing("=", with: "\\="))" alt\\="B">{T}

            ::Two::[html]C <img src\\="@@PLUGINFILE@@/c.png">{F}
            """
        let read = GIFT.read(text, files: { $0 == "c.png" ? TestPictures.png : nil }) { UUID() }
        #expect(read.questions.map(\.text) == ["A ![B](picture.jpg)", "C ![](c.jpg)"])
        #expect(read.pictures.count == 2 && read.leftOut.isEmpty)
    }

    @Test("MathML of other programs becomes TeX, and what has no counterpart is listed")
    func mathML() {
        func read(_ math: String) -> ImportedQuestions {
            let item = ExchangeSample.item(
                """
                <responseDeclaration identifier='R' cardinality='single' baseType='string'>
                <correctResponse><value>a</value></correctResponse></responseDeclaration>
                """, "<p>Is \(math)2?</p><p><textEntryInteraction responseIdentifier='R'/></p>",
                ExchangeSample.template("match_correct"))
            return ExchangeSample.qti.read([("item.xml", Array(item.utf8))]) { UUID() }
        }
        #expect(read(Self.square).questions.map(\.text) == ["Is ${x}^{2}$ 2?"])
        let prefixed =
            "<m:math xmlns:m='http://www.w3.org/1998/Math/MathML'><m:mfrac><m:mn>1</m:mn><m:mi>π</m:mi></m:mfrac></m:math>"
        #expect(read(prefixed).questions.map(\.text) == ["Is $\\frac{1}{π}$ 2?"])
        let annotated =
            "<math display='block'><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\alpha</annotation></semantics></math>"
        #expect(read(annotated).questions.map(\.text) == ["Is $$\\alpha$$ 2?"])
        #expect(read("<math><mglyph src='a.png'/></math>").leftOut.map(\.reason) == [.formula])
    }

    @Test("a picture of a package is found beside its item and from the root, and never outside of the package")
    func addresses() {
        func read(_ source: String) -> ImportedQuestions {
            let item = ExchangeSample.item(
                """
                <responseDeclaration identifier='R' cardinality='single' baseType='string'>
                <correctResponse><value>a</value></correctResponse></responseDeclaration>
                """,
                "<p>Is <img src='\(source)' alt='B'/>?</p><p><textEntryInteraction responseIdentifier='R'/></p>",
                ExchangeSample.template("match_correct"))
            return ExchangeSample.qti.read([
                ("a/item.xml", Array(item.utf8)), ("a/one.png", TestPictures.png),
                ("images/two.png", TestPictures.webP),
            ]) { UUID() }
        }
        #expect(read("one.png").pictures.values.first?.files.map(\.bytes) == [TestPictures.png])
        #expect(read("images/two.png").pictures.values.first?.files.map(\.bytes) == [TestPictures.webP])
        #expect(read("../images/two.png").questions.map(\.text) == ["Is ![B](two.jpg)?"])
        #expect(read("../../images/three.png").leftOut.map(\.reason) == [.picture])
    }

    @Test(
        "a package that is exported and imported again has the same questions, pictures and formulas",
        .requirement("BY-1.20.d"))
    func roundTrip() async throws {
        let fixture = try await QuizFixture(images: SameImages())
        let (first, second) = (try await fixture.quiz(), try await fixture.quiz(["title": "Copy"]))
        let photo = InputValue.file(
            UploadedFile(name: "map.jpg", contentType: "image/jpeg", bytes: SameImages.plain))
        for kind in Question.Kind.allCases {
            var fields: [String: InputValue] = [
                "quizId": .id(first.id), "kind": .text(kind.rawValue),
                "text": "What is $\\frac{1}{2}$ of {{blank}} for $5 or $6?",
                "explanation": "Because $$x < 2$$ & so on",
                "picture": photo, "pictureAlternative": "A <map> & \"more\"",
            ]
            switch kind {
            case .multipleChoice:
                fields.merge(["option1": "$x^2$ & more", "option2": "2*3*4 <b>", "isRight1": true]) { $1 }
                fields["picturePlace"] = "option2"
            case .numeric: fields["accepted"] = "3.14"
            default: fields["accepted"] = "a|b"
            }
            try await fixture.school.execute(AddQuestion.self, .object(fields), as: fixture.teacher)
        }
        let route = try #require(fixture.feature.endpoints.downloads.first { $0.path.hasSuffix("questions.zip") })
        let file = try await route.file(["quizId": first.id.text], fixture.school.context(of: fixture.teacher))
        try await fixture.school.execute(
            ImportQuestions.self,
            [
                "quizId": .id(second.id),
                "file": .file(
                    UploadedFile(name: "a.zip", contentType: "application/zip", bytes: try file.content.bytes())),
            ], as: fixture.teacher)
        func questions(_ quiz: Quiz) async throws -> [Question] {
            try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher).questions
        }
        let (written, found) = (try await questions(first), try await questions(second))
        #expect(found.map(ExchangeSample.content) == written.map(ExchangeSample.content))
        #expect(found.map(\.pictures) == written.map(\.pictures) && found.allSatisfy { $0.pictures.count == 1 })
    }

    @Test("GIFT names a question with pictures that it cannot carry, in the file and on the page")
    func notInGIFT() async throws {
        let fixture = try await QuizFixture(images: SameImages())
        let quiz = try await fixture.quiz()
        try await fixture.short(quiz)
        let photo = InputValue.file(
            UploadedFile(name: "map.jpg", contentType: "image/jpeg", bytes: SameImages.plain))
        try await fixture.school.execute(
            AddQuestion.self,
            [
                "quizId": .id(quiz.id), "kind": "shortAnswer", "text": "Which city?", "accepted": "Rome",
                "picture": photo, "pictureAlternative": "A map",
            ], as: fixture.teacher)
        let questions = try await fixture.school.answer(
            ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher
        ).questions
        let text = GIFT.write(questions)
        #expect(text.contains("// Left out, because GIFT carries no pictures: Which city? ![A map](map.jpg)"))
        #expect(GIFT.read(text) { UUID() }.questions.count == 1)
        let page = try await fixture.school.environment.outline(
            ExchangeHandlers.path(quiz.id), as: fixture.teacher)
        #expect(page.contains("GIFT carries no pictures; 1 question is left out: Which city?"))
        // A comment with the hash of a picture gives nobody the picture.
        let encoder = JSONEncoder()
        let stolen =
            "// pinktower: " + String(decoding: try encoder.encode(questions[1]), as: UTF8.self) + "\n::N::Q{T}"
        #expect(GIFT.read(stolen) { UUID() }.questions.allSatisfy { $0.pictures.isEmpty && $0.kind == .trueFalse })
    }

    @Test("a picture with more than its pixels, or with more after its end, is encoded again")
    func plain() {
        #expect(PlainJPEG.size(SameImages.plain).map { [$0.width, $0.height] } == [24, 16])
        #expect(PlainJPEG.size(TestPictures.photo) == nil)
        #expect(PlainJPEG.size(SameImages.plain + [0]) == nil)
        #expect(PlainJPEG.size(Array(SameImages.plain.dropLast(10))) == nil)
        #expect(PlainJPEG.size([0xFF, 0xD8]) == nil && PlainJPEG.size(TestPictures.png) == nil)
    }
}

/// Images that stay as they are, as an encoder does with small pictures of its own.
private struct SameImages: ImageShrinking {
    /// The photo of the tests without its metadata: the 174 bytes of the segment after the first 20.
    static let plain: [UInt8] = {
        let photo = TestPictures.photo
        let length = Int(photo[22]) << 8 | Int(photo[23])
        return Array(photo[..<20]) + Array(photo[(22 + length)...])
    }()

    func shrink(
        _ content: FileContent, to sizes: [Int], upTo limit: Int
    ) async throws(ImageFault) -> [ShrunkImage] {
        do {
            return [ShrunkImage(bytes: try content.bytes(), width: 24, height: 16)]
        } catch { throw .damaged }
    }
}
