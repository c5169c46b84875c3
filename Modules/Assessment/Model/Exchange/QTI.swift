public import Foundation

/// Reads questions in QTI 2.1, 2.2 and 3.0, and writes them in QTI 3.0 (https://www.imsglobal.org/spec/qti/v3p0).
///
/// An item that was written here has its exact content in a processing instruction, which other programs ignore. It
/// counts only if the item's elements still say the same, so that changes by other programs are not lost.
public struct QTI: Sendable {
    typealias Reason = ImportedQuestions.LeftOut.Reason

    /// Returns a text of a question as XHTML.
    let markup: @Sendable (String, [QuestionPicture]) -> String
    /// Returns an option of a question as XHTML within a line.
    let option: @Sendable (String, [QuestionPicture]) -> String

    /// - Parameters:
    ///   - markup: returns a text with its pictures as well-formed XHTML blocks. The address of a picture is
    ///     `picturePath(_:)`.
    ///   - option: returns an option as well-formed XHTML within a line.
    public init(
        markup: @escaping @Sendable (String, [QuestionPicture]) -> String,
        option: @escaping @Sendable (String, [QuestionPicture]) -> String
    ) {
        self.markup = markup
        self.option = option
    }

    /// The address of a picture in an item of a package.
    public static func picturePath(_ picture: QuestionPicture) -> String { "../\(fileName(picture))" }

    /// The name of a picture's file in a package.
    public static func fileName(_ picture: QuestionPicture) -> String { "images/\(picture.hash).jpg" }

    // MARK: - Reading

    /// Reads the questions of the files of a package, or of a single file, in the order of the package's test.
    ///
    /// - Parameter newId: returns an id for a question or an option.
    public func read(_ files: [(name: String, bytes: [UInt8])], newId: () -> UUID) -> ImportedQuestions {
        var result = ImportedQuestions()
        // Each item is read at once, so that only one tree is in memory.
        var items: [(name: String, title: String, read: Result<ReadItem, Reason>)] = []
        var places: [String: (place: Int, weight: Decimal?)] = [:]
        let bytes = Dictionary(files.map { ($0.name, $0.bytes) }) { first, _ in first }
        for file in files where Self.isDocument(file.name) || files.count == 1 {
            let root: MarkupElement
            do { root = try MarkupReader.xml(file.bytes) } catch {
                result.leftOut.append(.init(title: file.name, reason: .unreadable))
                continue
            }
            switch root.name {
            case "assessmentitem":
                let title = root["title"].flatMap { $0.isEmpty ? nil : $0 } ?? file.name
                // Some programs write addresses from the root of the package.
                let find = { (address: String) in
                    bytes[Self.path(address, beside: file.name)] ?? bytes[Self.path(address, beside: "")]
                }
                items.append(
                    (file.name, title, Result { () throws(Reason) in try item(root, find, newId: newId) }))
            case "assessmenttest", "assessmentsection":
                for reference in root.all(where: { $0.name == "assessmentitemref" }) {
                    guard let path = reference["href"].map({ Self.path($0, beside: file.name) }) else { continue }
                    let weight = reference.first("weight")?["value"].flatMap { Self.number($0) }
                    if places[path] == nil { places[path] = (places.count, weight) }
                }
            // The list of the package's files, and metadata.
            case "manifest", "lom", "qtimetadata": break
            default: result.leftOut.append(.init(title: file.name, reason: .kind))
            }
        }
        let ordered = items.enumerated().sorted { one, other in
            (places[one.element.name]?.place ?? Int.max, one.offset)
                < (places[other.element.name]?.place ?? Int.max, other.offset)
        }
        for (_, item) in ordered {
            switch item.read {
            case .success(var read):
                if !read.isExact, let weight = places[item.name]?.weight {
                    let points = Decimal(read.question.points ?? 100) / 100
                    read.question.points = Self.hundredths(points * weight) ?? read.question.points
                }
                result.add(read.question, title: item.title, read.pictures)
            case .failure(let reason): result.leftOut.append(.init(title: item.title, reason: reason))
            }
        }
        return result
    }

    /// Whether a file of a package is a document rather than a picture.
    public static func isDocument(_ name: String) -> Bool {
        name.lowercased().hasSuffix(".xml") && !name.contains("__MACOSX/")
    }

