import AssessmentModel
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Reads the questions of an uploaded file, whose format is found from its content.
struct QuestionFileReader: Sendable {
    /// The largest file in bytes: 40 questions with large pictures.
    static let largest = 16 << 20
    /// The limits of a package: 1,000 items with their pictures.
    static let limits = UnpackingLimits(files: 5000, bytes: 48 << 20)

    let unpacker: any Unpacking
    let markdown: any MarkdownReader

    /// The reader and writer of QTI, with the texts of questions as XHTML.
    var qti: QTI {
        let reader = QuestionReader(markdown: markdown)
        return QTI(
            markup: { RichTextMarkup.markup(reader.read($0, $1, path: QTI.picturePath)) },
            option: { RichTextMarkup.inlines(reader.inlines($0, $1, path: QTI.picturePath)) })
    }

    /// Returns the questions of a file. Throws `Problem` 422 if its format is unknown or it is damaged.
    func read(_ file: UploadedFile, newId: () -> UUID) throws -> ImportedQuestions {
        guard file.size <= Self.largest else { throw Problem.invalid("file", "assessment.fileTooLarge") }
        let bytes = try file.content.bytes()
        if bytes.starts(with: [0x50, 0x4B]) { return try package(bytes, newId: newId) }
        let text: [UInt8]
        do { text = try TextDecoding(bytes).bytes } catch {
            throw Problem.invalid("file", "assessment.unknownFile")
        }
        guard let first = text.first(where: { !Self.blanks.contains($0) }) else {
            throw Problem.invalid("file", "assessment.nothingRead")
        }
        guard first == UInt8(ascii: "<") else {
            return GIFT.read(String(decoding: text, as: UTF8.self), newId: newId)
        }
        if let read = MoodleXML.read(text, newId: newId) { return read }
        let read = qti.read([(file.name, text)], newId: newId)
        if let left = read.leftOut.first, read.questions.isEmpty, left.title == file.name {
            throw Problem.invalid(
                "file", left.reason == .unreadable ? "assessment.damagedFile" : "assessment.unknownFile")
        }
        return read
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    private func package(_ bytes: [UInt8], newId: () -> UUID) throws -> ImportedQuestions {
        let files: [UnpackedFile]
        do { files = try unpacker.unzip(bytes, limits: Self.limits) } catch {
            switch error {
            case .tooLarge, .tooManyFiles: throw Problem.invalid("file", "assessment.fileTooLarge")
            case .damaged, .encrypted, .inParts, .unknownMethod, .path:
                throw Problem.invalid("file", "assessment.damagedFile")
            }
        }
        var result = ImportedQuestions()
        var items: [(name: String, bytes: [UInt8])] = []
        var hasDocument = false
        for file in files {
            if QTI.isDocument(file.name) {
                hasDocument = true
                if let moodle = MoodleXML.read(file.bytes, newId: newId) {
                    result.add(moodle)
                    continue
                }
            } else if Self.isGIFT(file.name) {
                hasDocument = true
                result.add(gift(file, beside: files, newId: newId))
                continue
            }
            items.append((file.name, file.bytes))
        }
        guard hasDocument else { throw Problem.invalid("file", "assessment.unknownFile") }
        if items.contains(where: { QTI.isDocument($0.name) }) { result.add(qti.read(items, newId: newId)) }
        return result
    }

    private static func isGIFT(_ name: String) -> Bool {
        [".gift", ".txt"].contains { name.lowercased().hasSuffix($0) } && !name.contains("__MACOSX/")
    }

    /// Reads a text in GIFT with the pictures beside it.
    private func gift(
        _ file: UnpackedFile, beside files: [UnpackedFile], newId: () -> UUID
    ) -> ImportedQuestions {
        do {
            let text = String(decoding: try TextDecoding(file.bytes).bytes, as: UTF8.self)
            return GIFT.read(
                text,
                files: { name in files.first { $0.name.split(separator: "/").last.map(String.init) == name }?.bytes
                },
                newId: newId)
        } catch {
            return ImportedQuestions(leftOut: [.init(title: file.name, reason: .unreadable)])
        }
    }
}