    /// Returns the path of a file that another one names.
    private static func path(_ href: String, beside file: String) -> String {
        var parts = file.split(separator: "/").dropLast().map(String.init)
        for part in (href.removingPercentEncoding ?? href).split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    /// Reads an item: from its exact content if that is still true, or from its elements.
    private func item(
        _ item: MarkupElement, _ find: @escaping (String) -> [UInt8]?, newId: () -> UUID
    ) throws(Reason) -> ReadItem {
        if let exact = Self.exact(in: item), exact.fault == nil, isUnchanged(item, exact) {
            let pictures = exact.pictures.compactMap { picture in
                find(Self.picturePath(picture)).map { ImportedPicture(name: picture.name, bytes: $0) }
            }
            if pictures.count == exact.pictures.count {
                var question = exact.renewed(newId)
                question.pictures = []
                return ReadItem(question: question, pictures: pictures, isExact: true)
            }
        }
        let pictures = PictureFinder(find)
        let question = try Self.lossy(item, pictures, newId: newId)
        return ReadItem(question: question, pictures: pictures.found, isExact: false)
    }

    private struct ReadItem {
        var question: Question
        let pictures: [ImportedPicture]
        /// Whether the question is exactly what was written here.
        let isExact: Bool
    }

    /// Whether the elements of an item are those that were written for its exact content.
    private func isUnchanged(_ item: MarkupElement, _ exact: Question) -> Bool {
        let names = ["responsedeclaration", "itembody", "responseprocessing", "modalfeedback"]
        func parts(_ item: MarkupElement) -> [MarkupElement] {
            item.elements.filter { names.contains($0.name) }.map(\.withoutBlanks)
        }
        do { return try parts(MarkupReader.xml(Array(self.item(exact).utf8))) == parts(item) } catch {
            return false
        }
    }

    private static let exactName = "pinktower "

    private static func exact(in item: MarkupElement) -> Question? {
        for case .instruction(let text) in item.content where text.hasPrefix(exactName) {
            let json = Data(text.dropFirst(exactName.count).utf8)
            // An instruction that was changed by hand does not count.
            do { return try JSONDecoder().decode(Question.self, from: json) } catch { return nil }
        }
        return nil
    }

    /// Reads an item from its elements.
    private static func lossy(
        _ item: MarkupElement, _ pictures: PictureFinder, newId: () -> UUID
    ) throws(Reason) -> Question {
        guard let body = item.first("itembody") else { throw .unreadable }
        let interactions = body.all { $0.name.hasSuffix("interaction") }
        let item = QTIItem(item, body, pictures)
        guard let first = interactions.first else { throw .kind }
        var question: Question
        if first.name == "choiceinteraction", interactions.count == 1 {
            question = try item.choice(first, newId)
        } else if interactions.allSatisfy({ $0.name == "textentryinteraction" }) {
            question = try item.typed(interactions, newId)
        } else {
            throw .kind
        }
        question.points = item.points
        question.explanation = try item.explanation()
        return question
    }

    /// Reads a decimal number of XML.
    static func number(_ text: String) -> Decimal? {
        ExactNumber(text.trimmingCharacters(in: .whitespacesAndNewlines))?.value
    }

    /// Returns points in hundredths; `nil` for points that a question cannot have.
    static func hundredths(_ points: Decimal) -> Int? {
        var (scaled, rounded) = (points * 100, Decimal())
        NSDecimalRound(&rounded, &scaled, 0, .plain)
        let count = NSDecimalNumber(decimal: rounded).intValue
        return points > 0 && points <= 1000 && count > 0 ? count : nil
    }

    // MARK: - Writing

    /// Returns the documents of a package with a manifest, a test and an item for each question.
    ///
    /// The pictures are files of the package too, with the names that `fileName(_:)` returns.
    /// - Parameter points: the points in hundredths of a question that has none of its own.
    public func package(_ questions: [Question], title: String, points: Int) -> [(name: String, text: String)] {
        let names = questions.indices.map { "items/question-\($0 + 1).xml" }
        let references = questions.indices.map { place in
            """
            <qti-assessment-item-ref identifier="item-\(place + 1)" href="\(names[place])">\
            <qti-weight identifier="POINTS" value="\(Self.decimal(questions[place].points ?? points, 100))"/>\
            </qti-assessment-item-ref>
            """
        }.joined(separator: "\n")
        let test = """
            \(Self.declaration)
            <qti-assessment-test \(Self.schema) identifier="test" title="\(Self.escaped(title))">
            <qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float"/>
            <qti-test-part identifier="part" navigation-mode="nonlinear" submission-mode="simultaneous">
            <qti-assessment-section identifier="section" title="\(Self.escaped(title))" visible="true">
            \(references)
            </qti-assessment-section>
            </qti-test-part>
            <qti-outcome-processing><qti-set-outcome-value identifier="SCORE"><qti-sum>\
            <qti-test-variables variable-identifier="SCORE" weight-identifier="POINTS"/>\
            </qti-sum></qti-set-outcome-value></qti-outcome-processing>
            </qti-assessment-test>

            """
        let resources = names.enumerated().map { place, name in
            let pictures = Set(questions[place].pictures.map(Self.fileName)).sorted()
            let files = ([name] + pictures).map { "<file href=\"\($0)\"/>" }.joined()
            return """
                <resource identifier="item-\(place + 1)" type="imsqti_item_xmlv3p0" href="\(name)">\(files)</resource>
                """
        }.joined(separator: "\n")
        let manifest = """
            \(Self.declaration)
            <manifest xmlns="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1" identifier="manifest">
            <metadata><schema>QTI Package</schema><schemaversion>3.0.0</schemaversion></metadata>
            <organizations/>
            <resources>
            <resource identifier="test" type="imsqti_test_xmlv3p0" href="test.xml"><file href="test.xml"/></resource>
            \(resources)
            </resources>
            </manifest>

            """
        return [("imsmanifest.xml", manifest), ("test.xml", test)]
            + zip(names, questions).map { ($0, item($1)) }
    }

    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    private static let schema = "xmlns=\"http://www.imsglobal.org/xsd/imsqtiasi_v3p0\""

    /// Returns a question as an item.
    func item(_ question: Question) -> String {
        let markup = { self.markup($0, question.pictures) }
        let parts = QTIItemParts(question, markup) { option($0, question.pictures) }
        let feedback =
            question.explanation.map {
                """
                <qti-modal-feedback outcome-identifier="FEEDBACK" show-hide="hide" identifier="none">\
                <qti-content-body>\(markup($0))</qti-content-body></qti-modal-feedback>

                """
            } ?? ""
        return """
            \(Self.declaration)
            <qti-assessment-item \(Self.schema) identifier="question-\(question.id.uuidString.lowercased())" \
            title="\(Self.escaped(GIFT.title(of: question.text)))" adaptive="false" time-dependent="false" xml:lang="und">
            <?\(Self.exactName)\(Self.exactContent(question))?>
            \(parts.declarations)
            <qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float"><qti-default-value>\
            <qti-value>0</qti-value></qti-default-value></qti-outcome-declaration>
            \(feedback.isEmpty ? "" : Self.feedbackDeclaration)<qti-item-body>
            \(parts.body)
            </qti-item-body>
            \(parts.processing)
            \(feedback)</qti-assessment-item>

            """
    }

    private static let feedbackDeclaration = """
        <qti-outcome-declaration identifier="FEEDBACK" cardinality="single" base-type="identifier"/>

        """

    private static func exactContent(_ question: Question) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A question is always encodable; without the instruction, the elements are still a valid item.
        do {
            // A `>` is in strings only, where it has another form, so that it does not end the instruction.
            return String(decoding: try encoder.encode(question), as: UTF8.self).replacing(">", with: "\\u003e")
        } catch {
            return ""
        }
    }

    /// Returns a quotient as a decimal number with at most six decimals.
    static func decimal(_ part: Int, _ whole: Int) -> String {
        var (value, rounded) = (Decimal(part) / Decimal(whole), Decimal())
        NSDecimalRound(&rounded, &value, 6, .plain)
        return "\(rounded)"
    }

    /// Returns a text for the content or an attribute of XML. Characters that XML does not allow are left out.
    public static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { all, scalar in
            switch scalar {
            case "&": all += "&amp;"
            case "<": all += "&lt;"
            case ">": all += "&gt;"
            case "\"": all += "&quot;"
            case "\t", "\n", "\r": all += "&#\(scalar.value);"
            case "\u{FFFE}", "\u{FFFF}": break
            case _ where scalar.value < 0x20: break
            default: all.unicodeScalars.append(scalar)
            }
        }
    }
}

/// The elements of an item that differ between kinds of questions.
private struct QTIItemParts {
    var declarations = ""
    var body = ""
    var processing =
        "<qti-response-processing template=\"https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/map_response.xml\"/>"

    init(_ question: Question, _ markup: (String) -> String, _ option: (String) -> String) {
        switch question.kind {
        case .multipleChoice, .trueFalse: choice(question, markup, option)
        case .shortAnswer:
            declarations = Self.declaration("RESPONSE", question.accepted.first ?? [], "1")
            body = markup(question.text) + "\n<p>\(Self.entry("RESPONSE"))</p>"
        case .fillInTheBlank:
            let count = question.accepted.count
            let names = (1...max(count, 1)).map { "RESPONSE\($0)" }
            declarations = zip(names, question.accepted).map {
                Self.declaration($0, $1, QTI.decimal(1, count))
            }.joined(separator: "\n")
            let parts = Blanks.parts(of: markup(question.text))
            body = parts.enumerated().map { place, part in
                (place == 0 || place > names.count ? "" : Self.entry(names[place - 1])) + part
            }.joined()
            processing = """
                <qti-response-processing><qti-set-outcome-value identifier="SCORE"><qti-sum>\
                \(names.map { "<qti-map-response identifier=\"\($0)\"/>" }.joined())\
                </qti-sum></qti-set-outcome-value></qti-response-processing>
                """
        case .numeric: numeric(question, markup)
        }
    }

    private mutating func choice(
        _ question: Question, _ markup: (String) -> String, _ shown: (String) -> String
    ) {
        let isTrueFalse = question.kind == .trueFalse
        let names = question.options.indices.map { isTrueFalse ? ($0 == 0 ? "true" : "false") : "option\($0 + 1)" }
        let right = question.options.count(where: \.isRight)
        let isMultiple = question.takesSeveral
        let entries = zip(names, question.options).map { name, option in
            let value =
                option.share.map { QTI.decimal($0, 10_000) }
                ?? (option.isRight ? QTI.decimal(1, right) : isMultiple ? QTI.decimal(-1, right) : "0")
            return "<qti-map-entry map-key=\"\(name)\" mapped-value=\"\(value)\"/>"
        }
        let correct = zip(names, question.options).filter(\.1.isRight).map { "<qti-value>\($0.0)</qti-value>" }
        declarations = """
            <qti-response-declaration identifier="RESPONSE" cardinality="\(isMultiple ? "multiple" : "single")" \
            base-type="identifier"><qti-correct-response>\(correct.joined())</qti-correct-response>\
            <qti-mapping lower-bound="0" upper-bound="1" default-value="0">\(entries.joined())</qti-mapping>\
            </qti-response-declaration>
            """
        let choices = zip(names, question.options).map { name, option in
            let text = isTrueFalse ? (name == "true" ? "True" : "False") : shown(option.text)
            return "<qti-simple-choice identifier=\"\(name)\">\(text)</qti-simple-choice>"
        }
        body = """
            \(markup(question.text))
            <qti-choice-interaction response-identifier="RESPONSE" max-choices="\(isMultiple ? 0 : 1)" shuffle="false">
            \(choices.joined(separator: "\n"))
            </qti-choice-interaction>
            """
    }

    private mutating func numeric(_ question: Question, _ markup: (String) -> String) {
        let numbers = (question.accepted.first ?? []).map { ExactNumber($0)?.text ?? $0 }
        declarations = """
            <qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="float">\
            <qti-correct-response><qti-value>\(numbers.first ?? "0")</qti-value></qti-correct-response>\
            </qti-response-declaration>
            """
        let tolerance = question.tolerance.flatMap { ExactNumber($0)?.text }
        let mode =
            tolerance.map { "tolerance-mode=\"absolute\" tolerance=\"\($0) \($0)\"" } ?? "tolerance-mode=\"exact\""
        let tests = numbers.map { number in
            """
            <qti-equal \(mode)><qti-variable identifier="RESPONSE"/>\
            <qti-base-value base-type="float">\(number)</qti-base-value></qti-equal>
            """
        }
        body = markup(question.text) + "\n<p>\(Self.entry("RESPONSE"))</p>"
        processing = """
            <qti-response-processing><qti-response-condition><qti-response-if>\
            <qti-or>\(tests.joined())</qti-or>\
            <qti-set-outcome-value identifier="SCORE"><qti-base-value base-type="float">1</qti-base-value>\
            </qti-set-outcome-value></qti-response-if></qti-response-condition></qti-response-processing>
            """
    }

    private static func entry(_ name: String) -> String {
        "<qti-text-entry-interaction response-identifier=\"\(name)\"/>"
    }

    private static func declaration(_ name: String, _ accepted: [String], _ value: String) -> String {
        let entries = accepted.map {
            "<qti-map-entry map-key=\"\(QTI.escaped($0))\" mapped-value=\"\(value)\" case-sensitive=\"false\"/>"
        }
        return """
            <qti-response-declaration identifier="\(name)" cardinality="single" base-type="string">\
            <qti-correct-response><qti-value>\(QTI.escaped(accepted.first ?? ""))</qti-value></qti-correct-response>\
            <qti-mapping default-value="0">\(entries.joined())</qti-mapping></qti-response-declaration>
            """
    }
}
